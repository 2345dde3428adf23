"""Array types of pictures; a symbol located in one picture, and the removal of duplicates from many of them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

F32: TypeAlias = npt.NDArray[np.float32]
F64: TypeAlias = npt.NDArray[np.float64]
U8: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = npt.NDArray[np.intp]

GreyPicture: TypeAlias = npt.NDArray[np.uint8]
"""uint8, height x width; 0 is black."""

Picture: TypeAlias = npt.NDArray[np.uint8]
"""A picture as cameras deliver it: uint8, height x width x 3 (blue, green, red), or grey."""

ToJpeg: TypeAlias = "Callable[[Picture], bytes]"
"""Encodes a picture as JPEG."""

Point: TypeAlias = tuple[float, float]
"""x to the right and y down, in pixels. The picture's corner is (0, 0), the centre of its first pixel (0.5, 0.5)."""

Corners: TypeAlias = tuple[Point, Point, Point, Point]
"""The corners of a symbol, clockwise from the symbol's own top left."""

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of a picture, in pixels; right and bottom are the first outside."""


DUPLICATE_DISTANCE = 1.2
"""Two labels with the same text are at least this far apart, in sides of the larger symbol."""

ReadMethod: TypeAlias = Literal["decoded", "matched"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One symbol in one picture: its text, its corners in pixels, how it was read, and the confidence (0 to 1)."""

    text: str
    corners: Corners
    method: ReadMethod = "decoded"
    confidence: float = 1.0

    @property
    def centre(self) -> Point:
        """Return the centre of the symbol, in pixels."""
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4

    @property
    def side(self) -> float:
        """Return the mean length of the symbol's sides, in pixels."""
        shifted = self.corners[1:] + self.corners[:1]
        return sum(math.dist(a, b) for a, b in zip(self.corners, shifted, strict=True)) / 4

    def scale_by(self, factor: float) -> "Sighting":
        """Return the same sighting in a picture ``factor`` times as large."""
        a, b, c, d = ((x * factor, y * factor) for x, y in self.corners)
        return replace(self, corners=(a, b, c, d))

    def shift_by(self, right: float, down: float) -> "Sighting":
        """Return the same sighting, shifted by pixels: from a part of a picture to the whole, for example."""
        a, b, c, d = ((x + right, y + down) for x, y in self.corners)
        return replace(self, corners=(a, b, c, d))


def remove_duplicates(sightings: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Return one sighting for each place; earlier ones win.

    A second sighting at the same place in about the same size is the same symbol, read in another rendering or by
    another decoder. A small symbol inside a large one is kept: it is a symbol of its own.
    """
    kept: list[tuple[Sighting, Point, float]] = []
    for sighting in sightings:
        centre, side = sighting.centre, sighting.side
        if not any(_is_same_place(centre, side, other, other_side) for _, other, other_side in kept):
            kept.append((sighting, centre, side))
    return tuple(sighting for sighting, _, _ in kept)


def split_duplicates(
    sightings: tuple[Sighting, ...], key_of: Callable[[str], str | None]
) -> tuple[tuple[Sighting, ...], tuple[Sighting, ...]]:
    """Return the first sighting of each key, and further sightings of the same keys at other places.

    Args:
        sightings: in order of preference.
        key_of: the key of a text that a table bears once; None for a text that it may bear many times. A sighting that
            overlaps the first one of its key is dropped: it is no label of its own.

    """
    first_by_key: dict[str | int, Sighting] = {}
    duplicates = []
    for number, sighting in enumerate(sightings):
        key = key_of(sighting.text)
        first = first_by_key.setdefault(number if key is None else key, sighting)
        if first is sighting:
            continue
        if math.dist(first.centre, sighting.centre) > DUPLICATE_DISTANCE * max(first.side, sighting.side):
            duplicates.append(sighting)
    return tuple(first_by_key.values()), tuple(duplicates)


def _is_same_place(centre: Point, side: float, other: Point, other_side: float) -> bool:
    """Return whether two symbols with these centres and sides must be the same one."""
    small, large = (side, other_side) if side < other_side else (other_side, side)
    return large < 2 * small and math.dist(centre, other) < small / 2
