"""Read the QR codes in a picture, and the labels of a known deck.

Any code is read by decoders that must understand it (``companion.qr.reader``); labels of a deck also by comparison with
all texts that they may bear.
"""

from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.reader import MAX_DOUBLED_PIXELS, MIN_SIDE, read_qr_codes
from companion.qr.sighting import (
    F32,
    F64,
    Box,
    GreyPicture,
    Mask,
    Picture,
    Sighting,
    remove_duplicates,
    split_duplicates,
)
from companion.qr.zxing import decode_with_zxing, resize
from companion.vision.deck.finder import FINDER, REFINER, add_orientations, locate_labels, outside_known
from companion.vision.label.match import (
    DeckGrids,
    LabelFits,
    Matches,
    build_grids,
    concatenate_fits,
    estimate_blur,
    fit_labels,
    match_labels,
)
from companion.vision.label.pattern import (
    HALF,
    USUAL_BLUR,
    Blur,
    Homographies,
    centres_of,
    corners_of,
    homographies_from_quads,
    homographies_from_sightings,
    rectify_label,
    render_blurred_pattern,
    sides_of,
)
from companion.vision.label.tag import Deck, parse_tag

# The labels of a known deck, by comparison, where a decoder that must understand any code fails. Labels are located by
# two small nets, their corners fitted to the pattern that all labels share, and each rectified symbol matched with the
# deck's texts. A match is accepted by its confidence. Each label is judged by itself: how others lie is not used.

MIN_ROUGH_CORRELATION, MIN_CORRELATION = 0.35, 0.33
"""Correlation with the pattern of labels, after the first and the last fit, below which there is no label."""
ROUGH_STEPS, FINE_STEPS = 3, 4
"""Gauss-Newton steps of the first fit, and of the last."""
MAX_BLUR_LABELS = 6
"""Best fitted labels from which the blur of a picture is estimated."""
MIN_BLUR_CORRELATION = 0.5
"""Their correlation with the pattern at least."""
MAX_KNOWN_LABELS = 16
"""Known labels that are fitted again for that estimate."""
UNKNOWN_LABEL = 0.66
"""Correlation from which on what matches no text is reported as a label that does not belong to the deck."""

MIN_CONFIDENCE = 0.92
MIN_MARGIN = 0.25
MIN_MARGIN_SIGMA = 3.2
MIN_MATCH_CORRELATION = 0.33
"""Below any of these a match may be any text, whatever else speaks for it."""
MIN_ENERGY = 0.95
"""Lower clamp for the energy in the logistic model."""
MIN_LABEL_DISTANCE = 1.0
"""Sides of a symbol between the centres of two labels at least: labels do not overlap."""

# The logistic model of the confidence.
_INTERCEPT = -12.02
_BY_MARGIN_SIGMA, _BY_CORRELATION, _BY_RESIDUAL_RATIO = 4.48, 11.02, -5.22
_BY_PRESENCE, _BY_ENERGY, _BY_Z_SCORE = 0.807, -12.25, 2.84


@dataclass(frozen=True, slots=True, eq=False)
class MatchedLabels:
    """n labels fitted to a picture, what each matches, and the net's probability that a label lies there (n)."""

    fits: LabelFits
    matches: Matches
    presence: F32


@dataclass(frozen=True, slots=True, eq=False)
class DeckReading:
    """The labels that were matched, and homographies of labels that match no text of the deck."""

    sightings: tuple[Sighting, ...]
    unknown: Homographies


def read_deck(
    grey: GreyPicture,
    deck: Deck,
    print_runs: frozenset[int],
    known_labels: tuple[Sighting, ...] = (),
    within: Box | None = None,
) -> DeckReading:
    """Match the framed labels in a picture with the texts of a deck, apart from known labels.

    The most certain come first, then others of the same texts at other places.

    Args:
        grey: the picture.
        deck: whose cards' labels are matched.
        print_runs: the print runs of these labels.
        known_labels: labels that were read already; they help to estimate the blur, wherever they lie.
        within: the part of the picture in which labels are searched; all of it if not given.

    """
    grids = build_grids(deck, print_runs)
    known_fits = fit_labels(grey, homographies_from_sightings(known_labels[:MAX_KNOWN_LABELS]), USUAL_BLUR, ROUGH_STEPS)
    quads, presence = add_orientations(
        *locate_labels(grey, within or (0, 0, grey.shape[1], grey.shape[0]), known_labels)
    )
    outside = outside_known(quads, known_labels)
    homographies = homographies_from_quads(quads[outside].astype(np.float32), HALF)
    rough, presence = fit_roughly(grey, homographies, presence[outside])
    blur = estimate_common_blur(grey, concatenate_fits(known_fits, rough))
    return _accept_matches(fit_and_match(grey, rough, presence, grids, blur), grids, deck)


def fit_roughly(grey: GreyPicture, homographies: Homographies, presence: F32) -> tuple[LabelFits, F32]:
    """Return labels fitted under the usual blur, with their presence; what does not resemble a label is dropped."""
    fits = fit_labels(grey, homographies, USUAL_BLUR, ROUGH_STEPS, sparse=True)
    kept = fits.correlations >= MIN_ROUGH_CORRELATION
    return fits[kept], presence[kept]


def estimate_common_blur(grey: GreyPicture, rough: LabelFits) -> Blur:
    """Return the blur of a picture, from the labels that fit best; the usual blur without any."""
    best = rough[np.argsort(-rough.correlations)[:MAX_BLUR_LABELS]]
    best = best[best.correlations >= MIN_BLUR_CORRELATION]
    blur = USUAL_BLUR
    for _ in range(2 if len(best.correlations) else 0):
        blur = estimate_blur(grey, best, blur)
    return blur


def fit_and_match(grey: GreyPicture, rough: LabelFits, presence: F32, grids: DeckGrids, blur: Blur) -> MatchedLabels:
    """Return labels fitted under the picture's blur and matched with the deck."""
    fine = fit_labels(grey, rough.homographies, blur, FINE_STEPS)
    kept = fine.correlations >= MIN_CORRELATION
    return MatchedLabels(fine[kept], match_labels(grey, fine[kept], grids, blur), presence[kept])


def _accept_matches(labels: MatchedLabels, grids: DeckGrids, deck: Deck) -> DeckReading:
    accepted, confidence = is_certain(labels) & ~is_overlapped(labels), compute_confidence(labels)
    sightings = tuple(
        Sighting(
            grids.texts[labels.matches.best[number]],
            corners_of(labels.fits.homographies[number]),
            "matched",
            float(confidence[number]),
        )
        for number in np.flatnonzero(accepted)[np.argsort(-labels.matches.margin[accepted])]
    )
    unique, duplicates = split_duplicates(sightings, deck.unique_text)
    unknown = ~accepted & (labels.fits.correlations >= UNKNOWN_LABEL)
    return DeckReading(unique + duplicates, labels.fits.homographies[unknown])


def compute_confidence(labels: MatchedLabels) -> F32:
    """Return the probability that each label carries the text that it matches best, n.

    A logistic model of margin, correlation, residual ratio, energy, z-score and presence, fitted to drawn views
    (``benchmarks.finder``) of which half of the cards were taken out of the deck, and checked on other pictures:
    ``docs/reading.md``.
    """
    matches = labels.matches
    logit = (
        _INTERCEPT
        + _BY_MARGIN_SIGMA * _log(matches.margin_sigma)
        + _BY_CORRELATION * labels.fits.correlations
        + _BY_RESIDUAL_RATIO * _log(matches.residual_ratio)
    )
    logit = (
        logit
        + _BY_PRESENCE * _log_odds(labels.presence)
        + _BY_ENERGY * np.maximum(matches.energy, MIN_ENERGY)
        + _BY_Z_SCORE * matches.z_score
    )
    return np.asarray(1 / (1 + np.exp(-np.clip(logit, -50, 50))), np.float32)


def _log(values: npt.NDArray[np.floating]) -> F32:
    return np.asarray(np.log(np.maximum(values, 0.1)), np.float32)


def _log_odds(probabilities: F32) -> F32:
    clipped = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.asarray(np.clip(np.log(clipped / (1 - clipped)), -3, 8), np.float32)


def is_certain(labels: MatchedLabels) -> Mask:
    """Return which labels match a text of the deck with enough confidence, bool n."""
    return np.asarray(is_plausible(labels) & (compute_confidence(labels) >= MIN_CONFIDENCE), np.bool_)


def is_plausible(labels: MatchedLabels) -> Mask:
    """Return which labels match a text of the deck well enough to be considered, bool n."""
    matches = labels.matches
    leads = (matches.margin >= MIN_MARGIN) & (matches.margin_sigma >= MIN_MARGIN_SIGMA)
    return np.asarray(matches.in_deck & leads & (labels.fits.correlations >= MIN_MATCH_CORRELATION), np.bool_)


def is_overlapped(labels: MatchedLabels) -> Mask:
    """Return which labels lie where one with another text fits better, bool n."""
    centres, sides = centres_of(labels.fits.homographies), sides_of(labels.fits.homographies)
    distances = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    better = labels.fits.correlations[None] > labels.fits.correlations[:, None]
    another = labels.matches.best[None] != labels.matches.best[:, None]
    return np.asarray((better & another & (distances < MIN_LABEL_DISTANCE * sides[None])).any(axis=1), np.bool_)


ReadMode: TypeAlias = Literal["picture", "frame"]
"""A single picture is worth every attempt; a frame has a successor, so only what pays is done."""

FIRST_PRINT_RUN = 1
"""The print run that is always matched; each further one brings as many texts that may be confused."""
_MAX_KEPT_BYTES = 30 << 20
"""The C library never keeps larger allocations."""


# Read a picture, a frame or a part of one.


def to_grey(picture: Picture) -> GreyPicture:
    """Return a picture in grey.

    Raises:
        ValueError: if the array is no uint8 picture of one or three channels.

    """
    if picture.dtype != np.uint8 or not (picture.ndim == 2 or (picture.ndim == 3 and picture.shape[2] == 3)):  # noqa: PLR2004 - axes
        reason = f"not a picture: {picture.dtype} {picture.shape}"
        raise ValueError(reason)
    if picture.ndim == 2:  # noqa: PLR2004 - axes
        return np.ascontiguousarray(picture)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def read_codes(grey: GreyPicture, mode: ReadMode = "picture", deck: Deck | None = None) -> tuple[Sighting, ...]:
    """Return the QR codes in a picture, one sighting for each place; with a deck only its labels, each text once.

    Args:
        grey: the picture.
        mode: ``frame`` reads it as it is and at twice its size; ``picture`` also in renderings, while that is worth its
            cost.
        deck: if given, what zxing-cpp does not decode is matched with the deck's texts; renderings are only read of a
            picture that shows no label of it then.

    """
    if min(grey.shape) < MIN_SIDE:
        return ()
    if deck is not None:
        sightings, _ = split_duplicates(_read_with_deck(grey, mode, deck), deck.unique_text)
        return sightings if sightings or mode == "frame" else filter_deck(read_qr_codes(grey), deck)
    if mode == "picture":
        return read_qr_codes(grey)
    sightings = decode_with_zxing(grey, quick=True)
    if grey.size <= MAX_DOUBLED_PIXELS:
        sightings += decode_with_zxing(resize(grey, 2.0), quick=True, scale=2.0)
    return remove_duplicates(sightings)


def read_frame(grey: GreyPicture, deck: Deck) -> tuple[Sighting, ...]:
    """Return all labels of a deck in a frame, the most certain first; two may bear the same text."""
    return _read_with_deck(grey, "frame", deck) if min(grey.shape) >= MIN_SIDE else ()


def read_part(grey: GreyPicture, deck: Deck, part: Box, known_labels: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Return the labels of a deck in one part of a frame, apart from known labels.

    Several may bear the same text, also that of a known label. Known labels help to estimate the blur. A large part is
    read at a reduced size, as a large frame is.
    """
    left, top, right, bottom = part
    factor, reduced = reduce_for_search(grey, (right - left) * (bottom - top))
    left, top, right, bottom = within = (left // factor, top // factor, right // factor, bottom // factor)
    cut = np.ascontiguousarray(reduced[top:bottom, left:right])
    if min(cut.shape) < MIN_SIDE:
        return ()
    in_deck = filter_deck(decode_with_zxing(cut, quick=True), deck)
    decoded = tuple(sighting.shift_by(left, top) for sighting in in_deck)
    known_there = tuple(sighting.scale_by(1 / factor) for sighting in known_labels)
    reading = read_deck(reduced, deck, _print_runs_of(known_labels + decoded), decoded + known_there, within)
    new = tuple(sighting.scale_by(factor) for sighting in decoded + reading.sightings)
    unknown = (_enlarge(homography, factor) for homography in reading.unknown)
    rectified = tuple(sighting for homography in unknown for sighting in _decode_rectified(grey, homography))
    return remove_duplicates(known_labels + new + filter_deck(rectified, deck))[len(known_labels) :]


def filter_deck(sightings: tuple[Sighting, ...], deck: Deck) -> tuple[Sighting, ...]:
    """Return the labels of this deck, of any print run; other codes on the table are ignored."""
    return tuple(sighting for sighting in sightings if deck.card_of(sighting.text) is not None)


def _read_with_deck(grey: GreyPicture, mode: ReadMode, deck: Deck) -> tuple[Sighting, ...]:
    """Return a deck's labels: decoded if that suffices, else matched, else decoded after rectification.

    Matched are the labels of the first print run and of each run that was decoded in this picture; those of other runs
    are only decoded. In a large picture labels are located at a reduced size, and what matches nothing there is decoded
    at the full one.
    """
    factor, reduced = reduce_for_search(grey, grey.size)
    decoded_in, scale = (reduced, factor) if mode == "frame" else (grey, 1)
    in_deck = filter_deck(decode_with_zxing(decoded_in, quick=mode == "frame"), deck)
    decoded = tuple(sighting.scale_by(scale) for sighting in in_deck)
    known_labels = tuple(sighting.scale_by(1 / factor) for sighting in decoded)
    reading = read_deck(reduced, deck, _print_runs_of(decoded), known_labels)
    matched = tuple(sighting.scale_by(factor) for sighting in reading.sightings)
    unknown = (_enlarge(homography, factor) for homography in reading.unknown)
    rectified = tuple(sighting for homography in unknown for sighting in _decode_rectified(grey, homography))
    return remove_duplicates(decoded + matched + filter_deck(rectified, deck))


def reduce_for_search(grey: GreyPicture, searched: int) -> tuple[int, GreyPicture]:
    """Return the factor by which a picture of which so many pixels are searched is reduced, and the reduced picture."""
    factor, reduced = 1, grey
    while searched > MAX_DOUBLED_PIXELS * factor**2:
        factor, reduced = 2 * factor, resize(reduced, 0.5)
    return factor, reduced


def _print_runs_of(sightings: tuple[Sighting, ...]) -> frozenset[int]:
    """Return the print runs whose labels are matched: the first, and those that were seen."""
    runs = {tag.print_run for sighting in sightings if (tag := parse_tag(sighting.text)) is not None}
    return frozenset({FIRST_PRINT_RUN} | runs)


def _enlarge(homography: F64, factor: int) -> F64:
    """Return the homography to a picture ``factor`` times as large; (0, 0) is the centre of its first pixel."""
    offset = (factor - 1) / 2
    return np.asarray(np.array([[factor, 0, offset], [0, factor, offset], [0, 0, 1]]) @ homography, np.float64)


def _decode_rectified(grey: GreyPicture, homography: F64) -> tuple[Sighting, ...]:
    """Return the label with this homography, decoded after rectification; none if that fails."""
    corners = corners_of(homography)
    decoded = decode_with_zxing(rectify_label(grey, homography), quick=True)
    return tuple(Sighting(sighting.text, corners) for sighting in decoded[:1])


def prepare_deck(deck: Deck) -> None:
    """Compute and load what reading labels of this deck needs, so that the first picture is not slow."""
    build_grids(deck, frozenset({FIRST_PRINT_RUN}))
    FINDER.load()
    REFINER.load()
    render_blurred_pattern(np.eye(2)[None])


def limit_opencv_to_one_core() -> None:
    """Let OpenCV work in the calling thread only, in this whole process, so that other cores stay free.

    Its operations are so small here that more threads gain nothing.
    """
    cv2.setNumThreads(1)
    _keep_freed_memory()


@cache
def _keep_freed_memory() -> None:
    """Let the C library keep the memory of a picture for the next one; fetching it anew takes a tenth longer.

    glibc keeps blocks up to the largest that was freed (``mallopt``: dynamic mmap threshold), so one is freed here.
    """
    np.empty(_MAX_KEPT_BYTES, np.uint8)
