"""The calibration profile of one camera, stored as TOML with the unit in every name.

::

    camera = "usb:0"

    [lens]
    width_px = 1920
    height_px = 1080
    focal_x_px = 1480.5
    focal_y_px = 1479.9
    centre_x_px = 961.2
    centre_y_px = 538.7
    distortion = [-0.16, 0.05, 0.001, -0.0008, 0.0]     # k1, k2, p1, p2, k3: no unit
    error_px = 0.21
    error_mm = 0.11
    views = 12

    [mat]
    name = "a2"
    millimetres_to_pixels = [...]                       # the plane when it was seen last, row by row
    error_px = 0.3
    error_mm = 0.2
"""

import re
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from calibration.bounded_toml import ProfileError, parse_toml, quote_string
from calibration.lens import Lens, LensFit
from calibration.plane import Plane, PlaneError, plane_from_matrix

_LENS_KEYS = ("width_px", "height_px", "focal_x_px", "focal_y_px", "centre_x_px", "centre_y_px")
_FIT_KEYS = ("error_px", "error_mm", "views")
_DISTORTION_COUNT = 5
_PLANE_COUNT = 9
MAX_FIGURE = 1e9
"""Pixels, millimetres and coefficients at most; no lens comes near."""

_FOCAL_SHARES = 0.05, 100.0
"""Focal lengths as shares of the picture's longer side: shorter than any fish-eye, longer than any telescope."""


@dataclass(frozen=True, slots=True)
class CalibratedMat:
    """The mat where it lay when the camera was calibrated."""

    name: str
    plane: Plane
    error_px: float
    error_mm: float


@dataclass(frozen=True, slots=True)
class Profile:
    """One camera: its specification, its lens and its mat, as far as known."""

    camera: str
    lens: LensFit | None = None
    mat: CalibratedMat | None = None


def profile_file_name(camera: str) -> str:
    """Return the name of a camera's profile file, unique by a checksum of the specification."""
    plain = re.sub(r"[^A-Za-z0-9]+", "-", camera).strip("-").lower()[:60]
    return f"{plain or 'camera'}-{zlib.crc32(camera.encode()):08x}.toml"


def format_profile(profile: Profile) -> str:
    """Return the text of a profile's file."""
    lines = [f"camera = {quote_string(profile.camera)}"]
    if profile.lens is not None:
        lens, fit = profile.lens.lens, profile.lens
        values = (lens.width, lens.height, lens.focal_x, lens.focal_y, lens.centre_x, lens.centre_y)
        lines += ["", "[lens]", *(f"{key} = {value!r}" for key, value in zip(_LENS_KEYS, values, strict=True))]
        lines += [f"distortion = {list(lens.distortion)!r}  # k1, k2, p1, p2, k3: no unit"]
        lines += [f"error_px = {fit.error_px!r}", f"error_mm = {fit.error_mm!r}", f"views = {fit.views}"]
    if profile.mat is not None:
        lines += ["", "[mat]", f"name = {quote_string(profile.mat.name)}"]
        lines += [f"millimetres_to_pixels = {list(profile.mat.plane.rows)!r}"]
        lines += [f"error_px = {profile.mat.error_px!r}", f"error_mm = {profile.mat.error_mm!r}"]
    return "\n".join(lines) + "\n"


def parse_profile(text: str) -> Profile:
    """Return the profile that a file's text describes.

    Raises:
        ProfileError: for broken TOML, a missing or unknown key, or an invalid value.

    """
    try:
        tables = parse_toml(text)
    except tomllib.TOMLDecodeError as fault:
        reason = f"no TOML ({' '.join(str(fault).split())}); calibrate this camera again"
        raise ProfileError(reason) from fault
    camera = tables.get("camera")
    if not isinstance(camera, str) or tables.keys() - {"camera", "lens", "mat"}:
        reason = "a profile holds camera, lens and mat, and nothing else; calibrate this camera again"
        raise ProfileError(reason)
    lens, mat = tables.get("lens"), tables.get("mat")
    return Profile(camera, None if lens is None else _lens(lens), None if mat is None else _mat(mat))


def _lens(table: object) -> LensFit:
    fields = _fields("lens", table, {*_LENS_KEYS, *_FIT_KEYS, "distortion"})
    width, height = (_whole("lens", fields, key) for key in _LENS_KEYS[:2])
    focal_x, focal_y, centre_x, centre_y = (_number("lens", fields, key) for key in _LENS_KEYS[2:])
    least, most = (share * max(width, height) for share in _FOCAL_SHARES)
    if not (least <= focal_x <= most and least <= focal_y <= most):
        reason = f"lens: a focal length is {least:g} to {most:g} pixels, not {focal_x:g} and {focal_y:g}"
        raise ProfileError(f"{reason}; calibrate this camera again")
    k1, k2, p1, p2, k3 = _numbers("lens", fields, "distortion", _DISTORTION_COUNT)
    lens = Lens(width, height, focal_x, focal_y, centre_x, centre_y, (k1, k2, p1, p2, k3))
    errors = _number("lens", fields, "error_px"), _number("lens", fields, "error_mm")
    return LensFit(lens, *errors, _whole("lens", fields, "views"))


def _mat(table: object) -> CalibratedMat:
    fields = _fields("mat", table, {"name", "millimetres_to_pixels", "error_px", "error_mm"})
    name = fields["name"]
    if not isinstance(name, str):
        reason = f"mat: name is a text, not {name!r}; calibrate this camera again"
        raise ProfileError(reason)
    plane = Plane(tuple(_numbers("mat", fields, "millimetres_to_pixels", _PLANE_COUNT)))
    try:
        plane_from_matrix(plane.matrix)
    except PlaneError as fault:
        reason = f"mat: millimetres_to_pixels is no plane ({fault}); calibrate this camera again"
        raise ProfileError(reason) from fault
    return CalibratedMat(name, plane, _number("mat", fields, "error_px"), _number("mat", fields, "error_mm"))


def _fields(place: str, table: object, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(table, Mapping) or table.keys() != keys:
        reason = f"{place} holds {', '.join(sorted(keys))}, and nothing else; calibrate this camera again"
        raise ProfileError(reason)
    return table


def _whole(place: str, fields: Mapping[str, Any], key: str) -> int:
    value = fields[key]
    if type(value) is not int or not 1 <= value <= MAX_FIGURE:
        reason = f"{place}: {key} is a whole number from 1, not {value!r}; calibrate this camera again"
        raise ProfileError(reason)
    return value


def _number(place: str, fields: Mapping[str, Any], key: str) -> float:
    return _finite(place, key, fields[key])


def _numbers(place: str, fields: Mapping[str, Any], key: str, count: int) -> list[float]:
    values = fields[key]
    if not isinstance(values, list) or len(values) != count:
        reason = f"{place}: {key} lists {count} numbers; calibrate this camera again"
        raise ProfileError(reason)
    return [_finite(place, key, value) for value in values]


def _finite(place: str, key: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MAX_FIGURE:
        reason = f"{place}: {key} is a number, not {value!r}; calibrate this camera again"
        raise ProfileError(reason)
    return float(value)
