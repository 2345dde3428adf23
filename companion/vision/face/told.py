"""Two faces told from each other by what is seen: only where they differ, and by more than lying half a pixel off."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.face import BROAD, TALL, Shown, near
from companion.vision.face.laid import Laid, Planes, moved_upon, soft, without_rim

PLAIN_NOISE, ASKEW_PX = 0.03, 0.7
"""What is unsure anywhere, and how many pixels a face may lie off."""
TELLING_SIGMA = 2.0
"""Pixels round a telling one that count with it."""
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
    by = best.softer
    ours, theirs, seen = (
        without_rim(near(soft(one, much))) for one, much in ((best.known.shown, by), (moved, by), (best.shown, -by))
    )
    unsure = PLAIN_NOISE + ASKEW_PX * without_rim(_steepness(soft(best.known.shown, by)))
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
    by = best.softer
    ours = without_rim(near(soft(best.known.shown, by), LOCAL_SIGMA))
    seen = without_rim(near(soft(best.shown, -by), LOCAL_SIGMA))
    ours = ours * float((ours * seen).sum() / max(float((ours * ours).sum()), 1e-6))
    product, ours_square, seen_square = (_mean(one) for one in (ours * seen, ours * ours, seen * seen))
    floor = LEAST_PRINT**2 + (1.5 * float(np.median(np.abs(seen - ours)))) ** 2
    return float(
        ((product + floor) / np.sqrt((ours_square + floor) * (seen_square + floor)))[EDGE:-EDGE, EDGE:-EDGE].min()
    )


def _mean(product: Planes) -> Planes:
    return np.asarray(cv2.GaussianBlur(product.mean(axis=2), (0, 0), WINDOW_SIGMA), np.float32)


def _weighed(one: Planes, other: Planes, weight: Planes) -> float:
    """Correlate both, each place counting by its weight."""
    share = (weight / weight.sum())[:, :, None]
    first, second = (part - (share * part).sum(axis=(0, 1)) for part in (one, other))
    sizes = float((share * first * first).sum() * (share * second * second).sum())
    return float((share * first * second).sum()) / (float(np.sqrt(sizes)) + 1e-9)


def _steepness(shown: Shown) -> npt.NDArray[np.float32]:
    across, down = (cv2.Scharr(shown, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(across**2 + down**2), np.float32)
