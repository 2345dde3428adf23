"""Seeks labels on a table of which it is known how labels lie there.

First the whole table, flattened to two samples in three modules, is compared with what all labels have in common, at a
few turns; then the best places are compared at every turn and small shift, as one matrix product each.
"""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.fit import Homographies, sample
from companion.vision.lie import Lie
from companion.vision.shared_pattern import HALF, Floats, label_drawing
from companion.vision.sighting import Grey

COARSE = 1.5
"""Modules a sample, over the whole table."""
COARSE_SIDE = 19
COARSE_TURNS = tuple(range(0, 90, 15))
"""Degrees: the pattern is made alike at every quarter turn."""
LEAST_LIKENESS = 0.25
"""Places less like a label than this are left out."""
APART = 12.0
"""Modules between two places, at least."""
LARGEST_TABLE = 1_500_000
"""Samples of a flattened table; more, and the horizon is in the picture, or the lie is wrong."""

SIDE = 27
"""Samples a side of the fine pattern, one a module: the label with the inner part of its frame."""
SHIFT = 3
"""Samples that a label's middle may be off its place, each way."""
TURNS = tuple(range(0, 360, 5))
"""Degrees that are tried."""


def _pattern(side: int, modules: float, degrees: float, quarters: int) -> Floats:
    """Return the pattern turned clockwise, without mean and of length 1, nought where it says nothing."""
    drawing, known, fine = label_drawing()
    middle = drawing.shape[0] / 2
    ticks = (np.arange(side) - (side - 1) / 2) * modules
    x, y = np.meshgrid(ticks, ticks)
    total, weight = np.zeros((side, side)), np.zeros((side, side))
    for quarter in range(quarters):
        angle = np.radians(degrees + 90 * quarter)
        own_x, own_y = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        column, row = ((own * fine + middle).astype(int).clip(0, len(drawing) - 1) for own in (own_x, own_y))
        inside = known[row, column] & (np.maximum(np.abs(own_x), np.abs(own_y)) <= SIDE / 2)
        total += np.where(inside, drawing[row, column] - _mean_light(), 0)
        weight += inside
    total[weight > 0] -= total.sum() / weight.sum() * weight[weight > 0]
    return np.asarray(total / np.linalg.norm(total), np.float32)


@cache
def _mean_light() -> float:
    drawing, known, fine = label_drawing()
    middle, reach = drawing.shape[0] // 2, int(SIDE / 2 * fine)
    inner = slice(middle - reach, middle + reach)
    return float(drawing[inner, inner][known[inner, inner]].mean())


@cache
def _coarse_patterns() -> tuple[Floats, ...]:
    return tuple(_pattern(COARSE_SIDE, COARSE, degrees, 4) for degrees in COARSE_TURNS)


@cache
def _fine_patterns() -> Floats:
    """Return the pattern at every turn, float32 (SIDE * SIDE) x turns."""
    return np.array([_pattern(SIDE, 1, degrees, 1).ravel() for degrees in TURNS], np.float32).T.copy()


def likely_places(grey: Grey, lie: Lie, known: npt.NDArray[np.float64], most: int) -> npt.NDArray[np.float64]:
    """Return the places that look most like a label, n x 2 pixels, at most so many; none near a known one (m x 2)."""
    height, width = grey.shape
    box = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
    depth = np.column_stack((box[0], np.ones(4))) @ lie.to_table[2]
    if depth.min() <= 0:
        return np.empty((0, 2))
    scale = HALF / COARSE
    reached = cv2.perspectiveTransform(box, lie.to_table)[0] * scale
    low = reached.min(axis=0) - COARSE_SIDE / 4
    columns, rows = np.ceil(np.ptp(reached, axis=0) + COARSE_SIDE / 2).astype(int)
    if columns * rows > LARGEST_TABLE or min(columns, rows) <= COARSE_SIDE:
        return np.empty((0, 2))
    onto = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]]) @ lie.to_table
    soft = cv2.GaussianBlur(grey, (5, 5), 1.0)
    flat = cv2.warpPerspective(
        soft, onto, (int(columns), int(rows)), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    flat = flat.astype(np.float32)
    like = np.max([cv2.filter2D(flat, cv2.CV_32F, pattern) for pattern in _coarse_patterns()], axis=0)
    window = (COARSE_SIDE, COARSE_SIDE)
    spread = cv2.blur(flat * flat, window) - cv2.blur(flat, window) ** 2
    like /= np.sqrt(np.maximum(spread, 1.0)) * COARSE_SIDE
    reach = round(APART / COARSE)
    for place in known:
        x, y = cv2.perspectiveTransform(np.array([[place]], np.float64), onto)[0, 0]
        cv2.circle(like, (round(x), round(y)), reach, -1, -1)
    around = np.ones((reach, reach), np.uint8)
    peaks_y, peaks_x = np.nonzero((like >= cv2.dilate(like, around)) & (like > LEAST_LIKENESS))
    order = np.argsort(-like[peaks_y, peaks_x])
    found = np.column_stack((peaks_x[order], peaks_y[order])).astype(np.float64)
    if not len(found):
        return np.empty((0, 2))
    places = cv2.perspectiveTransform(found[None], np.linalg.inv(onto))[0]
    inside = (places >= 0).all(axis=1) & (places < (width, height)).all(axis=1)
    return np.asarray(places[inside][:most], np.float64)


def seek(grey: Grey, places: npt.NDArray[np.float64], lie: Lie) -> tuple[Homographies, Floats]:
    """Return the label that each place looks most like, and how much it looks like one."""
    if not len(places):
        return np.empty((0, 3, 3)), np.empty(0, np.float32)
    size = SIDE + 2 * SHIFT
    ticks = (np.arange(size) - (size - 1) / 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    upright = lie.labels_at(places, np.zeros(len(places)))
    soft = np.asarray(cv2.GaussianBlur(grey, (5, 5), 0.9), np.uint8)
    flat = sample(soft, np.column_stack((x.ravel(), y.ravel())), upright).reshape(-1, size, size)
    windows = np.lib.stride_tricks.sliding_window_view(flat, (SIDE, SIDE), axis=(1, 2))
    shifts = windows.shape[1]
    columns = windows.reshape(-1, SIDE * SIDE)
    spread = np.maximum(columns.std(axis=1) * SIDE, 1e-3)
    like = ((columns @ _fine_patterns()) / spread[:, None]).reshape(len(places), -1)
    best = like.argmax(axis=1)
    row, column, turn = np.unravel_index(best, (shifts, shifts, len(TURNS)))
    angle = np.radians(np.array(TURNS)[turn])
    cos, sin, nought, one = np.cos(angle), np.sin(angle), np.zeros(len(places)), np.ones(len(places))
    x, y = (column - SHIFT) / HALF, (row - SHIFT) / HALF
    placed = upright @ np.stack((cos, -sin, x, sin, cos, y, nought, nought, one), axis=1).reshape(-1, 3, 3)
    return placed / placed[:, 2:, 2:], like[np.arange(len(places)), best].astype(np.float32)
