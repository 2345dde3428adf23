"""What every label shows, whatever it says: frame, quiet zone, finder patterns, timing.

Places on a label are counted in modules from the middle of the symbol, x to the right and y down: the symbol reaches
from -10.5 to 10.5.
"""

from functools import cache

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
