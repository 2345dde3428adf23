"""Detect round spots: pips of dice, whatever their colour.

Blobs are extrema of the scale-normalised Laplacian of Gaussian over place and scale (Lindeberg 1998); a disc of radius
r responds most at a standard deviation of r / sqrt(2).
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.qr.sighting import F32, GreyPicture

MIN_SIGMA, MAX_SIGMA, SIGMA_STEP = 1.05, 8.5, 1.22
"""Standard deviations in pixels: pips of 3 to 24 pixels across."""
MIN_CONTRAST = 14.0
"""Grey levels between a spot and its surroundings."""
DISC_RESPONSE = 2 / np.e
"""Response to a disc of contrast 1 at its centre, at its own scale."""
MAX_ELONGATION = 2.6
"""Ratio of a spot's curvatures in two directions at most."""
MAX_SPOTS = 200
"""Strongest spots that are kept."""
MAX_EXTREMA = 400
"""Strongest extrema of one scale and strip that are examined."""
STRIP_ROWS = 192
NEIGHBOURHOOD = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True)
class Spot:
    """A round spot: its centre and radius in pixels, and its contrast in grey levels, negative for a dark one."""

    x: float
    y: float
    radius: float
    contrast: float


class SpotDetector:
    """Finds the round spots of a picture, and measures how strong one is at any place.

    The picture is searched strip by strip and scale by scale: all scales of a whole picture would take 50 times its
    memory.
    """

    def __init__(self, grey: GreyPicture) -> None:
        """Detect the spots of a picture."""
        self._grey = grey
        count = int(np.ceil(np.log(MAX_SIGMA / MIN_SIGMA) / np.log(SIGMA_STEP))) + 1
        self._sigmas = [MIN_SIGMA * SIGMA_STEP**number for number in range(count)]
        spots = [spot for top in range(0, len(grey), STRIP_ROWS) for spot in self._find_in_strip(top)]
        self.spots = heapq.nlargest(MAX_SPOTS, spots, key=lambda spot: abs(spot.contrast))

    def measure_contrast(self, x: float, y: float, radius: float, reach: float, sign: float) -> float:
        """Return the contrast of the strongest spot of a radius and sign within ``reach`` pixels of a place."""
        sigma = min(self._sigmas, key=lambda sigma: abs(np.log(sigma * np.sqrt(2) / radius)))
        height, width = self._grey.shape
        left, right = (int(np.clip(round(at), 0, width - 1)) for at in (x - reach, x + reach))
        top, bottom = (int(np.clip(round(at), 0, height - 1)) for at in (y - reach, y + reach))
        margin = _margin(sigma)
        first_row, first_column = max(0, top - margin), max(0, left - margin)
        part = self._grey[first_row : bottom + margin + 1, first_column : right + margin + 1].astype(np.float32)
        response = _respond(_blur(part, sigma), sigma)
        inside = response[top - first_row : bottom - first_row + 1, left - first_column : right - first_column + 1]
        return float((inside * sign).max())

    def _find_in_strip(self, top: int) -> list[Spot]:
        """Return the strongest spots of the rows from ``top``."""
        margin = _margin(self._sigmas[-1])
        first, bottom = max(0, top - margin), min(len(self._grey), top + STRIP_ROWS)
        plane = self._grey[first : bottom + margin].astype(np.float32)
        rows = slice(top - first, bottom - first)
        spots: list[Spot] = []
        scales: list[_Scale] = []
        for number, sigma in enumerate(self._sigmas):
            scales = [*scales[-2:], _Scale.of(plane, sigma)]
            if number:
                spots += scales[-2].find_extrema(scales, rows, first)
        spots += scales[-1].find_extrema(scales[-2:], rows, first)
        return heapq.nlargest(MAX_SPOTS, spots, key=lambda spot: abs(spot.contrast))


@dataclass(frozen=True, slots=True)
class _Scale:
    """One scale of a strip: the strip blurred, its response to spots, and the strongest response around each pixel."""

    sigma: float
    blurred: F32
    response: F32
    strongest: F32

    @classmethod
    def of(cls, plane: F32, sigma: float) -> "_Scale":
        """Return a strip at a scale."""
        blurred = _blur(plane, sigma)
        response = _respond(blurred, sigma)
        return cls(sigma, blurred, response, np.asarray(cv2.dilate(np.abs(response), NEIGHBOURHOOD), np.float32))

    def find_extrema(self, scales: "Sequence[_Scale]", rows: slice, first: int) -> list[Spot]:
        """Return the spots of this scale in some rows; ``scales``: this one and those beside it, ``first``: row 0."""
        strength = np.abs(self.response[rows])
        peaks = strength >= MIN_CONTRAST
        for scale in scales:
            peaks &= strength >= scale.strongest[rows]
        at = np.argwhere(peaks)
        strongest_first = np.argsort(-strength[peaks], kind="stable")[:MAX_EXTREMA]
        radius = self.sigma * 2**0.5
        return [
            Spot(float(x), float(y + rows.start + first), radius, float(self.response[y + rows.start, x]))
            for y, x in at[strongest_first].tolist()
            if self._is_round(x, y + rows.start)
        ]

    def _is_round(self, x: int, y: int) -> bool:
        """Return whether the curvatures (eigenvalues of the Hessian) have one sign and a similar size."""
        height, width = self.blurred.shape
        if not (0 < x < width - 1 and 0 < y < height - 1):
            return False
        part = self.blurred[y - 1 : y + 2, x - 1 : x + 2].astype(np.float64)
        across = part[1, 0] - 2 * part[1, 1] + part[1, 2]
        down = part[0, 1] - 2 * part[1, 1] + part[2, 1]
        both = (part[0, 0] + part[2, 2] - part[0, 2] - part[2, 0]) / 4
        determinant, trace = across * down - both * both, across + down
        return bool(determinant > 0 and trace * trace / determinant < (MAX_ELONGATION + 1) ** 2 / MAX_ELONGATION)


def _margin(sigma: float) -> int:
    """Return the pixels beside a place on which its response and that of its neighbours depend."""
    return int(np.ceil(4 * sigma)) + 3


def _blur(plane: F32, sigma: float) -> F32:
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.float32)


def _respond(blurred: F32, sigma: float) -> F32:
    """Return the response to spots; cv2's Laplacian of aperture 1 is the sum of second differences, negated here."""
    return np.asarray(cv2.Laplacian(blurred, cv2.CV_32F, scale=-(sigma**2) / DISC_RESPONSE), np.float32)
