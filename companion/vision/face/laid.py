"""A taught face laid exactly upon the one in a picture."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.face import BROAD, RIM, TALL, Face, Matrix, Shown, shown_on, warped
from companion.vision.face.known import KnownFace
from companion.vision.label.sighting import Picture

STEPS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)
SMOOTHING = 5
"""Pixels over which ECC smooths."""
TURN: Matrix = np.array([[-1.0, 0, BROAD - 1], [0, -1.0, TALL - 1], [0, 0, 1]])
"""Half a turn of a face."""
Planes = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Laid:
    """A known face, the map from its pixels to the picture's, what is seen there, and the correlation of both."""

    known: KnownFace
    onto: Matrix
    shown: Shown
    fits: float


def laid(known: KnownFace, pictures: Sequence[Picture], start: Matrix) -> Laid:
    """Move a face until it fits best; ``start`` is near."""
    onto = start @ moved_upon(known.shown, shown_on(together(pictures, start)))
    shown = shown_on(together(pictures, onto))
    return Laid(known, onto, shown, alike(known.shown[RIM:-RIM, RIM:-RIM], shown[RIM:-RIM, RIM:-RIM]))


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


def alike(one: Planes, other: Planes) -> float:
    """Correlate both, colour by colour."""
    first, second = (part - part.mean(axis=(0, 1)) for part in (one, other))
    return float((first * second).sum() / (np.linalg.norm(first) * np.linalg.norm(second) + 1e-6))
