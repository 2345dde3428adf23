"""What all labels have in common, made alike at every quarter turn, for all angles at once.

Turned by an angle that pattern is, but for little, an even part and a part that turns four times as fast; so three
products with a table tell for each place how like a label it is at its best angle, and that angle.
"""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.shared_pattern import Floats, label_drawing

COARSE = 1.75
"""Modules a sample."""
SIDE = 17
"""Samples a side of the pattern: the label with the inner part of its frame."""
SLOW = 9
"""Samples over which is averaged to tell what changes slowly."""
TILE = 128
"""Samples a side of the parts of a table: a power of two, and small, so that many lie out of view."""

_ANGLES = np.arange(0, 90, 3.75)
"""Degrees over which the parts of the pattern are averaged."""


@cache
def pattern_spectra() -> tuple[Floats, ...]:
    """Return the spectra of the pattern's parts, laid out as OpenCV packs those of real pictures.

    Turned by a half each is itself, so its spectrum is real, and a product with a picture's no more than one of arrays.
    """
    spectra = []
    for part in pattern_parts():
        large = np.zeros((TILE, TILE))
        large[:SIDE, :SIDE] = part
        large = np.roll(large, (-(SIDE // 2), -(SIDE // 2)), (0, 1))
        spectra.append(_packed(np.fft.fft2(large).real))
    return tuple(spectra)


@cache
def pattern_parts() -> tuple[Floats, Floats, Floats]:
    """Return the pattern's even part, and the two that turn four times as fast as it."""
    turned = np.array([_pattern(float(degrees)) for degrees in _ANGLES])
    phase = np.radians(4 * _ANGLES)[:, None, None].astype(np.float32)
    return turned.mean(axis=0), (turned * np.cos(phase)).mean(axis=0), (turned * np.sin(phase)).mean(axis=0)


def _packed(real: npt.NDArray[np.float64]) -> Floats:
    """Return the factors, real over all frequencies, as OpenCV packs spectra: real and imaginary parts side by side."""
    pairs = (np.arange(TILE) + 1) // 2
    packed = real[:, pairs]
    packed[:, 0], packed[:, -1] = real[pairs, 0], real[pairs, TILE // 2]
    return np.ascontiguousarray(packed, np.float32)


def _pattern(degrees: float) -> Floats:
    """Return the pattern turned clockwise: its fine structure, without mean and of length 1."""
    drawing, known, fine = label_drawing()
    drawing = np.where(known, drawing, _mean_light())
    ticks = (np.arange(SIDE) - (SIDE - 1) / 2) * COARSE
    x, y = np.meshgrid(ticks, ticks)
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    own_x, own_y = x * cos + y * sin, y * cos - x * sin
    total = np.zeros((SIDE, SIDE))
    for quarter_x, quarter_y in ((own_x, own_y), (own_y, -own_x), (-own_x, -own_y), (-own_y, own_x)):
        places = (quarter_x * fine + len(drawing) / 2, quarter_y * fine + len(drawing) / 2)
        column, row = (place.astype(int).clip(0, len(drawing) - 1) for place in places)
        total += drawing[row, column]
    inside = np.maximum(np.abs(own_x), np.abs(own_y)) <= _REACH
    total = np.where(inside, total - total[inside].mean(), 0)
    room = np.pad(total, SLOW)
    total = np.where(inside, total - cv2.blur(room, (SLOW, SLOW))[SLOW:-SLOW, SLOW:-SLOW], 0)
    total[inside] -= total[inside].mean()
    return np.asarray(total / np.linalg.norm(total), np.float32)


_REACH = 13.5
"""Modules from the middle to where the pattern ends: in the frame."""


def _mean_light() -> float:
    """Return the mean of what is known of all labels: what the data are taken for."""
    drawing, known, fine = label_drawing()
    middle, reach = drawing.shape[0] // 2, int(_REACH * fine)
    inner = slice(middle - reach, middle + reach)
    return float(drawing[inner, inner][known[inner, inner]].mean())
