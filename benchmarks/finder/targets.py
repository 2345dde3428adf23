"""Expected answers of the net for a picture."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.finder.view import LEAST_SEEN, LEAST_TOLD
from companion.vision.deck.finder import STRIDE, encode_boxes, side_lengths

SMALLEST, LARGEST = 15.0, 72.0
"""Pixels a side: other symbols need not be found."""
_NEAR = 0.45


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """For each cell: how like a label's middle it is, whether that counts; the seven numbers, and how much they do."""

    likely: npt.NDArray[np.float32]
    counts: npt.NDArray[np.float32]
    numbers: npt.NDArray[np.float32]
    weight: npt.NDArray[np.float32]


def target(symbols: npt.NDArray[np.float64], seen: npt.NDArray[np.float64], side: int) -> Target:
    """Return the answers for a square picture of so many pixels with these symbols (n x 4 x 2)."""
    cells = side // STRIDE
    likely, weight = (np.zeros((cells, cells), np.float32) for _ in range(2))
    counts, numbers = np.ones((cells, cells), np.float32), np.zeros((7, cells, cells), np.float32)
    y, x = (np.mgrid[:cells, :cells] + 0.5) * STRIDE
    for (left, top), shape, share, size in zip(*encode_boxes(symbols), seen, side_lengths(symbols), strict=True):
        off = np.hypot(x - left, y - top) / STRIDE
        if share <= LEAST_TOLD:
            continue
        if share < LEAST_SEEN or not SMALLEST < size < LARGEST:
            counts[off * STRIDE < 0.75 * size] = 0
            continue
        spread = max(0.55, 0.3 * size / STRIDE)
        own = np.exp(-off * off / (2 * spread * spread)).astype(np.float32)
        nearer = own > likely
        likely = np.maximum(likely, own)
        position = nearer & (own > _NEAR)
        weight[position] = own[position]
        numbers[:2, position] = np.stack(((left - x[position]) / STRIDE, (top - y[position]) / STRIDE))
        numbers[2:, position] = shape[:, None]
    return Target(likely, counts, numbers, weight)
