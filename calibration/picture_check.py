"""Check whether a picture is good enough to read cards: light, glare, focus and distance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from calibration.fiducials import Grey, Points, find_markers
from calibration.light import Exposure, Focus, PixelBox, focus_anywhere, glare_spots, light_of
from calibration.mat_sight import FoundMat

Distance: TypeAlias = Literal["good", "far", "near"]
Brightness: TypeAlias = Literal["good", "too_dark", "too_bright"]

FEWEST_PIXELS_A_MM = 1.5
"""Below, labels of 25 mm are lost in usual light: see ``docs/reading-figures.md``."""

LEAST_VIEW_MM = 130.0
"""A view less high than this holds no two cards side by side."""


@dataclass(frozen=True, slots=True)
class PictureCheck:
    """The quality of a picture.

    ``glare``: where it is burnt out.  ``focus`` and ``distance`` are None where nothing tells of them;
    ``pixels_a_mm``: how large a millimetre of the table is in the picture.
    """

    light: Brightness
    focus: Focus | None
    glare: tuple[PixelBox, ...]
    distance: Distance | None
    pixels_a_mm: float | None

    @property
    def good(self) -> bool:
        """Return whether nothing is wrong, as far as it can be judged."""
        return self.light == "good" and self.focus != "blurred" and not self.glare and self.distance in (None, "good")


def check_picture(grey: Grey, symbols: Sequence[Points], symbol_mm: float, mat: FoundMat | None = None) -> PictureCheck:
    """Judge a picture.

    ``symbols``: the corners of the labels' codes that were read in it (4 x 2 pixels each), which are ``symbol_mm``
    wide; ``mat``: as it lies there, if one does.
    """
    markers = list(find_markers(grey).values())
    light = light_of(grey, [*markers, *symbols])
    focus = light.focus or focus_anywhere(grey)
    pixels_a_mm = _pixels_a_mm(symbols, symbol_mm) if symbols else None if mat is None else mat.pixels_a_mm
    brightness: Brightness = _brightness(light.exposure)
    glare = glare_spots(grey) if brightness != "too_bright" else ()
    return PictureCheck(brightness, focus, glare, _distance(pixels_a_mm, grey.shape[0]), pixels_a_mm)


def _brightness(exposure: Exposure) -> Brightness:
    """Return the exposure without glare, which is told by its places."""
    return "good" if exposure == "glare" else exposure


def _pixels_a_mm(symbols: Sequence[Points], symbol_mm: float) -> float:
    """Return the middle size of the codes, for each by its area: a lean shortens one side only."""
    areas = [_area(corners) for corners in symbols]
    return float(np.sqrt(np.median(areas))) / symbol_mm


def _area(corners: Points) -> float:
    x, y = corners[:, 0], corners[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


def _distance(pixels_a_mm: float | None, height: int) -> Distance | None:
    if pixels_a_mm is None:
        return None
    if pixels_a_mm < FEWEST_PIXELS_A_MM:
        return "far"
    return "near" if height / pixels_a_mm < LEAST_VIEW_MM else "good"
