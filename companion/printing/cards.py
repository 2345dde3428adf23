"""Print-and-play cards as vector PDF: fronts and backs that meet, with labels, trim marks and a ruler."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.game_api.drawing import (
    CARD_HEIGHT,
    CARD_WIDTH,
    LABEL_LEFT,
    LABEL_SIDE,
    LABEL_TOP,
    SAFE,
    Box,
    Drawing,
    Prose,
    Shape,
    Text,
)
from companion.game_api.ui import Speaks
from companion.printing.correction import NO_CORRECTION, Correction
from companion.printing.sheets import Grid, LabelSpec, Turn, draw_label_on, draw_ruler, fit_grid
from companion.printing.svg_to_pdf import draw_drawing
from companion.vision.label.label import STANDARD_LABEL

MAX_BLEED_MM = 5.0
_HAIRLINE_MM = 0.1
_RULER_LEFT_MM = 2.5


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a card: what is drawn on it, and its label, if it bears one."""

    drawing: Drawing
    label: LabelSpec | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A card to print; without a back its sheet's back stays empty there."""

    front: Side
    back: Side | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintSettings:
    """How cards are set: the paper, the edge over which the printer turns it, the bleed, what each side is out by."""

    paper: str = "a4"
    turn: Turn = "long"
    bleed: float = 0.0
    fronts: Correction = NO_CORRECTION
    backs: Correction = NO_CORRECTION

    def __post_init__(self) -> None:
        """Refuse a bleed that no scissors need."""
        if not 0 <= self.bleed <= MAX_BLEED_MM:
            raise ValueError(f"a bleed is 0 to {MAX_BLEED_MM:g} mm")


def draw_cards(canvas: Canvas, cards: Sequence[Card], setting: PrintSettings, title: str) -> int:
    """Draw cards of one size onto pages of their own, and return how many: each front followed by its back.

    Raises:
        ValueError: for an unknown paper, or cards too large for it.

    """
    size = cards[0].front.drawing
    grid = fit_grid(setting.paper, size.width, size.height, setting.bleed)
    pages = 0
    sheets = -(-len(cards) // grid.places)
    for sheet in range(sheets):
        here = cards[sheet * grid.places : (sheet + 1) * grid.places]
        said = f"{title}   {sheet + 1} / {sheets}"
        _draw_page(canvas, grid, [card.front for card in here], "none", setting.fronts, said)
        pages += 1
        if setting.turn != "none" and any(card.back for card in here):
            _draw_page(canvas, grid, [card.back for card in here], setting.turn, setting.backs, said)
            pages += 1
    return pages


def new_canvas(path: Path, title: str) -> Canvas:
    """Begin a PDF; equal contents give equal bytes."""
    canvas = Canvas(str(path), invariant=True, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("Companion")
    return canvas


def _draw_page(
    canvas: Canvas, grid: Grid, sides: Sequence[Side | None], turn: Turn, out_by: Correction, said: str
) -> None:
    canvas.setPageSize((grid.sheet_width * mm, grid.sheet_height * mm))
    out_by.apply(canvas, grid.sheet_height)
    for number, side in enumerate(sides):
        if side is not None:
            left, top = grid.place(number, turn)
            _draw_side(canvas, side, left, grid.sheet_height - top - grid.height, grid, over=turn == "short")
    canvas.setStrokeGray(0)
    canvas.setLineWidth(_HAIRLINE_MM * mm)
    for x, y, to_x, to_y in grid.marks():
        canvas.line(x * mm, (grid.sheet_height - y) * mm, to_x * mm, (grid.sheet_height - to_y) * mm)
    if turn == "none":
        draw_ruler(canvas, grid.sheet_height, _RULER_LEFT_MM, said)
    canvas.showPage()


def _draw_side(canvas: Canvas, side: Side, left: float, foot: float, grid: Grid, *, over: bool) -> None:
    """Draw a side; ``over``: head down, as a sheet that is turned over its short edge wants it."""
    canvas.saveState()
    if over:
        canvas.translate((2 * left + grid.width) * mm, (2 * foot + grid.height) * mm)
        canvas.rotate(180)
    edge = canvas.beginPath()
    bleed = grid.bleed
    edge.rect((left - bleed) * mm, (foot - bleed) * mm, (grid.width + 2 * bleed) * mm, (grid.height + 2 * bleed) * mm)
    canvas.clipPath(edge, stroke=0, fill=0)
    if bleed:
        # Beyond the edge the colours of the card go on: the card itself, a little larger, beneath it.
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


# --- set_in_type
# Cards of games that do not draw their own: what a catalog says of them, set in type.

_BAND = "#33454d"
_SECOND = "#5d5348"
_LEFT = SAFE + 1
_ROOM = CARD_WIDTH - 2 * _LEFT
_LINE = 4.6
_UNSAID = frozenset({"id", "name", "names", "texts"})


def typeset_front(kind: str, card: str, held: Mapping[str, Any], words: Speaks) -> Drawing:
    """Set a card's name, its text, and its other figures line by line, as many as have room."""
    name = str(held.get("names", {}).get(words.language) or held.get("name") or card)
    shapes: list[Shape] = [
        Box(0, 0, CARD_WIDTH, 17, fill=_BAND),
        Text(_LEFT, 9, 5.2, name, bold=True, colour="#ffffff", room=_ROOM),
        Text(_LEFT, 14.2, 3.2, kind, colour="#ffffff", room=_ROOM),
    ]
    y = 23.0
    for key, value in held.items():
        if key in _UNSAID or not isinstance(value, str | int | float) or value in ("", name):
            continue
        if key == "text":
            said = str(held.get("texts", {}).get(words.language) or value)
            shapes.append(Prose(_LEFT, y - 3, _ROOM, LABEL_TOP - y - 6, 4, said))
            break
        if y > LABEL_TOP - 3:
            break
        shapes.append(Text(_LEFT, y, 3.2, words.named("field", key), colour=_SECOND, room=_ROOM * 0.55))
        said = words.named("value", value) if isinstance(value, str) else str(value)
        shapes.append(Text(CARD_WIDTH - _LEFT, y, 3.8, said, "right", bold=True, room=_ROOM * 0.42))
        y += _LINE
    shapes.append(Text(_LEFT, 84, 3, card, colour=_SECOND))
    return Drawing(CARD_WIDTH, CARD_HEIGHT, tuple(shapes))


def typeset_back(kind: str) -> Drawing:
    """Set what lies in a pile on the back of its cards."""
    shapes: tuple[Shape, ...] = (
        Box(0, 0, CARD_WIDTH, CARD_HEIGHT, fill=_BAND),
        Box(4, 4, CARD_WIDTH - 8, CARD_HEIGHT - 8, line="#ffffff", thick=0.4, round=2),
        Text(CARD_WIDTH / 2, 46, 7, kind, "middle", bold=True, colour="#ffffff", room=CARD_WIDTH - 16),
    )
    return Drawing(CARD_WIDTH, CARD_HEIGHT, shapes)
