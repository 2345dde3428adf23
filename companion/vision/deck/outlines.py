"""Outlines of light patches that may be the insides of frames: which are quadrilaterals, and where their sides run."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.sighting import Grey

SMALLEST, LARGEST = 17.0, 150.0
"""Pixels: the sides of a white square that are looked at."""

_LEAST_SOLID = 0.72
"""Least share of its convex hull that a white square fills."""
_LEAST_SQUARE = 0.3
"""Least share that the shortest side is of the longest."""
_MIDDLE = 0.38
"""How far from a side's middle points still count for it, as a share of the side."""
_INWARDS = 0.5
"""Pixels by which the outline of a patch runs inside it, through the middles of its last pixels."""
_FEWEST = 5
"""Points of a side that say better than its corners where it runs."""


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """The outline of a light quadrilateral: four corners about where they are (4 x 2), and all its points (n x 2)."""

    corners: npt.NDArray[np.float32]
    points: npt.NDArray[np.float32]

    def quad(self) -> npt.NDArray[np.float32]:
        """Return the corners clockwise, where lines through the points of the sides meet: to a fraction of a pixel."""
        better = _meetings(self.corners, [_side(self.points, *ends) for ends in _ends(self.corners)])
        middle = better.mean(axis=0)
        better -= (middle - better) * (2 * _INWARDS / np.linalg.norm(better[2] - better[0]) * 2**0.5)
        (ax, ay), (bx, by) = better[2] - better[0], better[3] - better[1]
        return better if ax * by > ay * bx else better[::-1].copy()


def outlines_in(dark: Grey, reduced: int = 1) -> list[Outline]:
    """Return the light quadrilaterals that dark pixels (255) enclose, in a picture that was so many times larger.

    Light patches are told apart first: most are too large or too small, and a number for each costs far less than an
    outline.
    """
    count, patches, stats, _ = cv2.connectedComponentsWithStats(cv2.bitwise_not(dark), connectivity=4)
    least, most = SMALLEST / reduced, LARGEST / reduced
    sides = stats[:, (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT)]
    fits = (sides.min(axis=1) >= _LEAST_ACROSS * least) & (sides.max(axis=1) <= _MOST_ACROSS * most)
    fits &= stats[:, cv2.CC_STAT_AREA] >= least
    found = []
    for number in np.flatnonzero(fits[1:count]) + 1:
        left, top, wide, high, _ = (int(measure) for measure in stats[number])
        patch = np.asarray(patches[top : top + high, left : left + wide] == number, np.uint8)
        edges, _ = cv2.findContours(patch, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        corners = _corners(np.asarray(edges[0], np.int32), least, most)
        if corners is not None:
            offset = np.array((left, top), np.float32)
            found.append(Outline(corners + offset, edges[0][:, 0].astype(np.float32) + offset))
    return found


_LEAST_ACROSS, _MOST_ACROSS = 0.6, 1.5
"""Smallest and largest sides that a square's bounding box may have: it may lean, or lie on its corner."""


def _corners(edge: npt.NDArray[np.int32], least: float, most: float) -> npt.NDArray[np.float32] | None:
    """Return about where the corners of a quadrilateral are; None if the edge is that of something else."""
    hull = cv2.convexHull(edge)
    area = cv2.contourArea(hull)
    if not least**2 * 0.5 <= area <= most**2 or cv2.contourArea(edge) < _LEAST_SOLID * area:
        return None
    corners = _four_corners(np.asarray(hull, np.int32))
    if corners is None:
        return None
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return None if sides.min() < _LEAST_SQUARE * sides.max() or sides.max() > most else corners


def _four_corners(hull: npt.NDArray[np.int32]) -> npt.NDArray[np.float32] | None:
    """Return the four corners that a hull has when small bends are ignored."""
    around = cv2.arcLength(hull, closed=True)
    for share in (0.03, 0.05, 0.07, 0.09, 0.12):
        corners = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(corners) == 4:  # noqa: PLR2004 - a quadrilateral
            return np.asarray(corners[:, 0], np.float32)
        if len(corners) < 4:  # noqa: PLR2004 - a quadrilateral
            return None
    return None


_Line = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""A point of a line, and its direction."""


def _ends(corners: npt.NDArray[np.float32]) -> list[_Line]:
    """Return the two ends of each side."""
    return list(zip(corners, np.roll(corners, -1, axis=0), strict=True))


def _side(points: npt.NDArray[np.float32], start: npt.NDArray[np.float32], end: npt.NDArray[np.float32]) -> _Line:
    """Return the line through the points near a side; those near its ends do not count."""
    along = end - start
    length = float(np.hypot(*along)) or 1.0
    along = along / length
    from_start = points - start
    share = from_start @ along / length
    off = np.abs(from_start @ np.array([-along[1], along[0]], np.float32))
    near = points[(np.abs(share - 0.5) < _MIDDLE) & (off < max(1.6, 0.06 * length))]
    if len(near) < _FEWEST:
        return start, along
    vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([x, y], np.float32), np.array([vx, vy], np.float32)


def _meetings(corners: npt.NDArray[np.float32], lines: list[_Line]) -> npt.NDArray[np.float32]:
    """Return where each side meets the one before it; the corner as it was where they hardly bend."""
    better = corners.copy()
    for number in range(4):
        (a, u), (b, v) = lines[number - 1], lines[number]
        cross = float(u[0] * v[1] - u[1] * v[0])
        if abs(cross) > 0.2:  # noqa: PLR2004 - sides that hardly bend meet anywhere
            step = float((b[0] - a[0]) * v[1] - (b[1] - a[1]) * v[0]) / cross
            meeting = a + step * u
            if np.hypot(*(meeting - corners[number])) < 4:  # noqa: PLR2004 - pixels
                better[number] = meeting
    return better
