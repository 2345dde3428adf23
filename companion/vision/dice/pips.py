"""Round spots that stand out from what is round them: pips of dice, whatever their colour.

Blobs are extrema of the scale-normalised Laplacian of Gaussian over place and scale (Lindeberg 1998); a disc of radius
r answers most at a standard deviation of r / sqrt(2).
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

FINEST, COARSEST, STEP = 1.05, 8.5, 1.22
"""Standard deviations in pixels: pips of 3 to 24 pixels across."""
LEAST_CONTRAST = 14.0
"""Grey levels between a spot and what is round it."""
DISC = 2 / np.e
"""What a disc of contrast 1 answers in its middle, at its own scale."""
LONGEST = 2.6
"""A spot is round: its curvature one way is at most so much of that the other way."""
MOST = 200
"""So many of the strongest are looked at."""


@dataclass(frozen=True, slots=True)
class Pip:
    """A spot: its middle and radius in pixels, its contrast in grey levels, below 0 for a dark one."""

    x: float
    y: float
    radius: float
    contrast: float


class Spots:
    """All round spots of a picture, and how much of one there is at any place."""

    def __init__(self, grey: npt.NDArray[np.uint8]) -> None:
        """Take a grey picture, uint8, height x width."""
        plane = grey.astype(np.float32)
        count = int(np.ceil(np.log(COARSEST / FINEST) / np.log(STEP))) + 1
        self._sigmas = [FINEST * STEP**number for number in range(count)]
        softs = [cv2.GaussianBlur(plane, (0, 0), sigma) for sigma in self._sigmas]
        # cv2's Laplacian of aperture 1 is the sum of second differences; the sign is turned so that light is above 0.
        self._answers = np.stack(
            [
                -(sigma**2) * cv2.Laplacian(soft, cv2.CV_32F) / DISC
                for sigma, soft in zip(self._sigmas, softs, strict=True)
            ]
        )
        self._softs = softs
        self.found = self._extrema()

    def contrast_near(self, x: float, y: float, radius: float, reach: float, sign: float) -> float:
        """Give the contrast of the strongest spot of a radius and sign within ``reach`` pixels of a place."""
        scale = int(np.argmin([abs(np.log(sigma * np.sqrt(2) / radius)) for sigma in self._sigmas]))
        plane = self._answers[scale]
        left, right = (int(np.clip(round(at), 0, plane.shape[1] - 1)) for at in (x - reach, x + reach))
        top, foot = (int(np.clip(round(at), 0, plane.shape[0] - 1)) for at in (y - reach, y + reach))
        return float((plane[top : foot + 1, left : right + 1] * sign).max())

    def _extrema(self) -> list[Pip]:
        found: list[tuple[float, Pip]] = []
        strength = np.abs(self._answers)
        ring = np.ones((3, 3), np.uint8)
        highest = np.stack([cv2.dilate(plane, ring) for plane in strength])
        for scale, sigma in enumerate(self._sigmas):
            around = highest[max(0, scale - 1) : scale + 2].max(axis=0)
            rows, columns = np.nonzero((strength[scale] >= around) & (strength[scale] >= LEAST_CONTRAST))
            for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
                if self._is_round(scale, x, y):
                    spot = Pip(float(x), float(y), float(sigma * np.sqrt(2)), float(self._answers[scale, y, x]))
                    found.append((float(strength[scale, y, x]), spot))
        found.sort(key=lambda one: -one[0])
        return [spot for _, spot in found[:MOST]]

    def _is_round(self, scale: int, x: int, y: int) -> bool:
        soft = self._softs[scale]
        if not (0 < x < soft.shape[1] - 1 and 0 < y < soft.shape[0] - 1):
            return False
        part = soft[y - 1 : y + 2, x - 1 : x + 2].astype(np.float64)
        across = part[1, 0] - 2 * part[1, 1] + part[1, 2]
        down = part[0, 1] - 2 * part[1, 1] + part[2, 1]
        both = (part[0, 0] + part[2, 2] - part[0, 2] - part[2, 0]) / 4
        determinant, trace = across * down - both * both, across + down
        return bool(determinant > 0 and trace * trace / determinant < (LONGEST + 1) ** 2 / LONGEST)


# --- die
# A die as it is seen, and how surely.

SURE = 0.6
"""From here on an edge, or a die, is sure."""
FAINT = 0.5
"""How well a face fits at most that its pips alone tell."""
UNEVEN = 0.22
"""How much a face's colour may vary, as a share of its pips' contrast."""
LEAST_UNEVEN = 9.0
"""The same in grey levels: so much is noise."""


@dataclass(frozen=True, slots=True)
class SeenDie:
    """A die: its face, the middle of that face and its side in pixels, and how well it fits, 0 to 1.

    ``pip`` and ``contrast`` are its pips' radius in pixels and their contrast in grey levels, below 0 for dark ones.
    """

    face: int
    x: float
    y: float
    side: float
    fits: float
    pip: float = 0.0
    contrast: float = 0.0

    def smaller(self, times: float) -> "SeenDie":
        """Give it as it lies in the same picture, so many times smaller."""
        x, y, side, pip = (held / times for held in (self.x, self.y, self.side, self.pip))
        return replace(self, x=x, y=y, side=side, pip=pip)
