"""Printed fiducials: ArUco markers, and the ChArUco board, a chessboard with markers in its white squares.

OpenCV 4.10 and 5 return results in different shapes (ids as a row or a column, nothing as ``None`` or an empty tuple),
and count pixels from the centre of the first one. Here both become the same plain arrays, with pixels counted from the
picture's corner as everywhere else.
"""

from dataclasses import dataclass
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
"""Modules a side of a marker: five of the pattern, and the black rim."""

MIN_CORNERS = 8
"""Corners in one picture that are needed to determine the pose of a board."""

_HALF_PIXEL = 0.5

_MAX_SEARCHED_PIXELS = 4_000_000
"""Size of a picture above which it is halved before markers are searched, which takes many times its memory."""

_REFINED_PIXELS, _REFINED_MODULES = 5, 0.3
"""Reach of the refinement of a corner that was found in a halved picture: pixels at most, and modules of the marker."""


def to_grey(picture: npt.NDArray[np.uint8]) -> Grey:
    """Return a picture (uint8, height x width, or x 3 as blue, green, red) in grey."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)  # noqa: PLR2004 - two dimensions


def marker_dictionary() -> cv2.aruco.Dictionary:
    """Return the dictionary of all our markers."""
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)


def marker_modules(number: int) -> npt.NDArray[np.bool_]:
    """Return the pattern of a marker, 7 x 7, True is black."""
    return np.asarray(cv2.aruco.generateImageMarker(marker_dictionary(), number, MODULES) == 0, np.bool_)


def find_markers(grey: Grey) -> dict[int, Points]:
    """Return the corners (4 x 2, clockwise from the marker's own top left) of each marker in view, by number.

    A number that is seen twice is none of our markers and is left out.
    """
    corners, numbers = _detect_markers(grey, _marker_detector())
    markers = {number: to_pixel_array(corners_seen) for number, corners_seen in zip(numbers, corners, strict=True)}
    return {number: corners_seen for number, corners_seen in markers.items() if numbers.count(number) == 1}


def find_corners(grey: Grey, board: cv2.aruco.CharucoBoard) -> dict[int, tuple[float, float]]:
    """Return the pixels of the board's inner corners in view, by number."""
    detector = cv2.aruco.CharucoDetector(board)
    if grey.size <= _MAX_SEARCHED_PIXELS:
        corners, ids, _, _ = detector.detectBoard(grey)
    else:
        seen, numbers = _detect_markers(grey, _board_marker_detector())
        if not numbers:
            return {}
        corners, ids, _, _ = detector.detectBoard(grey, markerCorners=seen, markerIds=np.array(numbers, np.int32))
    return {
        number: (float(x), float(y)) for number, (x, y) in zip(to_int_list(ids), to_pixel_array(corners), strict=True)
    }


def to_int_list(ids: Any) -> list[int]:
    """Return OpenCV's ids (n, n x 1 or None) as ints."""
    return [] if ids is None else [int(number) for number in np.asarray(ids).ravel()]


def to_pixel_array(points: Any) -> Points:
    """Return OpenCV's points (n x 2, n x 1 x 2, 1 x n x 2 or None), counted from the picture's corner, n x 2."""
    if points is None:
        return np.empty((0, 2), np.float64)
    return np.asarray(points, np.float64).reshape(-1, 2) + _HALF_PIXEL


def _detect_markers(grey: Grey, detector: cv2.aruco.ArucoDetector) -> tuple[list[npt.NDArray[np.float32]], list[int]]:
    """Return the corners of the markers in view (1 x 4 x 2, from the centre of the first pixel), and their numbers.

    A large picture is searched at a reduced size, and the corners are refined in the picture itself.
    """
    factor, reduced = 1, grey
    while reduced.size > _MAX_SEARCHED_PIXELS:
        size = (reduced.shape[1] // 2, reduced.shape[0] // 2)
        factor, reduced = 2 * factor, np.asarray(cv2.resize(reduced, size, interpolation=cv2.INTER_AREA), np.uint8)
    seen, ids, _ = detector.detectMarkers(reduced)
    corners = [np.asarray(each, np.float32).reshape(1, 4, 2) for each in seen]
    if factor > 1:
        scale = np.array([grey.shape[1] / reduced.shape[1], grey.shape[0] / reduced.shape[0]], np.float32)
        corners = [_refine_corners(grey, (each + _HALF_PIXEL) * scale - _HALF_PIXEL) for each in corners]
    return corners, to_int_list(ids)


def _refine_corners(grey: Grey, corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return a marker's corners (1 x 4 x 2) where the picture's edges cross next to them."""
    module = cv2.arcLength(corners, closed=True) / 4 / MODULES
    reach = max(1, min(_REFINED_PIXELS, round(_REFINED_MODULES * module)))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 30, 0.01)
    refined = cv2.cornerSubPix(grey, corners.reshape(4, 1, 2).astype(np.float32), (reach, reach), (-1, -1), criteria)
    return np.asarray(refined, np.float32).reshape(1, 4, 2)


@cache
def _board_marker_detector() -> cv2.aruco.ArucoDetector:
    """Return a detector like the one that OpenCV uses for the markers of a board."""
    return cv2.aruco.ArucoDetector(marker_dictionary())


@cache
def _marker_detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.01  # a corner marker of 30 mm is 55 of 1920 pixels wide
    return cv2.aruco.ArucoDetector(marker_dictionary(), parameters)


# The calibration board, of which a part in view suffices.


@dataclass(frozen=True, slots=True)
class Board:
    """A ChArUco board: its squares across and down, and the sides of squares and markers in millimetres."""

    columns: int = 7
    rows: int = 5
    square_mm: float = 36.0
    marker_mm: float = 26.0

    @property
    def size_mm(self) -> tuple[float, float]:
        """Return width and height of the board."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @property
    def corners(self) -> int:
        """Return the number of inner corners."""
        return (self.columns - 1) * (self.rows - 1)

    def charuco(self) -> cv2.aruco.CharucoBoard:
        """Return OpenCV's description of the board."""
        return cv2.aruco.CharucoBoard((self.columns, self.rows), self.square_mm, self.marker_mm, marker_dictionary())

    def draw(self, pixels_a_mm: float) -> Grey:
        """Return a picture of the board from above, without a margin."""
        width, height = (round(side * pixels_a_mm) for side in self.size_mm)
        return np.asarray(self.charuco().generateImage((width, height), marginSize=0, borderBits=1), np.uint8)

    def black_boxes_mm(self) -> list[tuple[float, float, float, float]]:
        """Return everything black as boxes: left, top, width, height in millimetres from the board's top left."""
        return [*self._black_squares(), *self._marker_boxes()]

    def _black_squares(self) -> list[tuple[float, float, float, float]]:
        side = self.square_mm
        return [
            (column * side, row * side, side, side)
            for row in range(self.rows)
            for column in range(self.columns)
            if (row + column) % 2 == 0
        ]

    def _marker_boxes(self) -> list[tuple[float, float, float, float]]:
        module = self.marker_mm / MODULES
        inset = (self.square_mm - self.marker_mm) / 2
        white = [(row, column) for row in range(self.rows) for column in range(self.columns) if (row + column) % 2]
        boxes = []
        for number, (row, column) in enumerate(white):
            for y, modules in enumerate(marker_modules(number)):
                for x in np.flatnonzero(modules):
                    left = column * self.square_mm + inset + float(x) * module
                    boxes.append((left, row * self.square_mm + inset + y * module, module, module))
        return boxes


@dataclass(frozen=True, slots=True, eq=False)
class BoardView:
    """The board in one picture: its corners on the board (n x 2, mm) and in the picture (n x 2, pixels)."""

    on_board: Points
    in_picture: Points


def detect_board(grey: Grey, board: Board) -> BoardView | None:
    """Return what a picture shows of the board; None if that is too little."""
    corners = find_corners(grey, board.charuco())
    if len(corners) < MIN_CORNERS:
        return None
    across = board.columns - 1
    places = [((number % across + 1) * board.square_mm, (number // across + 1) * board.square_mm) for number in corners]
    view = BoardView(np.array(places, np.float64), np.array(list(corners.values()), np.float64))
    spread = np.linalg.matrix_rank(view.on_board - view.on_board.mean(axis=0))
    return view if spread == 2 else None  # noqa: PLR2004 - corners in one row do not determine the other direction
