"""A tag seen in one picture."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Grey: TypeAlias = npt.NDArray[np.uint8]
"""A grey picture: uint8, height x width, 0 is black."""

Picture: TypeAlias = npt.NDArray[np.uint8]
"""A picture as cameras give it: uint8, height x width x 3 (blue, green, red), or grey."""

Point: TypeAlias = tuple[float, float]
"""x to the right and y down, in pixels.  The picture's corner is (0, 0), the middle of its first pixel (0.5, 0.5)."""

Corners: TypeAlias = tuple[Point, Point, Point, Point]
"""The corners of a symbol, clockwise from the symbol's own top left."""

TWIN_SIDES = 1.2
"""Sides that two labels of one text are apart at least."""

How: TypeAlias = Literal["decoded", "matched"]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One symbol in one picture: what it says, where it is, and how far that is to be trusted (0 to 1)."""

    text: str
    corners: Corners
    how: How = "decoded"
    confidence: float = 1.0

    @property
    def centre(self) -> Point:
        """Return the middle of the symbol, in pixels."""
        return sum(x for x, _ in self.corners) / 4, sum(y for _, y in self.corners) / 4

    @property
    def side(self) -> float:
        """Return the mean length of the symbol's sides, in pixels."""
        shifted = self.corners[1:] + self.corners[:1]
        return sum(math.dist(a, b) for a, b in zip(self.corners, shifted, strict=True)) / 4

    def scaled(self, factor: float) -> "Sighting":
        """Return the same sighting in a picture ``factor`` times as large."""
        a, b, c, d = ((x * factor, y * factor) for x, y in self.corners)
        return replace(self, corners=(a, b, c, d))

    def moved(self, right: float, down: float) -> "Sighting":
        """Return the same sighting in a picture of which it was seen in a part."""
        a, b, c, d = ((x + right, y + down) for x, y in self.corners)
        return replace(self, corners=(a, b, c, d))


def without_doubles(sightings: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Keep one sighting for each place; earlier ones win.

    What is seen again at the same place in about the same size is the same symbol, read in another rendering or
    by another reader.  A small symbol inside a large one is a symbol of its own.
    """
    kept: list[tuple[Sighting, Point, float]] = []
    for seen in sightings:
        centre, side = seen.centre, seen.side
        if not any(_same_place(centre, side, there, its_side) for _, there, its_side in kept):
            kept.append((seen, centre, side))
    return tuple(seen for seen, _, _ in kept)


def once_and_twins(
    sightings: tuple[Sighting, ...], key_of: Callable[[str], str | None]
) -> tuple[tuple[Sighting, ...], tuple[Sighting, ...]]:
    """Part sightings into one for each key, the first, and those with a key that lies elsewhere already.

    ``key_of`` a text: what there is once on a table; ``None`` for what may be there often.  What lies half upon the
    first is no label of its own.
    """
    once: dict[str | int, Sighting] = {}
    twins = []
    for number, seen in enumerate(sightings):
        key = key_of(seen.text)
        first = once.setdefault(number if key is None else key, seen)
        if first is not seen and math.dist(first.centre, seen.centre) > TWIN_SIDES * max(first.side, seen.side):
            twins.append(seen)
    return tuple(once.values()), tuple(twins)


def _same_place(here: Point, side: float, there: Point, its_side: float) -> bool:
    """Say whether two symbols with these centres and sides must be one."""
    small, large = (side, its_side) if side < its_side else (its_side, side)
    return large < 2 * small and math.dist(here, there) < small / 2


# --- straightened
# What lies at a symbol's place in a picture, cut out and straightened by its corners.

RIM = 3 / 16
"""Sides of the symbol that are cut out round it."""


def straightened(grey: Grey, place: Corners, side: int) -> Grey:
    """Return a symbol of so many pixels a side with its rim: its own top left lies at ``side * RIM``."""
    rim = side * RIM
    square = np.array([(rim, rim), (rim + side, rim), (rim + side, rim + side), (rim, rim + side)], np.float32)
    onto = cv2.getPerspectiveTransform(np.array(place, np.float32), square)
    size = round(side + 2 * rim)
    flat = cv2.warpPerspective(grey, onto, (size, size), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)
