"""Offset and scale of a printer, measured in a photograph of a sheet that it printed.

Four markers lie near the middles of the paper's edges.  Each gives its own scale and direction, so that the paper's
edge beside it is found to a few hundredths of a millimetre however the phone was held and whatever its lens bends.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.fiducials import Grey, Points, find_markers
from calibration.mat import PAPERS

MARKER_MM, INSET_MM = 24.0, 24.0
"""A marker's side, and how far its middle lies from the paper's edge."""
SIDES = ("front", "back")
EDGES = ("left", "right", "top", "foot")
_FIRST = 80
_SEARCH_MM, _STEP_MM, _LINES_MM = 9.0, 0.05, 9.0
"""How far from where it should be an edge is sought, in which steps, and how far to both sides of the middle."""
_LEAST_CONTRAST = 25.0
_MOST_SPREAD_MM = 0.6
"""Lines that tell edges further apart see something else."""


class PrinterSheetError(Exception):
    """The picture does not tell; the message is one line: the reason and what to do."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed side: everything lies ``right`` and ``down`` by so many mm, stretched from the upper left corner."""

    paper: str
    side: str
    right: float
    down: float
    across: float
    along: float


def marker_number(paper: str, side: str, edge: str) -> int:
    """Return the number of the marker near an edge."""
    return _FIRST + 4 * (2 * list(PAPERS).index(paper) + SIDES.index(side)) + EDGES.index(edge)


def marker_middle(paper: str, edge: str) -> tuple[float, float]:
    """Return where a marker's middle lies, mm from the sheet's upper left corner."""
    width, height = PAPERS[paper]
    places = {
        "left": (INSET_MM, height / 2),
        "right": (width - INSET_MM, height / 2),
        "top": (width / 2, INSET_MM),
        "foot": (width / 2, height - INSET_MM),
    }
    return places[edge]


def printed_sheet(grey: Grey) -> Printed:
    """Measure a photographed sheet that lies alone on something darker.

    Raises:
        PrinterSheetError: where it is not seen whole, or its edges do not stand out.

    """
    markers = find_markers(grey)
    for paper, (width, height) in PAPERS.items():
        for side in SIDES:
            seen = {edge: markers.get(marker_number(paper, side, edge)) for edge in EDGES}
            if any(corners is not None for corners in seen.values()):
                to_edge = {edge: _to_edge(grey, corners, edge) for edge, corners in seen.items()}
                across = width / (to_edge["left"] + width - 2 * INSET_MM + to_edge["right"])
                along = height / (to_edge["top"] + height - 2 * INSET_MM + to_edge["foot"])
                right = across * (to_edge["left"] - INSET_MM)
                down = along * (to_edge["top"] - INSET_MM)
                return Printed(paper, side, right, down, across, along)
    raise PrinterSheetError("no printer sheet is to be seen: photograph the whole sheet, straight from above")


def _to_edge(grey: Grey, corners: Points | None, edge: str) -> float:
    """Return how far the paper's edge lies from a marker's middle, in mm as they were printed."""
    if corners is None:
        raise PrinterSheetError(f"the mark near the {edge} edge is not to be seen: photograph the whole sheet")
    half = MARKER_MM / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)], np.float32)
    onto = np.asarray(cv2.getPerspectiveTransform(square, np.asarray(corners, np.float32)), np.float64)
    outward = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "foot": (0, 1)}[edge]
    far = np.arange(INSET_MM - _SEARCH_MM, INSET_MM + _SEARCH_MM, _STEP_MM)
    edges = [
        _edge_on(_along(grey, onto, outward, far, offset), far) for offset in np.arange(-_LINES_MM, _LINES_MM, 1.0)
    ]
    distances = np.array([distance for distance in edges if distance is not None])
    if (
        len(distances) < len(edges) // 2
        or float(np.percentile(distances, 75) - np.percentile(distances, 25)) > _MOST_SPREAD_MM
    ):
        raise PrinterSheetError(
            f"the paper's {edge} edge does not stand out: lay the sheet on something dark and plain"
        )
    return float(np.median(distances))


def _along(
    grey: Grey, onto: npt.NDArray[np.float64], outward: tuple[int, int], far: npt.NDArray[np.float64], offset: float
) -> npt.NDArray[np.float64]:
    """Return how light it is along a line outwards."""
    x, y = outward
    places = np.array([(x * at + abs(y) * offset, y * at + abs(x) * offset) for at in far], np.float64)
    there = cv2.perspectiveTransform(places[None], onto)[0].astype(np.float32) - 0.5
    light = cv2.remap(grey, there[:, 0], there[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(light.ravel(), np.float64)


def _edge_on(light: npt.NDArray[np.float64], far: npt.NDArray[np.float64]) -> float | None:
    """Return where paper ends: where it is half as light between paper and table, nearest to the steepest place."""
    soft = np.convolve(np.pad(light, 6, mode="edge"), np.hanning(13) / np.hanning(13).sum(), "valid")
    steepest = int(np.argmin(np.gradient(soft)))
    reach = round(1.0 / _STEP_MM)
    inside, outside = soft[max(0, steepest - reach)], soft[min(len(soft) - 1, steepest + reach)]
    if inside - outside < _LEAST_CONTRAST:
        return None
    part = soft[max(0, steepest - reach) : steepest + reach]
    below = np.flatnonzero(part < (inside + outside) / 2)
    return None if not len(below) else float(far[max(0, steepest - reach) + int(below[0])])
