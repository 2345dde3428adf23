"""Print-and-play cards: measured and read back on the rasterised sheet."""

from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LABEL_LEFT,
    LABEL_TOP,
    Drawing,
    Prose,
    Rectangle,
    TextLine,
)
from companion.printing.cards import PrintedCard, PrintedSide, PrintSettings, draw_cards, typeset_front
from companion.printing.document import Correction, Turn, new_canvas
from companion.printing.sheets import LabelSpec, fit_grid
from companion.vision.label.label import STANDARD_LABEL
from companion.vision.read import read_codes
from companion.words import Words
from tests.extent import by_night
from tests.printing.sheets_seen import scanned

DOTS = 600
A_MM = DOTS / 25.4
BLACK = Drawing(CARD_WIDTH, CARD_HEIGHT, (Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill="#000000"),))
WHITE = Drawing(CARD_WIDTH, CARD_HEIGHT, ())


def printed(path: Path, cards: list[PrintedCard], **setting: object) -> list[np.ndarray]:
    canvas = new_canvas(path / "cards.pdf", "Cards")
    draw_cards(canvas, cards, PrintSettings(**setting), "Cards")  # type: ignore[arg-type]
    canvas.save()
    return scanned(path / "cards.pdf", DOTS)


def extent(sheet: np.ndarray) -> np.ndarray:
    """Left, top, right and foot of the large dark thing on a sheet, in millimetres; the ruler at the edge apart."""
    dark = sheet < 128
    dark[:, : round(9 * A_MM)] = False
    columns = np.flatnonzero(dark.sum(axis=0) > 30 * A_MM)
    rows = np.flatnonzero(dark.sum(axis=1) > 30 * A_MM)
    return np.array([columns[0], rows[0], columns[-1] + 1, rows[-1] + 1]) / A_MM


@pytest.mark.parametrize("paper", ["a4", *by_night("letter")])
@pytest.mark.parametrize(("turn", "mirrored"), [("long", 1), ("short", 0)])
def test_a_card_is_as_large_as_it_says_and_its_back_meets_it(
    tmp_path: Path, paper: str, turn: Turn, mirrored: int
) -> None:
    """Within 0.1 mm, on the sheet that was turned over that edge."""
    front, back = printed(tmp_path, [PrintedCard(PrintedSide(BLACK), PrintedSide(BLACK))], paper=paper, turn=turn)

    seen, behind = extent(front), extent(np.flip(back, axis=mirrored))
    assert seen[2:] - seen[:2] == pytest.approx([CARD_WIDTH, CARD_HEIGHT], abs=0.1)
    assert behind == pytest.approx(seen, abs=0.1)


def test_a_back_stands_upright_behind_its_front_however_the_sheet_is_turned(tmp_path: Path) -> None:
    """Given a mark near the head of the back; then it is near the head of the front that one turns over sideways."""
    mark = Drawing(CARD_WIDTH, CARD_HEIGHT, (Rectangle(0, 0, CARD_WIDTH, 40, fill="#000000"),))
    for turn, mirrored in (("long", 1), ("short", 0)):
        front, back = printed(tmp_path, [PrintedCard(PrintedSide(mark), PrintedSide(mark))], turn=turn)

        assert extent(np.flip(back, axis=mirrored))[1] == pytest.approx(extent(front)[1], abs=0.1) or turn == "short"
        upright = np.flip(np.flip(back, axis=0), axis=1) if turn == "short" else back
        assert extent(upright)[1] == pytest.approx(extent(front)[1], abs=0.1)


@pytest.mark.parametrize("bleed", [0.0, 1.8, 2.0])
def test_no_trim_mark_stands_on_a_card_or_its_bleed(tmp_path: Path, bleed: float) -> None:
    (sheet,) = printed(tmp_path, [PrintedCard(PrintedSide(WHITE))] * 4, bleed=bleed, turn="none")

    grid = fit_grid("a4", CARD_WIDTH, CARD_HEIGHT, bleed)
    for place in range(grid.places):
        left, top = grid.place(place)
        inside = sheet[
            round((top - bleed) * A_MM) : round((top + CARD_HEIGHT + bleed) * A_MM),
            round((left - bleed) * A_MM) : round((left + CARD_WIDTH + bleed) * A_MM),
        ]
        assert inside.min() == 255
    assert (sheet < 128).sum() > 20 * A_MM


@pytest.mark.parametrize(
    ("paper", "bleed"), [("a4", 0.0), ("a4", 1.0), ("a4", 1.8), ("a4", 2.0), ("letter", 0.0), ("letter", 2.0)]
)
def test_the_ruler_is_a_hundred_millimetres_beyond_what_printers_leave_white(
    tmp_path: Path, paper: str, bleed: float
) -> None:
    """At the left edge, or at the head where cards with a bleed leave no room there; no trim mark touches it."""
    side = PrintedSide(BLACK)
    grid = fit_grid(paper, CARD_WIDTH, CARD_HEIGHT, bleed)
    front, _ = printed(tmp_path, [PrintedCard(side, side)] * grid.places, paper=paper, bleed=bleed)

    dark = (front < 128).astype(np.uint8)
    _, _, parts, _ = cv2.connectedComponentsWithStats(dark)
    left, top, width, height = parts[1:, :4].T / A_MM
    at_left = (left < 8) & (np.abs(height - 100) < 0.3) & (np.abs(width - 1.6) < 0.2)
    at_head = (top < 8) & (np.abs(width - 100) < 0.3) & (np.abs(height - 1.6) < 0.2)
    (ruler,) = np.flatnonzero(at_left | at_head)
    assert min(left[ruler], top[ruler]) > 5
    words = (width < 2) & (height < 2) & (np.where(at_left[ruler], left, top) < 8)
    assert np.count_nonzero(words) > len("100mmCards1/1") - 3
    assert np.where(at_left[ruler], left, top)[words].min() > 5


def test_trim_marks_point_at_the_edges_of_every_card(tmp_path: Path) -> None:
    (sheet,) = printed(tmp_path, [PrintedCard(PrintedSide(WHITE))], turn="none")

    grid = fit_grid("a4", CARD_WIDTH, CARD_HEIGHT)
    above = sheet[round((grid.top - 3) * A_MM)] < 128
    for column in range(grid.columns):
        for x in (grid.left + column * grid.across, grid.left + column * grid.across + CARD_WIDTH):
            assert above[round((x - 0.2) * A_MM) : round((x + 0.2) * A_MM) + 1].any()


def test_bleed_goes_on_beyond_the_card(tmp_path: Path) -> None:
    (sheet,) = printed(tmp_path, [PrintedCard(PrintedSide(BLACK))], bleed=3.0, turn="none")

    seen = extent(sheet)
    assert seen[2:] - seen[:2] == pytest.approx([CARD_WIDTH + 6, CARD_HEIGHT + 6], abs=0.1)


def test_a_printer_is_corrected_side_by_side(tmp_path: Path) -> None:
    plain = printed(tmp_path, [PrintedCard(PrintedSide(BLACK), PrintedSide(BLACK))])
    fronts, backs = Correction(1.5, -0.8), Correction(-0.4, 0.6, 1.01, 0.99)
    front, back = printed(tmp_path, [PrintedCard(PrintedSide(BLACK), PrintedSide(BLACK))], fronts=fronts, backs=backs)

    assert extent(front) - extent(plain[0]) == pytest.approx([1.5, -0.8, 1.5, -0.8], abs=0.1)
    there = extent(plain[1])
    assert extent(back) == pytest.approx(there * [1.01, 0.99, 1.01, 0.99] + [-0.4, 0.6, -0.4, 0.6], abs=0.1)


def test_errors_do_not_add_up_over_a_sheet(tmp_path: Path) -> None:
    """Given cards black and white by turns; then the last edge is where the first one and the steps say."""
    (sheet,) = printed(tmp_path, [PrintedCard(PrintedSide(BLACK))] * 9, turn="none")

    seen = extent(sheet)
    assert seen[2:] - seen[:2] == pytest.approx([3 * CARD_WIDTH, 3 * CARD_HEIGHT], abs=0.1)


def test_a_label_lies_where_the_card_leaves_room(tmp_path: Path) -> None:
    label = LabelSpec("W07", "MB1W07")
    sheet, _ = printed(tmp_path, [PrintedCard(PrintedSide(WHITE, label), PrintedSide(WHITE, label))])

    (code,) = read_codes(sheet)
    left, top = fit_grid("a4", CARD_WIDTH, CARD_HEIGHT).place(0)
    x, y, side = STANDARD_LABEL.symbol_mm
    middle = [left + LABEL_LEFT + x + side / 2, top + LABEL_TOP + y + side / 2]
    assert code.centre == pytest.approx([each * A_MM for each in middle], abs=0.15 * A_MM)


@pytest.mark.parametrize(
    ("setting", "fault"),
    [
        ({"bleed": 9.0}, "bleed"),
        ({"bleed": -1.0}, "bleed"),
        ({"paper": "a5"}, "paper 'a5'"),
    ],
)
def test_what_cannot_be_printed_is_refused(tmp_path: Path, setting: dict[str, object], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        printed(tmp_path, [PrintedCard(PrintedSide(WHITE))], **setting)


@pytest.mark.parametrize("out_by", [(40.0, 0.0), (0.0, 0.0, 1.5, 1.0), (0.0, float("nan")), (0.0, 0.0, float("nan"))])
def test_a_correction_that_no_printer_needs_is_a_slip(out_by: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="printer"):
        Correction(*out_by)


@pytest.mark.parametrize("figures", [1, 8, 14])
@pytest.mark.parametrize("text", ["", "Whoever has it takes another card at the end of the round, and pays nothing."])
def test_every_figure_of_a_card_without_drawings_stands_above_its_label(figures: int, text: str) -> None:
    fields = {"id": "A01", "name": "Ox", **{f"figure_{number}": number for number in range(figures)}, "wild": True}
    front = typeset_front("Card", "A01", {**fields, "text": text}, Words("en"))

    lines = [shape for shape in front.shapes if isinstance(shape, TextLine)]
    assert [line.words for line in lines if line.align == "right"] == [*map(str, range(figures)), "yes"]
    assert all(line.y < LABEL_TOP for line in lines if line.words != "A01")
    below = [shape.y + shape.height for shape in front.shapes if isinstance(shape, Prose)]
    assert all(foot < LABEL_TOP for foot in below)
    assert len(below) == bool(text)
    spaces = [second.y - first.y for first, second in pairwise(line for line in lines if line.align == "right")]
    assert all(space > 0.8 * line.size for space, line in zip(spaces, lines[3::2], strict=False))
