"""The camera lens (focal lengths, centre, distortion), fitted to pictures of the calibration board."""

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

FEWEST_VIEWS = 6
"""Pictures of the board below which a lens is not computed."""

_FEWEST_TILTED = 3
"""Of a board that is seen from straight above nobody can tell whether it is near or the lens long."""

_UNSURE = 0.02
"""A focal length must be known to this share."""

_CORNER = 0.5
"""OpenCV counts from the middle of the first pixel, we from its corner."""


class LensError(ValueError):
    """The pictures do not determine the lens; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A camera's lens for pictures of one size, all in pixels but ``distortion`` (k1, k2, p1, p2, k3; no unit)."""

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

    def straightened(self, points: Points) -> Points:
        """Return where points (n x 2, pixels) would be in the picture of a lens that bends nothing."""
        bent = np.asarray(points, np.float64).reshape(-1, 1, 2)
        straight = cv2.undistortPoints(bent, self.matrix, np.array(self.distortion), P=self.matrix)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def straight(self, x: float, y: float) -> XY:
        """Return the same for one point."""
        ((u, v),) = self.straightened(np.array([[x, y]], np.float64))
        return float(u), float(v)

    def bent(self, x: float, y: float) -> XY:
        """Return where this lens shows what a lens that bends nothing would show at a point: undoes ``straight``."""
        ray = np.array([[(x - self.centre_x) / self.focal_x, (y - self.centre_y) / self.focal_y, 1.0]], np.float64)
        still = np.zeros(3)
        shown, _ = cv2.projectPoints(ray, still, still, self.matrix, np.array(self.distortion))
        ((u, v),) = np.asarray(shown, np.float64).reshape(-1, 2)
        return float(u), float(v)


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens, and how well it explains the pictures.

    The errors are the root of the mean square distance of corners: in the picture (pixels), on the board (mm).
    """

    lens: Lens
    error_px: float
    error_mm: float
    views: int


def lens_from(views: Sequence[BoardView], width: int, height: int) -> LensFit:
    """Return the lens that explains these views of the board in pictures of this size.

    Raises:
        LensError: with too few views, or when the board was held alike in all of them.

    """
    if len(views) < FEWEST_VIEWS:
        reason = f"{len(views)} pictures of the board are too few: take {FEWEST_VIEWS} or more"
        raise LensError(reason)
    if sum(is_tilted(view) for view in views) < _FEWEST_TILTED:
        reason = "the board was held alike in all pictures: tilt it towards each side, also into the corners"
        raise LensError(reason)
    on_board = [np.column_stack((view.on_board, np.zeros(len(view.on_board)))).astype(np.float32) for view in views]
    in_picture = [(view.in_picture - _CORNER).astype(np.float32) for view in views]
    error_px, matrix, bending, turns, shifts, spread, _, _ = cv2.calibrateCameraExtended(
        on_board, in_picture, (width, height), np.eye(3), np.zeros(5), flags=cv2.CALIB_FIX_K3
    )
    unsure = np.asarray(spread, np.float64).ravel()[:2]
    focal_x, focal_y = float(matrix[0, 0]), float(matrix[1, 1])
    if not np.isfinite(unsure).all() or unsure[0] > _UNSURE * focal_x or unsure[1] > _UNSURE * focal_y:
        reason = "the pictures contradict each other: take them anew, sharp, and with a board that lies flat on card"
        raise LensError(reason)
    k1, k2, p1, p2, k3 = (float(value) for value in np.asarray(bending, np.float64).ravel()[:5])
    centre = float(matrix[0, 2]) + _CORNER, float(matrix[1, 2]) + _CORNER
    lens = Lens(width, height, focal_x, focal_y, *centre, (k1, k2, p1, p2, k3))
    away_mm = [_distance(view, turn, shift) for view, turn, shift in zip(views, turns, shifts, strict=True)]
    error_mm = float(error_px) * float(np.mean(away_mm)) / ((focal_x + focal_y) / 2)
    return LensFit(lens, float(error_px), error_mm, len(views))


def _distance(view: BoardView, turn: npt.NDArray[Any], shift: npt.NDArray[Any]) -> float:
    """Return how far the seen part of the board was from the camera along its axis, in millimetres."""
    middle = np.append(view.on_board.mean(axis=0), 0.0)
    rotation = np.asarray(cv2.Rodrigues(np.asarray(turn, np.float64))[0], np.float64)
    return float((rotation @ middle + np.asarray(shift, np.float64).ravel())[2])
