"""Focus and exposure of a picture, classified for messages to people."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np

from calibration.fiducials import Grey, Points

Focus: TypeAlias = Literal["sharp", "soft", "blurred"]
PixelBox: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height of a part of a picture, in pixels."""
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

_CRISP, _HAZY = 0.29, 0.2
"""How much of an edge's contrast the steepest edges gain in one pixel, for whole pictures without a label read.

Measured on simulated tables with cards: 0.33 to 0.42 where the lens blurs by 0.4 to 0.9 pixels, 0.23 to 0.31 by 1.5 to
2, below 0.19 from 2.5 on, where no label of 1.85 pixels a millimetre is read any more.
"""

_EDGE_CONTRAST, _EDGE_REACH = 50, 9
"""An edge counts from this contrast (of 255) on, within so many pixels."""

_FEWEST_EDGE_PIXELS = 500

_SPOT_CELL = 8
_SPOT_SHARE = 0.002
"""A spot of glare is told from this share of the picture on; smaller ones hide no label."""


@dataclass(frozen=True, slots=True)
class PictureLight:
    """How a picture is: focus at the places that matter (None: there were none), and exposure."""

    focus: Focus | None
    exposure: Exposure

    @property
    def good(self) -> bool:
        """Return whether labels can be read in such a picture."""
        return self.focus != "blurred" and self.exposure == "good"


def light_of(grey: Grey, places: list[Points]) -> PictureLight:
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
        return PictureLight(focus, "too_dark")
    if white >= _BRIGHT and burnt > 10 * _BURNT_OUT:
        return PictureLight(focus, "too_bright")
    return PictureLight(focus, "glare" if burnt > _BURNT_OUT else "good")


def focus_anywhere(grey: Grey) -> Focus | None:
    """Judge the focus by the steepest edges, wherever they are; None where there are too few, as on a bare table.

    For pictures in which no label and no marker was found: perhaps just because they are blurred.  What is burnt
    out is left aside: its edges are those of the light.
    """
    reach = np.ones((_EDGE_REACH, _EDGE_REACH), np.uint8)
    highest, lowest = cv2.dilate(grey, reach), cv2.erode(grey, reach)
    contrast = cv2.subtract(highest, lowest)
    edges = (contrast >= _EDGE_CONTRAST) & (highest < _BRIGHT)
    if np.count_nonzero(edges) < _FEWEST_EDGE_PIXELS:
        return None
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    slope = cv2.magnitude(across, down)[edges] / 8
    steepest = float(np.percentile(slope / contrast[edges], 95))
    return "sharp" if steepest >= _CRISP else "soft" if steepest >= _HAZY else "blurred"


def glare_spots(grey: Grey) -> tuple[PixelBox, ...]:
    """Return the parts of a picture that are burnt out and large enough to hide a label, the largest first."""
    height, width = grey.shape
    size = (max(width // _SPOT_CELL, 1), max(height // _SPOT_CELL, 1))
    burnt = cv2.resize((grey >= _BRIGHT).astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) >= 128  # noqa: PLR2004 - half
    _, _, regions, _ = cv2.connectedComponentsWithStats(burnt.astype(np.uint8))
    x, y = width / size[0], height / size[1]
    spots = [tuple(int(value) for value in spot) for spot in regions[1:] if spot[4] >= _SPOT_SHARE * size[0] * size[1]]
    return tuple(
        (round(left * x), round(top * y), round(across * x), round(down * y))
        for left, top, across, down, _ in sorted(spots, key=lambda spot: -spot[4])
    )


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
