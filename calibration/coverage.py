"""Determine which views of the board are still missing: their number, parts of the picture, tilts."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.board import BoardView
from calibration.fiducials import Points

MIN_VIEWS = 10
PARTS = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")
"""The picture in ninths, row by row."""

_MIN_TILTED = 4
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
        views_missing=max(MIN_VIEWS - len(views), 0),
        parts_missing=tuple(name for number, name in enumerate(PARTS) if number not in parts),
        tilted_missing=max(_MIN_TILTED - tilted, 0),
    )


def is_new(view: BoardView, views: Sequence[BoardView], width: int) -> bool:
    """Return whether the board is held differently from all views so far."""
    return all(_distance(view, second) > _MIN_MOVEMENT * width for second in views)


def _distance(first: BoardView, second: BoardView) -> float:
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
