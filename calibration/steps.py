"""Calibrating step by step: each frame is taken in, and says what is seen and what is still missing."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.board import Board, BoardView, see_board
from calibration.coverage import Coverage, coverage_of, is_new
from calibration.fiducials import Points, find_markers, grey_of
from calibration.lens import LensError, LensFit, lens_from
from calibration.light import PictureLight, light_of
from calibration.mat_sight import FoundMat, MatSight

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LensStep:
    """The board in one frame: ``taken`` when it is one more view, and what is missing then."""

    corners: int
    taken: bool
    light: PictureLight
    coverage: Coverage
    view: BoardView | None = None


class LensSteps:
    """Collects views of the board until there are enough.  All frames must be of one size."""

    def __init__(self, board: Board) -> None:
        """Collect views of this board."""
        self._board = board
        self._views: list[BoardView] = []
        self._size: tuple[int, int] | None = None

    def observe(self, picture: Pixels) -> LensStep:
        """Add a frame.

        Raises:
            LensError: when it is of another size than those before.

        """
        grey = grey_of(picture)
        height, width = grey.shape
        if self._size not in (None, (width, height)):
            reason = f"the pictures differ in size: this one is {width} x {height}, the first was of another size"
            raise LensError(reason)
        self._size = (width, height)
        view = see_board(grey, self._board)
        light = light_of(grey, list(find_markers(grey).values()))
        taken = view is not None and light.focus != "blurred" and is_new(view, self._views, width)
        if view is not None and taken:
            self._views.append(view)
        corners = 0 if view is None else len(view.on_board)
        return LensStep(corners, taken, light, coverage_of(self._views, width, height), view)

    def fit(self) -> LensFit:
        """Return the lens by all views taken.

        Raises:
            LensError: when they do not determine it; the message says what to do.

        """
        width, height = self._size or (0, 0)
        return lens_from(self._views, width, height)


@dataclass(frozen=True, slots=True)
class TableStep:
    """The table in one frame: the mat, if any, which of its markers are hidden, and the light."""

    mat: FoundMat | None
    hidden: tuple[str, ...]
    light: PictureLight


CORNERS = ("top left", "top right", "bottom right", "bottom left")
"""The corners of a mat in the order of its markers."""


def table_step(tracker: MatSight, at_ms: int, picture: Pixels, labels: list[Points]) -> TableStep:
    """Return what a frame shows of the table; ``labels``: the corners of the labels read in it (n x 2 each)."""
    mat = tracker.observe(at_ms, picture)
    grey = grey_of(picture)
    seen = find_markers(grey)
    numbers = () if mat is None else tuple(marker.number for marker in mat.mat.markers)
    hidden = tuple(corner for number, corner in zip(numbers, CORNERS, strict=False) if number not in seen)
    return TableStep(mat, hidden, light_of(grey, [*seen.values(), *labels]))
