"""The printed marks that a camera finds by itself: ArUco markers and the corners of a ChArUco board.

OpenCV 4.10 and 5 give the same finds in different shapes (ids as a row or as a column, nothing as ``None`` or as an
empty tuple), and count pixels from the middle of the first one.  Here, and only here, both become the same plain
arrays, with pixels counted from the picture's corner as everywhere else.
"""

from functools import cache
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Grey = npt.NDArray[np.uint8]
"""uint8, height x width, 0 is black."""

Points = npt.NDArray[np.float64]
"""float64, n x 2, pixels or millimetres."""

MODULES = 7
"""Modules on a marker's side: five of pattern, and the black rim."""

_TO_CORNER = 0.5


def grey_of(picture: npt.NDArray[np.uint8]) -> Grey:
    """Return a picture (uint8, height x width, or x 3 as blue, green, red) in grey."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)  # noqa: PLR2004 - two dimensions


def dictionary() -> cv2.aruco.Dictionary:
    """Return the patterns that all our markers are taken from."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)


def marker_modules(number: int) -> npt.NDArray[np.bool_]:
    """Return the pattern of a marker, 7 x 7, True is black."""
    return np.asarray(cv2.aruco.generateImageMarker(dictionary(), number, MODULES) == 0, np.bool_)


def find_markers(grey: Grey) -> dict[int, Points]:
    """Return the corners (4 x 2, clockwise from the marker's own top left) of every marker seen, by its number.

    A number that is seen twice is no marker of ours and is left out.
    """
    corners, ids, _ = _marker_detector().detectMarkers(grey)
    numbers = whole_numbers(ids)
    markers = {number: pixels(seen) for number, seen in zip(numbers, corners, strict=True)}
    return {number: seen for number, seen in markers.items() if numbers.count(number) == 1}


def find_corners(grey: Grey, board: cv2.aruco.CharucoBoard) -> dict[int, tuple[float, float]]:
    """Return the places of the board's inner corners that are seen, in pixels, by their numbers."""
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(grey)
    return {number: (float(x), float(y)) for number, (x, y) in zip(whole_numbers(ids), pixels(corners), strict=True)}


def whole_numbers(ids: Any) -> list[int]:
    """Return ids as OpenCV gives them (n, n x 1 or none at all) as plain numbers."""
    return [] if ids is None else [int(number) for number in np.asarray(ids).ravel()]


def pixels(points: Any) -> Points:
    """Return points as OpenCV gives them (n x 2, n x 1 x 2, 1 x n x 2 or none at all), counted from the corner."""
    if points is None:
        return np.empty((0, 2), np.float64)
    return np.asarray(points, np.float64).reshape(-1, 2) + _TO_CORNER


@cache
def _marker_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.01  # a corner marker of 30 mm is 55 of 1920 pixels wide
    return cv2.aruco.ArucoDetector(dictionary(), parameters)
