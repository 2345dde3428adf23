"""A mat as it looks from straight above, for cameras that do not exist and for pages."""

import cv2
import numpy as np

from calibration.fiducials import MODULES, Grey, marker_modules
from calibration.mat import Mat

_PAPER = 245
_LINE = 150
_LINE_MM = 0.8


def drawn_mat(mat: Mat, pixels_a_mm: float) -> Grey:
    """Return the mat's markers and the outlines of its zones, uint8 height x width."""
    height, width = round(mat.height_mm * pixels_a_mm), round(mat.width_mm * pixels_a_mm)
    page = np.full((height, width), _PAPER, np.uint8)
    for zone in mat.zones.zones:
        outline = np.round(np.array(zone.corners_mm) * pixels_a_mm).astype(np.int32)
        cv2.polylines(page, [outline], True, _LINE, max(1, round(_LINE_MM * pixels_a_mm)), cv2.LINE_AA)
    for marker in mat.markers:
        side = round(marker.side_mm * pixels_a_mm)
        left, top = round(marker.left_mm * pixels_a_mm), round(marker.top_mm * pixels_a_mm)
        module = np.minimum(np.arange(side) * MODULES // side, MODULES - 1)
        black = marker_modules(marker.number)[np.ix_(module, module)]
        page[top : top + side, left : left + side] = np.where(black, 15, _PAPER)
    return page
