"""Printed PDFs: what they ask of printers and carry with them; they are rasterised and read back."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pytest
from reportlab.lib.units import mm

from calibration.fiducials import Board
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.printing import create_label_specs, print_sheet, write_print_and_play, write_sheet_for_printer
from companion.engine.game import Refused
from companion.game_api.drawing import Drawing, Prose, TextLine
from companion.printing.calibration_sheets import write_board
from companion.printing.cards import PrintSettings
from companion.printing.document import (
    BOLD,
    CAPITALS,
    HEADING,
    MissingLettersError,
    draw_drawing,
    heading_typeface,
    new_canvas,
    printable,
)
from companion.printing.mat import write_mat
from companion.printing.sheets import write_join_cards, write_label_sheets
from companion.vision.read import read_codes
from companion.words import Words
from tests.opened import installed_games
from tests.printing.sheets_seen import scanned
from tests.printing.test_mat import MATS

MANIFEST = installed_games().manifest("master_builder")
DECK = load_bundled_catalog(MANIFEST)


def cards(turn: str) -> Callable[[Path], object]:
    setting = PrintSettings(turn=turn)  # type: ignore[arg-type]  # one of the three
    return lambda path: write_print_and_play(MANIFEST, DECK, path, language="de", setting=setting, only=["W01", "C03"])


SHEETS: dict[str, tuple[Callable[[Path], object], bytes]] = {
    "cards, fronts": (cards("none"), b"Simplex"),
    "cards, long edge": (cards("long"), b"DuplexFlipLongEdge"),
    "cards, short edge": (cards("short"), b"DuplexFlipShortEdge"),
    "labels": (lambda path: write_label_sheets(create_label_specs(MANIFEST, DECK, ["W01"]), path), b"Simplex"),
    "mat": (lambda path: write_mat(MATS["a3"], path, "a3", {"tray": "Łódź"}), b"Simplex"),
    "board": (lambda path: write_board(Board(), path, "Measure one."), b"Simplex"),
    "join cards": (
        lambda path: write_join_cards("http://10.0.0.1/join/x", ("Ou", "10.0.0.1/BCDF"), "Ť", ["Überall"], path),
        b"Simplex",
    ),
    "printer sheet": (lambda path: write_sheet_for_printer(path, "a4", "fr"), b"DuplexFlipLongEdge"),
}

WITH_HEADINGS = {"cards, fronts", "cards, long edge", "cards, short edge", "join cards"}


def texts(path: Path) -> str:
    document = pdfium.PdfDocument(path)
    result = "\n".join(page.get_textpage().get_text_bounded() for page in document)
    document.close()
    return result


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_asks_for_100_percent_and_its_sides_and_carries_its_typeface(tmp_path: Path, name: str) -> None:
    write, duplex = SHEETS[name]
    write(tmp_path / "sheet.pdf")
    data = (tmp_path / "sheet.pdf").read_bytes()

    assert b"/PrintScaling /None" in data
    assert re.findall(rb"/Duplex /(\w+)", data) == [duplex]
    typefaces = re.findall(rb"/BaseFont /(\S+)", data)
    assert typefaces
    assert all(
        re.fullmatch(rb"[A-Z]{6}\+(SourceSansPro-(Regular|Bold)|SourceSerifPro-Semibold)", face) for face in typefaces
    )
    assert data.count(b"/FontFile2") >= len(set(typefaces))
    assert any(b"Serif" in face for face in typefaces) == (name in WITH_HEADINGS)
    assert len(data) < 400_000, "only the letters that are used"


@pytest.mark.parametrize("words", ["Łódź", "Ťažký Őr", "Ωμέγα", "Пётр", "Zoe\u0308", "\u22129 €", "Ann\u200da"])
def test_letters_of_europe_are_printed_as_they_are(tmp_path: Path, words: str) -> None:
    lines = (
        TextLine(5, 20, 10, words),
        TextLine(70, 20, 10, words, bold=True),
        TextLine(135, 20, 10, words, heading=True),
    )
    canvas = new_canvas(tmp_path / "sheet.pdf", "Letters", (200 * mm, 40 * mm))
    draw_drawing(canvas, Drawing(200, 40, lines), 0, 0)
    canvas.showPage()
    canvas.save()

    read = texts(tmp_path / "sheet.pdf")
    assert read.count(printable(words)) == 3
    (sheet,) = scanned(tmp_path / "sheet.pdf", 100)
    assert np.flatnonzero((sheet < 128).any(axis=0)).size > 40, "there is ink"


@pytest.mark.parametrize(
    ("words", "letters"), [("東京", "東京"), ("Ada 👩\u200d💻", "👩💻"), ("\u0639\u0644\u06cc", "\u0639\u0644\u06cc")]
)
def test_letters_that_the_typeface_lacks_are_named(words: str, letters: str) -> None:
    with pytest.raises(MissingLettersError) as refused:
        printable(words)

    assert refused.value.letters == letters
    assert all(letter in str(refused.value) for letter in letters)
    assert "?" not in str(refused.value)


@pytest.mark.parametrize("face", ["plain", "bold", "heading"])
def test_capitals_are_as_high_as_the_typeface_says(tmp_path: Path, face: str) -> None:
    canvas = new_canvas(tmp_path / "sheet.pdf", "Letters", (50 * mm, 50 * mm))
    draw_drawing(
        canvas, Drawing(50, 50, (TextLine(5, 40, 30, "H", bold=face == "bold", heading=face == "heading"),)), 0, 0
    )
    canvas.showPage()
    canvas.save()

    (sheet,) = scanned(tmp_path / "sheet.pdf", 254)
    inked = np.flatnonzero((sheet < 128).any(axis=1))
    assert inked.size / 10 == pytest.approx(30 * CAPITALS, abs=0.4), "millimetres"
    assert (inked[-1] + 1) / 10 == pytest.approx(40, abs=0.2), "they stand on their line"


@pytest.mark.parametrize(("words", "face"), [("Łódź €", HEADING), ("Ŋarga", BOLD)])
def test_a_heading_with_a_letter_that_only_the_text_has_is_set_as_bold_text(words: str, face: str) -> None:
    """Then a name that could be printed before headings had a typeface of their own still can."""
    assert heading_typeface(printable(words)) == face


def test_nothing_is_written_where_a_letter_is_lacking(tmp_path: Path) -> None:
    with pytest.raises(MissingLettersError, match="CJK UNIFIED IDEOGRAPH-6771"):
        write_join_cards("http://10.0.0.1/join/x", ("or", "10.0.0.1/BCDF"), "東", ["Join"], tmp_path / "cards.pdf")

    assert not list(tmp_path.iterdir())


def test_prose_and_the_words_of_mats_are_refused_too(tmp_path: Path) -> None:
    canvas = new_canvas(tmp_path / "sheet.pdf", "Letters")
    with pytest.raises(MissingLettersError):
        draw_drawing(canvas, Drawing(50, 50, (Prose(0, 0, 50, 50, 4, "eat 寿司"),)), 0, 0)
    with pytest.raises(MissingLettersError):
        write_mat(MATS["a3"], tmp_path / "mat.pdf", "a3", {"tray": "盆"})


@pytest.mark.parametrize("words", ["Donaudampfschifffahrtsgesellschaft", "Das Kongresszentrumsviertel", "W" * 90])
def test_a_word_wider_than_its_room_is_set_smaller_and_at_last_broken(tmp_path: Path, words: str) -> None:
    # given a text in a room that is too narrow for one of its words, with something beside it
    canvas = new_canvas(tmp_path / "sheet.pdf", "Wide", (100 * mm, 100 * mm))
    draw_drawing(canvas, Drawing(100, 100, (Prose(20, 20, 44, 40, 5, words),)), 0, 0)
    canvas.save()

    # when it is printed, then every letter is there, and all of them within the room
    document = pdfium.PdfDocument(tmp_path / "sheet.pdf")
    page = document[0].get_textpage()
    assert "".join(page.get_text_bounded().split()) == words.replace(" ", "")
    boxes = [page.get_charbox(number, loose=True) for number in range(page.count_chars())]
    inked = [box for box in boxes if box[2] > box[0]]
    assert min(left for left, *_ in inked) >= 20 * mm - 0.5
    assert max(right for _, _, right, _ in inked) <= 64 * mm + 0.5
    document.close()


@pytest.mark.parametrize(("letters", "whole"), [(400, True), (4_000, False)])
def test_a_long_text_is_set_as_small_as_it_has_to_be_and_never_ends_unmarked(
    tmp_path: Path, letters: int, whole: bool
) -> None:
    # given a text for the room that instructions of Men at Work have beside a label, as long as a catalog may have it
    words = ("lay it across two girders " * 200)[: letters - 4] + "END."
    canvas = new_canvas(tmp_path / "sheet.pdf", "Long", (100 * mm, 100 * mm))
    draw_drawing(canvas, Drawing(100, 100, (Prose(20, 20, 28, 12.6, 2.6, words),)), 0, 0)
    canvas.save()

    # when it is printed, then its end is there, or a sign that it goes on; and all of it within the room
    document = pdfium.PdfDocument(tmp_path / "sheet.pdf")
    page = document[0].get_textpage()
    read = page.get_text_bounded().strip()
    assert read.endswith("END." if whole else "…")
    boxes = [page.get_charbox(number, loose=True) for number in range(page.count_chars())]
    inked = [box for box in boxes if box[2] > box[0]]
    assert max(right for _, _, right, _ in inked) <= 48 * mm + 0.5
    assert min(foot for _, foot, _, _ in inked) >= (100 - 32.6) * mm - 1.0
    document.close()


def test_each_sheet_of_a_duplex_print_has_its_back_even_an_empty_one(tmp_path: Path) -> None:
    setting = PrintSettings(turn="long")
    _, pages = write_print_and_play(
        MANIFEST, DECK, tmp_path / "c.pdf", language="en", setting=setting, only=["W01"], also=["commands"]
    )

    assert pages == 4


@pytest.mark.game_mistakes
def test_a_side_that_its_game_cannot_draw_is_set_in_type_and_the_others_are_drawn(tmp_path: Path) -> None:
    # given a game that makes a mistake at one front and at what it draws on command cards
    assert MANIFEST.drawings is not None
    drawings: Any = MANIFEST.drawings()

    def front(card: str, *arguments: Any) -> Any:
        return {"C03": drawings.front}[card](card, *arguments)

    half = SimpleNamespace(front=front, back=drawings.back, command=front)
    manifest: Any = replace(MANIFEST, drawings=lambda: half)

    # when both cards are printed, then there are both, with their labels
    setting, path = PrintSettings(turn="none"), tmp_path / "cards.pdf"
    printed = write_print_and_play(
        manifest, DECK, path, language="en", setting=setting, only=["W01", "C03"], also=["commands"]
    )
    assert printed == (2, 2)
    assert {sighting.text for sighting in read_codes(scanned(path)[0])} >= {"MB1W01", "MB1C03"}
    assert {"W01", "Wage"} <= {*texts(path).split()}


def test_a_mat_of_ones_own_is_refused_in_words_on_the_page_that_prints_it() -> None:
    zones = MATS["a3"].zones
    first = replace(zones.zones[0], name="盆")
    own = replace(MATS["a3"], zones=replace(zones, zones=(first, *zones.zones[1:])))

    with pytest.raises(Refused, match="letters_missing") as refused:
        print_sheet("a3", "de", [own])

    said = Words("de", MANIFEST).refusal(refused.value.rule, refused.value.details, {})
    assert "„盆“ lässt sich nicht drucken" in said
