"""Whether a picture is sharp and well lit enough to read labels, judged for words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np

from calibration.fiducials import Grey, Points

Focus: TypeAlias = Literal["sharp", "soft", "blurred"]
Exposure: TypeAlias = Literal["good", "too_dark", "too_bright", "glare"]

_SHARP, _SOFT = 0.006, 0.0035
"""Variance of the Laplacian as a share of the contrast squared, in the middle of all places.

Measured on simulated tables: 0.0062 to 0.009 where the lens blurs by half a pixel, 0.0035 to 0.006 by 0.7 to 1.1
pixels with some movement, below 0.0033 by 1.5 more.
"""

_CALM = 1.0
"""Pixels of softening before: the noise of a dark picture has edges too."""

_PATCH = 64
"""A place is looked at in this many pixels across, so that its size in the picture does not count."""

_DARK, _BRIGHT = 60, 250
"""Of 255: paper darker than this is underexposed, brighter overexposed."""

_BURNT_OUT = 0.02
"""Share of the picture that may be burnt out before that is called glare."""

_LEAST_CONTRAST = 20.0


@dataclass(frozen=True, slots=True)
class Light:
    """How a picture is: focus at the places that matter (None: there were none), and exposure."""

    focus: Focus | None
    exposure: Exposure

    @property
    def good(self) -> bool:
        """Say whether labels can be read in such a picture."""
        return self.focus != "blurred" and self.exposure == "good"


def light_of(grey: Grey, places: list[Points]) -> Light:
    """Judge a picture by the labels or markers that lie in it: their corners, each n x 2 pixels.

    Without any the exposure is judged by the whole picture, and the focus not at all: an empty table has no edges.
    """
    patches = [patch for patch in (_patch(grey, corners) for corners in places) if patch is not None]
    sharpness = [_sharpness(patch) for patch in patches]
    focus: Focus | None = None
    if sharpness:
        middle = float(np.median(sharpness))
        focus = "sharp" if middle >= _SHARP else "soft" if middle >= _SOFT else "blurred"
    paper = np.concatenate([patch.ravel() for patch in patches]) if patches else grey.ravel()
    white = float(np.percentile(paper, 90))
    burnt = float((grey >= _BRIGHT).mean())
    if white < _DARK:
        return Light(focus, "too_dark")
    if white >= _BRIGHT and burnt > 10 * _BURNT_OUT:
        return Light(focus, "too_bright")
    return Light(focus, "glare" if burnt > _BURNT_OUT else "good")


def _patch(grey: Grey, corners: Points) -> Grey | None:
    """Return the part of a picture round a place, in one size; None where it is not in view."""
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    right, foot = np.ceil(corners.max(axis=0)).astype(int)
    part = grey[top : max(int(foot), 0), left : max(int(right), 0)]
    if min(part.shape) < 8:  # noqa: PLR2004 - too little to say anything of it
        return None
    return np.asarray(cv2.resize(part, (_PATCH, _PATCH), interpolation=cv2.INTER_AREA), np.uint8)


def _sharpness(patch: Grey) -> float:
    """Return the variance of the Laplacian as a share of the contrast squared; 0 where there is no contrast."""
    low, high = np.percentile(patch, (5, 95))
    contrast = float(high - low)
    if contrast < _LEAST_CONTRAST:
        return 0.0
    calm = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), _CALM)
    return float(cv2.Laplacian(calm, cv2.CV_32F).var()) / contrast**2
