"""Print-and-play cards as vector PDF: fronts and backs in register, with labels, trim marks and a ruler."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.game_api.cards import worded_card
from companion.game_api.drawing import (
    BARRED,
    CARD_HEIGHT,
    CARD_WIDTH,
    GO_ON,
    LABEL_LEFT,
    LABEL_SIDE,
    LABEL_TOP,
    SAFE,
    Drawing,
    DrawnShape,
    Polygon,
    Prose,
    Rectangle,
    TextLine,
    moved,
)
from companion.game_api.ui import Language
from companion.printing.document import INKED_FROM_MM, NO_CORRECTION, Correction, Turn, draw_drawing
from companion.printing.sheets import Grid, LabelSpec, draw_label_on, draw_ruler, fit_grid, require_bleed
from companion.vision.label.label import STANDARD_LABEL

_HAIRLINE_MM = 0.1
_STRIP_MM = 8.8
"""How much of an edge the ruler takes with trim marks beside it."""
_NARROW_RULER_MM = 2.5
"""From the edge to the ruler where no edge has that much room."""
_MARKS_FROM_MM = INKED_FROM_MM + 2.1
"""Where trim marks begin beside the ruler."""


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """One side of a card: its drawing, and its label, if it has one."""

    drawing: Drawing
    label: LabelSpec | None = None


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A card to print; ``back``: ``None`` leaves the sheet's back empty there."""

    front: PrintedSide
    back: PrintedSide | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintSettings:
    """How cards are printed.

    ``turn``: the edge over which the printer turns the sheet; ``bleed``: mm of colour beyond the cards' edges;
    ``fronts``, ``backs``: corrections of the printer's errors.
    """

    paper: str = "a4"
    turn: Turn = "long"
    bleed: float = 0.0
    fronts: Correction = NO_CORRECTION
    backs: Correction = NO_CORRECTION

    def __post_init__(self) -> None:
        """Raise ``ValueError`` for a bleed out of range."""
        require_bleed(self.bleed)


def draw_cards(
    canvas: Canvas,
    cards: Sequence[PrintedCard],
    setting: PrintSettings,
    title: str,
    report: Callable[[int, int], object] = lambda _sheet, _sheets: None,
) -> int:
    """Draw cards of one size onto pages, each sheet's fronts followed by its backs; return the number of pages.

    ``report`` is called with the number of each drawn sheet and the number of sheets.

    Raises:
        ValueError: for an unknown paper, or cards too large for it.

    """
    size = cards[0].front.drawing
    grid = fit_grid(setting.paper, size.width, size.height, setting.bleed)
    pages = 0
    sheets = -(-len(cards) // grid.places)
    for sheet in range(sheets):
        on_sheet = cards[sheet * grid.places : (sheet + 1) * grid.places]
        caption = f"{title}   {sheet + 1} / {sheets}"
        _draw_page(canvas, grid, [card.front for card in on_sheet], "none", setting.fronts, caption)
        pages += 1
        if setting.turn != "none":  # an empty back too: otherwise the next front would be printed there
            _draw_page(canvas, grid, [card.back for card in on_sheet], setting.turn, setting.backs, caption)
            pages += 1
        report(sheet + 1, sheets)
    return pages


def _draw_page(
    canvas: Canvas, grid: Grid, sides: Sequence[PrintedSide | None], turn: Turn, correction: Correction, caption: str
) -> None:
    canvas.setPageSize((grid.sheet_width * mm, grid.sheet_height * mm))
    correction.apply(canvas, grid.sheet_height)
    for number, side in enumerate(sides):
        if side is not None:
            left, top = grid.place(number, turn)
            _draw_side(canvas, side, left, grid.sheet_height - top - grid.height, grid, over=turn == "short")
    from_left, from_top = _draw_ruler(canvas, grid, caption) if turn == "none" else (0.0, 0.0)
    canvas.setStrokeGray(0)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    for mark in grid.marks():
        x, to_x = (max(each, from_left) for each in mark[::2])
        y, to_y = (max(each, from_top) for each in mark[1::2])
        canvas.line(x * mm, (grid.sheet_height - y) * mm, to_x * mm, (grid.sheet_height - to_y) * mm)
    canvas.showPage()


def _draw_ruler(canvas: Canvas, grid: Grid, caption: str) -> tuple[float, float]:
    """Draw the ruler at the left edge, or the head where only there is room for it; return from where marks may stand.

    Marks may stand so far from the left edge and the head, in mm.
    """
    left, top = grid.left - grid.bleed, grid.top - grid.bleed
    if max(left, top) < _STRIP_MM:
        draw_ruler(canvas, grid.sheet_height, _NARROW_RULER_MM, caption)
        return 0.0, 0.0
    if left >= _STRIP_MM:
        draw_ruler(canvas, grid.sheet_height, INKED_FROM_MM, caption)
        return _MARKS_FROM_MM, 0.0
    canvas.saveState()
    canvas.transform(0, -1, 1, 0, 0, grid.sheet_height * mm)  # the head takes the place of the left edge
    draw_ruler(canvas, grid.sheet_width, INKED_FROM_MM, caption)
    canvas.restoreState()
    return 0.0, _MARKS_FROM_MM


def _draw_side(canvas: Canvas, side: PrintedSide, left: float, foot: float, grid: Grid, *, over: bool) -> None:
    """Draw a side; ``over``: upside down, as for a sheet that is turned over its short edge."""
    canvas.saveState()
    if over:
        canvas.translate((2 * left + grid.width) * mm, (2 * foot + grid.height) * mm)
        canvas.rotate(180)
    edge = canvas.beginPath()
    bleed = grid.bleed
    edge.rect((left - bleed) * mm, (foot - bleed) * mm, (grid.width + 2 * bleed) * mm, (grid.height + 2 * bleed) * mm)
    canvas.clipPath(edge, stroke=0, fill=0)
    if bleed:
        # The bleed is the card itself, a little larger, underneath.
        canvas.saveState()
        canvas.translate((left - bleed) * mm, (foot - bleed) * mm)
        canvas.scale(1 + 2 * bleed / grid.width, 1 + 2 * bleed / grid.height)
        _draw_ground(canvas, side.drawing, 0, 0)
        draw_drawing(canvas, side.drawing, 0, 0)
        canvas.restoreState()
    _draw_ground(canvas, side.drawing, left, foot)
    draw_drawing(canvas, side.drawing, left, foot)
    if side.label is not None:
        place = (left + LABEL_LEFT, foot + grid.height - LABEL_TOP - LABEL_SIDE)
        canvas.setFillGray(1)
        canvas.rect(place[0] * mm, place[1] * mm, LABEL_SIDE * mm, LABEL_SIDE * mm, stroke=0, fill=1)
        inset = (LABEL_SIDE - STANDARD_LABEL.side_mm) / 2
        draw_label_on(canvas, place[0] + inset, place[1] + inset, STANDARD_LABEL, side.label)
    canvas.restoreState()


def _draw_ground(canvas: Canvas, drawing: Drawing, left: float, foot: float) -> None:
    canvas.setFillColor(HexColor("#ffffff"))
    canvas.rect(left * mm, foot * mm, drawing.width * mm, drawing.height * mm, stroke=0, fill=1)


# Cards of games that draw none of their own.

_BAND_COLOUR = "#33454d"
_SECONDARY_COLOUR = "#5d5348"
_LEFT = SAFE + 1
_TEXT_WIDTH = CARD_WIDTH - 2 * _LEFT
_LINE_HEIGHT = 4.6
_FACTS_TOP, _FACTS_ROOM, _TEXT_ROOM = 23.0, 37.0, 12.0
"""Where the figures begin, how high all of them may stand, and what of it a text needs, in millimetres."""


def typeset_front(kind: str, card: str, fields: Mapping[str, Any], words: Language) -> Drawing:
    """Return a front with a card's name, its figures line by line, in smaller type where there are many, and its text.

    ``fields``: what the catalog holds about the card.
    """
    worded = worded_card(card, fields, words)
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, 17, fill=_BAND_COLOUR),
        TextLine(_LEFT, 9, 5.2, worded.name, heading=True, colour="#ffffff", room=_TEXT_WIDTH),
        TextLine(_LEFT, 14.2, 3.2, kind, colour="#ffffff", room=_TEXT_WIDTH),
    ]
    y, room = _FACTS_TOP, _FACTS_ROOM - (_TEXT_ROOM if worded.text else 0)
    line = min(_LINE_HEIGHT, room / max(1, len(worded.facts)))
    size = 3.8 * line / _LINE_HEIGHT
    for label, figure in worded.facts:
        shapes.append(TextLine(_LEFT, y, 0.84 * size, label, colour=_SECONDARY_COLOUR, room=_TEXT_WIDTH * 0.55))
        shapes.append(TextLine(CARD_WIDTH - _LEFT, y, size, figure, "right", bold=True, room=_TEXT_WIDTH * 0.42))
        y += line
    if worded.text:
        shapes.append(Prose(_LEFT, y - 3, _TEXT_WIDTH, LABEL_TOP - y - 1, 4, worded.text))
    shapes.append(TextLine(_LEFT, 84, 3, card, colour=_SECONDARY_COLOUR))
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def typeset_command(kind: str, card: str, says: str, sign: Drawing | None) -> Drawing:
    """Return a command card: its word large, and below it a drawing that is told from afar.

    ``sign``: the game's drawing of it; ``None``: that of the house, or the word alone.
    """
    sign = HOUSE_SIGNS.get(card, sign)
    shapes: list[DrawnShape] = [
        Rectangle(0, 0, CARD_WIDTH, 18, fill=_BAND_COLOUR),
        TextLine(CARD_WIDTH / 2, 13, 11, says, "middle", bold=True, colour="#ffffff", room=CARD_WIDTH - 2 * SAFE),
        TextLine(_LEFT, 80, 3.2, kind, colour=_SECONDARY_COLOUR, room=LABEL_LEFT - _LEFT - 1),
        TextLine(_LEFT, 84.5, 3, card, colour=_SECONDARY_COLOUR),
    ]
    if sign is not None:
        scale = min(_TEXT_WIDTH / sign.width, (LABEL_TOP - 24) / sign.height)
        left, top = (CARD_WIDTH - scale * sign.width) / 2, 21 + (LABEL_TOP - 24 - scale * sign.height) / 2
        shapes += moved(sign.shapes, left, top, scale)
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def _house_sign(*lines: tuple[tuple[float, float], ...], colour: str) -> Drawing:
    strokes = tuple(Polygon(line, line=colour, thick=5, closed=False) for line in lines)
    return Drawing(40, 36, strokes)


def _arc(x: float, y: float, radius: float, first: int, last: int) -> tuple[tuple[float, float], ...]:
    """Return points on a circle, clockwise from the right; angles in degrees."""
    angles = (radians(angle) for angle in range(first, last + 1, 10))
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


HOUSE_SIGNS: Mapping[str, Drawing] = {
    "X01": _house_sign(((5, 19), (16, 30), (36, 6)), colour=GO_ON),
    "X02": _house_sign(((6, 4), (34, 32)), ((34, 4), (6, 32)), colour=BARRED),
    "X03": _house_sign(((5, 4), (19, 18), (5, 32)), ((21, 4), (35, 18), (21, 32)), colour=_BAND_COLOUR),
    "X04": _house_sign(_arc(21, 19, 13, -150, 130), ((3, 4), (9, 14), (20, 10)), colour=_BAND_COLOUR),
    "X05": _house_sign(
        _arc(20, 13, 10, -230, 50), ((14, 21), (14, 27), (26, 27), (26, 21)), ((16, 33), (24, 33)), colour=_BAND_COLOUR
    ),
}
"""YES, NO, PASS, UNDO and SUGGEST by their cards: a tick, a cross, onward, back, and a lamp."""


def typeset_back(kind: str) -> Drawing:
    """Return a back with the kind of a card."""
    shapes: tuple[DrawnShape, ...] = (
        Rectangle(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=_BAND_COLOUR),
        Rectangle(4, 4, CARD_WIDTH - 8, CARD_HEIGHT - 8, line="#ffffff", thick=0.4, round=2),
        TextLine(CARD_WIDTH / 2, 46, 7, kind, "middle", heading=True, colour="#ffffff", room=CARD_WIDTH - 16),
    )
    return Drawing(CARD_WIDTH, CARD_HEIGHT, shapes)
