"""The plane of the table: millimetres on the table to pixels in the picture, and back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

XY: TypeAlias = tuple[float, float]
"""x to the right and y towards the foot of the table or picture, in millimetres or pixels."""

FEWEST = 4
"""Correspondences that a plane needs."""

_FLAT = 1e-9
"""Below this, relative to the largest, a singular value or a determinant counts as nought."""


class PlaneError(ValueError):
    """The points do not determine a plane."""


@dataclass(frozen=True, slots=True)
class Plane:
    """A homography from the table (millimetres) to the picture (pixels): nine numbers, row by row."""

    rows: tuple[float, ...]

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """Return the homography, float64 3 x 3, millimetres to pixels."""
        return np.array(self.rows, np.float64).reshape(3, 3)

    def to_pixels(self, x_mm: float, y_mm: float) -> XY:
        """Return where a point of the table is in the picture."""
        return _project(self.matrix, x_mm, y_mm)

    def to_mm(self, x: float, y: float) -> XY:
        """Return the point of the table that lies under a pixel."""
        return _project(np.asarray(np.linalg.inv(self.matrix), np.float64), x, y)


def plane_of(matrix: npt.NDArray[np.float64]) -> Plane:
    """Return the plane of a homography (3 x 3, millimetres to pixels).

    Raises:
        PlaneError: when it cannot be inverted.

    """
    scale = float(np.abs(matrix).max())
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or scale == 0:
        reason = "a plane is nine finite numbers, not all nought"
        raise PlaneError(reason)
    values = np.linalg.svd(matrix / scale, compute_uv=False)
    if values[-1] < _FLAT * values[0]:
        reason = "these points lie on one line: they determine no plane"
        raise PlaneError(reason)
    return Plane(tuple(float(value) for value in (matrix / (matrix[2, 2] or scale)).ravel()))


def plane_from(on_table_mm: Sequence[XY], in_picture: Sequence[XY]) -> Plane:
    """Return the plane that carries points of the table (mm) to points of the picture (px), by least squares.

    Raises:
        PlaneError: with fewer than four pairs, or when too many points lie on one line.

    """
    if len(on_table_mm) != len(in_picture) or len(on_table_mm) < FEWEST:
        reason = f"a plane needs {FEWEST} points or more, each on the table and in the picture"
        raise PlaneError(reason)
    table, from_table = _normalised(on_table_mm)
    picture, from_picture = _normalised(in_picture)
    equations = []
    for (x, y), (u, v) in zip(table, picture, strict=True):
        equations.append([-x, -y, -1, 0, 0, 0, u * x, u * y, u])
        equations.append([0, 0, 0, -x, -y, -1, v * x, v * y, v])
    _, values, directions = np.linalg.svd(np.array(equations, np.float64))
    if values[7] < _FLAT * values[0]:
        reason = "these points lie on one line: they determine no plane"
        raise PlaneError(reason)
    return plane_of(np.linalg.inv(from_picture) @ directions[8].reshape(3, 3) @ from_table)


def _normalised(points: Sequence[XY]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the points about nought at a mean distance of 1, and the matrix that brings them there.

    Without this, pixels and millimetres in the hundreds make the equations badly conditioned.
    """
    array = np.array(points, np.float64)
    middle = array.mean(axis=0)
    spread = float(np.linalg.norm(array - middle, axis=1).mean()) or 1.0
    matrix = np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])
    return (array - middle) / spread, matrix


def _project(matrix: npt.NDArray[np.float64], x: float, y: float) -> XY:
    u, v, w = matrix @ (x, y, 1.0)
    return float(u / w), float(v / w)
