"""The signs of the five quirks, in outlines of 24 units."""

from math import cos, pi, sin

from companion.game_api.drawing import Disc, Polygon, Shape, moved

_INK = "#3b322a"


def _arc(x: float, y: float, radius: float, begin: float, end: float) -> tuple[tuple[float, float], ...]:
    """Approach an arc by a line of 25 points; angles in degrees, clockwise from the right."""
    angles = [(begin + (end - begin) * step / 24) * pi / 180 for step in range(25)]
    return tuple((x + radius * cos(angle), y + radius * sin(angle)) for angle in angles)


SIGNS: dict[str, tuple[Shape, ...]] = {
    "S": (Polygon(((12, 3), *_arc(12, 14.5, 6, -20, 200)), line=_INK, thick=2),),
    "D": (Polygon(_arc(12, 12, 8.5, -90, 90), fill=_INK), Disc(12, 12, 8.5, line=_INK, thick=2)),
    "W": (
        Polygon(((6, 21), *_arc(12, 10.5, 6, 180, 360), (18.6, 13)), line=_INK, thick=2, closed=False),
        Polygon(((15.2, 11), (18.8, 13.6), (21.5, 10)), line=_INK, thick=2, closed=False),
    ),
    "N": (
        Polygon(_arc(12, 12, 8.5, 25, 330), line=_INK, thick=2, closed=False),
        Disc(12, 12, 1.8, fill=_INK),
    ),
    "H": (Polygon(((13, 2.5), (15.5, 7.5), *_arc(12, 15, 6, -25, 205), (8.5, 9.5), (10.5, 11.5)), line=_INK, thick=2),),
}


def sign(quirk: str, x: float, y: float, side: float) -> tuple[Shape, ...]:
    """Draw a quirk's sign, its upper left corner at a place; one that is not known has none."""
    return moved(SIGNS.get(quirk, ()), x, y, side / 24)
