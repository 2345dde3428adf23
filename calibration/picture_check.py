"""Judge whether a picture is good enough to read cards: brightness, glare, focus and distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import Grey, Points, find_markers
from calibration.mat import DetectedMat

# Light: whether the picture is sharp and well lit enough to read labels.

Focus: TypeAlias = Literal["sharp", "soft", "blurred"]
PixelBox: TypeAlias = tuple[int, int, int, int]
"""Left, top, width and height of a part of a picture, in pixels."""
Exposure: TypeAlias = Literal["good", "too_dark", "too_bright", "glare"]

_SHARP, _SOFT = 0.006, 0.0035
"""Variance of the Laplacian divided by the contrast squared, median of all regions.

Measured on simulated tables: 0.0062 to 0.009 where the lens blurs by half a pixel, 0.0035 to 0.006 by 0.7 to 1.1
pixels with some movement, below 0.0033 by 1.5 more.
"""

_NOISE_SIGMA = 1.0
"""Pixels of Gaussian blur first, because the noise of a dark picture has edges too."""

_PATCH_SIDE = 64
"""Pixels a side to which a region is resized, so that its size in the picture does not count."""

_DARK_PAPER, _BRIGHT_PAPER = 60, 250
"""Grey levels of paper below which a picture is underexposed, and from which on overexposed."""

_BURNT_OUT = 0.02
"""Burnt out share of the picture from which on it has glare."""

_MIN_CONTRAST = 20.0

_STEEP, _FLAT = 0.29, 0.2
"""Share of an edge's contrast that the steepest edges gain in one pixel, for pictures in which no label was read.

Measured on simulated tables with cards: 0.33 to 0.42 where the lens blurs by 0.4 to 0.9 pixels, 0.23 to 0.31 by 1.5 to
2, below 0.19 from 2.5 on, where no label of 1.85 pixels a millimetre is read any more.
"""

_EDGE_CONTRAST, _EDGE_REACH = 50, 9
"""Contrast from which on an edge counts, and pixels a side of the window in which it is measured."""

_MIN_EDGE_PIXELS = 500
_STRIP, _SLOPE_BINS = 256, 2000
"""Rows that are examined at once, so that a large picture takes little memory; steps in which slopes are counted."""

_SPOT_CELL = 8
_SPOT_SHARE = 0.002
"""Share of the picture from which on a spot of glare is reported; smaller ones hide no label."""


@dataclass(frozen=True, slots=True)
class PictureLight:
    """Focus (None without any region to judge it by) and exposure of a picture."""

    focus: Focus | None
    exposure: Exposure

    @property
    def is_good(self) -> bool:
        """Return whether labels can be read in such a picture."""
        return self.focus != "blurred" and self.exposure == "good"


def judge_light(grey: Grey, regions: list[Points]) -> PictureLight:
    """Return focus and exposure of a picture, by the labels or markers in it (corners, n x 2 pixels each).

    Without any, the exposure is judged by the whole picture and the focus not at all: an empty table has no edges.
    """
    patches = [patch for patch in (_patch(grey, corners) for corners in regions) if patch is not None]
    sharpness = [_sharpness(patch) for patch in patches]
    focus: Focus | None = None
    if sharpness:
        median = float(np.median(sharpness))
        focus = "sharp" if median >= _SHARP else "soft" if median >= _SOFT else "blurred"
    white = _percentile(np.concatenate(patches) if patches else grey, 90)
    burnt_out = float((grey >= _BRIGHT_PAPER).mean())
    if white < _DARK_PAPER:
        return PictureLight(focus, "too_dark")
    if white >= _BRIGHT_PAPER and burnt_out > 10 * _BURNT_OUT:
        return PictureLight(focus, "too_bright")
    return PictureLight(focus, "glare" if burnt_out > _BURNT_OUT else "good")


def judge_focus(grey: Grey) -> Focus | None:
    """Return the focus by the steepest edges anywhere; None if there are too few, as on an empty table.

    For pictures without a label or marker, which may be missing because of blur. Burnt out areas are left out, because
    their edges are those of the light.
    """
    histogram = np.zeros(_SLOPE_BINS, np.int64)
    for top in range(0, len(grey), _STRIP):
        before = min(top, _EDGE_REACH)
        slopes = _edge_slopes(grey[top - before : top + _STRIP + _EDGE_REACH])
        strip = slopes[before : before + _STRIP]
        bins = np.minimum(strip[strip >= 0] * _SLOPE_BINS, _SLOPE_BINS - 1).astype(np.int64)
        histogram += np.bincount(bins, minlength=_SLOPE_BINS)
    if histogram.sum() < _MIN_EDGE_PIXELS:
        return None
    steepest = float(np.searchsorted(histogram.cumsum(), 0.95 * histogram.sum())) / _SLOPE_BINS
    return "sharp" if steepest >= _STEEP else "soft" if steepest >= _FLAT else "blurred"


def _edge_slopes(grey: Grey) -> npt.NDArray[np.float32]:
    """Return how much of an edge's contrast each pixel gains to the next, -1 where there is no edge."""
    window = np.ones((_EDGE_REACH, _EDGE_REACH), np.uint8)
    highest, lowest = cv2.dilate(grey, window), cv2.erode(grey, window)
    contrast = np.asarray(cv2.subtract(highest, lowest))
    edges = (contrast >= _EDGE_CONTRAST) & (highest < _BRIGHT_PAPER)
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
    slopes = np.asarray(cv2.magnitude(across, down), np.float32) / 8
    return np.where(edges, slopes / np.maximum(contrast, 1), np.float32(-1))


def _percentile(levels: npt.NDArray[np.uint8], percent: float) -> float:
    """Return the percentile of grey levels from their histogram, without a copy of the picture."""
    histogram = np.asarray(cv2.calcHist([levels], [0], None, [256], [0, 256])).ravel().cumsum()
    return float(np.searchsorted(histogram, percent / 100 * histogram[-1]))


def find_glare(grey: Grey) -> tuple[PixelBox, ...]:
    """Return the burnt out parts of a picture that are large enough to hide a label, the largest first."""
    height, width = grey.shape
    size = (max(width // _SPOT_CELL, 1), max(height // _SPOT_CELL, 1))
    burnt_out = cv2.resize((grey >= _BRIGHT_PAPER).astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA) >= 128  # noqa: PLR2004 - half
    _, _, stats, _ = cv2.connectedComponentsWithStats(burnt_out.astype(np.uint8))
    x, y = width / size[0], height / size[1]
    spots = [tuple(int(value) for value in spot) for spot in stats[1:] if spot[4] >= _SPOT_SHARE * size[0] * size[1]]
    return tuple(
        (round(left * x), round(top * y), round(across * x), round(down * y))
        for left, top, across, down, _ in sorted(spots, key=lambda spot: -spot[4])
    )


def _patch(grey: Grey, corners: Points) -> Grey | None:
    """Return a region of a picture, resized; None if it is not in view."""
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    part = grey[top : max(int(bottom), 0), left : max(int(right), 0)]
    if min(part.shape) < 8:  # noqa: PLR2004 - too little to judge
        return None
    return np.asarray(cv2.resize(part, (_PATCH_SIDE, _PATCH_SIDE), interpolation=cv2.INTER_AREA), np.uint8)


def _sharpness(patch: Grey) -> float:
    """Return the variance of the Laplacian divided by the contrast squared; 0 without contrast."""
    low, high = np.percentile(patch, (5, 95))
    contrast = float(high - low)
    if contrast < _MIN_CONTRAST:
        return 0.0
    soft = cv2.GaussianBlur(patch.astype(np.float32), (0, 0), _NOISE_SIGMA)
    return float(cv2.Laplacian(soft, cv2.CV_32F).var()) / contrast**2


# The whole picture, with the distance at which the table is seen.

Distance: TypeAlias = Literal["good", "far", "near"]
Brightness: TypeAlias = Literal["good", "too_dark", "too_bright"]

MIN_PIXELS_A_MM = 1.5
"""Resolution below which labels of 25 mm are lost in usual light: see ``docs/reading-figures.md``."""

MIN_VIEW_MM = 130.0
"""Height of a view below which it holds no two cards side by side."""


@dataclass(frozen=True, slots=True)
class PictureCheck:
    """The quality of a picture.

    ``glare``: burnt out parts. ``focus`` and ``distance``: None if they cannot be judged. ``pixels_a_mm``: resolution
    of the table, None if unknown.
    """

    light: Brightness
    focus: Focus | None
    glare: tuple[PixelBox, ...]
    distance: Distance | None
    pixels_a_mm: float | None

    @property
    def is_good(self) -> bool:
        """Return whether nothing is wrong, as far as it can be judged."""
        return self.light == "good" and self.focus != "blurred" and not self.glare and self.distance in (None, "good")


def check_picture(
    grey: Grey, symbols: Sequence[Points], symbol_mm: float, mat: DetectedMat | None = None
) -> PictureCheck:
    """Return the quality of a picture.

    Args:
        grey: the picture.
        symbols: corners of the symbols that were read in it, 4 x 2 pixels each.
        symbol_mm: side of a symbol.
        mat: the mat, if one lies there.

    """
    markers = list(find_markers(grey).values())
    light = judge_light(grey, [*markers, *symbols])
    focus = light.focus or judge_focus(grey)
    pixels_a_mm = _pixels_a_mm(symbols, symbol_mm) if symbols else None if mat is None else mat.pixels_a_mm
    brightness: Brightness = _brightness(light.exposure)
    glare = find_glare(grey) if brightness != "too_bright" else ()
    return PictureCheck(brightness, focus, glare, _distance(pixels_a_mm, grey.shape[0]), pixels_a_mm)


def _brightness(exposure: Exposure) -> Brightness:
    """Return the exposure without glare, which is reported by its parts."""
    return "good" if exposure == "glare" else exposure


def _pixels_a_mm(symbols: Sequence[Points], symbol_mm: float) -> float:
    """Return the resolution by the median area of the symbols, because a tilt shortens one side only."""
    areas = [_area(corners) for corners in symbols]
    return float(np.sqrt(np.median(areas))) / symbol_mm


def _area(corners: Points) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _distance(pixels_a_mm: float | None, height: int) -> Distance | None:
    if pixels_a_mm is None:
        return None
    if pixels_a_mm < MIN_PIXELS_A_MM:
        return "far"
    return "near" if height / pixels_a_mm < MIN_VIEW_MM else "good"
