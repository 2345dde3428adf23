"""The lens model of a camera, and its calibration: from pictures of the board, or roughly from labels on the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import BoardView, Points
from calibration.plane import XY

# Views of the board, and which are still missing: their number, parts of the picture, tilts

WANTED_VIEWS = 10
PARTS = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")
"""The picture in ninths, row by row."""

_WANTED_TILTED = 4
_MIN_FORESHORTENING = 0.05
"""Difference of opposite sides from which on a board is tilted, as a share."""

_MIN_MOVEMENT = 0.04
"""Movement of the board from which on a view is new, as a share of the picture's width."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of views, and what is missing before the lens is computed."""

    views: int
    views_missing: int
    parts_missing: tuple[str, ...]
    tilted_missing: int

    @property
    def is_enough(self) -> bool:
        """Return whether nothing is missing."""
        return not (self.views_missing or self.parts_missing or self.tilted_missing)


def measure_coverage(views: Sequence[BoardView], width: int, height: int) -> Coverage:
    """Return what these views of the board cover, in pictures of this size."""
    parts: set[int] = set()
    for view in views:
        columns = np.clip(view.in_picture[:, 0] / width * 3, 0, 2).astype(int)
        rows = np.clip(view.in_picture[:, 1] / height * 3, 0, 2).astype(int)
        parts |= set((rows * 3 + columns).tolist())
    tilted = sum(is_tilted(view) for view in views)
    return Coverage(
        views=len(views),
        views_missing=max(WANTED_VIEWS - len(views), 0),
        parts_missing=tuple(name for number, name in enumerate(PARTS) if number not in parts),
        tilted_missing=max(_WANTED_TILTED - tilted, 0),
    )


def is_new(view: BoardView, views: Sequence[BoardView], width: int) -> bool:
    """Return whether the board is held differently from all views so far."""
    return all(_movement_of_corners(view, second) > _MIN_MOVEMENT * width for second in views)


def _movement_of_corners(first: BoardView, second: BoardView) -> float:
    """Return the largest distance of corresponding corners, in pixels."""
    return float(np.linalg.norm(_outline(first) - _outline(second), axis=1).max())


def _outline(view: BoardView) -> Points:
    """Return the corners in the picture of a fixed square decimetre of the board, 4 x 2."""
    onto, _ = cv2.findHomography(view.on_board, view.in_picture)
    square = np.array([[(60, 40), (160, 40), (160, 140), (60, 140)]], np.float64)
    return np.asarray(cv2.perspectiveTransform(square, onto)[0], np.float64)


def is_tilted(view: BoardView) -> bool:
    """Return whether the board is tilted: opposite sides of a square on it differ in length."""
    square = _outline(view)
    top, right, bottom, left = np.linalg.norm(np.roll(square, -1, axis=0) - square, axis=1)
    return bool(max(abs(top - bottom) / max(top, bottom), abs(left - right) / max(left, right)) > _MIN_FORESHORTENING)


# The lens by the board

MIN_VIEWS = 6
"""Views of the board that are needed."""

_MIN_TILTED = 3
"""Views with a tilted board that are needed: from straight above, distance and focal length are indistinguishable."""

_MAX_UNCERTAINTY = 0.02
"""Standard deviation of the focal length at most, as a share."""

_HALF_PIXEL = 0.5
"""OpenCV counts from the centre of the first pixel, we from its corner."""


class LensError(ValueError):
    """Raised if the pictures do not determine the lens; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Lens:
    """The lens of a camera for pictures of one size, in pixels; ``distortion`` is k1, k2, p1, p2, k3 without unit."""

    width: int
    height: int
    focal_x: float
    focal_y: float
    centre_x: float
    centre_y: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """Return the camera matrix, 3 x 3, for pixels counted from the picture's corner."""
        return np.array([[self.focal_x, 0, self.centre_x], [0, self.focal_y, self.centre_y], [0, 0, 1]], np.float64)

    def undistort(self, points: Points) -> Points:
        """Return where points (n x 2, pixels) would be without distortion."""
        distort_point = np.asarray(points, np.float64).reshape(-1, 1, 2)
        undistort_point = cv2.undistortPoints(distort_point, self.matrix, np.array(self.distortion), P=self.matrix)
        return np.asarray(undistort_point, np.float64).reshape(-1, 2)

    def undistort_point(self, x: float, y: float) -> XY:
        """Return where one point would be without distortion."""
        ((u, v),) = self.undistort(np.array([[x, y]], np.float64))
        return float(u), float(v)

    def distort_point(self, x: float, y: float) -> XY:
        """Return where this lens shows a point of an undistorted picture: the inverse of ``undistort_point``."""
        ray = np.array([[(x - self.centre_x) / self.focal_x, (y - self.centre_y) / self.focal_y, 1.0]], np.float64)
        still = np.zeros(3)
        shown, _ = cv2.projectPoints(ray, still, still, self.matrix, np.array(self.distortion))
        ((u, v),) = np.asarray(shown, np.float64).reshape(-1, 2)
        return float(u), float(v)


@dataclass(frozen=True, slots=True)
class LensFit:
    """A calibrated lens, with the RMS reprojection error of corners in the picture (pixels) and on the board (mm)."""

    lens: Lens
    error_px: float
    error_mm: float
    views: int


def fit_lens(views: Sequence[BoardView], width: int, height: int) -> LensFit:
    """Fit the lens to views of the board in pictures of this size.

    Raises:
        LensError: with too few views, or if the board was held alike in all of them.

    """
    if len(views) < MIN_VIEWS:
        reason = f"{len(views)} pictures of the board are too few: take {MIN_VIEWS} or more"
        raise LensError(reason)
    if sum(is_tilted(view) for view in views) < _MIN_TILTED:
        reason = "the board was held alike in all pictures: tilt it towards each side, also into the corners"
        raise LensError(reason)
    on_board = [np.column_stack((view.on_board, np.zeros(len(view.on_board)))).astype(np.float32) for view in views]
    in_picture = [(view.in_picture - _HALF_PIXEL).astype(np.float32) for view in views]
    error_px, matrix, coefficients, rotations, translations, deviations, _, _ = cv2.calibrateCameraExtended(
        on_board, in_picture, (width, height), np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
    )
    uncertainty = np.asarray(deviations, np.float64).ravel()[:2]
    focal_x, focal_y = float(matrix[0, 0]), float(matrix[1, 1])
    if (
        not np.isfinite(uncertainty).all()
        or uncertainty[0] > _MAX_UNCERTAINTY * focal_x
        or uncertainty[1] > _MAX_UNCERTAINTY * focal_y
    ):
        reason = "the pictures contradict each other: take them anew, sharp, and with a board that lies flat on card"
        raise LensError(reason)
    k1, k2, p1, p2, k3 = (float(value) for value in np.asarray(coefficients, np.float64).ravel()[:5])
    centre = float(matrix[0, 2]) + _HALF_PIXEL, float(matrix[1, 2]) + _HALF_PIXEL
    lens = Lens(width, height, focal_x, focal_y, *centre, (k1, k2, p1, p2, k3))
    distances_mm = [
        _distance_from_camera(view, rotation_vector, translation)
        for view, rotation_vector, translation in zip(views, rotations, translations, strict=True)
    ]
    error_mm = float(error_px) * float(np.mean(distances_mm)) / ((focal_x + focal_y) / 2)
    return LensFit(lens, float(error_px), error_mm, len(views))


def _distance_from_camera(view: BoardView, rotation_vector: npt.NDArray[Any], translation: npt.NDArray[Any]) -> float:
    """Return the distance of the visible part of the board along the camera's axis, in millimetres."""
    middle = np.append(view.on_board.mean(axis=0), 0.0)
    rotation = np.asarray(cv2.Rodrigues(np.asarray(rotation_vector, np.float64))[0], np.float64)
    return float((rotation @ middle + np.asarray(translation, np.float64).ravel())[2])


# The distortion of a lens by labels on a flat table, which are squares of one size. That needs no calibration
# board. It is less exact than a calibration, and enough to tell in which zone a card lies.

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
