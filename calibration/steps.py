"""Calibrate step by step: each frame yields what is seen and what is still missing."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.fiducials import Board, BoardView, Points, detect_board, find_markers, to_grey
from calibration.lens import Coverage, LensError, LensFit, fit_lens, is_new, measure_coverage
from calibration.mat import DetectedMat, MatTracker
from calibration.picture_check import PictureLight, judge_light

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class LensStep:
    """The board in one frame, whether it was ``taken`` as another view, and what is missing then."""

    corners: int
    taken: bool
    light: PictureLight
    coverage: Coverage
    view: BoardView | None = None


class LensCalibration:
    """Collects views of the board until there are enough. All frames must have the same size."""

    def __init__(self, board: Board) -> None:
        """Collect views of this board."""
        self._board = board
        self._views: list[BoardView] = []
        self._size: tuple[int, int] | None = None

    def observe(self, picture: Pixels) -> LensStep:
        """Process a frame.

        Raises:
            LensError: if its size differs from those before.

        """
        grey = to_grey(picture)
        height, width = grey.shape
        if self._size not in (None, (width, height)):
            reason = f"the pictures differ in size: this one is {width} x {height}, the first was of another size"
            raise LensError(reason)
        self._size = (width, height)
        view = detect_board(grey, self._board)
        light = judge_light(grey, list(find_markers(grey).values()))
        taken = view is not None and light.focus != "blurred" and is_new(view, self._views, width)
        if view is not None and taken:
            self._views.append(view)
        corners = 0 if view is None else len(view.on_board)
        return LensStep(corners, taken, light, measure_coverage(self._views, width, height), view)

    def fit(self) -> LensFit:
        """Return the lens fitted to all views.

        Raises:
            LensError: if they do not determine it; the message says what to do.

        """
        width, height = self._size or (0, 0)
        return fit_lens(self._views, width, height)


@dataclass(frozen=True, slots=True)
class TableStep:
    """The table in one frame: the mat, if any, its hidden corners, and the light."""

    mat: DetectedMat | None
    hidden: tuple[str, ...]
    light: PictureLight


CORNERS = ("top left", "top right", "bottom right", "bottom left")
"""The corners of a mat in the order of its markers."""


def observe_table(tracker: MatTracker, at_ms: int, picture: Pixels, labels: list[Points]) -> TableStep:
    """Process a frame of the table; ``labels``: the corners of labels that were read in it (n x 2 pixels each)."""
    mat = tracker.observe(at_ms, picture)
    grey = to_grey(picture)
    markers = find_markers(grey)
    numbers = () if mat is None else tuple(marker.number for marker in mat.mat.markers)
    hidden = tuple(corner for number, corner in zip(numbers, CORNERS, strict=False) if number not in markers)
    return TableStep(mat, hidden, judge_light(grey, [*markers.values(), *labels]))
