"""How labels lie: all on one table, so those that were found tell how any other must look, but for its turn.

The homography from the table (in units of the labels) to the picture is found from labels alone: their areas tell
where the table's horizon is, their shapes how it leans.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.vision.label.place import Homographies

FEWEST_FOR_HORIZON = 4
"""Labels that it takes to say where the horizon is; with fewer the view is taken for a parallel one."""


MUCH_THE_SAME = 0.04
"""The share by which labels may be larger, smaller or otherwise formed by another lie, and be found by it as well."""


@dataclass(frozen=True, slots=True, eq=False)
class Lie:
    """A table seen in a picture: float64 3 x 3, pixels to units of labels (``HALF`` modules), turned at will."""

    to_table: npt.NDArray[np.float64]

    def labels_at(self, points: npt.NDArray[np.float64], degrees: npt.NDArray[np.float64]) -> Homographies:
        """Return the homographies of labels with their middles at n points (pixels), turned by n angles clockwise."""
        flat = np.column_stack((points, np.ones(len(points)))) @ self.to_table.T
        x, y = flat[:, 0] / flat[:, 2], flat[:, 1] / flat[:, 2]
        angle = np.radians(degrees)
        cos, sin, nought, one = np.cos(angle), np.sin(angle), np.zeros(len(points)), np.ones(len(points))
        onto = np.stack((cos, -sin, x, sin, cos, y, nought, nought, one), axis=1).reshape(-1, 3, 3)
        placed = np.linalg.inv(self.to_table) @ onto
        return np.asarray(placed / placed[:, 2:, 2:], np.float64)

    def strangeness(self, labels: Homographies) -> npt.NDArray[np.float64]:
        """Return by what share each label is larger, smaller or otherwise formed than one on the table."""
        sizes = np.linalg.svd(self._against(labels), compute_uv=False)
        return np.asarray(np.abs(np.log(np.maximum(sizes, 1e-6))).max(axis=1), np.float64)

    def much_as(self, other: "Lie", shape: tuple[int, ...]) -> bool:
        """Say whether by another lie labels lie so alike in a picture of that shape that they are found by either."""
        height, width = shape
        corners = np.array([(x, y) for x in (0, width - 1) for y in (0, height - 1)], np.float64)
        if (np.column_stack((corners, np.ones(4))) @ np.stack((self.to_table[2], other.to_table[2])).T <= 0).any():
            return False
        return bool(self.strangeness(other.labels_at(corners, np.zeros(4))).max() <= MUCH_THE_SAME)

    def _against(self, labels: Homographies) -> npt.NDArray[np.float64]:
        """Return each label's shape on the flat table: n x 2 x 2, a mere turn where it lies as it should."""
        middles = labels[:, :2, 2] / labels[:, 2:, 2]
        upright = self.labels_at(middles, np.zeros(len(labels)))
        return np.asarray(np.linalg.inv(_shapes(upright, middles)) @ _shapes(labels, middles), np.float64)


def lie_of(labels: Homographies) -> Lie | None:
    """Return how the table lies that these labels lie on; None without labels."""
    if not len(labels):
        return None
    middles = labels[:, :2, 2] / labels[:, 2:, 2]
    shapes = _shapes(labels, middles)
    areas = np.abs(np.linalg.det(shapes))
    horizon = _horizon(middles, areas ** (1 / 3))
    flatten = np.eye(3)
    flatten[2, :2] = horizon
    flat_shapes = _flattening(flatten, middles) @ shapes
    spread = np.median(flat_shapes @ flat_shapes.transpose(0, 2, 1), axis=0)
    stretch = np.linalg.inv(np.linalg.cholesky(spread))
    upright = np.eye(3)
    upright[:2, :2] = stretch
    to_table = upright @ flatten
    return Lie(to_table) if np.isfinite(to_table).all() else None


def _shapes(labels: Homographies, middles: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return each label's size and shape where its middle is: the derivatives, n x 2 x 2."""
    across = (labels[:, :2, :2] - middles[:, :, None] * labels[:, 2:, :2]) / labels[:, 2:, 2:]
    return np.asarray(across, np.float64)


def _horizon(middles: npt.NDArray[np.float64], sizes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return two numbers per pixel: how the cube root of the area shrinks across and down.  Outliers do not count."""
    usual = float(np.median(sizes))
    keep = np.ones(len(middles), np.bool_)
    slope, middle, size = np.zeros(2), np.zeros(2), usual
    for _ in range(3):
        if keep.sum() < FEWEST_FOR_HORIZON:
            return np.zeros(2)
        middle, size = middles[keep].mean(axis=0), float(sizes[keep].mean())
        apart = middles[keep] - middle
        # Across a row of labels nothing is told of the slope: what a fraction of a label's length says does not count.
        least = keep.sum() * (_SPREAD**2) * usual**3 * np.eye(2)
        slope = np.linalg.solve(apart.T @ apart + least, apart.T @ (sizes[keep] - size))
        off = np.abs(size + (middles - middle) @ slope - sizes)
        keep = off <= max(3 * float(np.median(off)), 0.01 * usual)
    at_corner = size - float(slope @ middle)
    return np.asarray(slope / at_corner, np.float64) if at_corner > 0 else np.zeros(2)


_SPREAD = 0.4
"""Half sides of a symbol: how widely labels must lie in a direction for their sizes to tell of it."""


def _flattening(flatten: npt.NDArray[np.float64], middles: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the derivatives of a homography at points, n x 2 x 2."""
    rows = np.column_stack((middles, np.ones(len(middles)))) @ flatten.T
    image = rows[:, :2] / rows[:, 2:]
    return np.asarray((flatten[:2, :2] - image[:, :, None] * flatten[2, :2]) / rows[:, 2:, None], np.float64)
