"""Sheets of print and play, as they come out of a printer."""

import tempfile
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from companion import bootstrap
from companion.bootstrap.printing import write_print_and_play
from companion.printing.cards import PrintSettings
from tests.guide.camera_man import CameraMan

DOTS = 50
_GAP = 8
SHEETS = {
    "sheets_master_builder": ("master_builder", (0, 10)),
    "sheets_men_at_work": ("men_at_work", (0, 1)),
    "sheets_monopoly_builder": ("monopoly_builder", (0, 4)),
}
"""Pictures by name: the game, and which pages stand beside each other."""


def sheets(man: CameraMan) -> None:
    """Show a few sheets of each game."""
    installed = bootstrap.find_games()
    for name, (game, pages) in SHEETS.items():
        manifest = installed.manifest(game)
        with tempfile.TemporaryDirectory() as folder:
            pdf = Path(folder) / "cards.pdf"
            deck = bootstrap.load_bundled_catalog(manifest)
            write_print_and_play(manifest, deck, pdf, language="en", setting=PrintSettings())
            document = pdfium.PdfDocument(pdf)
            shown = [document[page].render(scale=DOTS / 72).to_pil().convert("RGB") for page in pages]
            document.close()
        wide = sum(sheet.width + _GAP for sheet in shown) - _GAP
        row = Image.new("RGB", (wide, shown[0].height), "#8d8171")
        left = 0
        for sheet in shown:
            row.paste(sheet, (left, 0))
            left += sheet.width + _GAP
        man.keep(row, name)
