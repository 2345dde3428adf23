"""The table mat as data: its size, its corner markers and its zones, in millimetres from its top left.

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

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.bounded_toml import MatError, parse_toml
from calibration.fiducials import MODULES, Grey, marker_modules
from calibration.plane import XY
from calibration.zones import Zones, ZonesError, parse_zone_tables

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
    lines = [f"name = {mat.name!r}", f"title = {json.dumps(mat.title)}"]
    lines += [f"width_mm = {mat.width_mm!r}", f"height_mm = {mat.height_mm!r}", "", "[markers]"]
    lines += [f"side_mm = {first.side_mm!r}", f"margin_mm = {first.left_mm!r}"]
    lines += [f"numbers = {[marker.number for marker in mat.markers]!r}"]
    for zone in mat.zones.zones:
        corners = [[x, y] for x, y in zone.corners_mm]
        lines += ["", "[[zone]]", f"name = {json.dumps(zone.name)}", f"corners_mm = {corners!r}"]
    return "\n".join([*lines, ""])


def read_mats(folder: Path) -> dict[str, Mat]:
    """Return the mats of a folder by name; none if there is no such folder.

    Raises:
        MatError: for the first file that cannot be used, with its path.

    """
    mats: dict[str, Mat] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            mat = parse_mat(path.read_text(encoding="utf-8"))
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
