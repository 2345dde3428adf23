"""The table mat as data (size, corner markers and zones, in millimetres from its top left), and located in frames.

A mat file is TOML::

    name = "a2"
    title = "Whole table, A2"
    width_mm = 594
    height_mm = 420

    [markers]
    side_mm = 30
    margin_mm = 8
    numbers = [64, 65, 66, 67]        # top left, top right, bottom right, bottom left

    [[zone]]
    name = "tray"
    corners_mm = [[210, 100], [384, 100], [384, 320], [210, 320]]

Each mat has four markers of its own, so that the camera tells which mat lies on the table.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from calibration.bounded_toml import MatError, decode_text, parse_toml, quote_string
from calibration.fiducials import MODULES, Grey, Points, find_markers, marker_modules, to_grey
from calibration.lens import Lens
from calibration.plane import XY, Plane, PlaneError, fit_plane
from calibration.zones import ZonedTable, Zones, ZonesError, parse_zone_tables

_KEYS = frozenset({"name", "title", "width_mm", "height_mm", "markers", "zone"})
_MARKER_KEYS = frozenset({"side_mm", "margin_mm", "numbers"})
_CORNERS = 4
_MAX_NUMBER = 99
MAX_MEASURE_MM = 10_000
"""No table is larger."""


@dataclass(frozen=True, slots=True)
class CornerMarker:
    """A marker on the mat: its number, its top left corner and its side in millimetres."""

    number: int
    left_mm: float
    top_mm: float
    side_mm: float

    @property
    def corners_mm(self) -> tuple[XY, XY, XY, XY]:
        """Return the corners clockwise from the top left."""
        right, bottom = self.left_mm + self.side_mm, self.top_mm + self.side_mm
        return (self.left_mm, self.top_mm), (right, self.top_mm), (right, bottom), (self.left_mm, bottom)


@dataclass(frozen=True, slots=True)
class Mat:
    """A printed sheet that lies on the table."""

    name: str
    title: str
    width_mm: float
    height_mm: float
    markers: tuple[CornerMarker, ...]
    zones: Zones


def parse_mat(text: str) -> Mat:
    """Return the mat that a file's text describes.

    Raises:
        MatError: for broken TOML, a missing or unknown key, an invalid measure, or a zone off the mat.

    """
    try:
        tables = parse_toml(text)
        if tables.keys() != _KEYS:
            reason = f"a mat file holds {', '.join(sorted(_KEYS))}, and nothing else"
            raise MatError(reason)
        zones = parse_zone_tables(tables["zone"])
    except (tomllib.TOMLDecodeError, ZonesError) as fault:
        raise MatError(" ".join(str(fault).split())) from fault
    name, title = tables["name"], tables["title"]
    if not (isinstance(name, str) and name.isidentifier() and isinstance(title, str)):
        reason = "name is a word of small letters and digits, title a text"
        raise MatError(reason)
    width, height = _measure(tables, "width_mm"), _measure(tables, "height_mm")
    markers = _markers(tables["markers"], width, height)
    for zone in zones.zones:
        if any(not (0 <= x <= width and 0 <= y <= height) for x, y in zone.corners_mm):
            reason = f"zone {zone.name!r} reaches over the edge of the mat"
            raise MatError(reason)
    return Mat(name, title, width, height, markers, zones)


def format_mat(mat: Mat) -> str:
    """Return the text of a mat's file, from which ``parse_mat`` reads the same mat."""
    first = mat.markers[0]
    lines = [f"name = {quote_string(mat.name)}", f"title = {quote_string(mat.title)}"]
    lines += [f"width_mm = {mat.width_mm!r}", f"height_mm = {mat.height_mm!r}", "", "[markers]"]
    lines += [f"side_mm = {first.side_mm!r}", f"margin_mm = {first.left_mm!r}"]
    lines += [f"numbers = {[marker.number for marker in mat.markers]!r}"]
    for zone in mat.zones.zones:
        corners = [[x, y] for x, y in zone.corners_mm]
        lines += ["", "[[zone]]", f"name = {quote_string(zone.name)}", f"corners_mm = {corners!r}"]
    return "\n".join([*lines, ""])


def read_mats(folder: Path) -> dict[str, Mat]:
    """Return the mats of a folder by name; none if there is no such folder.

    Raises:
        MatError: for the first file that cannot be used, with its path.

    """
    mats: dict[str, Mat] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            mat = parse_mat(decode_text(path.read_bytes()))
        except (OSError, ValueError) as fault:
            reason = f"{path}: {fault}"
            raise MatError(reason) from fault
        mats[mat.name] = mat
    return mats


def _markers(table: object, width: float, height: float) -> tuple[CornerMarker, ...]:
    if not isinstance(table, Mapping) or table.keys() != _MARKER_KEYS:
        reason = f"markers holds {', '.join(sorted(_MARKER_KEYS))}, and nothing else"
        raise MatError(reason)
    side, margin, numbers = _measure(table, "side_mm"), _measure(table, "margin_mm"), table["numbers"]
    if (
        not isinstance(numbers, list)
        or len(set(map(str, numbers))) != _CORNERS
        or not all(type(number) is int and 0 <= number <= _MAX_NUMBER for number in numbers)
    ):
        reason = f"markers: numbers lists {_CORNERS} different whole numbers from 0 to {_MAX_NUMBER}"
        raise MatError(reason)
    right, bottom = width - margin - side, height - margin - side
    if right < margin + side or bottom < margin + side:
        reason = "markers: they do not fit on the mat"
        raise MatError(reason)
    corners = ((margin, margin), (right, margin), (right, bottom), (margin, bottom))
    return tuple(CornerMarker(number, x, y, side) for number, (x, y) in zip(numbers, corners, strict=True))


def _measure(table: Mapping[str, object], key: str) -> float:
    value = table[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= MAX_MEASURE_MM:
        reason = f"{key} is a number of millimetres above 0, not {value!r}"
        raise MatError(reason)
    return float(value)


_PAPER_LEVEL = 245
_LINE_LEVEL = 150
_LINE_MM = 0.8


def draw_mat(mat: Mat, pixels_a_mm: float) -> Grey:
    """Return a picture of the mat from above, with its markers and the outlines of its zones."""
    height, width = round(mat.height_mm * pixels_a_mm), round(mat.width_mm * pixels_a_mm)
    page = np.full((height, width), _PAPER_LEVEL, np.uint8)
    for zone in mat.zones.zones:
        outline = np.round(np.array(zone.corners_mm) * pixels_a_mm).astype(np.int32)
        cv2.polylines(page, [outline], True, _LINE_LEVEL, max(1, round(_LINE_MM * pixels_a_mm)), cv2.LINE_AA)
    for marker in mat.markers:
        side = round(marker.side_mm * pixels_a_mm)
        left, top = round(marker.left_mm * pixels_a_mm), round(marker.top_mm * pixels_a_mm)
        module = np.minimum(np.arange(side) * MODULES // side, MODULES - 1)
        black = marker_modules(marker.number)[np.ix_(module, module)]
        page[top : top + side, left : left + side] = np.where(black, 15, _PAPER_LEVEL)
    return page


# The mat in every frame: found once in the whole picture, then by its corner markers, even after a bump

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

FORGOTTEN_MS, LONGEST_STEP_MS = 20_000, 1_000
"""Time without any of its markers, while nothing moves there, after which a mat was taken away; most of it a frame."""

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
        self._windows: dict[int, npt.NDArray[np.int16]] = {}
        self._has_moved = False
        self._at_ms = 0
        self._missing_ms = 0
        self._is_doubted = False
        self._new_lenses: list[Lens | None] = []
        self._may_learn = lens is None
        self._size = (0, 0)
        self.located_in = (0, 0)
        """Height and width of the pictures in which the mat was located."""
        self.latest: DetectedMat | None = None
        """The mat where it was seen last; None before, and once it was taken away: the whole picture is the tray."""

    def observe(self, at_ms: int, picture: npt.NDArray[np.uint8]) -> DetectedMat | None:
        """Return the mat as one frame shows it, or as it was seen last while a hand covers its markers.

        One of which no marker was seen for ``FORGOTTEN_MS``, though nothing moved where they were, was taken away.
        """
        if self._new_lenses:
            self._calibrated, self._seen, self._thumbnails, self._search_at_ms = self._new_lenses.pop(), {}, {}, None
        height, width = picture.shape[:2]
        if (height, width) != self._size:
            self._size, self._seen, self._thumbnails, self._search_at_ms = (height, width), {}, {}, None
        self._lens = self._lens_for(picture)
        seen = self._track_markers(picture)
        if len(seen) < MIN_MARKERS and (self._search_at_ms is None or at_ms >= self._search_at_ms):
            self._search_at_ms = at_ms + SEARCH_EVERY_MS
            seen = _search_markers(to_grey(picture))
        candidate = max((self._locate_mat(mat, seen) for mat in self._mats), key=_certainty, default=None)
        if candidate is not None:
            self._search_at_ms = at_ms  # if it is gone in the next frame, the whole picture is searched at once
        if candidate is not None and not self._is_unchanged(candidate, seen):
            self.latest, self.located_in = candidate, self._size
            self._thumbnails = {}
            numbers = {marker.number for marker in candidate.mat.markers}
            self._seen = {number: corners for number, corners in seen.items() if number in numbers}
        self._forget_what_is_gone(at_ms, seen)
        return self.latest

    def doubt(self) -> None:
        """Forget the mat with the next frame, unless that shows one of its markers. Thread-safe."""
        self._is_doubted = True

    def _forget_what_is_gone(self, at_ms: int, seen: dict[int, Points]) -> None:
        step, self._at_ms = min(max(at_ms - self._at_ms, 0), LONGEST_STEP_MS), at_ms
        is_doubted, self._is_doubted = self._is_doubted, False
        if self.latest is None or any(marker.number in seen for marker in self.latest.mat.markers):
            self._missing_ms = 0
            return
        self._missing_ms += 0 if self._has_moved else step
        if is_doubted or self._missing_ms >= FORGOTTEN_MS:
            self.latest, self.located_in, self._missing_ms = None, (0, 0), 0
            self._seen, self._thumbnails, self._windows = {}, {}, {}

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
        if self.latest is None:
            return "tray"
        if self.located_in != self._size:
            return None  # the camera was turned: where the mat lies in pictures of this size is not known yet
        return self.latest.table.zone_at_pixel(x, y)

    def _lens_for(self, picture: npt.NDArray[np.uint8]) -> Lens | None:
        """Return the lens if it was calibrated with pictures of this size, else None."""
        lens = self._calibrated
        return lens if lens is not None and picture.shape[:2] == (lens.height, lens.width) else None

    def _track_markers(self, picture: npt.NDArray[np.uint8]) -> dict[int, Points]:
        """Return the markers that are still in small windows round where they were."""
        seen: dict[int, Points] = {}
        windows, self._windows, self._has_moved = self._windows, {}, False
        height, width = picture.shape[:2]
        for number, corners in self._expected().items():
            reach = _WINDOW_MARGIN * _side(corners)
            left, top = np.maximum(np.floor(corners.min(axis=0) - reach).astype(int), 0)
            right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int)
            right, bottom = min(int(right), width), min(int(bottom), height)
            if right > left and bottom > top:
                window = to_grey(picture[top:bottom, left:right])
                small = np.asarray(cv2.resize(window, (_THUMBNAIL, _THUMBNAIL), interpolation=cv2.INTER_AREA), np.int16)
                self._windows[number] = small
                self._has_moved |= bool(np.abs(small - windows.get(number, small)).max() >= _MAX_DIFFERENCE)
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
        plane, lens = self.latest.plane, self._lens
        straight = {
            marker.number: np.array([plane.to_pixels(*corner) for corner in marker.corners_mm])
            for marker in self.latest.mat.markers
        }
        if lens is None:
            return straight
        shown = {
            number: np.array([lens.distort_point(x, y) for x, y in corners])
            for number, corners in straight.items()
            if number not in self._seen
        }
        # Far outside the picture a lens has no inverse: what it would show there may lie anywhere.
        return self._seen | {
            number: corners
            for number, corners in shown.items()
            if np.abs(lens.undistort(corners) - straight[number]).max() < _WINDOW_MARGIN * _side(straight[number])
        }

    def _locate_mat(self, mat: Mat, seen: dict[int, Points]) -> DetectedMat | None:
        """Return a mat located by its markers; None with too few of them, or if they fit no plane."""
        visible = [marker for marker in mat.markers if marker.number in seen]
        if len(visible) < MIN_MARKERS:
            return None
        on_mat = [corner for marker in visible for corner in marker.corners_mm]
        in_picture = np.concatenate([seen[marker.number] for marker in visible])
        straight = in_picture if self._lens is None else self._lens.undistort(in_picture)
        if not np.isfinite(straight).all():  # the distortion of the profile has no inverse there
            return None
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
