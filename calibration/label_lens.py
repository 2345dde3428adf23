"""Estimate the distortion of a lens from labels on a flat table, which are squares of one size.

That needs no calibration board. It is less exact than a calibration, and enough to tell in which zone a card lies.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from calibration.fiducials import Points
from calibration.lens import Lens

MIN_LABELS = 8
"""Labels that are needed."""
MIN_DISTANCE = 0.55
"""Distance of one label from the centre at least, in half diagonals: there is no distortion in the centre."""
MAX_UNCERTAINTY = 0.03
"""Standard deviation of k1 at most."""
MIN_DISTORTION = 0.02
"""Smaller values of k1 count as none."""
STEPS = 12
SIZE_TOLERANCE = 0.03
"""Residual, in sides, from which on a label loses weight: cards may lean or lie on others."""
_F64 = npt.NDArray[np.float64]


def learn_lens(labels: Sequence[Points], width: int, height: int) -> Lens | None:
    """Return the lens under which these symbols (4 x 2 pixels each) are squares of one size on one plane.

    None if they do not determine it, or if there is no distortion.
    """
    if len(labels) < MIN_LABELS:
        return None
    quads = np.asarray(labels, np.float64)
    centre = np.array([width, height]) / 2
    if np.linalg.norm(quads.mean(axis=1) - centre, axis=1).max() < MIN_DISTANCE * np.linalg.norm(centre):
        return None
    parameters = np.zeros(5)
    for _ in range(STEPS):
        residuals, weights, jacobian, normal = _linearise(parameters, quads, width, height)
        step = np.linalg.solve(normal, jacobian.T @ (weights * residuals))
        parameters -= step * min(1.0, 0.3 / max(float(np.abs(step).max()), 1e-9))
    residuals, weights, _, normal = _linearise(parameters, quads, width, height)
    spread = float((weights * residuals**2).sum() / max(float(weights.sum()) - len(parameters), 1))
    uncertainty = float(np.sqrt(np.linalg.inv(normal)[0, 0] * spread))
    k1 = float(parameters[0])
    if not np.isfinite(uncertainty) or uncertainty > MAX_UNCERTAINTY or abs(k1) < max(MIN_DISTORTION, 2 * uncertainty):
        return None
    return make_radial_lens(k1, width, height)


def make_radial_lens(k1: float, width: int, height: int) -> Lens:
    """Return a lens with radial distortion ``k1``, centred, with a focal length of the picture's width."""
    return Lens(width, height, float(width), float(width), width / 2, height / 2, (k1, 0.0, 0.0, 0.0, 0.0))


def _linearise(parameters: _F64, quads: _F64, width: int, height: int) -> tuple[_F64, _F64, _F64, _F64]:
    """Return residuals, robust weights, Jacobian and weighted normal matrix at these parameters."""
    residuals = _residuals(parameters, quads, width, height)
    weights = np.repeat(
        1 / (1 + (np.abs(residuals).reshape(len(quads), -1).max(axis=1) / SIZE_TOLERANCE) ** 2),
        len(residuals) // len(quads),
    )
    jacobian = np.column_stack(
        [_derivative(parameters, number, residuals, quads, width, height) for number in range(len(parameters))]
    )
    return residuals, weights, jacobian, jacobian.T @ (weights[:, None] * jacobian) + 1e-9 * np.eye(len(parameters))


def _residuals(parameters: _F64, quads: _F64, width: int, height: int) -> _F64:
    """Return how far labels are from squares of one size, five values for each, in sides.

    ``parameters``: k1, two of the table's vanishing line, and stretch and shear.
    """
    k1, across, down, stretch, shear = parameters
    straight = make_radial_lens(k1, width, height).undistort(quads.reshape(-1, 2))
    at = (straight - (width / 2, height / 2)) / width
    flat = at / (1 + at @ np.array([across, down]))[:, None]
    flat = flat @ np.array([[1 + stretch, shear], [0.0, 1.0]]).T
    corners = flat.reshape(-1, 4, 2)
    right = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    below = (corners[:, 3] - corners[:, 0] + corners[:, 2] - corners[:, 1]) / 2
    twist = (corners[:, 0] - corners[:, 1] + corners[:, 2] - corners[:, 3]) / 2
    size = np.sqrt(np.abs(right[:, 0] * below[:, 1] - right[:, 1] * below[:, 0]))
    usual = float(np.exp(np.median(np.log(size))))
    lengths = (np.linalg.norm(right, axis=1) - np.linalg.norm(below, axis=1)) / size
    corner = (right * below).sum(axis=1) / size**2
    return np.column_stack([np.log(size / usual), lengths, corner, twist / size[:, None]]).ravel()


def _derivative(parameters: _F64, number: int, residuals: _F64, quads: _F64, width: int, height: int) -> _F64:
    moved = parameters.copy()
    moved[number] += 1e-5
    return np.asarray((_residuals(moved, quads, width, height) - residuals) / 1e-5, np.float64)
