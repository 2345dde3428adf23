"""The lens model of a camera, and its calibration from pictures of the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.board import BoardView
from calibration.coverage import is_tilted
from calibration.fiducials import Points
from calibration.plane import XY

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
        _distance(view, rotation_vector, translation)
        for view, rotation_vector, translation in zip(views, rotations, translations, strict=True)
    ]
    error_mm = float(error_px) * float(np.mean(distances_mm)) / ((focal_x + focal_y) / 2)
    return LensFit(lens, float(error_px), error_mm, len(views))


def _distance(view: BoardView, rotation_vector: npt.NDArray[Any], translation: npt.NDArray[Any]) -> float:
    """Return the distance of the visible part of the board along the camera's axis, in millimetres."""
    middle = np.append(view.on_board.mean(axis=0), 0.0)
    rotation = np.asarray(cv2.Rodrigues(np.asarray(rotation_vector, np.float64))[0], np.float64)
    return float((rotation @ middle + np.asarray(translation, np.float64).ravel())[2])
