"""Tells modules apart that blur has run into each other: what neighbours lend each other is learnt and taken away.

The tones of modules are what is printed, convolved with a kernel of a few modules.  The kernel is fitted to what is
known, by least squares; then each module is asked which of both explains the tones about it better, given its
neighbours, softly first and surer each time (soft decision feedback, as receivers do with intersymbol interference).
"""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.symbol.anatomy import Anatomy
from companion.vision.symbol.mesh import Floats
from companion.vision.symbol.modules import BLANK, Modules

REACH = 2
"""Modules to each side over which blur is told."""
SURENESS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
"""How sharply a module is decided, step by step."""
EASED = 0.5
"""The share of a step that is taken, so that neighbours do not overshoot together."""
STIFF = 0.02
"""Shares of the modules: kernels are drawn towards none by so much."""


def unsmeared(symbol: Anatomy, seen: Modules) -> tuple[Modules, Floats]:
    """Return the modules with blur taken into account, and the tones that they should have under it, N x N."""
    half = np.maximum(seen.light - seen.dark, 1) / 2
    shown = np.clip((seen.tone - (seen.light + seen.dark) / 2) / half, -1.5, 1.5)
    known = np.where(symbol.dark, -1.0, 1.0)
    trusted = np.where(seen.trust > BLANK, 1.0, 0.0)  # blank patches tell nothing of blur
    printed = np.where(symbol.fixed, known, np.clip(shown, -1, 1))
    kernel = np.zeros((2 * REACH + 1,) * 2)
    score, bias = shown, 0.0
    for sure in SURENESS:
        kernel, bias = _kernel(shown, printed, np.where(symbol.fixed, 3.0, np.abs(printed)) * trusted)
        left = (shown - bias - _spread(printed, kernel)) * trusted
        power = float((kernel**2).sum())
        score = printed + cv2.filter2D(left, -1, kernel[::-1, ::-1], borderType=cv2.BORDER_CONSTANT) / max(power, 1e-6)
        told = np.tanh(sure * score)
        printed = np.where(symbol.fixed, known, (1 - EASED) * printed + EASED * told)
    middle = (seen.light + seen.dark) / 2
    trust = np.minimum(1, np.abs(score)) * np.where(trusted > 0, 1.0, BLANK)
    told = replace(seen, tone=middle + half * np.clip(score, -1, 1), trust=trust)
    return told, middle + half * (_spread(printed, kernel) + bias)


def _spread(printed: Floats, kernel: Floats) -> Floats:
    """Return what a kernel makes of modules in a light quiet zone."""
    wide = np.pad(printed, REACH, constant_values=1.0)
    return np.asarray(cv2.filter2D(wide, -1, kernel)[REACH:-REACH, REACH:-REACH], np.float64)


def _kernel(shown: Floats, printed: Floats, weights: Floats) -> tuple[Floats, float]:
    """Return the kernel that makes the tones of what is printed, and how much lighter all is."""
    side, width = len(shown), 2 * REACH + 1
    wide = np.pad(printed, REACH, constant_values=1.0)
    columns = [wide[y : y + side, x : x + side].ravel() for y in range(width) for x in range(width)]
    terms = np.column_stack((*columns, np.ones(side * side)))
    squares: npt.NDArray[np.float64] = (terms * weights.ravel()[:, None]).T @ terms
    squares += STIFF * weights.sum() * np.diag([1.0] * width**2 + [0.0])
    solved = np.linalg.solve(squares + 1e-6 * np.eye(width**2 + 1), terms.T @ (weights.ravel() * shown.ravel()))
    return np.asarray(solved[:-1].reshape(width, width), np.float64), float(solved[-1])
