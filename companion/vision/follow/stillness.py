"""Whether something moves in one part of the picture: asked of a few places only, so that it costs next to nothing."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import REDUCED, Box
from companion.vision.label.sighting import Picture, Sighting

LEAST_MOVEMENT = 12
"""Grey levels, of a cell's mean, from one frame to the next: less is noise, also in bad light."""


def still(before: Picture, now: Picture, box: Box) -> bool:
    """Say whether nothing moves in a part that lies wholly in two consecutive pictures of one size."""
    left, top, right, foot = box
    if before.shape != now.shape or left < 0 or top < 0 or foot > now.shape[0] or right > now.shape[1]:
        return False
    one, other = (_cells(picture[top:foot, left:right]) for picture in (before, now))
    return bool(np.abs(one - other).max() < LEAST_MOVEMENT)


def place_of(seen: Sighting) -> Box:
    """Return the box round a symbol, in whole pixels."""
    xs, ys = zip(*seen.corners, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1


def _cells(part: Picture) -> npt.NDArray[np.int16]:
    size = (max(1, part.shape[1] // REDUCED), max(1, part.shape[0] // REDUCED))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.int16)
