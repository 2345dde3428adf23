"""The colours of workers, quirks and cards on paper; on screens they stand in ``static/tokens.css``."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.game_api.drawing import Drawing, DrawnShape, Polygon, Rectangle, TextLine, moved

WORKERS = {"A": "#37702b", "T": "#67418c", "F": "#b23a26", "MC": "#eac24e"}
ON_WORKERS = {"A": "#ffffff", "T": "#ffffff", "F": "#ffffff", "MC": "#2a231b"}
RANKS = {"A": 1, "T": 2, "F": 3, "MC": 4}
"""Notches beside the letters: who does not see the colour counts them."""
TINT = {"A": "#e3efdf", "T": "#ece4f3", "F": "#f7e3df", "MC": "#fbf1d2"}
SECOND = "#5d5348"
"""Words of less weight."""
PAPER = "#fbf8f1"
BACKS = {"contracts": "#8a4b2d", "workers": "#2f4f5f", "events": "#7a2f3d", "economy": "#5c5a2a"}


# Buildings drawn flat: six sections, each with the types of workers that it wants, in colours and letters.

WIDTH, HEIGHT = 400.0, 155.0
"""In units of its own; the ground is at 150."""
_LINE = "#4a3b2c"
_PLASTER, _STONE, _TILE, _TOWER = "#f1e4c9", "#ded2ba", "#e3b39a", "#d9cdb8"
_MARK = 34.0

Outline = tuple[tuple[float, float], ...]


def _curtain(left: float) -> Outline:
    """Outline a low wall with its merlons."""
    top = [(0.0, 54.0), (7.0, 54.0)]
    for merlon in range(3):
        x = 7.0 + 22 * merlon
        top += [(x, 62.0), (x + 11, 62.0), (x + 11, 54.0), (x + 22, 54.0)]
    return tuple((left + x, y) for x, y in [(0.0, 150.0), *top, (73.0, 62.0), (80.0, 62.0), (80.0, 150.0)])


def _tower(left: float) -> Outline:
    """Outline a high tower with its merlons."""
    top = [(0, 12), (10, 12), (10, 21), (19, 21), (19, 12), (29, 12), (29, 21), (38, 21), (38, 12), (47, 12)]
    return tuple((left + x, float(y)) for x, y in [(0, 150), *top, (47, 150)])


HOUSE: Mapping[str, tuple[Outline, str, tuple[float, float]]] = {
    "gable-1": (((10, 150), (10, 66), (61, 5), (110, 66), (110, 150)), _PLASTER, (61, 108)),
    "wall-1": (((116, 150), (116, 71), (191, 71), (191, 150)), _STONE, (153, 110)),
    "roof-1": (((67, 5), (144, 5), (194, 66), (116, 66)), _TILE, (129, 36)),
    "gable-2": (((290, 150), (290, 66), (339, 5), (390, 66), (390, 150)), _PLASTER, (339, 108)),
    "wall-2": (((209, 150), (209, 71), (284, 71), (284, 150)), _STONE, (247, 110)),
    "roof-2": (((333, 5), (256, 5), (206, 66), (284, 66)), _TILE, (271, 36)),
}
CITY_WALL: Mapping[str, tuple[Outline, str, tuple[float, float]]] = {
    "side-1a": (_tower(9), _TOWER, (33, 88)),
    "wall-1": (_curtain(60), _STONE, (100, 108)),
    "side-1b": (_tower(144), _TOWER, (168, 88)),
    "side-2a": (_tower(208), _TOWER, (232, 88)),
    "wall-2": (_curtain(258), _STONE, (298, 108)),
    "side-2b": (_tower(342), _TOWER, (366, 88)),
}
"""Outline, colour, and the middle of the marks, section by section."""

# Twelve buildings by the number on the card, as on screens: three kinds of gables or towers, each with four ridges.

_STEPPED: Outline = (
    *((10, 150), (10, 62), (24, 62), (24, 46), (37, 46), (37, 29), (50, 29), (50, 3)),
    *((72, 3), (72, 19), (110, 66), (110, 150)),
)
_GABLES = (_PLASTER, _STONE, _STONE)
_RIDGES: Mapping[int, tuple[Outline, ...]] = {
    0: (((84, 6), (84, -18), (98, -18), (98, 6)), ((120, 6), (120, -18), (134, -18), (134, 6))),
    1: (((76, 6), (76, -6), (88, -17), (100, -6), (100, 6)), ((110, 6), (110, -6), (122, -17), (134, -6), (134, 6))),
    2: (((92, 6), (92, -7), (120, -7), (120, 6)), ((86, -7), (106, -20), (126, -7))),
    3: (((94, 6), (94, -4), (124, -4), (124, 6)), ((92, -4), (109, -22), (126, -4))),
}
"""Chimneys, dormers, a bell or a spire, behind the roof at the left; those at the right are mirrored."""
_CRESTS: Mapping[int, tuple[Outline, ...]] = {
    0: (),
    1: (((98, 56), (98, 12), (124, 21), (102, 30), (102, 56)),),
    2: (((57, 56), (100, 28), (143, 56)),),
    3: (((68, 56), (68, 34), (132, 34), (132, 56)),),
}
"""Nothing, a flag, a roof or a gallery, behind the low wall at the left; those at the right are mirrored."""
_TOWER_ROOFS: Mapping[int, tuple[Outline, ...]] = {
    0: (),
    1: (((6, 14), (33, -20), (59, 14)),),
    2: (((141, 14), (168, -20), (194, 14)),),
}
"""No roofs on towers, or on the outer or the inner ones."""


def building(contract: Mapping[str, Any], left: float, top: float, width: float) -> tuple[DrawnShape, ...]:
    """Draw a contract's building ``width`` wide, its upper left corner at a place."""
    is_wall, number = contract["kind"] == "city_wall", contract.get("number", 0)
    shapes = _above(number, is_wall=is_wall) if number else []
    sections = CITY_WALL if is_wall else _house(number)
    for name, (outline, colour, middle) in sections.items():
        shapes.append(Polygon(outline, fill=colour, line=_LINE, thick=2.2))
        shapes += _marks(contract["sections"].get(name, ()), middle, upright=name.startswith("side"))
    shapes.append(Polygon(((0, 151), (WIDTH, 151)), line=_LINE, thick=3, closed=False))
    return moved(shapes, left, top, width / WIDTH)


def _house(number: int) -> Mapping[str, tuple[Outline, str, tuple[float, float]]]:
    """Return the sections of the house with a number, its gables over its roofs."""
    kind = number % len(_GABLES)
    house = dict(HOUSE)
    for name in ("gable-1", "gable-2"):
        outline, _, middle = house.pop(name)
        if kind == len(_GABLES) - 1:
            outline = _STEPPED if name == "gable-1" else _mirrored(_STEPPED)
        house[name] = (outline, _GABLES[kind], middle)
    return house


def _above(number: int, *, is_wall: bool) -> list[DrawnShape]:
    """Draw what stands on the building with a number, on both sides."""
    outlines = [*_CRESTS[number % 4], *_TOWER_ROOFS[number % 3]] if is_wall else _RIDGES[number % 4]
    return [
        Polygon(side, fill=_TILE, line=_LINE, thick=2.2)
        for outline in outlines
        for side in (outline, _mirrored(outline))
    ]


def _mirrored(outline: Outline) -> Outline:
    return tuple((WIDTH - x, y) for x, y in outline)


def empty_building(kind: str) -> tuple[Drawing, dict[str, tuple[float, float, float, float]]]:
    """Draw an empty building of a kind; return the drawing and each section's place, in shares of the drawing."""
    sections = CITY_WALL if kind == "city_wall" else HOUSE
    spots: dict[str, tuple[float, float, float, float]] = {}
    for name, (outline, _, _) in sections.items():
        across, down = ([point[side] for point in outline] for side in (0, 1))
        left, top = min(across), min(down)
        spots[name] = (left / WIDTH, top / HEIGHT, (max(across) - left) / WIDTH, (max(down) - top) / HEIGHT)
    shapes = building({"kind": kind, "sections": {}}, 0, 0, WIDTH)
    return Drawing(WIDTH, HEIGHT, shapes), spots


def mark(kind: str, x: float, y: float, side: float) -> tuple[DrawnShape, ...]:
    """Draw a type of worker as a small square, its upper left corner at a place."""
    box = Rectangle(x, y, side, side, fill=WORKERS[kind], line=_LINE, thick=side * 0.04, round=side * 0.18)
    size = side * (0.68 if len(kind) == 1 else 0.54)
    word = TextLine(x + side / 2, y + side / 2 + size * 0.36, size, kind, "middle", bold=True, colour=ON_WORKERS[kind])
    return (box, word)


def _marks(kinds: Sequence[str], middle: tuple[float, float], *, upright: bool) -> list[DrawnShape]:
    across = 1 if upright else 2
    rows = [kinds[at : at + across] for at in range(0, len(kinds), across)]
    side = _MARK * 0.8 if len(rows) > 2 else _MARK  # noqa: PLR2004 - as many as stand above each other
    shapes: list[DrawnShape] = []
    for row, position in enumerate(rows):
        y = middle[1] + (row - len(rows) / 2) * (side + 2) + 1
        for column, kind in enumerate(position):
            shapes += mark(kind, middle[0] + (column - len(position) / 2) * (side + 2) + 1, y, side)
    return shapes
