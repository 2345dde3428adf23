"""Detect where labels may lie in a picture, at any angle, with a small convolutional net.

The net (weights from ``benchmarks.finder``, trained on drawn views) looks at a reduced picture with normalised contrast
and tells for each cell of a coarse grid how probably it holds a label's centre, and the label's pose in seven numbers.
A candidate only says where a label may be, how large, rotated and sheared: ``refine`` looks at each more closely.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, GreyPicture, Indices
from companion.resources import packaged_path

USUAL_SIDE = 36.0
"""Side in pixels of a symbol whose encoded size is 0."""

MAX_SIDE = 72
"""Side in pixels up to which symbols are found; for larger ones the picture is reduced first."""
REDUCTION = 2
"""The net sees the picture reduced by this factor."""
STRIDE = 16
"""Pixels of the picture from one cell of the net's grid to the next."""
CONTRAST_WINDOW, COARSENESS = 32, 4
"""Pixels of the reduced picture over which contrast is normalised, and by what factor the means are coarser."""
MIN_CONTRAST = 2.0
"""Grey levels of contrast that are assumed at least, so that noise is not amplified."""
MIN_DISTANCE = 0.7
"""Distance of two centres at least, in sides of the larger symbol."""

MAX_COPIES = 4
"""Copies of a net that are kept, each prepared for pictures of one size."""

# From 5.0 on OpenCV has a second engine, which is slower for nets as small as these.
_ENGINE: Iterable[int] = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()


class Net:
    """A convolutional net, run by OpenCV, for use by any thread.

    Each call takes a free copy, because a copy serves one call at a time. Preparing a copy for another size of picture
    takes about a fifth of the time of a call.
    """

    def __init__(self, name: str) -> None:
        """Use the weights of that name, which are loaded on first use."""
        self._name = name
        self._free: list[_Copy] = []

    def load(self) -> None:
        """Load a copy, unless there is one already."""
        if not self._free:
            self._free.append(_Copy((), self._read()))

    def infer(self, pictures: F32) -> F32:
        """Return the net's output, n x planes x rows x columns, for pictures (float32 n x 1 x height x width)."""
        net = self._take_copy(pictures.shape)
        net.setInput(pictures)
        output = np.array(net.forward(), np.float32)
        self._free.append(_Copy(pictures.shape, net))
        del self._free[:-MAX_COPIES]
        return output

    def _take_copy(self, shape: tuple[int, ...]) -> cv2.dnn.Net:
        """Return a copy prepared for that shape, or a new one, or else the one unused for longest.

        Each operation on the list is atomic; of two threads that want the same copy the second takes another.
        """
        for copy in tuple(self._free):
            if copy.shape in (shape, ()):
                try:
                    self._free.remove(copy)
                except ValueError:
                    continue
                return copy.net
        if len(self._free) >= MAX_COPIES:
            try:
                return self._free.pop(0).net
            except IndexError:
                pass
        return self._read()

    def _read(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(packaged_path("vision", "deck", f"{self._name}.onnx")), *_ENGINE)


@dataclass(frozen=True, slots=True, eq=False)
class _Copy:
    """A copy of a net, and the shape of its last input; empty before the first."""

    shape: tuple[int, ...]
    net: cv2.dnn.Net


FINDER = Net("finder")
REFINER = Net("closer")


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Where labels may lie, the most probable first.

    ``quads``: corners of symbols, float64 n x 4 x 2 pixels; (0, 0) is the centre of the first pixel, and which corner
    is the symbol's own top left is not known. ``probabilities``: n.
    """

    quads: F64
    probabilities: F32

    def enlarge(self, scale: int, min_side: float) -> "Candidates":
        """Return candidates of at least that side, in a picture ``scale`` times as large."""
        large = side_lengths(self.quads) >= min_side
        return Candidates(scale * self.quads[large] + (scale - 1) / 2, self.probabilities[large])


def detect_candidates(grey: GreyPicture, most: int, min_probability: float) -> Candidates:
    """Return at most so many places where labels may lie, each at least so probable."""
    output = _run_finder(normalise_contrast(grey))
    probabilities = output[0]
    is_maximum = probabilities >= cv2.dilate(probabilities, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(is_maximum & (probabilities >= min_probability))
    order = np.argsort(-probabilities[rows, columns], kind="stable")[: 3 * most]
    rows, columns = rows[order], columns[order]
    numbers = output[1:, rows, columns].T.astype(np.float64)
    centres = (np.column_stack((columns, rows)) + 0.5 + numbers[:, :2]) * STRIDE - 0.5
    quads = decode_boxes(centres, numbers[:, 2:])
    kept = non_max_suppression(centres, MIN_DISTANCE * np.exp(numbers[:, 2]) * USUAL_SIDE)[:most]
    return Candidates(quads[kept], probabilities[rows, columns][kept])


def normalise_contrast(grey: GreyPicture) -> F32:
    """Return the net's input: the reduced picture minus its local mean, divided by its local standard deviation."""
    height, width = (max(1, size // REDUCTION) for size in grey.shape)
    size, coarse = (width, height), (max(1, width // COARSENESS), max(1, height // COARSENESS))
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
    deviation = small - _local_mean(small, coarse, size)
    contrast = np.sqrt(_local_mean(deviation * deviation, coarse, coarse) + np.float32(MIN_CONTRAST**2))
    return np.asarray(deviation * cv2.resize(1 / contrast, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _local_mean(picture: F32, coarse: tuple[int, int], size: tuple[int, int]) -> F32:
    """Return the local mean, computed at a coarse size and resized to ``size``."""
    window = (CONTRAST_WINDOW // COARSENESS,) * 2
    means = cv2.blur(cv2.resize(picture, coarse, interpolation=cv2.INTER_AREA), window)
    return np.asarray(cv2.resize(means, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _run_finder(picture: F32) -> F32:
    """Return for each cell the probability that it holds a label's centre, and seven numbers: 8 x rows x columns."""
    cells = STRIDE // REDUCTION
    down, right = (-size % cells for size in picture.shape)
    padded = cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_CONSTANT, value=(0,))
    output = FINDER.infer(np.asarray(padded[None, None], np.float32))[0]
    output[0] = 1 / (1 + np.exp(-output[0]))
    return np.asarray(output, np.float32)


# Boxes: parallelograms in numbers that change smoothly with rotation. A quarter turn leaves a square the same, so its
# angle is encoded by sine and cosine of four times it, and its stretch by the logarithm of a symmetric matrix.


def encode_boxes(quads: F64) -> tuple[F64, F64]:
    """Return the centres (n x 2 pixels) and shapes (n x 5) of quadrilaterals (n x 4 x 2); perspective is left out.

    A shape is: logarithm of the size, two components of the stretch, cosine and sine of four times the angle.
    """
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 4
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 4
    first, sizes, second = np.linalg.svd(np.stack((across, down), axis=2))
    stretch = first @ (np.log(np.maximum(sizes, 1e-3))[:, :, None] * first.transpose(0, 2, 1))
    rotation = first @ second
    angle = 4 * np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])
    size = (stretch[:, 0, 0] + stretch[:, 1, 1]) / 2 - np.log(USUAL_SIDE / 2)
    along = (stretch[:, 0, 0] - stretch[:, 1, 1]) / 2
    return quads.mean(axis=1), np.column_stack((size, along, stretch[:, 0, 1], np.cos(angle), np.sin(angle)))


def decode_boxes(centres: F64, shapes: F64) -> F64:
    """Return quadrilaterals (n x 4 x 2 pixels, clockwise) with these centres and shapes."""
    size, along, across, cos, sin = shapes.T
    angle = np.arctan2(sin, cos) / 4
    length = np.hypot(along, across)
    ratio = np.sinh(length) / np.maximum(length, 1e-9)
    stretch = np.empty((len(shapes), 2, 2))
    stretch[:, 0, 0], stretch[:, 1, 1] = np.cosh(length) + ratio * along, np.cosh(length) - ratio * along
    stretch[:, 0, 1] = stretch[:, 1, 0] = ratio * across
    stretch *= np.exp(size)[:, None, None] * USUAL_SIDE / 2
    rotation = np.stack((np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)), axis=1).reshape(-1, 2, 2)
    square = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    return np.asarray(centres[:, None] + square @ (stretch @ rotation).transpose(0, 2, 1), np.float64)


def side_lengths(quads: F64) -> F64:
    """Return the sides of squares of the same area as these quadrilaterals, n pixels."""
    first, second = quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1]
    return np.asarray(np.sqrt(np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2), np.float64)


def measure_displacement(before: F64, after: F64) -> F64:
    """Return how far corners moved between quadrilaterals, n: the mean of four, in sides of the first.

    Which corner comes first may differ.
    """
    rolled = np.stack([np.roll(after, turn, axis=1) for turn in range(4)])
    distances = np.linalg.norm(rolled - before, axis=3).mean(axis=2).min(axis=0)
    return np.asarray(distances / np.maximum(side_lengths(before), 1.0), np.float64)


def non_max_suppression(centres: F64, reach: F64) -> Indices:
    """Return the indices of squares to keep, in order; one within the reach (n pixels) of a kept one is dropped."""
    x, y = centres.T
    distances = np.square(x[:, None] - x) + np.square(y[:, None] - y)
    overlap = distances < np.square(np.maximum(reach[:, None], reach))
    free = np.ones(len(centres), np.bool_)
    kept: list[int] = []
    for number in range(len(centres)):
        if free[number]:
            kept.append(number)
            free &= ~overlap[number]
    return np.array(kept, np.intp)
