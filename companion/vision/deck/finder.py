"""Finds labels in a picture, at any angle, by a small net that has seen many drawn ones (``benchmarks.finder``).

What it finds is only worth a closer look: where a label may be, how large, how turned and how aslant.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey
from companion.resources import packaged_path

# --- squares
# The shapes of small squares in a picture, in seven numbers that change smoothly however they are turned. A
# square that is turned by a quarter is the same one, so its turn is told by the sine and cosine of four times
# its angle; how it is stretched, by the logarithm of a symmetric matrix. What perspective does within it is
# left out.

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


# --- nets
# The small nets that look for labels, run by OpenCV: ``benchmarks.finder`` made their weights.

Floats = npt.NDArray[np.float32]


MOST_COPIES = 4
"""Copies of a net that are kept, each made ready for pictures of one size."""


class Net:
    """One net.  Any thread may ask it: each call takes a copy that is free, for a copy answers one at a time.

    Getting ready for pictures of another size takes a copy about a fifth of the time that it then answers in.
    """

    def __init__(self, name: str) -> None:
        """Take the weights of that name, which are loaded when somebody asks first."""
        self._name = name
        self._free: list[_Copy] = []

    def load(self) -> None:
        """Load a copy, unless there is one already."""
        if not self._free:
            self._free.append(_Copy((), self._read()))

    def answers(self, given: Floats) -> Floats:
        """Return what the net says to pictures: float32 n x 1 x height x width to n x planes x rows x columns."""
        net = self._taken(given.shape)
        net.setInput(given)
        told = np.array(net.forward(), np.float32)
        self._free.append(_Copy(given.shape, net))
        del self._free[:-MOST_COPIES]
        return told

    def _taken(self, shape: tuple[int, ...]) -> cv2.dnn.Net:
        """Return a copy that is ready for that shape, or a new one, or else the one that waited longest.

        Each step on the list is one for all threads; whoever comes second takes another.
        """
        for copy in tuple(self._free):
            if copy.shape in (shape, ()):
                try:
                    self._free.remove(copy)
                except ValueError:
                    continue
                return copy.net
        if len(self._free) >= MOST_COPIES:
            try:
                return self._free.pop(0).net
            except IndexError:
                pass
        return self._read()

    def _read(self) -> cv2.dnn.Net:
        return cv2.dnn.readNetFromONNX(str(packaged_path("vision", "deck", f"{self._name}.onnx")), *_ENGINE)


@dataclass(frozen=True, slots=True, eq=False)
class _Copy:
    """A copy of a net, and the shape of the pictures that it was asked about last; empty if it never was."""

    shape: tuple[int, ...]
    net: cv2.dnn.Net


# From 5.0 on OpenCV has a second engine, which is the slower one for nets as small as these.
_ENGINE: Iterable[int] = (cv2.dnn.ENGINE_CLASSIC,) if hasattr(cv2.dnn, "ENGINE_CLASSIC") else ()

FINDER = Net("finder")
CLOSER = Net("closer")


LARGEST_SIDE = 72
"""Pixels: larger symbols are found in a picture that is reduced before."""
REDUCED = 2
"""The net looks at a picture half as large."""
STRIDE = 16
"""Pixels of the picture from one answer to the next."""
AROUND, COARSER = 32, 4
"""Pixels of the reduced picture over which light and contrast are evened out, and how many times coarser that is."""
LEAST_CONTRAST = 2.0
"""Grey levels: where there is less, it is noise."""
APART = 0.7
"""Sides of the larger symbol that two middles are apart at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where labels may be, the likeliest first: corners of symbols, float64 n x 4 x 2 pixels, and how likely, n.

    (0, 0) is the middle of the first pixel; which corner is the symbol's own first is not known.
    """

    quads: npt.NDArray[np.float64]
    likely: Floats

    def enlarged(self, scale: int, least: float) -> "Places":
        """Return the places with sides of so many pixels at least, in a picture so many times as large."""
        large = sizes_of(self.quads) >= least
        return Places(scale * self.quads[large] + (scale - 1) / 2, self.likely[large])


def places_in(grey: Grey, most: int, least: float) -> Places:
    """Return at most so many places where labels may be, each at least so likely (0 to 1)."""
    told = _answers(evened(grey))
    likely = told[0]
    highest = likely >= cv2.dilate(likely, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero(highest & (likely >= least))
    order = np.argsort(-likely[rows, columns], kind="stable")[: 3 * most]
    rows, columns = rows[order], columns[order]
    own = told[1:, rows, columns].T.astype(np.float64)
    middles = (np.column_stack((columns, rows)) + 0.5 + own[:, :2]) * STRIDE - 0.5
    quads = quads_of(middles, own[:, 2:])
    keep = first_of_each(middles, APART * np.exp(own[:, 2]) * USUAL_SIDE)[:most]
    return Places(quads[keep], likely[rows, columns][keep])


def evened(grey: Grey) -> Floats:
    """Return the reduced picture with light and contrast evened out: what the net looks at."""
    height, width = (max(1, size // REDUCED) for size in grey.shape)
    size, coarse = (width, height), (max(1, width // COARSER), max(1, height // COARSER))
    small = np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)
    off = small - _around(small, coarse, size)
    contrast = np.sqrt(_around(off * off, coarse, coarse) + np.float32(LEAST_CONTRAST**2))
    return np.asarray(off * cv2.resize(1 / contrast, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _around(shown: Floats, coarse: tuple[int, int], size: tuple[int, int]) -> Floats:
    """Return the means of what is shown around, reckoned on a coarse picture, in another size."""
    means = cv2.blur(cv2.resize(shown, coarse, interpolation=cv2.INTER_AREA), (AROUND // COARSER,) * 2)
    return np.asarray(cv2.resize(means, size, interpolation=cv2.INTER_LINEAR), np.float32)


def _answers(picture: Floats) -> Floats:
    """Return what the net says: for each cell how likely it holds a label's middle, and seven numbers about it."""
    cells = STRIDE // REDUCED
    down, right = (-size % cells for size in picture.shape)
    whole = cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_CONSTANT, value=(0,))
    told = FINDER.answers(np.asarray(whole[None, None], np.float32))[0]
    told[0] = 1 / (1 + np.exp(-told[0]))
    return np.asarray(told, np.float32)
