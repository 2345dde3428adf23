"""The zones of a mat as pages draw them over the camera's picture."""

from typing import Any

from calibration.mat_sight import FoundMat
from companion.words import Words


def zones_in_picture(words: Words, found: FoundMat) -> list[dict[str, Any]]:
    """Give each zone of a mat with its name, what it is called, and its corners in the picture."""
    return [
        {
            "zone": zone.name,
            "title": words.say_in("zone", zone.name),
            "corners": [[round(axis, 1) for axis in found.table.to_pixel(x, y)] for x, y in zone.corners_mm],
        }
        for zone in found.mat.zones.zones
    ]
