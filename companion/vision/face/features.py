"""How a face lies, by features that it has in common with a taught one: for cards whose outline is hidden."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.face.face import Matrix
from companion.vision.label.sighting import Picture

FEWEST = 12
"""So few features in common with a face say nothing of how it lies."""
MOST = 400
NEARER = 0.8
"""How much nearer than the next one a feature must be (Lowe, 2004)."""
REACH_PX = 4.0
"""How far a feature may lie from where the others put it."""


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Places, float32 N x 2, and what they look like, float32 N x 128."""

    places: npt.NDArray[np.float32]
    looks: npt.NDArray[np.float32]


def features_of(picture: Picture) -> Features:
    """Find the features of a picture."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004 - grey
    sift = cv2.SIFT.create(nfeatures=MOST, contrastThreshold=0.02)
    points, looks = sift.detectAndCompute(cv2.createCLAHE(2.0, (4, 4)).apply(grey), None)
    if not points:
        return Features(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    return Features(np.array([one.pt for one in points], np.float32), np.asarray(looks, np.float32))


def lies(known: Sequence[Features], seen: Features) -> Matrix | None:
    """Give the map from a face's pixels to the picture's, by the known face with which it has most in common."""
    best: tuple[int, Matrix | None] = (0, None)
    if len(seen.looks) < FEWEST:
        return None
    for one in known:
        pairs = _pairs(one, seen) if len(one.looks) >= FEWEST else []
        if len(pairs) < max(FEWEST, best[0]):
            continue
        ours = one.places[[ours for ours, _ in pairs]]
        theirs = seen.places[[theirs for _, theirs in pairs]]
        matrix, fitting = cv2.estimateAffine2D(ours, theirs, method=cv2.RANSAC, ransacReprojThreshold=REACH_PX)
        count = 0 if np.ndim(fitting) == 0 else int(np.sum(fitting))  # nothing fits: None, whatever the stubs say
        if count >= FEWEST and count > best[0]:
            best = (count, np.vstack([matrix, (0.0, 0.0, 1.0)]))
    return best[1]


def _pairs(ours: Features, seen: Features) -> list[tuple[int, int]]:
    found = cv2.BFMatcher(cv2.NORM_L2).knnMatch(ours.looks, seen.looks, k=2)
    return [
        (both[0].queryIdx, both[0].trainIdx)
        for both in found
        if len(both) == 2 and both[0].distance < NEARER * both[1].distance  # noqa: PLR2004 - two
    ]
