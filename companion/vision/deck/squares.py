"""The shapes of small squares in a picture, in seven numbers that change smoothly however they are turned.

A square that is turned by a quarter is the same one, so its turn is told by the sine and cosine of four times its
angle; how it is stretched, by the logarithm of a symmetric matrix.  What perspective does within it is left out.
"""

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]

USUAL_SIDE = 36.0
"""Pixels: of this size the logarithm is 0."""


def numbers_of(quads: Numbers) -> tuple[Numbers, Numbers]:
    """Return the middles (n x 2, pixels) of quadrilaterals (n x 4 x 2), and their shapes, n x 5.

    A shape is: the logarithm of its size, twice its stretch, cosine and sine of four times its turn.
    """
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 4
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 4
    first, sizes, second = np.linalg.svd(np.stack((across, down), axis=2))
    stretch = first @ (np.log(np.maximum(sizes, 1e-3))[:, :, None] * first.transpose(0, 2, 1))
    turn = first @ second
    angle = 4 * np.arctan2(turn[:, 1, 0], turn[:, 0, 0])
    size = (stretch[:, 0, 0] + stretch[:, 1, 1]) / 2 - np.log(USUAL_SIDE / 2)
    along = (stretch[:, 0, 0] - stretch[:, 1, 1]) / 2
    return quads.mean(axis=1), np.column_stack((size, along, stretch[:, 0, 1], np.cos(angle), np.sin(angle)))


def sizes_of(quads: Numbers) -> Numbers:
    """Return the sides of squares as large as these quadrilaterals, n pixels."""
    first, second = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.sqrt(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2), np.float64)


def quads_of(middles: Numbers, shapes: Numbers) -> Numbers:
    """Return quadrilaterals (n x 4 x 2, pixels, clockwise) with these middles and shapes."""
    size, along, across, cos, sin = shapes.T
    angle = np.arctan2(sin, cos) / 4
    reach = np.hypot(along, across)
    ratio = np.sinh(reach) / np.maximum(reach, 1e-9)
    stretch = np.empty((len(shapes), 2, 2))
    stretch[:, 0, 0], stretch[:, 1, 1] = np.cosh(reach) + ratio * along, np.cosh(reach) - ratio * along
    stretch[:, 0, 1] = stretch[:, 1, 0] = ratio * across
    stretch *= np.exp(size)[:, None, None] * USUAL_SIDE / 2
    turn = np.stack((np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)), axis=1).reshape(-1, 2, 2)
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    return np.asarray(middles[:, None] + square @ (stretch @ turn).transpose(0, 2, 1), np.float64)


def moved_by(before: Numbers, after: Numbers) -> Numbers:
    """Return how far corners have moved between quadrilaterals, n, as the mean of four in sides of the first.

    Which corner comes first may differ.
    """
    turned = np.stack([np.roll(after, turn, axis=1) for turn in range(4)])
    apart = np.linalg.norm(turned - before, axis=3).mean(axis=2).min(axis=0)
    return np.asarray(apart / np.maximum(sizes_of(before), 1.0), np.float64)


def first_of_each(middles: Numbers, reach: Numbers) -> npt.NDArray[np.intp]:
    """Return which squares to keep: of those whose middles lie within the reach (n pixels) of either the first."""
    x, y = middles.T
    apart = np.square(x[:, None] - x) + np.square(y[:, None] - y)
    overlap = apart < np.square(np.maximum(reach[:, None], reach))
    free = np.ones(len(middles), np.bool_)
    kept: list[int] = []
    for number in range(len(middles)):
        if free[number]:
            kept.append(number)
            free &= ~overlap[number]
    return np.array(kept, np.intp)
