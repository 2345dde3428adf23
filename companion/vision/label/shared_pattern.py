"""What every label shows, whatever it says: frame, quiet zone, finder patterns, timing.

Places on a label are counted in modules from the middle of the symbol, x to the right and y down: the symbol reaches
from -10.5 to 10.5.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.label import STANDARD_LABEL
from companion.vision.label.symbol import MODULES, symbol_of

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
    """The samples of a label that do not depend on its text, about as soft as a camera over a table shows them.

    ``places``: float32 n x 2, modules.  ``light``: float32 n, what each sample shows, free of the basis and of length
    1.  ``basis``: float32 n x 3, orthonormal, the slow changes of light (even, across, down) that say nothing.
    """

    places: Floats
    light: Floats
    basis: Floats


@cache
def data_mask() -> npt.NDArray[np.bool_]:
    """Return which modules depend on the text, bool 21 x 21: all but finders with their separators and timing."""
    mask = np.ones((MODULES, MODULES), np.bool_)
    mask[:8, :8] = mask[:8, -8:] = mask[-8:, :8] = False
    mask[6, :] = mask[:, 6] = False
    mask.flags.writeable = False
    return mask


@cache
def shared_modules() -> Floats:
    """Return what the modules of all symbols show, 1 is light and a half unknown, float32 21 x 21; read-only."""
    modules = np.where(data_mask(), np.float32(0.5), 1 - symbol_of("A").astype(np.float32))
    modules.flags.writeable = False
    return modules


@cache
def shared_pattern() -> SharedPattern:
    """Return what all standard labels show."""
    drawn, known, fine = label_drawing()
    places = _checkered()
    column, row = ((at * fine + len(drawn) / 2).astype(int) for at in places.astype(np.float64).T)
    places, light = places[known[row, column]], drawn[row, column][known[row, column]]
    basis, _ = np.linalg.qr(np.column_stack((np.ones(len(places)), places)))
    flat = light - basis @ (basis.T @ light)
    return SharedPattern(places, (flat / np.linalg.norm(flat)).astype(np.float32), basis.astype(np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class TurnedPattern:
    """What all labels share, turned by each of four quarters, at places that are the same for all turns.

    ``places``: float32 n x 2, modules.  ``light``, ``counts``: float32 n x 4, as in ``SharedPattern`` and 1 where a
    place counts; ``basis``: float32 n x 12, three for each turn.
    """

    places: Floats
    light: Floats
    counts: Floats
    basis: Floats


@cache
def turned_pattern() -> TurnedPattern:
    """Return what all standard labels show in each of the four ways they may lie, by quarters clockwise."""
    pattern = shared_pattern()
    places = _checkered()
    numbers = {(float(x), float(y)): number for number, (x, y) in enumerate(places)}
    light, counts = (np.zeros((len(places), 4), np.float32) for _ in range(2))
    basis = np.zeros((len(places), 4, 3), np.float32)
    x, y = pattern.places.T
    for turn in range(4):
        which = np.array([numbers[at] for at in zip(x.tolist(), y.tolist(), strict=True)])
        light[which, turn], counts[which, turn], basis[which, turn] = pattern.light, 1, pattern.basis
        x, y = -y, x
    return TurnedPattern(places, light, counts, basis.reshape(len(places), -1))


def _checkered() -> Floats:
    """Return every other place of a label and its frame, n x 2 modules."""
    side = int(2 * REACH / STEP)
    ticks = (np.arange(side) + 0.5) * STEP - side * STEP / 2
    x, y = np.meshgrid(ticks, ticks)
    every_other = np.indices(x.shape).sum(axis=0) % 2 == 0
    return np.column_stack((x[every_other], y[every_other])).astype(np.float32)


@cache
def label_drawing() -> tuple[Floats, npt.NDArray[np.bool_], int]:
    """Return a label finely drawn, 1 is light, softened; where that does not depend on its text; pixels a module."""
    size = int(2 * (REACH + 2) * _FINE)
    start, end = size // 2 - int(HALF * _FINE), size // 2 + int(HALF * _FINE)
    white = int(WHITE_HALF * _FINE)
    drawn = np.zeros((size, size), np.float32)
    drawn[size // 2 - white : size // 2 + white, size // 2 - white : size // 2 + white] = 1
    drawn[start:end, start:end] = np.kron(shared_modules(), np.ones((_FINE, _FINE), np.float32))
    known = np.ones((size, size), np.bool_)
    known[start:end, start:end] = ~np.kron(data_mask(), np.ones((_FINE, _FINE), np.bool_))
    return np.asarray(cv2.GaussianBlur(drawn, (0, 0), SOFTNESS * _FINE), np.float32), known, _FINE
