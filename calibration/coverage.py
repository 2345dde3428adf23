"""Coverage of the pictures of the calibration board: how many, in which parts of the picture, how tilted."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.board import BoardView
from calibration.fiducials import Points

ENOUGH_VIEWS = 10
PARTS = ("top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right")
"""The picture in ninths, row by row."""

_ENOUGH_TILTED = 4
_TILTED = 0.05
"""How much longer one side of the board must look than the one across, as a share."""

_NEW_SIDES = 0.04
"""How far the board must have moved to count as another picture, as a share of the picture's width."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Views of the board so far, and those that are missing before the lens is computed."""

    views: int
    views_missing: int
    parts_missing: tuple[str, ...]
    tilted_missing: int

    @property
    def enough(self) -> bool:
        """Return whether nothing is missing."""
        return not (self.views_missing or self.parts_missing or self.tilted_missing)


def coverage_of(views: Sequence[BoardView], width: int, height: int) -> Coverage:
    """Return what these views of the board cover of pictures of this size."""
    covered: set[int] = set()
    for view in views:
        columns = np.clip(view.in_picture[:, 0] / width * 3, 0, 2).astype(int)
        rows = np.clip(view.in_picture[:, 1] / height * 3, 0, 2).astype(int)
        covered |= set((rows * 3 + columns).tolist())
    tilted = sum(is_tilted(view) for view in views)
    return Coverage(
        views=len(views),
        views_missing=max(ENOUGH_VIEWS - len(views), 0),
        parts_missing=tuple(name for number, name in enumerate(PARTS) if number not in covered),
        tilted_missing=max(_ENOUGH_TILTED - tilted, 0),
    )


def is_new(view: BoardView, views: Sequence[BoardView], width: int) -> bool:
    """Return whether the board lies differently from all views so far."""
    return all(_apart(view, other) > _NEW_SIDES * width for other in views)


def _apart(view: BoardView, other: BoardView) -> float:
    """Return how far the corners of the seen part lie apart, in pixels, at most."""
    return float(np.linalg.norm(_outline(view) - _outline(other), axis=1).max())


def _outline(view: BoardView) -> Points:
    """Return where a square decimetre in the middle of what is seen lies in the picture, 4 x 2."""
    onto, _ = cv2.findHomography(view.on_board, view.in_picture)
    square = np.array([[(60, 40), (160, 40), (160, 140), (60, 140)]], np.float64)
    return np.asarray(cv2.perspectiveTransform(square, onto)[0], np.float64)


def is_tilted(view: BoardView) -> bool:
    """Return whether the board is seen at an angle: opposite sides of a square on it differ in length."""
    square = _outline(view)
    top, right, foot, left = np.linalg.norm(np.roll(square, -1, axis=0) - square, axis=1)
    return bool(max(abs(top - foot) / max(top, foot), abs(left - right) / max(left, right)) > _TILTED)
