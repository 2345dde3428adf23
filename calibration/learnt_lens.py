"""Estimate the radial distortion of a lens from labels on a flat table: all are squares of one size.

No calibration board is needed. It is less exact than calibrating, and enough to find the zone in which a card lies.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.fiducials import Points
from calibration.lens import Lens

FEWEST = 8
"""The fewest labels from which a lens is estimated."""
REACH = 0.55
"""The least distance of the outermost label from the middle, in halves of the diagonal: lenses distort little there."""
UNSURE = 0.03
"""The largest standard deviation of k1 with which a lens is returned."""
SLIGHT = 0.02
"""Smaller values of k1 count as no distortion."""
STEPS = 12
USUAL = 0.03
"""Sizes may differ by that part of a side, where cards lean or lie on others; what is off by more counts less."""
F64 = npt.NDArray[np.float64]


def learnt_lens(labels: Sequence[Points], width: int, height: int) -> Lens | None:
    """Return the lens under which these symbols (4 x 2 pixels each) are squares of one size on one plane.

    ``None`` where the labels do not determine it, or where it does not distort.
    """
    if len(labels) < FEWEST:
        return None
    quads = np.asarray(labels, np.float64)
    middle = np.array([width, height]) / 2
    if np.linalg.norm(quads.mean(axis=1) - middle, axis=1).max() < REACH * np.linalg.norm(middle):
        return None
    guess = np.zeros(5)
    for _ in range(STEPS):
        off, weights, slopes, normal = _about(guess, quads, width, height)
        step = np.linalg.solve(normal, slopes.T @ (weights * off))
        guess -= step * min(1.0, 0.3 / max(float(np.abs(step).max()), 1e-9))
    off, weights, _, normal = _about(guess, quads, width, height)
    spread = float((weights * off**2).sum() / max(float(weights.sum()) - len(guess), 1))
    unsure = float(np.sqrt(np.linalg.inv(normal)[0, 0] * spread))
    bends = float(guess[0])
    if not np.isfinite(unsure) or unsure > UNSURE or abs(bends) < max(SLIGHT, 2 * unsure):
        return None
    return radial_lens(bends, width, height)


def radial_lens(bends: float, width: int, height: int) -> Lens:
    """Return a lens that bends by ``bends`` (k1, where a focal length is the picture's width) about its middle."""
    return Lens(width, height, float(width), float(width), width / 2, height / 2, (bends, 0.0, 0.0, 0.0, 0.0))


def _about(guess: F64, quads: F64, width: int, height: int) -> tuple[F64, F64, F64, F64]:
    """Return residuals at a guess, their weights, their Jacobian, and the weighted normal matrix of that."""
    off = _residuals(guess, quads, width, height)
    weights = np.repeat(
        1 / (1 + (np.abs(off).reshape(len(quads), -1).max(axis=1) / USUAL) ** 2), len(off) // len(quads)
    )
    slopes = np.column_stack([_slope(guess, number, off, quads, width, height) for number in range(len(guess))])
    return off, weights, slopes, slopes.T @ (weights[:, None] * slopes) + 1e-9 * np.eye(len(guess))


def _residuals(guess: F64, quads: F64, width: int, height: int) -> F64:
    """Return how far labels are from squares of one size, five for each, in parts of a side.

    ``guess``: k1; two numbers of the line where the table's plane vanishes; two of how it is stretched.
    """
    bends, across, down, wider, aslant = guess
    straight = radial_lens(bends, width, height).straightened(quads.reshape(-1, 2))
    at = (straight - (width / 2, height / 2)) / width
    flat = at / (1 + at @ np.array([across, down]))[:, None]
    flat = flat @ np.array([[1 + wider, aslant], [0.0, 1.0]]).T
    corners = flat.reshape(-1, 4, 2)
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    below = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    twist = (corners[:, 0] - corners[:, 1] + corners[:, 2] - corners[:, 3]) / 2
    size = np.sqrt(np.abs(right[:, 0] * below[:, 1] - right[:, 1] * below[:, 0]))
    usual = float(np.exp(np.median(np.log(size))))
    lengths = (np.linalg.norm(right, axis=1) - np.linalg.norm(below, axis=1)) / size
    corner = (right * below).sum(axis=1) / size**2
    return np.column_stack([np.log(size / usual), lengths, corner, twist / size[:, None]]).ravel()


def _slope(guess: F64, number: int, off: F64, quads: F64, width: int, height: int) -> F64:
    moved = guess.copy()
    moved[number] += 1e-5
    return np.asarray((_residuals(moved, quads, width, height) - off) / 1e-5, np.float64)
