"""What labels show in a picture of known blur: one picture of the pattern for each label, and how it changes.

A drawing with two samples a module is softened in the space of frequencies, where any normal blur is a product.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.shared_pattern import HALF, STEP, WHITE_HALF, Floats, data_mask, shared_modules
from companion.vision.label.symbol import MODULES

SIDE = 64
"""Samples a side of the drawings: the label, and dark around as far as any blur reaches."""
REACH = WHITE_HALF + 0.6
"""Modules from the middle: how far samples count; the frame is no wider at its thinnest."""
_FINER = 4


@dataclass(frozen=True, slots=True, eq=False)
class SoftPattern:
    """What n labels show at m places.

    ``places``: float32 m x 2, modules.  ``light``, ``across``, ``down``: float32 n x m: what is shown, dark 0 to
    light 1, and how it changes by the module.  ``bends``: float32 3 x n x m, its second changes: across twice, both,
    down twice; empty unless asked for.
    """

    places: Floats
    light: Floats
    across: Floats
    down: Floats
    bends: Floats


@dataclass(frozen=True, slots=True, eq=False)
class _Drawing:
    spectrum: npt.NDArray[np.complex64]
    places: Floats
    numbers: npt.NDArray[np.intp]
    sparse: npt.NDArray[np.bool_]


def soft_pattern(covariances: npt.NDArray[np.float64], *, bends: bool = False, sparse: bool = False) -> SoftPattern:
    """Return what labels show under each blur (n x 2 x 2, square modules), whatever their text.

    ``sparse``: at half as many places, which do for a first fit.
    """
    drawing = _drawing()
    x, y = _frequencies()
    spread = covariances.astype(np.float32)
    power = spread[:, 0, 0, None, None] * (x * x) + spread[:, 1, 1, None, None] * (y * y)
    power += (2 * spread[:, 0, 1, None, None]) * (x * y)
    soft = drawing.spectrum * np.exp(-0.5 * power)
    shown = _drawn(soft)
    every = drawing.sparse if sparse else slice(None)
    numbers = drawing.numbers[every]
    second = _bends(shown, numbers) if bends else np.empty(0, np.float32)
    slopes = (_slope(shown, numbers, 1), _slope(shown, numbers, SIDE))
    return SoftPattern(drawing.places[every], shown[:, numbers], *slopes, second)


def _drawn(spectra: npt.NDArray[np.complex64]) -> Floats:
    """Return drawings of which these are the spectra, n x SIDE * SIDE."""
    return np.asarray(np.fft.irfft2(spectra, (SIDE, SIDE)), np.float32).reshape(len(spectra), -1)


def _slope(shown: Floats, numbers: npt.NDArray[np.intp], step: int) -> Floats:
    """Return how drawings change by the module at some of their samples, told by the two next on both sides.

    Soft as they are that is as good as exact, and costs much less than two more turns through the spectrum.
    """
    near = np.take(shown, numbers + step, axis=1) - np.take(shown, numbers - step, axis=1)
    far = np.take(shown, numbers + 2 * step, axis=1) - np.take(shown, numbers - 2 * step, axis=1)
    return np.asarray((8 * near - far) / np.float32(12 * STEP), np.float32)


def _bends(shown: Floats, numbers: npt.NDArray[np.intp]) -> Floats:
    """Return the second changes of drawings at some of their samples, told by the eight next to each: 3 x n x m."""
    (a, b, c), (d, e, f), (g, h, i) = (
        [np.take(shown, numbers + row + column, axis=1) for column in (-1, 0, 1)] for row in (-SIDE, 0, SIDE)
    )
    return np.array([d - 2 * e + f, (a - c - g + i) / 4, b - 2 * e + h], np.float32) / np.float32(STEP**2)


@cache
def _frequencies() -> tuple[Floats, Floats]:
    """Return the frequencies across and down of half a spectrum, in radians a module."""
    across = 2 * np.pi * np.fft.rfftfreq(SIDE, STEP)[None, :]
    down = 2 * np.pi * np.fft.fftfreq(SIDE, STEP)[:, None]
    return across.astype(np.float32), down.astype(np.float32)


@cache
def _drawing() -> _Drawing:
    a_module = round(_FINER / STEP)
    fine = np.zeros((SIDE * _FINER,) * 2, np.float32)
    middle = len(fine) // 2
    white, symbol = round(WHITE_HALF * a_module), round(HALF * a_module)
    fine[middle - white : middle + white, middle - white : middle + white] = 1
    inner = slice(middle - symbol, middle + symbol)
    fine[inner, inner] = np.kron(shared_modules(), np.ones((a_module, a_module), np.float32))
    drawn = cv2.resize(fine, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    ticks = ((np.arange(SIDE) + 0.5) * STEP - SIDE * STEP / 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    counts = (np.maximum(np.abs(x), np.abs(y)) < REACH) & (np.indices(x.shape).sum(axis=0) % 2 == 0)
    column, row = (np.floor(own + HALF).astype(int).clip(0, MODULES - 1) for own in (x, y))
    in_symbol = np.maximum(np.abs(x), np.abs(y)) < HALF
    counts &= ~(in_symbol & data_mask()[row, column])
    numbers = np.flatnonzero(counts)
    places = np.column_stack((x.ravel()[numbers], y.ravel()[numbers]))
    sparse = np.indices(x.shape).sum(axis=0).ravel()[numbers] % 4 == 0
    return _Drawing(np.fft.rfft2(drawn).astype(np.complex64), places, numbers, sparse)
