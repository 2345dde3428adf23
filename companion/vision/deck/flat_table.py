"""A table of which it is known how labels lie there, as from straight above: its fine structure alone.

Shadows and the edges of cards are stronger than any label, and say nothing.
"""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.change import Box
from companion.vision.deck.lie import Lie
from companion.vision.label.shared_pattern import HALF, Floats
from companion.vision.label.sighting import Grey
from companion.vision.label.turning_pattern import COARSE, SIDE, SLOW

LEAST_PIXELS = 1.2
"""Pixels a sample, at least, in the picture that the table is flattened from: larger ones are reduced before."""
SOFT = 0.3
"""Samples: the blur that keeps what is finer than samples out of them."""
LARGEST_TABLE = 1_100_000
"""Samples of a flattened table; more, and the horizon is in the picture, or the lie is wrong."""


def flat_table(grey: Grey, lie: Lie, part: Box) -> tuple[Floats | None, npt.NDArray[np.float64]]:
    """Return the fine structure of the table as from straight above, 0 out of view; and the map from pixels to it.

    None when the lie cannot be.
    """
    left, top, right, foot = part
    box = np.array([[(left, top), (right, top), (right, foot), (left, foot)]], np.float64)
    depth = np.column_stack((box[0], np.ones(4))) @ lie.to_table[2]
    scale = HALF / COARSE
    if depth.min() <= 0:
        return None, lie.to_table
    reached = cv2.perspectiveTransform(box, lie.to_table)[0] * scale
    low = reached.min(axis=0) - SIDE / 2
    columns, rows = np.ceil(np.ptp(reached, axis=0) + SIDE).astype(int)
    if columns * rows > LARGEST_TABLE or min(columns, rows) <= 2 * SIDE:
        return None, lie.to_table
    onto = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]]) @ lie.to_table
    soft, from_soft = softened(grey[top:foot, left:right], _pixels_a_sample(onto, (left + right) / 2, (top + foot) / 2))
    from_part = onto @ np.array([[1, 0, left], [0, 1, top], [0, 0, 1]]) @ from_soft
    size = (int(columns), int(rows))
    flat = cv2.warpPerspective(soft, from_part, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    flat = cv2.subtract(flat, cv2.blur(flat, (SLOW, SLOW)), dtype=cv2.CV_32F)
    view = np.zeros(flat.shape, np.uint8)
    cv2.fillConvexPoly(view, np.rint(reached - low).astype(np.int32), 1)
    return np.asarray(cv2.multiply(flat, view, dtype=cv2.CV_32F), np.float32), onto


def _pixels_a_sample(onto: npt.NDArray[np.float64], x: float, y: float) -> float:
    """Return how far two samples of the flattened table are apart in the picture, at one of its pixels."""
    depth = float(onto[2] @ (x, y, 1.0))
    there = onto[:2] @ (x, y, 1.0) / depth
    across = (onto[:2, :2] - np.outer(there, onto[2, :2])) / depth
    return float(abs(np.linalg.det(across)) ** -0.5)


def softened(part: Grey, pixels_a_sample: float) -> tuple[Grey, npt.NDArray[np.float64]]:
    """Return a part of a picture as soft as samples so far apart want it, reduced where that will do.

    With it comes the map from its pixels to those of the part.
    """
    reduced = max(1, int(pixels_a_sample / LEAST_PIXELS))
    size = (max(1, part.shape[1] // reduced), max(1, part.shape[0] // reduced))
    small = cv2.resize(part, size, interpolation=cv2.INTER_AREA) if reduced > 1 else part
    soft = cv2.GaussianBlur(small, (5, 5), SOFT * pixels_a_sample / reduced)
    across, down = part.shape[1] / size[0], part.shape[0] / size[1]
    return np.asarray(soft, np.uint8), np.array([[across, 0, (across - 1) / 2], [0, down, (down - 1) / 2], [0, 0, 1]])
