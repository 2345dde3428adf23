"""Locate labels in a picture at any angle, with two small convolutional nets.

The first net (weights from ``benchmarks.finder``, trained on drawn views) looks at a reduced picture with normalised
contrast and tells for each cell of a coarse grid how probably it holds a label's centre, and the label's pose in seven
numbers.  A candidate only says where a label may be, how large, rotated and sheared: the second net looks at each more
closely.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, Box, GreyPicture, Indices, Mask, Sighting
from companion.qr.zxing import resize
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


# Locate labels in a picture: candidates of the finder, refined by a second net until they are certain. Each
# candidate is cropped, turned upright and normalised; the second net tells whether a label lies there, which
# way up, and where its corners are. Corners are refined again from where the net put them, as often as that
# changes something.

MAX_CANDIDATES = 64
"""Candidates that are refined at most."""
MIN_PROBABILITY = 0.05
"""Probability of a candidate that is refined, at least."""
MIN_REFINED = (0.05, 0.1)
"""Probability after the first and after later refinements below which a candidate is dropped.

The first may start half a label off; the second, from the corners that the first found, can be certain.
"""
MIN_REFINED_PATIENTLY = (0.01, 0.05)
"""The same when unread labels are searched, from several places at each candidate."""
JITTER = 0.25
"""Offset to each side, in sides, from which candidates are refined too when unread labels are searched."""
CERTAIN, SETTLED_FIRST, SETTLED = 0.9, 0.06, 0.04
"""A candidate so probable after the first refinement, and moved by no more sides, is not refined again; one that the
second moved further than the last is refined once more."""
LIKELY, MANY = 0.5, 8
"""Probability of candidates that tell how large labels are here, and how many of them are needed."""
MAX_SIZE_RATIO = 2.0
"""Where there are so many, no label is searched that is larger than their median by more than this factor."""
OVERLAP = 0.7
"""Share of ``MAX_SIDE`` from which on symbols are searched in the reduced picture too."""
CONTEXT = 48
"""Pixels round a part of a picture that are searched with it: the surroundings of a label help to find it."""

CROP_SIDE = 48
"""Samples a side of a crop."""
CROP_REACH = 1.5
"""Half side of a crop in half sides of the symbol: quiet zone, frame, and some of the surroundings."""
BATCH = 4
"""Crops that the net takes at once."""
DOUBTFUL = 0.1
"""Probability from which on another corner is tried as the symbol's own top left too."""

SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""The corners of the square of half side 1, clockwise."""


def locate_labels(grey: GreyPicture, within: Box, known_labels: Sequence[Sighting] = ()) -> tuple[F64, F32, F32]:
    """Return where labels lie in a part of a picture, apart from known ones.

    Returns:
        Corners of symbols, n x 4 x 2 pixels, where (0, 0) is the centre of the first pixel; the probability of each, n;
        and that of each corner to be the symbol's own top left, n x 4.

    """
    left, top = (max(0, start - CONTEXT) for start in within[:2])
    part = np.ascontiguousarray(grey[top : within[3] + CONTEXT, left : within[2] + CONTEXT])
    known_here = [sighting.shift_by(-left, -top) for sighting in known_labels]
    quads, probabilities, orientations = _refine_repeatedly(part, _detect_at_scales(part, known_here), MIN_REFINED)
    quads = quads + np.array([left, top])
    centres = quads.mean(axis=1)
    inside = (centres >= within[:2]).all(axis=1) & (centres < within[2:]).all(axis=1)
    return np.asarray(quads[inside], np.float64), probabilities[inside], orientations[inside]


def locate_unread_labels(grey: GreyPicture, known_labels: Sequence[Sighting], side: float | None) -> tuple[F64, F32]:
    """Return the corners (n x 4 x 2 pixels) and probabilities of labels apart from known ones, also of unreadable ones.

    That takes three times as long as ``locate_labels``. ``side``: the usual side of symbols in pixels, if known.
    """
    candidates = _jitter(_detect_at_scales(grey, known_labels), side)
    quads, probabilities, _ = _refine_repeatedly(grey, candidates, MIN_REFINED_PATIENTLY)
    order = np.argsort(-probabilities, kind="stable")
    quads, probabilities = quads[order], probabilities[order]
    kept = non_max_suppression(quads.mean(axis=1), side_lengths(quads) / 2)
    return quads[kept], probabilities[kept]


def _jitter(quads: F64, side: float | None) -> F64:
    """Return these candidates and copies shifted to each side, all of the usual side if that is known."""
    centres, shapes = encode_boxes(quads)
    if side is not None:
        shapes[:, 0] = np.log(side / USUAL_SIDE)
    shapes[:, 1:3] /= 2
    offset = JITTER * USUAL_SIDE * np.exp(shapes[:, :1])
    directions = np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)])
    return np.concatenate([decode_boxes(centres + offset * direction, shapes) for direction in directions])


def outside_known(quads: F64, known_labels: Sequence[Sighting]) -> Mask:
    """Return which quadrilaterals have their centre in no known symbol, bool n."""
    centres = quads.mean(axis=1) + 0.5
    outside = np.ones(len(quads), np.bool_)
    for sighting in known_labels:
        outside &= np.hypot(*(centres - sighting.centre).T) > sighting.side / 2
    return outside


def _detect_at_scales(part: GreyPicture, known_labels: Sequence[Sighting]) -> F64:
    """Return the most probable candidates apart from known symbols; large ones come from reduced pictures.

    Labels on a table have about the same size: where many are seen, none is searched that is several times larger.
    """
    most = MAX_CANDIDATES + len(known_labels)
    by_scale = [detect_candidates(part, most, MIN_PROBABILITY)]
    sides = side_lengths(by_scale[0].quads[by_scale[0].probabilities >= LIKELY])
    largest = MAX_SIZE_RATIO * float(np.median(sides)) if len(sides) >= MANY else np.inf
    scale = 2
    while min(part.shape) > 2 * scale * OVERLAP * MAX_SIDE and largest > scale * MAX_SIDE / 2:
        reduced = detect_candidates(resize(part, 1 / scale), most, MIN_PROBABILITY)
        by_scale.append(reduced.enlarge(scale, MAX_SIDE * OVERLAP / 2))
        scale *= 2
    quads = np.concatenate([candidates.quads for candidates in by_scale])
    probabilities = np.concatenate([candidates.probabilities for candidates in by_scale])
    quads = quads[np.argsort(-probabilities, kind="stable")]
    return np.asarray(quads[outside_known(quads, known_labels)][:MAX_CANDIDATES], np.float64)


def _refine_repeatedly(part: GreyPicture, quads: F64, min_refined: tuple[float, float]) -> tuple[F64, F32, F32]:
    """Return the candidates refined up to three times, each time from the corners that were found before."""
    before, (quads, probabilities, orientations) = quads, refine_candidates(part, quads)
    for least, certain, settled in ((min_refined[0], CERTAIN, SETTLED_FIRST), (min_refined[1], 0.0, SETTLED)):
        kept = probabilities >= least
        displacement = measure_displacement(before[kept], quads[kept])
        quads, probabilities, orientations = quads[kept], probabilities[kept], orientations[kept]
        again = np.flatnonzero((probabilities < certain) | (displacement > settled))
        before = quads.copy()
        quads[again], probabilities[again], orientations[again] = refine_candidates(part, quads[again])
    kept = probabilities >= MIN_REFINED[-1]
    return quads[kept], probabilities[kept], orientations[kept]


def refine_candidates(grey: GreyPicture, quads: F64) -> tuple[F64, F32, F32]:
    """Return the corners of the symbols at these places, as the second net sees them.

    Args:
        grey: the picture.
        quads: n x 4 x 2 pixels; (0, 0) is the centre of the first pixel.

    Returns:
        Corners, n x 4 x 2, clockwise from the symbol's own top left; the probability that a label lies there, n; and
        that of each returned corner to be the top left after all, n x 4.

    """
    if not len(quads):
        return quads, np.empty(0, np.float32), np.empty((0, 4), np.float32)
    frames = fit_parallelograms(quads)
    output = _run_refiner(crop_parallelograms(grey, frames)).astype(np.float64)
    corners = SQUARE + output[:, 5:].reshape(-1, 4, 2)
    refined = np.einsum("nij,nkj->nki", frames[:, :, :2], corners) + frames[:, None, :, 2]
    first = output[:, 1:5].argmax(axis=1)
    turned = np.take_along_axis(refined, ((np.arange(4) - first[:, None]) % 4)[:, :, None], axis=1)
    turns = np.exp(output[:, 1:5] - output[:, 1:5].max(axis=1, keepdims=True))
    turns = np.take_along_axis(turns / turns.sum(axis=1, keepdims=True), (np.arange(4) + first[:, None]) % 4, axis=1)
    return turned, np.asarray(1 / (1 + np.exp(-output[:, 0])), np.float32), np.asarray(turns, np.float32)


def _run_refiner(crops: F32) -> F32:
    """Return the net's output, n x 13, in batches of one size, for which the net stays prepared."""
    padding = np.zeros((-len(crops) % BATCH, *crops.shape[1:]), np.float32)
    batches = np.concatenate((crops, padding)).reshape(-1, BATCH, *crops.shape[1:])
    output = np.concatenate([REFINER.infer(batch) for batch in batches])
    return np.asarray(output[: len(crops)].reshape(len(crops), -1), np.float32)


def add_orientations(quads: F64, probabilities: F32, orientations: F32) -> tuple[F64, F32]:
    """Return these symbols, and once more each that may lie another way up, turned that way."""
    number, turn = np.nonzero(orientations[:, 1:] >= DOUBTFUL)
    turned = [np.roll(quads[n], t + 1, axis=0) for n, t in zip(number, turn, strict=True)]
    all_quads = np.concatenate((quads, *(quad[None] for quad in turned)))
    return all_quads, np.concatenate((probabilities, probabilities[number]))


def fit_parallelograms(quads: F64) -> F64:
    """Return the affine maps from the square of half side 1 to the nearest parallelograms, n x 2 x 3."""
    across = (quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]) / 4
    down = (quads[:, 3] - quads[:, 0] + quads[:, 2] - quads[:, 1]) / 4
    return np.stack((across, down, quads.mean(axis=1)), axis=2)


def crop_parallelograms(grey: GreyPicture, frames: F64) -> F32:
    """Return what lies under these affine maps, with normalised contrast: float32 n x 1 x CROP_SIDE x CROP_SIDE."""
    x, y = (frames.astype(np.float32) @ _crop_points()).transpose(1, 0, 2)
    crops = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    crops = crops.reshape(len(frames), -1)
    crops -= crops.mean(axis=1, keepdims=True)
    crops /= np.sqrt(np.square(crops).mean(axis=1, keepdims=True) + np.float32(MIN_CONTRAST**2))
    return np.asarray(crops.reshape(-1, 1, CROP_SIDE, CROP_SIDE), np.float32)


@cache
def _crop_points() -> F32:
    """Return the samples of a crop in homogeneous coordinates, 3 x CROP_SIDE^2."""
    ticks = (((np.arange(CROP_SIDE) + 0.5) / CROP_SIDE * 2 - 1) * CROP_REACH).astype(np.float32)
    across, down = np.meshgrid(ticks, ticks)
    return np.stack((across.ravel(), down.ravel(), np.ones(CROP_SIDE * CROP_SIDE, np.float32)))
