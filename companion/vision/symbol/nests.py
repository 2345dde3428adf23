"""Finder patterns anywhere in a picture: a dark core in a light ring in a dark ring, however they lean."""

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.label.sighting import Grey
from companion.vision.symbol.finders import Frame, settled
from companion.vision.symbol.mesh import Floats, Mesh, slopes_of

SOFT = 0.8
"""Pixels by which noise is softened."""
BLOCKS = (25, 75)
"""Pixels over which dark and light are told apart."""
DARKER = 3
"""Grey levels that dark is darker than its surroundings."""
RING = 25 / 9
"""A light ring with what is in it is as many times as large as the core."""
RATIO = 1.9
"""How far from that it may be, in either direction."""
SMALLEST, LARGEST_SHARE = 40.0, 0.1
"""Pixels of a light ring with its core at least, and share of the picture at most."""
MOST = 300
"""Rings that are looked at closer."""
LEAST_LIKE = 0.7
"""The correlation from which on a finder pattern is one."""
LEAST_FILLED = 0.6
"""The share of the box round a ring that it fills, with what is in it."""
CORNERS = 4
Outline = npt.NDArray[np.int32]


def finder_patterns(grey: Grey) -> list[Frame]:
    """Return the finder patterns in a picture, the likeliest first; which side is up is not known."""
    picture = slopes_of(np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT), np.float32))
    found: list[Frame] = []
    for quad in _rings(grey)[:MOST]:
        middle = quad.mean(axis=0)
        if any(np.linalg.norm(middle - one.middle) < 2 * np.linalg.norm(one.across) for one in found):
            continue
        across = (quad[1] - quad[0] + quad[2] - quad[3]) / 10
        down = (quad[3] - quad[0] + quad[2] - quad[1]) / 10
        frame = settled(picture, Mesh(np.array([middle, down, across, (0.0, 0.0)])), None, LEAST_LIKE)
        if frame is not None:
            found.append(frame)
    return sorted(found, key=lambda one: -one.like)


def _rings(grey: Grey) -> list[Floats]:
    """Return the corners of light rings with a dark core, 4 x 2 each, clockwise, those first that are most like one."""
    found: list[tuple[float, Floats]] = []
    soft = cv2.GaussianBlur(grey, (0, 0), SOFT)
    for block in BLOCKS:
        light = cv2.adaptiveThreshold(soft, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, DARKER)
        shapes, tree = cv2.findContours(light, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        contours = [np.asarray(shape, np.int32) for shape in shapes]
        links = np.asarray(tree, np.int32).reshape(-1, 4)  # next, one before, first hole, what it is a hole of
        for number in np.flatnonzero((links[:, 3] < 0) & (links[:, 2] >= 0)).tolist():
            outer = cv2.contourArea(contours[number])
            if SMALLEST <= outer <= LARGEST_SHARE * grey.size:
                unlike = _unlike(contours, links, number, outer)
                found += [] if unlike is None else [(unlike, _quad(contours[number]))]
    return [quad for _, quad in sorted(found, key=lambda one: one[0])]


def _unlike(contours: Sequence[Outline], tree: Outline, number: int, outer: float) -> float | None:
    """Return how much an outline is unlike that of a ring with a core, or None where it is none."""
    box = cv2.minAreaRect(contours[number])
    share = outer / max(box[1][0] * box[1][1], 1.0)
    hole, core = int(tree[number, 2]), 1.0
    while hole >= 0:
        core = max(core, cv2.contourArea(contours[hole]) - cv2.arcLength(contours[hole], True) / 2)
        hole = int(tree[hole, 0])
    off = abs(float(np.log((outer + cv2.arcLength(contours[number], True) / 2) / core / RING)))
    return off + 2 * (1 - share) if off <= np.log(RATIO) and share >= LEAST_FILLED else None


def _quad(outline: Outline) -> Floats:
    """Return four corners of an outline, clockwise: its furthest points, or those of the box round it."""
    hull = cv2.convexHull(outline)
    around = cv2.arcLength(hull, True)
    fewer = (cv2.approxPolyDP(hull, loose * around, True)[:, 0] for loose in (0.04, 0.06, 0.08, 0.1))
    quad = next((own for own in fewer if len(own) == CORNERS), cv2.boxPoints(cv2.minAreaRect(outline)))
    corners = np.asarray(quad, np.float64)
    (x, y), (u, v) = corners[2] - corners[0], corners[3] - corners[1]
    return corners if x * v > y * u else corners[::-1].copy()
