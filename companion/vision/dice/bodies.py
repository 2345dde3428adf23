"""What is round the pips of a die: a face of one colour that ends alike on opposite sides."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

BETWEEN = np.linspace(-1.0, 1.0, 11)
"""Where an edge is looked for along a face with pips at -1, 0 and 1."""
ALONG = np.linspace(-0.8, 0.8, 9)
"""The same for a face with one pip, in units of its diameter."""
LEAST_STEP, ENOUGH = 6.5, 10.0
"""Grey levels, mean over the channels, by which what lies beyond an edge differs: at least, and enough."""
STEP_OF_BODY = 3.2
"""The same in how much the face itself varies: what is even shows its edges by little."""
STEP_OF_PIPS = 0.16
"""What is enough as a share of the pips' contrast."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a face ends in one direction, in multiples of the direction's length; how sure that is, 0 to 1."""

    at: float
    sure: float


class Face:
    """The neighbourhood of a place in a picture, along two directions given as vectors in pixels."""

    def __init__(self, image: npt.NDArray[np.float32], middle: Floats, one: Floats, other: Floats) -> None:
        """Take a picture, float32, height x width x 3."""
        self._image = image
        self._middle, self._one, self._other = middle, one, other
        self.body, self.uneven = np.zeros(3), 0.0
        self._pips, self._clear = np.zeros((0, 2)), 0.0

    def settle(self, pips: Floats, clear: float) -> float:
        """Find the face's colour between the pips, n x 2 in the directions' units, and give how much it varies."""
        self._pips, self._clear = pips, clear
        grid = np.stack(np.meshgrid(np.linspace(-1.35, 1.35, 15), np.linspace(-1.35, 1.35, 15)), -1).reshape(-1, 2)
        away = np.sqrt(((grid[:, None, :] - pips[None, :, :]) ** 2).sum(-1)).min(axis=1)
        spots = self._sampled(grid[away > clear])
        self.body = np.median(spots, axis=0)
        self.uneven = float(np.percentile(np.abs(spots - self.body).mean(axis=1), 75))
        return self.uneven

    def extents(self, contrast: float, nearest: float, farthest: float, along: Floats) -> list[Extent]:
        """Say where the face ends along both directions and against them."""
        least = float(np.clip(STEP_OF_BODY * self.uneven, LEAST_STEP, max(ENOUGH, STEP_OF_PIPS * contrast)))
        away = np.arange(nearest, farthest, 0.05)
        found: list[Extent] = []
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            grid = np.zeros((len(along), len(away), 2))
            grid[:, :, axis] = sign * away[None, :]
            grid[:, :, 1 - axis] = along[:, None]
            off = np.abs(self._sampled(grid.reshape(-1, 2)) - self.body).mean(axis=1).reshape(grid.shape[:2])
            beyond = (off > least) & ~self._on_pips(grid)
            lasting = beyond[:, :-2] & beyond[:, 1:-1]
            ends = np.where(lasting.any(axis=1), lasting.argmax(axis=1), -1)
            there = ends[ends >= 0]
            if not len(there):
                found.append(Extent(farthest, 0.0))
                continue
            middle = float(np.median(there))
            near = np.abs(there - middle) <= 0.09 * (middle + nearest / 0.05)
            found.append(Extent(float(away[round(middle)]), float(near.sum()) / len(along)))
        return found

    def _on_pips(self, grid: Floats) -> npt.NDArray[np.bool_]:
        away = ((grid[:, :, None, :] - self._pips) ** 2).sum(-1).min(axis=2)
        return np.asarray(away < self._clear**2, np.bool_)

    def _sampled(self, places: Floats) -> Floats:
        spots = self._middle + places[:, :1] * self._one + places[:, 1:] * self._other
        grid = spots.astype(np.float32)[None]
        seen = cv2.remap(self._image, grid[:, :, 0], grid[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen[0], np.float64)
