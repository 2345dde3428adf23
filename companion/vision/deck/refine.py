"""Locate labels in a picture: candidates of the finder, refined by a second net until they are certain.

Each candidate is cropped, turned upright and normalised; the second net tells whether a label lies there, which way up,
and where its corners are. Corners are refined again from where the net put them, as often as that changes something.
"""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, Box, GreyPicture, Mask, Sighting
from companion.qr.zxing import resize
from companion.vision.deck.finder import (
    MAX_SIDE,
    REFINER,
    USUAL_SIDE,
    decode_boxes,
    detect_candidates,
    encode_boxes,
    measure_displacement,
    non_max_suppression,
    side_lengths,
)

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
MIN_CONTRAST = 2.0
"""Grey levels of contrast that are assumed at least, so that noise is not amplified."""
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
