"""Locate the mat in every frame: once in the whole picture, then by its corner markers, even after a bump."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import Grey, Points, find_markers, to_grey
from calibration.lens import Lens
from calibration.mat import CornerMarker, Mat
from calibration.plane import Plane, PlaneError, fit_plane
from calibration.zones import ZonedTable

MIN_MARKERS = 2
"""One marker determines the plane too, but far too roughly a hand's breadth away."""

SEARCH_EVERY_MS = 1500
"""Time between searches of the whole picture while too few markers are where they were."""

_WINDOW_MARGIN = 0.6
"""Margin of the window in which a marker is searched again, in its sides."""

_MIN_MOVEMENT = 0.1
"""Movement of a marker's corners, in its sides, below which the plane is kept."""

_THUMBNAIL, _MAX_DIFFERENCE = 16, 14
"""Pixels a side of a thumbnail of a marker's window, and grey levels of difference below which nothing moved."""

_MAX_SEARCHED_PIXELS = 1200
"""Longer side in pixels of the picture that is searched for markers."""


@dataclass(frozen=True, slots=True)
class DetectedMat:
    """A mat in one frame: the number of its markers that are seen, and their RMS distance from the plane in pixels."""

    mat: Mat
    plane: Plane
    markers: int
    error_px: float
    lens: Lens | None = None

    @property
    def table(self) -> ZonedTable:
        """Return the mat's zones as the camera sees them."""
        return ZonedTable(self.plane, self.mat.zones, self.lens)

    @property
    def pixels_a_mm(self) -> float:
        """Return the pixels of a millimetre in the middle of the mat."""
        x, y = self.mat.width_mm / 2, self.mat.height_mm / 2
        middle, right, below = (np.array(self.plane.to_pixels(*at)) for at in ((x, y), (x + 1, y), (x, y + 1)))
        return float(np.sqrt(abs(np.linalg.det(np.stack((right - middle, below - middle))))))

    @property
    def error_mm(self) -> float:
        """Return the error in millimetres on the table."""
        return self.error_px / self.pixels_a_mm


class MatTracker:
    """Tracks which of several mats lies on the table, and where. Not thread-safe, apart from its lens."""

    def __init__(self, mats: Sequence[Mat], lens: Lens | None = None) -> None:
        """Track one of these mats, with the lens of the camera if it is known."""
        self._mats = tuple(mats)
        self._calibrated = self._lens = lens
        self._seen: dict[int, Points] = {}
        self._thumbnails: dict[int, npt.NDArray[np.int16]] = {}
        self._search_at_ms: int | None = None
        self._new_lenses: list[Lens | None] = []
        self._may_learn = lens is None
        self.latest: DetectedMat | None = None
        """The mat where it was seen last; None before, when the whole picture is the tray."""

    def observe(self, at_ms: int, picture: npt.NDArray[np.uint8]) -> DetectedMat | None:
        """Return the mat as one frame shows it, or as it was seen last while a hand covers its markers."""
        if self._new_lenses:
            self._calibrated, self._seen, self._thumbnails, self._search_at_ms = self._new_lenses.pop(), {}, {}, None
        self._lens = self._lens_for(picture)
        seen = self._track_markers(picture)
        if len(seen) < MIN_MARKERS and (self._search_at_ms is None or at_ms >= self._search_at_ms):
            self._search_at_ms = at_ms + SEARCH_EVERY_MS
            seen = _search_markers(to_grey(picture))
        candidate = max((self._locate_mat(mat, seen) for mat in self._mats), key=_certainty, default=None)
        if candidate is not None:
            self._search_at_ms = at_ms  # if it is gone in the next frame, the whole picture is searched at once
        if candidate is not None and not self._is_unchanged(candidate, seen):
            self.latest = candidate
            self._thumbnails = {}
            numbers = {marker.number for marker in candidate.mat.markers}
            self._seen = {number: corners for number, corners in seen.items() if number in numbers}
        return self.latest

    def use_lens(self, lens: Lens | None) -> None:
        """Use another lens from the next frame on, and locate the mat anew. Thread-safe."""
        self._may_learn = lens is None
        self._new_lenses = [lens]

    def learn_lens(self, lens: Lens) -> None:
        """Use a lens that was learnt from labels, unless a calibrated one is set."""
        if self._may_learn:
            self._new_lenses = [lens]

    def zone_at_pixel(self, x: float, y: float) -> str | None:
        """Return the zone under a pixel, None outside all zones; without a mat the whole picture is the tray."""
        return "tray" if self.latest is None else self.latest.table.zone_at_pixel(x, y)

    def _lens_for(self, picture: npt.NDArray[np.uint8]) -> Lens | None:
        """Return the lens if it was calibrated with pictures of this size, else None."""
        lens = self._calibrated
        return lens if lens is not None and picture.shape[:2] == (lens.height, lens.width) else None

    def _track_markers(self, picture: npt.NDArray[np.uint8]) -> dict[int, Points]:
        """Return the markers that are still in small windows round where they were."""
        seen: dict[int, Points] = {}
        height, width = picture.shape[:2]
        for number, corners in self._expected().items():
            reach = _WINDOW_MARGIN * _side(corners)
            left, top = np.maximum(np.floor(corners.min(axis=0) - reach).astype(int), 0)
            right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int)
            right, bottom = min(int(right), width), min(int(bottom), height)
            if right > left and bottom > top:
                window = to_grey(picture[top:bottom, left:right])
                small = np.asarray(cv2.resize(window, (_THUMBNAIL, _THUMBNAIL), interpolation=cv2.INTER_AREA), np.int16)
                thumbnail = self._thumbnails.get(number)
                if number in self._seen and thumbnail is not None and np.abs(small - thumbnail).max() < _MAX_DIFFERENCE:
                    seen[number] = self._seen[number]
                    continue
                self._thumbnails.pop(number, None)
                markers = find_markers(window)
                if number in markers:
                    seen[number] = markers[number] + (float(left), float(top))
                    self._thumbnails[number] = small
        return seen

    def _expected(self) -> dict[int, Points]:
        """Return where the four markers are expected, also those that were covered when the mat was located."""
        if self.latest is None:
            return {}
        if self._lens is not None:
            return self._seen
        plane = self.latest.plane
        return {
            marker.number: np.array([plane.to_pixels(*corner) for corner in marker.corners_mm])
            for marker in self.latest.mat.markers
        }

    def _locate_mat(self, mat: Mat, seen: dict[int, Points]) -> DetectedMat | None:
        """Return a mat located by its markers; None with too few of them, or if they fit no plane."""
        visible = [marker for marker in mat.markers if marker.number in seen]
        if len(visible) < MIN_MARKERS:
            return None
        on_mat = [corner for marker in visible for corner in marker.corners_mm]
        in_picture = np.concatenate([seen[marker.number] for marker in visible])
        straight = in_picture if self._lens is None else self._lens.undistort(in_picture)
        try:
            plane = fit_plane(on_mat, [(float(x), float(y)) for x, y in straight])
        except PlaneError:
            return None
        reached = np.array([plane.to_pixels(*corner) for corner in on_mat])
        error_px = float(np.sqrt(((reached - straight) ** 2).sum(axis=1).mean()))
        if error_px > _max_error_px(visible, seen):
            return None
        return DetectedMat(mat, plane, len(visible), error_px, self._lens)

    def _is_unchanged(self, candidate: DetectedMat, seen: dict[int, Points]) -> bool:
        """Return whether the known position is as good: no marker moved, and no more of them are visible."""
        if self.latest is None or candidate.mat is not self.latest.mat or candidate.markers > self.latest.markers:
            return False
        common = [number for number in seen if number in self._seen]
        return bool(common) and all(
            np.abs(seen[number] - self._seen[number]).max() < _MIN_MOVEMENT * _side(seen[number]) for number in common
        )


def _search_markers(grey: Grey) -> dict[int, Points]:
    """Return the markers of the whole picture, which is reduced if it is large."""
    height, width = grey.shape
    scale = min(_MAX_SEARCHED_PIXELS / max(height, width), 1.0)
    if scale == 1.0:
        return find_markers(grey)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rough = find_markers(np.asarray(small, np.uint8))
    factor = np.array([width / small.shape[1], height / small.shape[0]])
    return {number: corners * factor for number, corners in rough.items()}


def _side(corners: Points) -> float:
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


def _max_error_px(visible: Sequence[CornerMarker], seen: dict[int, Points]) -> float:
    """Return the error that an unknown lens may cause; with more these are not the markers of one flat mat."""
    return 0.25 * max(_side(seen[marker.number]) for marker in visible)


def _certainty(mat: DetectedMat | None) -> int:
    return 0 if mat is None else mat.markers
