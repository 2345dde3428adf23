"""Measure offset and scale of a printer from a photograph of a sheet that it printed.

Four markers lie near the middles of the paper's edges. Each has its own homography, so that the paper's edge beside it
is located to a few hundredths of a millimetre, however the phone was held and whatever its lens distorts.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import Grey, Points, find_markers
from calibration.papers import PAPERS

MARKER_MM, INSET_MM = 24.0, 24.0
"""A marker's side, and the distance of its centre from the paper's edge."""
SIDES = ("front", "back")
EDGES = ("left", "right", "top", "foot")
_FIRST_NUMBER = 80
_SEARCH_MM, _STEP_MM, _LINES_MM = 9.0, 0.05, 9.0
"""Distance from its expected place within which an edge is searched, its step, and the range of lines to each side."""
_MIN_CONTRAST = 25.0
_MAX_SPREAD_MM = 0.6
"""Interquartile range of the edge over all lines at most; with more they see something else."""


class PrinterSheetError(Exception):
    """Raised if the sheet cannot be measured; the message is one line and says why and what to do.

    ``why``: ``no_sheet``, ``no_mark`` or ``no_edge``.
    """

    def __init__(self, message: str, why: str) -> None:
        """Store the message and the reason."""
        super().__init__(message)
        self.why = why


@dataclass(frozen=True, slots=True)
class PrinterOffset:
    """One printed side: its shift right and down in mm, and its scale across and along from the upper left corner."""

    paper: str
    side: str
    right: float
    down: float
    across: float
    along: float


def marker_number(paper: str, side: str, edge: str) -> int:
    """Return the number of the marker near an edge."""
    return _FIRST_NUMBER + 4 * (2 * list(PAPERS).index(paper) + SIDES.index(side)) + EDGES.index(edge)


def marker_centre(paper: str, edge: str) -> tuple[float, float]:
    """Return a marker's centre, in mm from the sheet's upper left corner."""
    width, height = PAPERS[paper]
    points_mm = {
        "left": (INSET_MM, height / 2),
        "right": (width - INSET_MM, height / 2),
        "top": (width / 2, INSET_MM),
        "foot": (width / 2, height - INSET_MM),
    }
    return points_mm[edge]


def measure_printed_sheet(grey: Grey) -> PrinterOffset:
    """Measure a photographed sheet that lies alone on something darker.

    Raises:
        PrinterSheetError: if it is not wholly in view, or its edges do not stand out.

    """
    markers = find_markers(grey)
    for paper, (width, height) in PAPERS.items():
        for side in SIDES:
            seen = {edge: markers.get(marker_number(paper, side, edge)) for edge in EDGES}
            if any(corners is not None for corners in seen.values()):
                to_edge = {edge: _measure_edge(grey, corners, edge) for edge, corners in seen.items()}
                across = width / (to_edge["left"] + width - 2 * INSET_MM + to_edge["right"])
                along = height / (to_edge["top"] + height - 2 * INSET_MM + to_edge["foot"])
                right = across * (to_edge["left"] - INSET_MM)
                down = along * (to_edge["top"] - INSET_MM)
                return PrinterOffset(paper, side, right, down, across, along)
    raise PrinterSheetError(
        "no printer sheet is to be seen: photograph the whole sheet, straight from above", "no_sheet"
    )


def _measure_edge(grey: Grey, corners: Points | None, edge: str) -> float:
    """Return the distance of the paper's edge from a marker's centre, in mm as printed."""
    if corners is None:
        raise PrinterSheetError(
            f"the mark near the {edge} edge is not to be seen: photograph the whole sheet", "no_mark"
        )
    half = MARKER_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    to_picture = np.asarray(cv2.getPerspectiveTransform(square, np.asarray(corners, np.float32)), np.float64)
    outward = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "foot": (0, 1)}[edge]
    distances_out = np.arange(INSET_MM - _SEARCH_MM, INSET_MM + _SEARCH_MM, _STEP_MM)
    distances = [
        _find_edge(_sample_line(grey, to_picture, outward, distances_out, offset), distances_out)
        for offset in np.arange(-_LINES_MM, _LINES_MM, 1.0)
    ]
    measured = np.array([found_at for found_at in distances if found_at is not None])
    if (
        len(measured) < len(distances) // 2
        or float(np.percentile(measured, 75) - np.percentile(measured, 25)) > _MAX_SPREAD_MM
    ):
        raise PrinterSheetError(
            f"the paper's {edge} edge does not stand out: lay the sheet on something dark and plain", "no_edge"
        )
    return float(np.median(measured))


def _sample_line(
    grey: Grey,
    to_picture: npt.NDArray[np.float64],
    outward: tuple[int, int],
    distances_out: npt.NDArray[np.float64],
    offset: float,
) -> npt.NDArray[np.float64]:
    """Return the grey levels along a line outwards, ``offset`` mm beside the marker's centre."""
    x, y = outward
    points_mm = np.array(
        [(x * distance + abs(y) * offset, y * distance + abs(x) * offset) for distance in distances_out], np.float64
    )
    points = cv2.perspectiveTransform(points_mm[None], to_picture)[0].astype(np.float32) - 0.5
    light = cv2.remap(grey, points[:, 0], points[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(light.ravel(), np.float64)


def _find_edge(light: npt.NDArray[np.float64], distances_out: npt.NDArray[np.float64]) -> float | None:
    """Return where the paper ends: where the level is half way between paper and table, near the steepest gradient."""
    smoothed = np.convolve(np.pad(light, 6, mode="edge"), np.hanning(13) / np.hanning(13).sum(), "valid")
    steepest = int(np.argmin(np.gradient(smoothed)))
    reach = round(1.0 / _STEP_MM)
    inside, outside = smoothed[max(0, steepest - reach)], smoothed[min(len(smoothed) - 1, steepest + reach)]
    if inside - outside < _MIN_CONTRAST:
        return None
    part = smoothed[max(0, steepest - reach) : steepest + reach]
    below = np.flatnonzero(part < (inside + outside) / 2)
    return None if not len(below) else float(distances_out[max(0, steepest - reach) + int(below[0])])
