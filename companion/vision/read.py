"""Read the QR codes in a picture, and the labels of a known deck.

Any code is read by decoders that must understand it (``companion.qr.reader``); labels of a deck also by comparison with
all texts that they may bear (``deck.reader``).
"""

from functools import cache
from typing import Literal, TypeAlias

import cv2
import numpy as np

from companion.qr.reader import MAX_DOUBLED_PIXELS, MIN_SIDE, read_qr_codes
from companion.qr.sighting import F64, Box, GreyPicture, Picture, Sighting, remove_duplicates, split_duplicates
from companion.qr.zxing import decode_with_zxing, resize
from companion.vision.deck.finder import FINDER, REFINER
from companion.vision.deck.reader import read_deck
from companion.vision.label.match import build_grids
from companion.vision.label.pattern import corners_of, rectify_label, render_blurred_pattern
from companion.vision.label.tag import Deck, parse_tag

ReadMode: TypeAlias = Literal["picture", "frame"]
"""A single picture is worth every attempt; a frame has a successor, so only what pays is done."""

FIRST_PRINT_RUN = 1
"""The print run that is always matched; each further one brings as many texts that may be confused."""
_MAX_KEPT_BYTES = 30 << 20
"""The C library never keeps larger allocations."""


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
