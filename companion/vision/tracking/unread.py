"""Find labels that lie in view and cannot be read, each with the reason."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.qr.reader import MAX_DOUBLED_PIXELS, MIN_SIDE
from companion.qr.sighting import F32, F64, Corners, GreyPicture, Picture, Sighting
from companion.qr.zxing import resize
from companion.vision.deck.finder import locate_unread_labels, side_lengths
from companion.vision.label.legibility import UnreadReason, explain_unread, measure_ink_share
from companion.vision.label.match import concatenate_fits, fit_labels
from companion.vision.label.pattern import (
    HALF,
    USUAL_BLUR,
    homographies_from_quads,
    homographies_from_sightings,
)
from companion.vision.read import MAX_KNOWN_LABELS, estimate_common_blur, to_grey

MIN_PROBABILITY, MIN_CORRELATION = 0.9, 0.45
"""Probability by the net and correlation with the pattern from which on a candidate is reported as a label."""
MIN_CUT_PROBABILITY, MIN_CUT_CORRELATION = 0.3, 0.6
"""The same for a label that reaches out of the picture: what is left of it looks little like a label and fits well."""
SAME_LABEL = 0.7
"""Sides from the centre of a label that was read within which a candidate is the same label."""
MIN_INK, MIN_COVERED_INK = 0.25, 0.15
"""Dark share of a symbol, and of a covered one. White dice with dark pips resemble labels, but have less."""
MIN_SIZE_RATIO, MAX_SIZE_RATIO, MIN_SEEN = 0.5, 1.6, 3
"""Size relative to the labels that were read, applied if there are so many: artwork has any size."""


@dataclass(frozen=True, slots=True)
class UnreadLabel:
    """A label that could not be read: the corners of its symbol in pixels, and the reason."""

    corners: Corners
    reason: UnreadReason


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The corners of what may be a label, its probability by the net, and its correlation with the pattern."""

    corners: Corners
    probability: float
    correlation: float


def find_unread_labels(picture: Picture, seen: Sequence[Sighting]) -> tuple[UnreadLabel, ...]:
    """Return labels in a picture (grey, or blue, green, red) apart from those that were read (``seen``).

    Labels that are hidden too well to be recognised as labels are not found.
    """
    whole, factor = to_grey(picture), 1
    grey = whole
    if min(grey.shape) < MIN_SIDE:
        return ()
    while grey.size > MAX_DOUBLED_PIXELS:
        factor, grey = 2 * factor, resize(grey, 0.5)
    known_labels = tuple(sighting.scale_by(1 / factor) for sighting in seen)
    usual = float(np.median([sighting.side for sighting in seen])) if len(seen) >= MIN_SEEN else None
    quads, probabilities = locate_unread_labels(grey, known_labels, None if usual is None else usual / factor)
    correlations = _correlate_with_pattern(grey, quads, known_labels)
    quads = factor * (quads + 0.5)
    possible = probabilities >= MIN_CUT_PROBABILITY
    for sighting in seen:
        possible &= np.hypot(*(quads.mean(axis=1) - sighting.centre).T) > SAME_LABEL * sighting.side
    if usual is not None:
        possible &= (side_lengths(quads) > MIN_SIZE_RATIO * usual) & (side_lengths(quads) < MAX_SIZE_RATIO * usual)
    candidates = (
        _Candidate(_to_corners(quad), float(probability), float(correlation))
        for quad, probability, correlation in zip(
            quads[possible], probabilities[possible], correlations[possible], strict=True
        )
    )
    explained = ((candidate, explain_unread(whole, candidate.corners)) for candidate in candidates)
    return tuple(
        UnreadLabel(candidate.corners, reason) for candidate, reason in explained if _is_label(whole, candidate, reason)
    )


def _correlate_with_pattern(grey: GreyPicture, quads: F64, seen: Sequence[Sighting]) -> F32:
    """Return the correlation of each candidate with the pattern of labels, under the blur of the picture."""
    rough = fit_labels(grey, homographies_from_quads(quads.astype(np.float32), HALF), USUAL_BLUR)
    known_fits = fit_labels(grey, homographies_from_sightings(tuple(seen[:MAX_KNOWN_LABELS])), USUAL_BLUR)
    blur = estimate_common_blur(grey, concatenate_fits(known_fits, rough))
    return fit_labels(grey, rough.homographies, blur).correlations


def _is_label(grey: GreyPicture, candidate: _Candidate, reason: UnreadReason) -> bool:
    """Return whether a candidate is a label rather than artwork or a die; under a highlight little of a label fits."""
    if reason == "cut":
        return candidate.correlation >= MIN_CUT_CORRELATION
    if candidate.probability < MIN_PROBABILITY:
        return False
    if reason == "glare":
        return True
    least = MIN_COVERED_INK if reason == "covered" else MIN_INK
    return candidate.correlation >= MIN_CORRELATION and measure_ink_share(grey, candidate.corners) > least


def _to_corners(quad: F64) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
