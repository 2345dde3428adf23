"""Drawings that paper and screens share: flat shapes and words, in millimetres from the upper left corner."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from companion.game_api.ui import Language, TableView

Align: TypeAlias = Literal["left", "middle", "right"]
F = TypeVar("F", bound=Callable[..., Any])
INK = "#221d18"
"""What words and lines are drawn in."""
OUTLINE, GROUND, SECOND = "#2b241d", "#827259", "#5a4f40"
"""Outlines of pieces, the ground on which they stand, words of less weight: lighter on a stage in the dark."""
PLACE, PLACE_LINE, PAPER = "#d8e7e0", "#0f5f59", "#fcf8f0"
"""A place that is free for something new with its dashed line, and paper: in the colours of a page on a stage."""
TILE, TILE_LINE, TILE_LEFT, TILE_RIGHT = "#fbf6ea", "#bbaa88", "#b9a987", "#9c8b69"
LAWN, PAD, PAD_LEFT, PAD_RIGHT = "#dcddbe", "#e9dfca", "#c4b595", "#ab9b7a"
LIT, GO_ON, BARRED = "#cfe3da", "#2f5d1e", "#97231b"
"""A board with its sides, the green and the ground for building on it; a place that is lit, an arrow, a bar across it:
on a stage in the dark as dark as the room."""
HUES = {
    "brown": "#7b4f33",
    "light_blue": "#8fc3dc",
    "pink": "#cf6aa0",
    "orange": "#e08a2e",
    "crimson": "#b3203a",
    "gold": "#d9b13b",
    "green": "#2f7d4a",
    "navy": "#27407a",
}
"""Colours of groups, told apart by day and, on a stage in the dark, lighter by night."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle by its upper left corner; colours as ``#rrggbb``, lengths in millimetres.

    ``dash``: the length of the dashes of its line; 0: a solid line.
    """

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    line: str | None = None
    thick: float = 0.3
    round: float = 0.0
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    line: str | None = None
    thick: float = 0.3
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline, or an open line of several pieces."""

    points: tuple[tuple[float, float], ...]
    fill: str | None = None
    line: str | None = None
    thick: float = 0.3
    closed: bool = True
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line: ``y`` is where it stands, ``size`` that of the type; made smaller where ``room`` is too little for it.

    ``heading``: a name or title, in the typeface of those.  ``turned`` in degrees, clockwise about its own place.
    """

    x: float
    y: float
    size: float
    words: str
    align: Align = "left"
    bold: bool = False
    heading: bool = False
    colour: str = INK
    room: float = 0.0
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Prose:
    """Words that fill a rectangle line by line, in smaller type where there are many."""

    x: float
    y: float
    width: float
    height: float
    size: float
    words: str
    colour: str = INK


DrawnShape: TypeAlias = Rectangle | Disc | Polygon | TextLine | Prose


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, the later over the earlier, on a sheet of ``width`` x ``height`` mm; ``says``: what it shows.

    ``stands_free``: no sheet lies under it, so that the page is seen round it.
    """

    width: float
    height: float
    shapes: tuple[DrawnShape, ...]
    says: str = ""
    stands_free: bool = False


def moved(shapes: Iterable[DrawnShape], x: float, y: float, scale: float = 1.0) -> tuple[DrawnShape, ...]:
    """Draw shapes elsewhere, larger or smaller."""
    return tuple(_moved(shape, x, y, scale) for shape in shapes)


_LENGTHS = ("width", "height", "radius", "size", "room", "round", "thick", "dash")


def _moved(shape: DrawnShape, x: float, y: float, scale: float) -> DrawnShape:
    lengths: dict[str, Any] = {name: getattr(shape, name) * scale for name in _LENGTHS if hasattr(shape, name)}
    if isinstance(shape, Polygon):
        return replace(
            shape, points=tuple((x + left * scale, y + top * scale) for left, top in shape.points), **lengths
        )
    return replace(shape, x=x + shape.x * scale, y=y + shape.y * scale, **lengths)


# How a game draws itself: its cards for print and play, what else lies on the table, and its position on
# screens.

CARD_WIDTH, CARD_HEIGHT = 63.0, 88.0
"""A card of the usual size, in millimetres."""
LABEL_LEFT, LABEL_TOP, LABEL_SIDE = 35.0, 60.0, 25.0
"""Where the house puts the label on a side that has one: nothing else is drawn there."""
SAFE = 3.0
"""What scissors may take of a card: words keep this far from its edges."""


@dataclass(frozen=True, slots=True)
class Extra:
    """Printed parts besides the cards: pieces of equal size in the order of printing, or one thing over sheets."""

    title: str
    pieces: tuple[Drawing, ...]


def optional(function: F) -> F:
    """Mark a function of a protocol that a game may leave out."""
    function.__dict__["is_optional"] = True
    return function


class Drawings(Protocol):
    """Draws a game.  ``catalog`` is its own, as JSON."""

    def front(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the front of a card, without its label."""
        ...

    def back(self, card: str, catalog: Mapping[str, Any], words: Language) -> Drawing:
        """Draw the back of a card: alike for all that must not be told apart."""
        ...

    def extras(self, catalog: Mapping[str, Any], words: Language) -> Mapping[str, Extra]:
        """Draw what else the game needs on the table, by name: ``money``, ``board`` ..."""
        ...

    @optional
    def command(self, word: str, words: Language) -> Drawing | None:
        """Draw what a command card of the game says, in any size; ``None``: its word alone stands there.

        A game that draws none may leave it out.
        """
        del word, words
        return None

    def pictures(self, scene: TableView) -> Sequence[Drawing]:
        """Draw a position for the default UI: what lies on the table, the most important first."""
        ...
