"""The board seen from above one corner: GO in front, two units across for each unit up, and solids with three faces.

Coordinates of the board are those of the poster, in millimetres from its upper left corner; ``z`` is height above it,
in units of the picture.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin

from companion.game_api.drawing import Disc, DrawnShape, Polygon, TextLine

Point = tuple[float, float]

SIDE = 380.0
DEEP = 48.0
"""Side of the board and depth of its spaces, in millimetres of the poster."""

SCALE = 1.5
MARGIN, HEAD, SLAB = 14.0, 100.0, 24.0
"""Room at both sides, above the rear corner for a token or a tower, and how thick the board is."""
WIDE = 2 * (SIDE * SCALE + MARGIN)
HIGH = HEAD + SIDE * SCALE + SLAB + MARGIN / 2
ACCENT = "#0f5f59"
EDGE = "#2a231b"
_ROUND = 18
_ACROSS = SCALE * 2**0.5
"""Half the width of a circle of radius 1 that lies on the board."""


@dataclass(frozen=True, slots=True)
class FaceTones:
    """Colours of a solid's faces: above, at the left, at the right in the shade; ``on``: of signs on it."""

    top: str
    left: str
    right: str
    on: str = "#ffffff"


BLOCKS = {
    "red": FaceTones("#d4604f", "#b93a2c", "#8c2a21"),
    "purple": FaceTones("#9a6fbb", "#754797", "#563272"),
    "green": FaceTones("#5fa066", "#37803f", "#27602e"),
    "yellow": FaceTones("#f0cb62", "#ddaa2c", "#b58518", "#2a231b"),
}
"""The blocks of each seat."""
SIGNS: dict[str, Sequence[Point]] = {
    "red": ((10, 8), (90, 8), (90, 50), (84, 70), (70, 86), (50, 97), (30, 86), (16, 70), (10, 50)),
    "purple": ((50, 4), (97, 39), (79, 94), (21, 94), (3, 39)),
    "green": ((11, 11), (89, 11), (89, 89), (11, 89)),
    "yellow": ((50, 2), (98, 50), (50, 98), (2, 50)),
}
"""Outlines of the seats' badges in a square of 100."""


def project(x: float, y: float, z: float = 0.0) -> Point:
    """Return where a place of the board is seen."""
    return (
        round(MARGIN + (SIDE + y - x) * SCALE, 1),
        round(HEAD + (2 * SIDE - x - y) * SCALE / 2 - z, 1),
    )


def flat(x: float, y: float, width: float, height: float, z: float = 0.0) -> tuple[Point, ...]:
    """Return the outline of a rectangle that lies ``z`` above the board."""
    right, foot = x + width, y + height
    return (project(x, y, z), project(right, y, z), project(right, foot, z), project(x, foot, z))


def wall(start: Point, end: Point, foot: float, top: float) -> tuple[Point, ...]:
    """Return the outline of a wall over a line on the board."""
    return (project(*start, foot), project(*end, foot), project(*end, top), project(*start, top))


def box(x: float, y: float, width: float, height: float, foot: float, top: float, tones: FaceTones) -> list[DrawnShape]:
    """Draw a solid: the two faces that meet in its front corner, and what is seen of it from above."""
    return [
        Polygon(wall((x + width, y), (x, y), foot, top), fill=tones.left),
        Polygon(wall((x, y), (x, y + height), foot, top), fill=tones.right),
        Polygon(flat(x, y, width, height, top), fill=tones.top, line=tones.right, thick=0.8),
    ]


def lying_disc(
    x: float,
    y: float,
    radius: float,
    fill: str | None = None,
    line: str | None = None,
    thick: float = 0.0,
    z: float = 0,
) -> Polygon:
    """Draw a circle that lies on the board."""
    middle, foot = project(x, y, z)
    wide = radius * _ACROSS
    around = (2 * pi * step / _ROUND for step in range(_ROUND))
    points = tuple((round(middle + wide * cos(turn), 1), round(foot + wide / 2 * sin(turn), 1)) for turn in around)
    return Polygon(points, fill=fill, line=line, thick=thick)


def sign_on(x: float, y: float, size: float, words: str, colour: str, z: float = 0.0) -> TextLine:
    """Write a sign upright over a place of the board, its middle there."""
    across, down = project(x, y, z)
    return TextLine(across, down + size * 0.36, size, words, "middle", bold=True, colour=colour)


def badge(  # noqa: PLR0913 - a badge has a place, a size and three colours
    seat: str, letters: str, middle: Point, size: float, fill: str, on: str, *, flattened: float = 1.0, edge: str = ""
) -> Iterator[DrawnShape]:
    """Draw a seat's badge upright, with its letters; ``flattened``: how high it is for its width."""
    left, top = middle[0] - size / 2, middle[1] - size * flattened / 2
    outline = tuple(
        (round(left + x * size / 100, 1), round(top + y * size * flattened / 100, 1)) for x, y in SIGNS[seat]
    )
    yield Polygon(outline, fill=fill, line=edge or on, thick=size * 0.06)
    type_size = size * (0.56 if len(letters) == 1 else 0.42) * (1 + flattened) / 2
    lower = {"red": 0.33, "purple": 0.42}.get(seat, 0.36)
    yield TextLine(middle[0], middle[1] + type_size * lower, type_size, letters, "middle", bold=True, colour=on)


# What stands in front covers what lies behind: a sign is seen whole, or not at all.

_LETTER_WIDE, _CAPITAL = 0.56, 0.7
"""Width of a letter and height of a capital, in sizes of the type."""
Extent = tuple[float, float, float, float]


def without_covered_words(shapes: Sequence[DrawnShape]) -> list[DrawnShape]:
    """Return the shapes without words that later ones lie on."""
    boxes = [_box(shape) for shape in shapes]
    return [
        shape
        for place, shape in enumerate(shapes)
        if not isinstance(shape, TextLine) or not _is_covered(boxes[place], shapes[place + 1 :], boxes[place + 1 :])
    ]


def _box(shape: DrawnShape) -> Extent:
    """Return left, top, right and foot of a shape; of words as they are usually set."""
    match shape:
        case TextLine():
            half = shape.size * _LETTER_WIDE * len(shape.words) / 2
            return shape.x - half, shape.y - shape.size * _CAPITAL, shape.x + half, shape.y
        case Disc():
            return (
                shape.x - shape.radius,
                shape.y - shape.radius,
                shape.x + shape.radius,
                shape.y + shape.radius,
            )
        case Polygon():
            across, down = zip(*shape.points, strict=True)
            return min(across), min(down), max(across), max(down)
        case _:
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height


def _is_covered(words: Extent, later: Sequence[DrawnShape], boxes: Sequence[Extent]) -> bool:
    left, top, right, foot = words
    middle = (left + right) / 2, (top + foot) / 2
    places = (middle, (left, top), (right, top), (left, foot), (right, foot))
    for shape, (x, y, far_x, far_y) in zip(later, boxes, strict=True):
        if right <= x or left >= far_x or foot <= y or top >= far_y:
            continue
        if isinstance(shape, TextLine):
            return True
        if isinstance(shape, Polygon) and not shape.closed and shape.line:
            if any(left <= a <= right and top <= b <= foot for a, b in _steps_along(shape.points)):
                return True
        elif isinstance(shape, Polygon | Disc) and shape.fill and _covers(shape, places, words):
            return True
    return False


def _steps_along(points: Sequence[Point]) -> Iterator[Point]:
    """Return places along a line, a few units from each other."""
    for (x, y), (far_x, far_y) in pairwise(points):
        count = max(1, int((abs(far_x - x) + abs(far_y - y)) / 6))
        yield from ((x + (far_x - x) * at / count, y + (far_y - y) * at / count) for at in range(count + 1))


def _covers(shape: Polygon | Disc, places: Sequence[Point], words: Extent) -> bool:
    """Return whether a filled shape lies on the middle or a corner of words, or has a corner of its own on them."""
    if isinstance(shape, Disc):
        return any((x - shape.x) ** 2 + (y - shape.y) ** 2 < shape.radius**2 for x, y in places)
    left, top, right, foot = words
    has_corner_there = any(left < x < right and top < y < foot for x, y in shape.points)
    return has_corner_there or any(_is_within(place, shape.points) for place in places)


def _is_within(place: Point, outline: Sequence[Point]) -> bool:
    """Return whether a place lies within an outline: a ray from it crosses the outline an odd number of times."""
    x, y = place
    inside = False
    for (a, b), (c, d) in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (b > y) != (d > y) and x < a + (y - b) * (c - a) / (d - b):
            inside = not inside
    return inside
