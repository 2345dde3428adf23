"""Two faces told from each other by what is seen: only where they differ, and by more than lying half a pixel off."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.face import BROAD, RIM, TALL, Shown, near
from companion.vision.face.laid import Laid, Planes, alike, in_grey, moved_upon

PLAIN_NOISE, ASKEW_PX = 0.03, 0.7
"""What is unsure anywhere, and how many pixels a face may lie off."""
TELLING_SIGMA = 2.0
"""Pixels round a telling one that count with it."""
SOFTNESSES = (0.0, 1.0, 1.6, 2.2, 3.0, 4.0, -1.0, -1.6, -2.2, -3.0, -4.0)
"""Pixels by which one picture is softer than another."""
LOCAL_SIGMA = 6.0
"""Pixels: what changes over more is no letter."""
EDGE = 6
"""Pixels inside the rim where the table shines in still."""
LEAST_PRINT, WINDOW_SIGMA = 0.1, 2.5
"""Weaker print tells nothing; pixels about which faces are compared place by place."""


@dataclass(frozen=True, slots=True)
class Told:
    """How far a face is told from another one.

    ``margin``: 1 where all that tells them apart says this one, -1 where it says the other.  ``apart``: how much there
    is that tells them apart.
    """

    margin: float
    apart: float


def told(best: Laid, other: Laid) -> Told:
    """Say how far what is seen tells one face from another."""
    there = other.known.shown
    between = moved_upon(best.known.shown, there)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = np.asarray(cv2.warpPerspective(there, between, (BROAD, TALL), flags=flags), np.float32)
    by = softer(best.known.shown, best.shown)
    ours, theirs, seen = (
        _inner(near(soft(one, much))) for one, much in ((best.known.shown, by), (moved, by), (best.shown, -by))
    )
    unsure = PLAIN_NOISE + ASKEW_PX * _inner(_steepness(soft(best.known.shown, by)))
    telling = np.maximum(np.abs(ours - theirs) - unsure, 0).max(axis=2)
    weight = np.asarray(cv2.GaussianBlur(telling, (0, 0), TELLING_SIGMA), np.float32)
    if float(weight.sum()) < 1e-6:  # noqa: PLR2004 - nothing at all
        return Told(0.0, 0.0)
    differ = max(1 - _weighed(ours, theirs, weight), 1e-3)
    margin = (_weighed(seen, ours, weight) - _weighed(seen, theirs, weight)) / differ
    return Told(margin, differ * float(telling.sum()))


def least(best: Laid) -> float:
    """Say how alike what is seen and the face are in the place where they are least alike.

    The correlation about each pixel, 1: the same, 0: nothing in common; where little is printed nothing is told.
    """
    by = softer(best.known.shown, best.shown)
    ours = _inner(near(soft(best.known.shown, by), LOCAL_SIGMA))
    seen = _inner(near(soft(best.shown, -by), LOCAL_SIGMA))
    ours = ours * float((ours * seen).sum() / max(float((ours * ours).sum()), 1e-6))
    product, ours_square, seen_square = (_mean(one) for one in (ours * seen, ours * ours, seen * seen))
    floor = LEAST_PRINT**2 + (1.5 * float(np.median(np.abs(seen - ours)))) ** 2
    return float(
        ((product + floor) / np.sqrt((ours_square + floor) * (seen_square + floor)))[EDGE:-EDGE, EDGE:-EDGE].min()
    )


def softer(wanted: Shown, seen: Shown) -> float:
    """Say by how many pixels what is seen is softer than what was taught; below nought: sharper."""
    ours, theirs = in_grey(wanted), in_grey(seen)
    tried = {by: alike(_inner(soft(ours, by)), _inner(soft(theirs, -by))) for by in SOFTNESSES}
    return max(tried, key=lambda by: tried[by])


def soft(shown: Planes, by: float) -> Planes:
    """Soften a face by so many pixels, if any."""
    return np.asarray(cv2.GaussianBlur(shown, (0, 0), by), np.float32) if by > 0 else shown


def _mean(product: Planes) -> Planes:
    return np.asarray(cv2.GaussianBlur(product.mean(axis=2), (0, 0), WINDOW_SIGMA), np.float32)


def _inner(planes: Planes) -> Planes:
    return planes[RIM:-RIM, RIM:-RIM]


def _weighed(one: Planes, other: Planes, weight: Planes) -> float:
    """Correlate both, each place counting by its weight."""
    share = (weight / weight.sum())[:, :, None]
    first, second = (part - (share * part).sum(axis=(0, 1)) for part in (one, other))
    sizes = float((share * first * first).sum() * (share * second * second).sum())
    return float((share * first * second).sum()) / (float(np.sqrt(sizes)) + 1e-9)


def _steepness(shown: Shown) -> npt.NDArray[np.float32]:
    across, down = (cv2.Scharr(shown, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(across**2 + down**2), np.float32)
