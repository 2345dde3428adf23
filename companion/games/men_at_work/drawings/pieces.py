"""The pieces, each drawn from the side: girders in four colours with letters, workers, supports, beams, bricks.

Units are those of an instruction's drawing, 60 wide and 36 high, with the table at 34.
"""

from math import cos, pi, radians, sin
from typing import NamedTuple

from companion.game_api.drawing import (
    GROUND,
    OUTLINE,
    PLACE,
    PLACE_LINE,
    Disc,
    DrawnShape,
    Polygon,
    Rectangle,
    TextLine,
)

Shapes = tuple[DrawnShape, ...]
OutlinePoints = tuple[tuple[float, float], ...]


class GirderTones(NamedTuple):
    """The colours of a girder: its face, the light on its upper edge, its shade and holes, the letter."""

    face: str
    light: str
    shade: str
    letter: str


GIRDERS = {
    "orange": GirderTones("#e07b1f", "#f19a4a", "#a9560f", "#2a1b0d"),
    "purple": GirderTones("#7a4a9c", "#976bb5", "#55306f", "#ffffff"),
    "black": GirderTones("#35343a", "#54535b", "#1d1c20", "#ffffff"),
    "white": GirderTones("#f7f4ec", "#ffffff", "#b8ae9a", "#2a241d"),
    "any": GirderTones("#cdbfa5", "#ddd1ba", "#a2937a", "#4a4034"),
}
EMPTY = "place"
"""In the place of a colour: the place of a girder alone, without the girder."""
TABLE = 34.0
YELLOW, YELLOW_SHADE = "#f0c419", "#d9a90c"
_OVERALLS, _SHIRT, _SKIN, _BOOTS, _GLOVES, _FACE = "#3d6a94", "#e9dfc8", "#e8c39e", "#4a3a2b", "#f7f4ec", "#2a2118"
_CONCRETE, _CONCRETE_SHADE, _CAP = "#9aa3a6", "#7d888c", "#b4bcbf"
_BEAM, _GRAIN = "#a8753d", "#c9965a"
_BRICK, _BRICK_LIGHT = "#b4472f", "#d06a50"
_NEW, _OLD = 0.6, 0.4
_AROUND, _PLACE_LINE, _DASH = 0.9, 0.65, 2.0
GIRDER_HIGH = 4.2
_WORKER = 0.063
"""A worker is drawn 184 high and made as small as this."""


def table(left: float = 1, right: float = 59) -> tuple[DrawnShape, ...]:
    """Draw the table."""
    return (Polygon(((left, TABLE), (right, TABLE)), line=GROUND, thick=0.6, closed=False),)


def place(x: float, y: float, width: float, height: float) -> tuple[DrawnShape, ...]:
    """Draw the place of something new, a little larger than it but for its foot, which stands on what is there."""
    return (
        Rectangle(
            x - _AROUND,
            y - _AROUND,
            width + 2 * _AROUND,
            height + _AROUND - _PLACE_LINE,
            fill=PLACE,
            line=PLACE_LINE,
            thick=_PLACE_LINE,
            round=0.8,
            dash=_DASH,
        ),
    )


def girder(
    x: float, y: float, length: float, colour: str = "any", says: str = "", *, new: bool = False
) -> tuple[DrawnShape, ...]:
    """Draw a girder lying from a place to the right: its holes, and its colour's letter where it says one."""
    around = place(x, y, length, GIRDER_HIGH) if new else ()
    if colour == EMPTY:
        return around
    tones, strip = GIRDERS[colour], GIRDER_HIGH / 5
    shapes: list[DrawnShape] = [
        *around,
        Rectangle(x, y, length, GIRDER_HIGH, fill=tones.face, round=0.4),
        Rectangle(x, y, length, strip, fill=tones.light, round=0.3),
        Rectangle(x, y + GIRDER_HIGH - strip, length, strip, fill=tones.shade, round=0.3),
    ]
    holes = max(3, int(length // 6) | 1)
    for hole in range(holes):
        middle = x + length * (hole + 0.5) / holes
        if says and hole == holes // 2:
            shapes.append(TextLine(middle, y + 3.3, 3.4, says, "middle", bold=True, colour=tones.letter))
        else:
            shapes.append(Disc(middle, y + GIRDER_HIGH / 2, 0.55, fill=tones.shade))
    thick = _NEW if new else _OLD
    shapes.append(Rectangle(x, y, length, GIRDER_HIGH, line=OUTLINE, thick=thick, round=0.4))
    return tuple(shapes)


def end_on(x: float, y: float, colour: str = "any") -> tuple[DrawnShape, ...]:
    """Draw a girder that points at whoever looks."""
    return (Rectangle(x, y, GIRDER_HIGH, GIRDER_HIGH, fill=GIRDERS[colour].face, line=OUTLINE, thick=_OLD, round=0.4),)


def half_ellipse(left: float, right: float, foot: float, height: float, steps: int = 10) -> OutlinePoints:
    """Return the outline of a helmet: a half ellipse over a line, in so many steps."""
    middle, half = (left + right) / 2, (right - left) / 2
    angles = (pi * step / steps for step in range(steps + 1))
    return tuple((middle - half * cos(angle), foot - height * sin(angle)) for angle in angles)


def worker(
    x: float, foot: float, *, new: bool = False, overalls: str = _OVERALLS, cheers: bool = False, sad: bool = False
) -> tuple[DrawnShape, ...]:
    """Draw a worker with their arms stretched out, or up where they cheer; ``x`` is their middle.

    Args:
        x: The middle.
        foot: What they stand on.
        new: They are to be placed: their place is drawn too.
        overalls: The colour of their overalls.
        cheers: Their arms are up.
        sad: Something has gone wrong.
    """

    def at(*points: tuple[float, float]) -> OutlinePoints:
        return tuple((x + left * _WORKER, foot + top * _WORKER) for left, top in points)

    thick = _NEW if new else _OLD
    hands = ((-66, -176), (66, -176)) if cheers else ((-74, -108), (74, -108))
    arms = at(hands[0], (-20, -112), (20, -112), hands[1])
    mouth = at((-7, -130), (0, -134), (7, -130)) if sad else at((-7, -133), (0, -129), (7, -133))
    around = place(x - 5.6, foot - 11.8, 11.2, 11.4) if new else ()
    return (
        *around,
        Polygon(
            at((-24, 0), (-20, -62), (20, -62), (24, 0), (6, 0), (2, -44), (-2, -44), (-6, 0)), overalls, OUTLINE, thick
        ),
        Polygon(at((-26, 0), (-3, 0), (-4, -9), (-24, -9)), _BOOTS),
        Polygon(at((26, 0), (3, 0), (4, -9), (24, -9)), _BOOTS),
        Polygon(arms, line=OUTLINE, thick=22 * _WORKER + 2 * thick, closed=False),
        Polygon(arms, line=overalls, thick=22 * _WORKER, closed=False),
        Polygon(at((-24, -58), (-26, -92), (-20, -122), (20, -122), (26, -92), (24, -58)), overalls, OUTLINE, thick),
        Polygon(at((-10, -121), (-8, -84), (8, -84), (10, -121)), _SHIRT),
        *(Disc(*at(hand)[0], 14 * _WORKER, fill=_GLOVES, line=OUTLINE, thick=thick) for hand in hands),
        Disc(*at((0, -146))[0], 24 * _WORKER, fill=_SKIN, line=OUTLINE, thick=thick),
        *(Disc(*at((side, -142))[0], 3.4 * _WORKER, fill=_FACE) for side in (-8, 8)),
        Polygon(mouth, line=_FACE, thick=3 * _WORKER, closed=False),
        Polygon(at(*half_ellipse(-27, 27, -152, 30)), YELLOW, OUTLINE, thick),
        Polygon(at((-5, -179), (5, -179), (5, -156), (-5, -156)), YELLOW_SHADE),
        Polygon(at((-34, -152), (34, -152)), line=OUTLINE, thick=11 * _WORKER, closed=False),
        Polygon(at((-32, -152), (32, -152)), line=YELLOW, thick=4 * _WORKER, closed=False),
    )


_ARM_TOP = 7.9
"""How high an arm is, above what a worker stands on."""


def arm(x: float, foot: float, *, right: bool = True) -> tuple[float, float]:
    """Return where something lies on an arm of the worker who stands there."""
    return (x + (3.7 if right else -3.7), foot - _ARM_TOP)


def support(x: float, foot: float, *, new: bool = False) -> tuple[DrawnShape, ...]:
    """Draw a support, standing."""
    thick = _NEW if new else _OLD
    outline = ((x - 3, foot), (x - 1.6, foot - 8.6), (x + 1.6, foot - 8.6), (x + 3, foot))
    return (
        *(place(x - 3, foot - 10, 6, 9.8) if new else ()),
        Polygon(outline, _CONCRETE),
        Polygon(((x + 0.4, foot), (x + 0.3, foot - 8.6), (x + 1.6, foot - 8.6), (x + 3, foot)), _CONCRETE_SHADE),
        Polygon(outline, line=OUTLINE, thick=thick),
        Rectangle(x - 2.8, foot - 10, 5.6, 1.6, fill=_CAP, line=OUTLINE, thick=thick, round=0.3),
    )


def beam(x: float, foot: float, length: float = 9.0) -> tuple[DrawnShape, ...]:
    """Draw a beam about its middle, lying on what is at ``foot``."""
    left = x - length / 2
    return (
        Rectangle(left, foot - 1.7, length, 1.7, fill=_BEAM, line=OUTLINE, thick=_OLD, round=0.3),
        Polygon(((left + 1, foot - 1), (left + length * 0.6, foot - 1)), line=_GRAIN, thick=0.2, closed=False),
        Polygon(
            ((left + length * 0.35, foot - 0.6), (left + length - 1, foot - 0.6)), line=_GRAIN, thick=0.2, closed=False
        ),
    )


def brick(x: float, foot: float) -> tuple[DrawnShape, ...]:
    """Draw a brick about its middle."""
    return (
        Rectangle(x - 1.9, foot - 2.4, 3.8, 2.4, fill=_BRICK, line=OUTLINE, thick=_OLD, round=0.3),
        Polygon(((x - 1.4, foot - 1.8), (x + 1.4, foot - 1.8)), line=_BRICK_LIGHT, thick=0.4, closed=False),
    )


def arrow(x: float, y: float, to_x: float, to_y: float) -> tuple[DrawnShape, ...]:
    """Draw an arrow straight up, down, left or right."""
    away = ((x > to_x) - (x < to_x), (y > to_y) - (y < to_y))
    side = (away[1], away[0])
    head = (
        (to_x + 2 * away[0] + 1.7 * side[0], to_y + 2 * away[1] + 1.7 * side[1]),
        (to_x, to_y),
        (to_x + 2 * away[0] - 1.7 * side[0], to_y + 2 * away[1] - 1.7 * side[1]),
    )
    return (
        Polygon(((x, y), (to_x, to_y)), line=PLACE_LINE, thick=0.9, closed=False),
        Polygon(head, line=PLACE_LINE, thick=0.9, closed=False),
    )


def tilt(shapes: tuple[DrawnShape, ...], angle: float, x: float, y: float) -> tuple[DrawnShape, ...]:
    """Draw shapes turned clockwise about a point, by an angle in degrees; corners of rectangles become sharp."""

    def turn(left: float, top: float) -> tuple[float, float]:
        sine, cosine = sin(radians(angle)), cos(radians(angle))
        return (x + (left - x) * cosine - (top - y) * sine, y + (left - x) * sine + (top - y) * cosine)

    def turned(shape: DrawnShape) -> DrawnShape:
        match shape:
            case Rectangle():
                right, foot = shape.x + shape.width, shape.y + shape.height
                corners = ((shape.x, shape.y), (right, shape.y), (right, foot), (shape.x, foot))
                return Polygon(tuple(turn(*corner) for corner in corners), shape.fill, shape.line, shape.thick)
            case Polygon():
                points = tuple(turn(*point) for point in shape.points)
                return Polygon(points, shape.fill, shape.line, shape.thick, shape.closed, shape.dash)
            case Disc():
                return Disc(*turn(shape.x, shape.y), shape.radius, shape.fill, shape.line, shape.thick, shape.dash)
            case TextLine():
                middle = turn(shape.x, shape.y)
                return TextLine(
                    *middle, shape.size, shape.words, shape.align, shape.bold, colour=shape.colour, turned=angle
                )
            case _:
                return shape

    return tuple(turned(shape) for shape in shapes)
