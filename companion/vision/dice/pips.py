"""Detect round spots: pips of dice, whatever their colour.

Blobs are extrema of the scale-normalised Laplacian of Gaussian over place and scale (Lindeberg 1998); a disc of radius
r responds most at a standard deviation of r / sqrt(2).
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.qr.arrays import F32, GreyPicture

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


@dataclass(frozen=True, slots=True)
class Spot:
    """A round spot: its centre and radius in pixels, and its contrast in grey levels, negative for a dark one."""

    x: float
    y: float
    radius: float
    contrast: float


class SpotDetector:
    """Finds the round spots of a picture, and measures how strong one is at any place."""

    def __init__(self, grey: GreyPicture) -> None:
        """Detect the spots of a picture."""
        plane = grey.astype(np.float32)
        count = int(np.ceil(np.log(MAX_SIGMA / MIN_SIGMA) / np.log(SIGMA_STEP))) + 1
        self._sigmas = [MIN_SIGMA * SIGMA_STEP**number for number in range(count)]
        blurred = [cv2.GaussianBlur(plane, (0, 0), sigma) for sigma in self._sigmas]
        # cv2's Laplacian of aperture 1 is the sum of second differences; negated, light spots are positive.
        self._responses = np.stack(
            [
                -(sigma**2) * cv2.Laplacian(soft, cv2.CV_32F) / DISC_RESPONSE
                for sigma, soft in zip(self._sigmas, blurred, strict=True)
            ]
        )
        self._blurred = blurred
        self.spots = self._find_extrema()

    def measure_contrast(self, x: float, y: float, radius: float, reach: float, sign: float) -> float:
        """Return the contrast of the strongest spot of a radius and sign within ``reach`` pixels of a place."""
        scale = int(np.argmin([abs(np.log(sigma * np.sqrt(2) / radius)) for sigma in self._sigmas]))
        plane = self._responses[scale]
        left, right = (int(np.clip(round(at), 0, plane.shape[1] - 1)) for at in (x - reach, x + reach))
        top, bottom = (int(np.clip(round(at), 0, plane.shape[0] - 1)) for at in (y - reach, y + reach))
        return float((plane[top : bottom + 1, left : right + 1] * sign).max())

    def _find_extrema(self) -> list[Spot]:
        """Return the spots, the strongest first."""
        spots: list[tuple[float, Spot]] = []
        strength: F32 = np.abs(self._responses)
        neighbourhood = np.ones((3, 3), np.uint8)
        maxima = np.stack([cv2.dilate(plane, neighbourhood) for plane in strength])
        for scale, sigma in enumerate(self._sigmas):
            around = maxima[max(0, scale - 1) : scale + 2].max(axis=0)
            rows, columns = np.nonzero((strength[scale] >= around) & (strength[scale] >= MIN_CONTRAST))
            for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
                if self._is_round(scale, x, y):
                    spot = Spot(float(x), float(y), float(sigma * np.sqrt(2)), float(self._responses[scale, y, x]))
                    spots.append((float(strength[scale, y, x]), spot))
        spots.sort(key=lambda entry: -entry[0])
        return [spot for _, spot in spots[:MAX_SPOTS]]

    def _is_round(self, scale: int, x: int, y: int) -> bool:
        """Return whether the curvatures (eigenvalues of the Hessian) have one sign and a similar size."""
        soft = self._blurred[scale]
        if not (0 < x < soft.shape[1] - 1 and 0 < y < soft.shape[0] - 1):
            return False
        part = soft[y - 1 : y + 2, x - 1 : x + 2].astype(np.float64)
        across = part[1, 0] - 2 * part[1, 1] + part[1, 2]
        down = part[0, 1] - 2 * part[1, 1] + part[2, 1]
        both = (part[0, 0] + part[2, 2] - part[0, 2] - part[2, 0]) / 4
        determinant, trace = across * down - both * both, across + down
        return bool(determinant > 0 and trace * trace / determinant < (MAX_ELONGATION + 1) ** 2 / MAX_ELONGATION)
