"""The plane of the table: the homography between millimetres on the table and pixels in the picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

XY: TypeAlias = tuple[float, float]
"""x to the right and y towards the bottom of the table or picture, in millimetres or pixels."""

MIN_POINTS = 4
"""Correspondences that determine a plane."""

_SINGULAR = 1e-9
"""Singular values below this, relative to the largest, count as 0."""


class PlaneError(ValueError):
    """Raised for points that do not determine a plane."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A homography from the table (millimetres) to the picture (pixels): nine numbers, row by row."""

    rows: tuple[float, ...]

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """Return the homography, float64 3 x 3, millimetres to pixels."""
        return np.array(self.rows, np.float64).reshape(3, 3)

    def to_pixels(self, x_mm: float, y_mm: float) -> XY:
        """Return the pixel of a point of the table."""
        return _project(self.matrix, x_mm, y_mm)

    def to_mm(self, x: float, y: float) -> XY:
        """Return the point of the table under a pixel."""
        return _project(np.asarray(np.linalg.inv(self.matrix), np.float64), x, y)


def plane_from_matrix(matrix: npt.NDArray[np.float64]) -> Plane:
    """Return the plane of a homography (3 x 3, millimetres to pixels).

    Raises:
        PlaneError: if it cannot be inverted.

    """
    scale = float(np.abs(matrix).max())
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or scale == 0:
        reason = "a plane is nine finite numbers, not all nought"
        raise PlaneError(reason)
    values = np.linalg.svd(matrix / scale, compute_uv=False)
    if values[-1] < _SINGULAR * values[0]:
        reason = "these points lie on one line: they determine no plane"
        raise PlaneError(reason)
    return Plane(tuple(float(value) for value in (matrix / (matrix[2, 2] or scale)).ravel()))


def fit_plane(on_table_mm: Sequence[XY], in_picture: Sequence[XY]) -> Plane:
    """Fit the plane that maps points of the table (mm) to points of the picture (px), by least squares (DLT).

    Raises:
        PlaneError: with fewer than four pairs, or if too many points lie on one line.

    """
    if len(on_table_mm) != len(in_picture) or len(on_table_mm) < MIN_POINTS:
        reason = f"a plane needs {MIN_POINTS} points or more, each on the table and in the picture"
        raise PlaneError(reason)
    table, from_table = _normalise(on_table_mm)
    picture, from_picture = _normalise(in_picture)
    equations = []
    for (x, y), (u, v) in zip(table, picture, strict=True):
        equations.append([-x, -y, -1, 0, 0, 0, u * x, u * y, u])
        equations.append([0, 0, 0, -x, -y, -1, v * x, v * y, v])
    _, values, directions = np.linalg.svd(np.array(equations, np.float64))
    if values[7] < _SINGULAR * values[0]:
        reason = "these points lie on one line: they determine no plane"
        raise PlaneError(reason)
    return plane_from_matrix(np.linalg.inv(from_picture) @ directions[8].reshape(3, 3) @ from_table)


def _normalise(points: Sequence[XY]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the points centred at a mean distance of 1, and the matrix that maps them so (Hartley 1997).

    Without this, pixels and millimetres in the hundreds make the equations badly conditioned.
    """
    array = np.array(points, np.float64)
    centre = array.mean(axis=0)
    spread = float(np.linalg.norm(array - centre, axis=1).mean()) or 1.0
    matrix = np.array([[1 / spread, 0, -centre[0] / spread], [0, 1 / spread, -centre[1] / spread], [0, 0, 1]])
    return (array - centre) / spread, matrix


def _project(matrix: npt.NDArray[np.float64], x: float, y: float) -> XY:
    u, v, w = matrix @ (x, y, 1.0)
    return float(u / w), float(v / w)
