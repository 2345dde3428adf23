"""Crop the part of a picture that shows one card."""

import cv2
import numpy as np

from companion.qr.arrays import Picture
from companion.qr.sighting import Sighting

CROP_SIDES = 2.4
"""Side of a crop in sides of the symbol: the label, and enough of the card to recognise it."""
MIN_HALF_SIDE = 24
"""Pixels."""


def crop_around(picture: Picture, sighting: Sighting) -> Picture:
    """Return a square around a symbol, as far as the picture reaches: a view of at least one pixel."""
    height, width = picture.shape[:2]
    x, y = sighting.centre
    half = max(MIN_HALF_SIDE, round(sighting.side * CROP_SIDES / 2))
    left, top = (int(np.clip(middle - half, 0, size - 1)) for middle, size in ((x, width), (y, height)))
    right, bottom = (int(np.clip(middle + half, 1, size)) for middle, size in ((x, width), (y, height)))
    return picture[top : max(bottom, top + 1), left : max(right, left + 1)]


def limit_size(picture: Picture, longest: int) -> Picture:
    """Return the picture reduced so that its longer side has at most ``longest`` pixels; unchanged if it has."""
    height, width = picture.shape[:2]
    scale = longest / max(height, width)
    if scale >= 1:
        return picture
    size = (max(round(width * scale), 1), max(round(height * scale), 1))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
