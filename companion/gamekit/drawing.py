"""Drawings that paper and screens share: flat shapes and words, in millimetres from the upper left corner."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

Align: TypeAlias = Literal["left", "middle", "right"]
INK = "#221d18"
"""What words and lines are drawn in."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left corner; colours as ``#rrggbb``, ``thick`` and ``round`` in millimetres."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    line: str | None = None
    thick: float = 0.3
    round: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str | None = None
    line: str | None = None
    thick: float = 0.3


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline, or an open line of several pieces."""

    points: tuple[tuple[float, float], ...]
    fill: str | None = None
    line: str | None = None
    thick: float = 0.3
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Text:
    """One line: ``y`` is where it stands, ``size`` that of the type; made smaller where ``room`` is too little for it.

    ``turned`` in degrees, clockwise about its own place.
    """

    x: float
    y: float
    size: float
    words: str
    align: Align = "left"
    bold: bool = False
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


Shape: TypeAlias = Box | Disc | Polygon | Text | Prose


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes, the later over the earlier, on a sheet of ``width`` x ``height`` mm; ``says``: what it shows."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    says: str = ""


def moved(shapes: Iterable[Shape], x: float, y: float, scale: float = 1.0) -> tuple[Shape, ...]:
    """Draw shapes elsewhere, larger or smaller."""
    return tuple(_moved(shape, x, y, scale) for shape in shapes)


_LENGTHS = ("width", "height", "radius", "size", "room", "round", "thick")


def _moved(shape: Shape, x: float, y: float, scale: float) -> Shape:
    lengths: dict[str, Any] = {name: getattr(shape, name) * scale for name in _LENGTHS if hasattr(shape, name)}
    if isinstance(shape, Polygon):
        return replace(
            shape, points=tuple((x + left * scale, y + top * scale) for left, top in shape.points), **lengths
        )
    return replace(shape, x=x + shape.x * scale, y=y + shape.y * scale, **lengths)
