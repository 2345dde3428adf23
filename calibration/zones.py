"""Named areas of the table, in millimetres.

A zone file is TOML::

    [[zone]]
    name = "tray"
    corners_mm = [[400, 200], [640, 200], [640, 390], [400, 390]]
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

from calibration.bounded_toml import parse_toml
from calibration.lens import Lens
from calibration.plane import XY, Plane

_MIN_CORNERS = 3


class ZonesError(ValueError):
    """Raised for a zone file that cannot be used; the message says what is wrong and where."""


@dataclass(frozen=True, slots=True)
class Zone:
    """An area of the table: a polygon with its corners in millimetres, in order."""

    name: str
    corners_mm: tuple[XY, ...]

    def contains(self, x_mm: float, y_mm: float) -> bool:
        """Return whether a point lies in the zone (even-odd rule; an edge belongs to one side only)."""
        inside = False
        previous = self.corners_mm[-1:] + self.corners_mm[:-1]
        for (ax, ay), (bx, by) in zip(previous, self.corners_mm, strict=True):
            if (ay > y_mm) != (by > y_mm) and x_mm < ax + (y_mm - ay) * (bx - ax) / (by - ay):
                inside = not inside
        return inside


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones of one table; if two overlap, the earlier one counts."""

    zones: tuple[Zone, ...]

    def zone_at(self, x_mm: float, y_mm: float) -> str | None:
        """Return the name of the zone at a point of the table, or None outside all of them."""
        return next((zone.name for zone in self.zones if zone.contains(x_mm, y_mm)), None)


@dataclass(frozen=True, slots=True)
class ZonedTable:
    """Zones as a camera sees them, whose lens may be known."""

    plane: Plane
    zones: Zones
    lens: Lens | None = None

    def to_mm(self, x: float, y: float) -> XY:
        """Return the point of the table under a pixel."""
        return self.plane.to_mm(*(self.lens.undistort_point(x, y) if self.lens else (x, y)))

    def to_pixel(self, x_mm: float, y_mm: float) -> XY:
        """Return the pixel of a point of the table, in the picture as the camera takes it."""
        straight = self.plane.to_pixels(x_mm, y_mm)
        return straight if self.lens is None else self.lens.distort_point(*straight)

    def zone_at_pixel(self, x: float, y: float) -> str | None:
        """Return the name of the zone under a pixel, or None outside all of them."""
        return self.zones.zone_at(*self.to_mm(x, y))


def parse_zones(text: str) -> Zones:
    """Return the zones that a file's text describes.

    Raises:
        ZonesError: for broken TOML, a missing or unknown key, a name given twice, or an invalid polygon.

    """
    try:
        tables = parse_toml(text)
    except tomllib.TOMLDecodeError as fault:
        raise ZonesError(str(fault)) from fault
    zones = tables.pop("zone", None)
    if tables:
        zones = None
    return parse_zone_tables(zones)


def parse_zone_tables(zones: object) -> Zones:
    """Return the zones that the ``[[zone]]`` tables of a file describe.

    Raises:
        ZonesError: as ``parse_zones``.

    """
    if not isinstance(zones, list) or not zones:
        reason = "a zone file holds [[zone]] tables, at least one, and nothing else"
        raise ZonesError(reason)
    parsed = tuple(_zone(number, table) for number, table in enumerate(zones, start=1))
    names: set[str] = set()
    for zone in parsed:
        if zone.name in names:
            reason = f"zone {zone.name!r} is there twice: give each zone its own name"
            raise ZonesError(reason)
        names.add(zone.name)
    return Zones(parsed)


def _zone(number: int, table: object) -> Zone:
    """Return one zone; ``number`` counts the zones of the file from 1."""
    if not isinstance(table, Mapping) or table.keys() != {"name", "corners_mm"}:
        reason = f"zone {number}: needs name and corners_mm, and nothing else"
        raise ZonesError(reason)
    name, corners = table["name"], table["corners_mm"]
    if not isinstance(name, str) or not name:
        reason = f"zone {number}: name is a word"
        raise ZonesError(reason)
    if not isinstance(corners, list) or len(corners) < _MIN_CORNERS:
        reason = f"zone {number} ({name}): corners_mm lists three corners or more"
        raise ZonesError(reason)
    return Zone(name, tuple(_corner(f"zone {number} ({name})", corner) for corner in corners))


def _corner(place: str, corner: object) -> XY:
    match corner:
        case [int() | float() as x, int() | float() as y] if (
            not isinstance(x, bool) and not isinstance(y, bool) and math.isfinite(x) and math.isfinite(y)
        ):
            return float(x), float(y)
        case _:
            reason = f"{place}: a corner is [x, y] in millimetres, not {corner!r}"
            raise ZonesError(reason)
