"""A taught face laid exactly upon the one in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.face import BROAD, RIM, TALL, Face, Matrix, Shown, shown_on, warped
from companion.vision.face.known import KnownFace
from companion.vision.label.sighting import Picture

STEPS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
SMOOTHING = 5
"""Pixels over which ECC smooths."""
SOFTNESSES = (0.0, 1.0, 1.6, 2.2, 3.0, 4.0, -1.0, -1.6, -2.2, -3.0, -4.0)
"""Pixels by which one picture is softer than another."""
TURN: Matrix = np.array([[-1.0, 0, BROAD - 1], [0, -1.0, TALL - 1], [0, 0, 1]])
"""Half a turn of a face."""
Planes = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Laid:
    """A known face, the map from its pixels to the picture's, what is seen there, and the correlation of both."""

    known: KnownFace
    onto: Matrix
    shown: Shown
    fits: float

    @cached_property
    def softer(self) -> float:
        """By how many pixels what is seen is softer than what was taught; below nought: sharper."""
        ours, theirs = in_grey(self.known.shown), in_grey(self.shown)
        tried = {by: alike(without_rim(soft(ours, by)), without_rim(soft(theirs, -by))) for by in SOFTNESSES}
        return max(tried, key=lambda by: tried[by])


def laid(known: KnownFace, pictures: Sequence[Picture], start: Matrix) -> Laid:
    """Move a face until it fits best; ``start`` is near."""
    onto = start @ moved_upon(known.shown, shown_on(together(pictures, start)))
    shown = shown_on(together(pictures, onto))
    return Laid(known, onto, shown, alike(without_rim(known.shown), without_rim(shown)))


def together(pictures: Sequence[Picture], onto: Matrix) -> Face:
    """Cut the face out of all pictures, and take the mean: noise goes, what is printed stays."""
    faces = [warped(picture, onto) for picture in pictures]
    return np.asarray(np.mean(faces, axis=0) + 0.5, np.uint8)


def moved_upon(wanted: Shown, there: Shown) -> Matrix:
    """Give the map from one face's pixels to another's that makes them most alike (Evangelidis, Psarakis 2008)."""
    step: Planes = np.eye(2, 3, dtype=np.float32)
    try:
        # Its stubs know no pictures of floating numbers.
        _, found = cv2.findTransformECC(  # type: ignore[call-overload]
            in_grey(wanted), in_grey(there), step, cv2.MOTION_AFFINE, STEPS, None, SMOOTHING
        )
        step = np.asarray(found, np.float32)
    except cv2.error:  # nothing in common: it stays where it lay
        step = np.eye(2, 3, dtype=np.float32)
    return np.vstack([np.asarray(step, np.float64), (0.0, 0.0, 1.0)])


def in_grey(shown: Shown) -> Planes:
    """Give a face without its colours."""
    return np.asarray(cv2.GaussianBlur(shown.mean(axis=2), (0, 0), 1.0), np.float32)


def soft(shown: Planes, by: float) -> Planes:
    """Soften a face by so many pixels, if any."""
    return np.asarray(cv2.GaussianBlur(shown, (0, 0), by), np.float32) if by > 0 else shown


def without_rim(planes: Planes) -> Planes:
    """Give a face without its rim."""
    return planes[RIM:-RIM, RIM:-RIM]


def alike(one: Planes, other: Planes) -> float:
    """Correlate both, colour by colour."""
    first, second = (part - part.mean(axis=(0, 1)) for part in (one, other))
    return float((first * second).sum() / (np.linalg.norm(first) * np.linalg.norm(second) + 1e-6))
