"""The faces of a game's bundled deck as they come out of a printer, without labels: the PDF, rasterised."""

import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
from reportlab.lib.units import mm

from companion import bootstrap
from companion.adapters.pictures import encode_jpeg
from companion.bootstrap.printing import write_print_and_play
from companion.game_api.drawing import CARD_HEIGHT, CARD_WIDTH
from companion.printing.cards import PrintSettings
from companion.printing.document import draw_drawing, new_canvas
from companion.printing.sheets import fit_grid
from companion.qr.sighting import Picture
from companion.simulator.art import PIXELS_A_MM
from companion.words import Words
from tests.opened import installed_games

POINTS_AN_INCH, MM_AN_INCH = 72, 25.4


@cache
def printed_cards(game: str, language: str = "en") -> dict[str, Picture]:
    """Print every card with its label, as ``companion cards`` does, and cut it out of its sheet at the trim marks."""
    manifest = installed_games().manifest(game)
    deck = bootstrap.load_bundled_catalog(manifest)
    cards = list(manifest.cards().ids(deck))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cards.pdf"
        write_print_and_play(manifest, deck, path, language=language, setting=PrintSettings(turn="none"))
        document = pdfium.PdfDocument(path)
        scale = PIXELS_A_MM * MM_AN_INCH / POINTS_AN_INCH
        sheets = [np.asarray(page.render(scale=scale).to_pil().convert("RGB"))[:, :, ::-1] for page in document]
        document.close()
    grid = fit_grid("a4", CARD_WIDTH, CARD_HEIGHT, 0.0)
    width, height = (round(side * PIXELS_A_MM) for side in (CARD_WIDTH, CARD_HEIGHT))
    result: dict[str, Picture] = {}
    for number, card in enumerate(cards):
        left, top = (round(at * PIXELS_A_MM) for at in grid.place(number % grid.places))
        result[card] = np.ascontiguousarray(sheets[number // grid.places][top : top + height, left : left + width])
    return result


@cache
def card_faces(game: str, language: str = "en") -> dict[str, Picture]:
    """Draw the front of every card, uint8 at the simulated table's pixels a millimetre, blue green red."""
    manifest = installed_games().manifest(game)
    deck = bootstrap.load_bundled_catalog(manifest)
    if manifest.drawings is None:
        return {}
    draws, catalog, words = manifest.drawings(), manifest.cards().as_json(deck), Words(language, manifest)
    cards = list(manifest.cards().ids(deck))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "faces.pdf"
        canvas = new_canvas(path, game)
        for card in cards:
            front = draws.front(card, catalog, words)
            canvas.setPageSize((front.width * mm, front.height * mm))
            draw_drawing(canvas, front, 0, 0)
            canvas.showPage()
        canvas.save()
        document = pdfium.PdfDocument(path)
        scale = PIXELS_A_MM * MM_AN_INCH / POINTS_AN_INCH
        pages = [document[number].render(scale=scale).to_pil().convert("RGB") for number in range(len(cards))]
        document.close()
    return {card: np.ascontiguousarray(np.asarray(page)[:, :, ::-1]) for card, page in zip(cards, pages, strict=True)}


def on_a_cloth(card: str, game: str = "master_builder") -> bytes:
    """Photograph a card with a telephone, on a dark cloth; JPEG."""
    picture = np.clip(np.random.default_rng(4).normal(60, 5, (900, 700, 3)), 0, 255).astype(np.uint8)
    picture[120 : 120 + 660, 110 : 110 + 474] = cv2.resize(card_faces(game)[card], (474, 660))
    return encode_jpeg(picture)
