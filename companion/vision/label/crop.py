"""The part of a picture that shows one card."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Sighting

SIDES = 2.4
"""How much of the picture is kept, in sides of the symbol: the label, and enough of the card to know it."""
SMALLEST = 24


def crop_around(picture: npt.NDArray[np.uint8], sighting: Sighting) -> npt.NDArray[np.uint8]:
    """Cut a square around a symbol, as far as the picture reaches.

    ``picture`` is uint8, height x width (x 3); the result is a view of it, at least one pixel in size.
    """
    height, width = picture.shape[:2]
    x, y = sighting.centre
    half = max(SMALLEST, round(sighting.side * SIDES / 2))
    left, top = (int(np.clip(middle - half, 0, size - 1)) for middle, size in ((x, width), (y, height)))
    right, foot = (int(np.clip(middle + half, 1, size)) for middle, size in ((x, width), (y, height)))
    return picture[top : max(foot, top + 1), left : max(right, left + 1)]


def fitting(picture: npt.NDArray[np.uint8], longest: int) -> npt.NDArray[np.uint8]:
    """Return a picture whose longer side has at most so many pixels; it stays as it is where that holds already."""
    height, width = picture.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return picture
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
