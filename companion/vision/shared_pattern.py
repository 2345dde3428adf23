"""What every label shows, whatever it says: frame, quiet zone, finder patterns, timing.

Places on a label are counted in modules from the middle of the symbol, x to the right and y down: the symbol reaches
from -10.5 to 10.5.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label import STANDARD_LABEL
from companion.vision.symbol import MODULES, symbol_of

Floats = npt.NDArray[np.float32]

HALF = MODULES / 2
WHITE_HALF = HALF + STANDARD_LABEL.quiet_modules
"""From the middle to the inner edge of the frame."""

STEP = 0.5
"""Modules between two samples."""
REACH = WHITE_HALF + 0.75
"""How far samples reach: over the frame's inner edge, short of its outer one and of the words."""
SOFTNESS = 0.7
"""Modules: the standard deviation of the blur that the pattern is given; about what a camera over a table has."""

_FINE = 8
"""Drawn pixels a module."""


@dataclass(frozen=True, slots=True, eq=False)
class SharedPattern:
    """The samples of a label that do not depend on its text.

    ``places``: float32 n x 2, modules.  ``light``: float32 4 x n, what each sample shows, for the four ways the
    label may be turned (by quarter turns clockwise).  ``basis``: float32 n x 3, orthonormal, the slow changes of
    light (even, across, down) that say nothing.  ``steepest``: float32 n x 8, how the samples change when the corners
    move, free of the basis and of the light itself; ``solve``: float32 8 x n, its pseudo-inverse.
    """

    places: Floats
    light: Floats
    basis: Floats
    steepest: Floats
    solve: Floats


def data_mask() -> npt.NDArray[np.bool_]:
    """Return which modules depend on the text, bool 21 x 21: all but finders with their separators and timing."""
    mask = np.ones((MODULES, MODULES), np.bool_)
    mask[:8, :8] = mask[:8, -8:] = mask[-8:, :8] = False
    mask[6, :] = mask[:, 6] = False
    return mask


def shared_pattern() -> SharedPattern:
    """Return what all standard labels show."""
    return pattern_of(None)


@lru_cache(maxsize=256)
def pattern_of(text: str | None) -> SharedPattern:
    """Return what the label of a text shows, all of it; or with None what all labels show."""
    drawn, known, _ = label_drawing(text)
    margin = drawn.shape[0] / 2
    side = int(2 * REACH / STEP)
    ticks = (np.arange(side) + 0.5) * STEP - side * STEP / 2
    x, y = np.meshgrid(ticks, ticks)
    column, row = ((at * _FINE + margin).astype(int) for at in (x, y))
    inside = known[row, column]
    places = np.column_stack((x[inside], y[inside])).astype(np.float32)
    across = cv2.Sobel(drawn, cv2.CV_32F, 1, 0, ksize=3) * (_FINE / 8)
    down = cv2.Sobel(drawn, cv2.CV_32F, 0, 1, ksize=3) * (_FINE / 8)
    light, dx, dy = (plane[row, column][inside] for plane in (drawn, across, down))
    basis, _ = np.linalg.qr(np.column_stack((np.ones(len(places)), places)))
    steepest = _steepest(places.astype(np.float64), dx, dy)
    steepest -= basis @ (basis.T @ steepest)
    flat = light - basis @ (basis.T @ light)
    flat /= np.linalg.norm(flat)
    amplitude = np.linalg.norm(light - basis @ (basis.T @ light))
    free = steepest - np.outer(flat, flat @ steepest)
    return SharedPattern(
        places=places,
        light=flat.astype(np.float32),
        basis=basis.astype(np.float32),
        steepest=free.astype(np.float32),
        solve=(np.linalg.pinv(free) * amplitude).astype(np.float32),
    )


def label_drawing(text: str | None = None) -> tuple[Floats, npt.NDArray[np.bool_], int]:
    """Return a label finely drawn, 1 is light, softened; where that is known; pixels a module.

    Without a text only what does not depend on it is known.
    """
    size = int(2 * (REACH + 2) * _FINE)
    start, end = size // 2 - int(HALF * _FINE), size // 2 + int(HALF * _FINE)
    white = int(WHITE_HALF * _FINE)
    drawn = np.zeros((size, size), np.float32)
    drawn[size // 2 - white : size // 2 + white, size // 2 - white : size // 2 + white] = 1
    symbol = 1.0 - symbol_of(text or "A").astype(np.float32)
    if text is None:
        symbol[data_mask()] = 0.5
    drawn[start:end, start:end] = np.kron(symbol, np.ones((_FINE, _FINE), np.float32))
    known = np.ones((size, size), np.bool_)
    if text is None:
        known[start:end, start:end] = ~np.kron(data_mask(), np.ones((_FINE, _FINE), np.bool_))
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), SOFTNESS * _FINE), np.float32), known, _FINE


def _steepest(places: npt.NDArray[np.float64], dx: Floats, dy: Floats) -> npt.NDArray[np.float64]:
    """Return how each sample changes with the eight numbers of a homography near the identity, in units of ``HALF``."""
    x, y = places[:, 0] / HALF, places[:, 1] / HALF
    gx, gy = dx * HALF, dy * HALF
    both = gx * x + gy * y
    return np.column_stack((gx * x, gx * y, gx, gy * x, gy * y, gy, -both * x, -both * y))
