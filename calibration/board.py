"""The ChArUco calibration board: a chessboard with markers in its white squares, so that a part of it suffices."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.fiducials import MODULES, Grey, Points, find_corners, marker_dictionary, marker_modules

MIN_CORNERS = 8
"""Corners in one picture that are needed to determine the board's pose."""


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
