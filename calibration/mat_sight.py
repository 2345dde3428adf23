"""The mat in every frame: found once, then tracked by its corner markers, so that a bumped camera is corrected."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import Grey, Points, find_markers, grey_of
from calibration.lens import Lens
from calibration.mat import CornerMarker, Mat
from calibration.plane import Plane, PlaneError, plane_from
from calibration.zones import ZonedTable

FEWEST_MARKERS = 2
"""One marker shows the plane too, but a hand's breadth away already far too roughly."""

SEARCH_EVERY_MS = 1500
"""How often the whole picture is searched while too few markers are where they were."""

_WINDOW_SIDES = 0.6
"""How far round a marker is looked for it again, in its sides."""

_MOVED_SIDES = 0.1
"""A marker whose corners are as near as that to where they were, in its sides, has not moved: the plane stays."""

_GLANCE, _SAME = 16, 14
"""What is round a marker, in so many pixels across, differs by less than so much of 255: nothing has moved."""

_LARGEST_SEARCH = 1200
"""Pixels of the longer side of the picture that is searched for markers."""


@dataclass(frozen=True, slots=True)
class FoundMat:
    """A mat as one frame shows it: ``markers`` of its four are seen, and lie ``error_px`` off the plane on average."""

    mat: Mat
    plane: Plane
    markers: int
    error_px: float
    lens: Lens | None = None

    @property
    def table(self) -> ZonedTable:
        """Return its zones as the camera sees them."""
        return ZonedTable(self.plane, self.mat.zones, self.lens)

    @property
    def pixels_a_mm(self) -> float:
        """Return how large a millimetre is in the middle of the mat, in pixels."""
        x, y = self.mat.width_mm / 2, self.mat.height_mm / 2
        middle, right, below = (np.array(self.plane.to_pixels(*at)) for at in ((x, y), (x + 1, y), (x, y + 1)))
        return float(np.sqrt(abs(np.linalg.det(np.stack((right - middle, below - middle))))))

    @property
    def error_mm(self) -> float:
        """Return the error on the table."""
        return self.error_px / self.pixels_a_mm


class MatSight:
    """Watches one mat of several.  Time is passed in; not for several threads at once."""

    def __init__(self, mats: Sequence[Mat], lens: Lens | None = None) -> None:
        """Track one of these mats, with the lens of the camera where it is calibrated."""
        self._mats = tuple(mats)
        self._known = self._lens = lens
        self._seen: dict[int, Points] = {}
        self._glances: dict[int, npt.NDArray[np.int16]] = {}
        self._search_at_ms: int | None = None
        self._fresh: list[Lens | None] = []
        self._learns = lens is None
        self.latest: FoundMat | None = None
        """The mat as it lay when it was seen last; None until then, when the whole picture is the tray."""

    def observe(self, at_ms: int, picture: npt.NDArray[np.uint8]) -> FoundMat | None:
        """Look for the mat in a frame and return it as it lies there now, as far as is known.

        While a hand covers its markers the mat counts as lying where it lay.
        """
        if self._fresh:
            self._known, self._seen, self._glances, self._search_at_ms = self._fresh.pop(), {}, {}, None
        self._lens = self._lens_for(picture)
        seen = self._watched(picture)
        if len(seen) < FEWEST_MARKERS and (self._search_at_ms is None or at_ms >= self._search_at_ms):
            self._search_at_ms = at_ms + SEARCH_EVERY_MS
            seen = _searched(grey_of(picture))
        fresh = max((self._laid(mat, seen) for mat in self._mats), key=_certainty, default=None)
        if fresh is not None:
            self._search_at_ms = at_ms  # should it be gone in the next frame, look everywhere at once
        if fresh is not None and not self._rests(fresh, seen):
            self.latest = fresh
            self._glances = {}
            numbers = {marker.number for marker in fresh.mat.markers}
            self._seen = {number: corners for number, corners in seen.items() if number in numbers}
        return self.latest

    def use_lens(self, lens: Lens | None) -> None:
        """Use another lens from the next frame on, in which the mat is found anew. Thread-safe."""
        self._learns = lens is None
        self._fresh = [lens]

    def learn_lens(self, lens: Lens) -> None:
        """Use a lens that was estimated from labels, unless the lens was calibrated."""
        if self._learns:
            self._fresh = [lens]

    def zone_at_pixel(self, x: float, y: float) -> str | None:
        """Return the zone under a pixel, None outside all; without a mat the whole picture is the tray."""
        return "tray" if self.latest is None else self.latest.table.zone_at_pixel(x, y)

    def _lens_for(self, picture: npt.NDArray[np.uint8]) -> Lens | None:
        """Return the lens if it was fitted to pictures of this size."""
        lens = self._known
        return lens if lens is not None and picture.shape[:2] == (lens.height, lens.width) else None

    def _watched(self, picture: npt.NDArray[np.uint8]) -> dict[int, Points]:
        """Look where the markers were, in small windows only."""
        seen: dict[int, Points] = {}
        height, width = picture.shape[:2]
        for number, corners in self._expected().items():
            reach = _WINDOW_SIDES * _side(corners)
            left, top = np.maximum(np.floor(corners.min(axis=0) - reach).astype(int), 0)
            right, foot = np.ceil(corners.max(axis=0) + reach).astype(int)
            right, foot = min(int(right), width), min(int(foot), height)
            if right > left and foot > top:
                window = grey_of(picture[top:foot, left:right])
                small = np.asarray(cv2.resize(window, (_GLANCE, _GLANCE), interpolation=cv2.INTER_AREA), np.int16)
                glanced = self._glances.get(number)
                if number in self._seen and glanced is not None and np.abs(small - glanced).max() < _SAME:
                    seen[number] = self._seen[number]
                    continue
                self._glances.pop(number, None)
                there = find_markers(window)
                if number in there:
                    seen[number] = there[number] + (float(left), float(top))
                    self._glances[number] = small
        return seen

    def _expected(self) -> dict[int, Points]:
        """Return where all four markers ought to be: also those that were covered when the mat was found."""
        if self.latest is None:
            return {}
        if self._lens is not None:
            return self._seen
        plane = self.latest.plane
        return {
            marker.number: np.array([plane.to_pixels(*corner) for corner in marker.corners_mm])
            for marker in self.latest.mat.markers
        }

    def _laid(self, mat: Mat, seen: dict[int, Points]) -> FoundMat | None:
        """Return how a mat lies whose markers are seen; None with too few of them."""
        visible = [marker for marker in mat.markers if marker.number in seen]
        if len(visible) < FEWEST_MARKERS:
            return None
        on_mat = [corner for marker in visible for corner in marker.corners_mm]
        in_picture = np.concatenate([seen[marker.number] for marker in visible])
        straight = in_picture if self._lens is None else self._lens.straightened(in_picture)
        try:
            plane = plane_from(on_mat, [(float(x), float(y)) for x, y in straight])
        except PlaneError:
            return None
        reached = np.array([plane.to_pixels(*corner) for corner in on_mat])
        error_px = float(np.sqrt(((reached - straight) ** 2).sum(axis=1).mean()))
        if error_px > _worst_error_px(visible, seen):
            return None
        return FoundMat(mat, plane, len(visible), error_px, self._lens)

    def _rests(self, fresh: FoundMat, seen: dict[int, Points]) -> bool:
        """Return whether the mat lies where it was: the markers have not moved, and no more of them are seen."""
        if self.latest is None or fresh.mat is not self.latest.mat or fresh.markers > self.latest.markers:
            return False
        both = [number for number in seen if number in self._seen]
        return bool(both) and all(
            np.abs(seen[number] - self._seen[number]).max() < _MOVED_SIDES * _side(seen[number]) for number in both
        )


def _searched(grey: Grey) -> dict[int, Points]:
    """Look for markers everywhere, in a reduced picture where that is large enough."""
    height, width = grey.shape
    scale = min(_LARGEST_SEARCH / max(height, width), 1.0)
    if scale == 1.0:
        return find_markers(grey)
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    rough = find_markers(np.asarray(small, np.uint8))
    factor = np.array([width / small.shape[1], height / small.shape[0]])
    return {number: corners * factor for number, corners in rough.items()}


def _side(corners: Points) -> float:
    return float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())


def _worst_error_px(visible: Sequence[CornerMarker], seen: dict[int, Points]) -> float:
    """Return the largest error that an unknown lens explains; above it, these are not the markers of one flat mat."""
    return 0.25 * max(_side(seen[marker.number]) for marker in visible)


def _certainty(mat: FoundMat | None) -> int:
    return 0 if mat is None else mat.markers
