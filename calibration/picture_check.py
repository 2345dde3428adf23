"""Judge whether a picture is good enough to read cards: brightness, glare, focus and distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from calibration.fiducials import Grey, Points, find_markers
from calibration.light import Exposure, Focus, PixelBox, find_glare, judge_focus, judge_light
from calibration.mat import DetectedMat

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
