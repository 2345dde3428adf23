"""Finder patterns anywhere in a picture: a dark core in a light ring in a dark ring, however they lean."""

import cv2
import numpy as np

from companion.vision.label.sighting import Grey
from companion.vision.symbol.finders import Frame, settled
from companion.vision.symbol.mesh import Floats, Mesh, slopes_of

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
MOST = 60
"""Rings that are looked at closer."""
LEAST_LIKE = 0.7


def finder_patterns(grey: Grey) -> list[Frame]:
    """Return the finder patterns in a picture, the likeliest first; which side is up is not known."""
    picture = slopes_of(np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8), np.float32))
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
    found = []
    for block in BLOCKS:
        light = cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, DARKER)
        contours, tree = cv2.findContours(light, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        if tree is None:
            continue
        for number, (_, _, first, parent) in enumerate(tree[0]):
            if parent >= 0 or first < 0:
                continue
            outer = cv2.contourArea(contours[number])
            if not SMALLEST <= outer <= LARGEST_SHARE * grey.size:
                continue
            holes = []
            while first >= 0:
                holes.append(first)
                first = tree[0][first][0]
            core = max(cv2.contourArea(contours[hole]) + 0.5 * len(contours[hole]) for hole in holes)
            off = abs(np.log(outer / max(core, 1.0) / RING))
            if off > np.log(RATIO):
                continue
            box = cv2.minAreaRect(contours[number])
            share = outer / max(box[1][0] * box[1][1], 1.0)
            if share < 0.6:
                continue
            found.append((off + 2 * (1 - share), _quad(contours[number])))
    return [quad for _, quad in sorted(found, key=lambda one: one[0])]


def _quad(contour: np.ndarray) -> Floats:
    """Return four corners of an outline: the furthest points, or the box round it."""
    hull = cv2.convexHull(contour)
    for loose in (0.04, 0.06, 0.08, 0.1):
        corners = cv2.approxPolyDP(hull, loose * cv2.arcLength(hull, True), True)
        if len(corners) == 4:
            quad = corners[:, 0].astype(np.float64)
            break
    else:
        quad = cv2.boxPoints(cv2.minAreaRect(contour)).astype(np.float64)
    area = np.cross(quad[2] - quad[0], quad[3] - quad[1]) if False else (
        (quad[2] - quad[0])[0] * (quad[3] - quad[1])[1] - (quad[2] - quad[0])[1] * (quad[3] - quad[1])[0])
    return quad if area > 0 else quad[::-1].copy()
