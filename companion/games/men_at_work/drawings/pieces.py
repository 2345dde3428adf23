"""The pieces, each drawn from the side: girders in four colours with letters, workers, supports, beams, bricks.

Units are those of an instruction's drawing, 60 wide and 36 high, with the table at 34.
"""

from companion.game_api.drawing import Disc, DrawnShape, Polygon, Rectangle, TextLine

GIRDERS = {"orange": "#e07b1f", "purple": "#7a4a9c", "black": "#2b2b2e", "white": "#f7f4ec", "any": "#cdbfa5"}
ON_GIRDERS = {"orange": "#221d18", "purple": "#ffffff", "black": "#ffffff", "white": "#221d18", "any": "#4a4034"}
LINE = "#2b241d"
TABLE = 34.0
_HELMET = "#f0c419"
_OVERALLS = "#3d6a94"
_SUPPORT = "#9aa3a6"
_BEAM = "#a8753d"
_BRICK = "#b4472f"
_NEW = 0.9
_OLD = 0.45
GIRDER_HIGH = 4.2


def table() -> tuple[DrawnShape, ...]:
    """Draw the table."""
    return (Polygon(((1, TABLE), (59, TABLE)), line=LINE, thick=0.6, closed=False),)


def girder(
    x: float, y: float, length: float, colour: str = "any", says: str = "", *, new: bool = False
) -> tuple[DrawnShape, ...]:
    """Draw a girder lying from a place to the right: its holes, and its colour's letter where it says one."""
    thick = _NEW if new else _OLD
    shapes: list[DrawnShape] = [
        Rectangle(x, y, length, GIRDER_HIGH, fill=GIRDERS[colour], line=LINE, thick=thick, round=0.5)
    ]
    holes = max(2, int(length // 6))
    for hole in range(holes):
        middle = x + length * (hole + 0.5) / holes
        if says and hole == holes // 2:
            text = TextLine(middle, y + 3.5, 3.8, says, "middle", bold=True, colour=ON_GIRDERS[colour])
            shapes.append(text)
        else:
            shapes.append(Disc(middle, y + GIRDER_HIGH / 2, 0.75, fill=ON_GIRDERS[colour]))
    return tuple(shapes)


def end_on(x: float, y: float, colour: str = "any") -> tuple[DrawnShape, ...]:
    """Draw a girder that points at whoever looks."""
    return (Rectangle(x, y, GIRDER_HIGH, GIRDER_HIGH, fill=GIRDERS[colour], line=LINE, thick=_OLD, round=0.5),)


def worker(x: float, foot: float, *, new: bool = False) -> tuple[DrawnShape, ...]:
    """Draw a worker with his arms stretched out; ``x`` is his middle, ``foot`` what he stands on."""
    thick = _NEW if new else _OLD
    return (
        Polygon(((x - 1.8, foot), (x - 1.4, foot - 6), (x + 1.4, foot - 6), (x + 1.8, foot)), _OVERALLS, LINE, thick),
        Rectangle(x - 5, foot - 7.2, 10, 1.7, fill=_OVERALLS, line=LINE, thick=thick, round=0.6),
        Disc(x, foot - 9.2, 1.9, fill="#e8c39e", line=LINE, thick=thick),
        Polygon(
            ((x - 2.5, foot - 9.5), (x - 1.7, foot - 11.4), (x + 1.7, foot - 11.4), (x + 2.5, foot - 9.5)),
            _HELMET,
            LINE,
            thick,
        ),
    )


def arm(x: float, foot: float, *, right: bool = True) -> tuple[float, float]:
    """Return where something lies on an arm of the worker who stands there."""
    return (x + (3.7 if right else -3.7), foot - 7.2)


def support(x: float, foot: float, *, new: bool = False) -> tuple[DrawnShape, ...]:
    """Draw a support, standing."""
    thick = _NEW if new else _OLD
    return (
        Polygon(((x - 3, foot), (x - 1.6, foot - 9), (x + 1.6, foot - 9), (x + 3, foot)), _SUPPORT, LINE, thick),
        Rectangle(x - 2.8, foot - 10, 5.6, 1.4, fill=_SUPPORT, line=LINE, thick=thick),
    )


def beam(x: float, foot: float, length: float = 9.0) -> tuple[DrawnShape, ...]:
    """Draw a beam about its middle, lying on what is at ``foot``."""
    return (Rectangle(x - length / 2, foot - 1.5, length, 1.5, fill=_BEAM, line=LINE, thick=_NEW * 0.7, round=0.4),)


def brick(x: float, foot: float) -> tuple[DrawnShape, ...]:
    """Draw a brick about its middle."""
    return (Rectangle(x - 1.7, foot - 2.4, 3.4, 2.4, fill=_BRICK, line=LINE, thick=_NEW * 0.7, round=0.3),)


def arrow(x: float, y: float, to_x: float, to_y: float) -> tuple[DrawnShape, ...]:
    """Draw an arrow straight up, down, left or right."""
    away = ((x > to_x) - (x < to_x), (y > to_y) - (y < to_y))
    side = (away[1], away[0])
    head = (
        (to_x, to_y),
        (to_x + 2.4 * away[0] + 1.5 * side[0], to_y + 2.4 * away[1] + 1.5 * side[1]),
        (to_x + 2.4 * away[0] - 1.5 * side[0], to_y + 2.4 * away[1] - 1.5 * side[1]),
    )
    return (
        Polygon(((x, y), (to_x + away[0], to_y + away[1])), line="#b3261e", thick=0.8, closed=False),
        Polygon(head, fill="#b3261e"),
    )
