"""Reads the QR codes in a picture.

Any code is read by readers that must understand it (``open_read``); labels of a known deck also by comparing them with
all that they may be (``deck_read``).
"""

from functools import cache
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.reader import LARGEST_DOUBLED_OPEN_READ, SMALLEST_SIDE, read_open
from companion.qr.renderings import resized
from companion.qr.sighting import Grey, Picture, Sighting, once_and_twins, without_doubles
from companion.qr.zxing import first_reader
from companion.vision.change import Box
from companion.vision.deck.finder import CLOSER, FINDER
from companion.vision.deck.reader import read_deck
from companion.vision.label.match import grids_of
from companion.vision.label.pattern import corners_of, flattened, soft_pattern
from companion.vision.label.tag import Deck, parse_tag

Mode: TypeAlias = Literal["picture", "frame"]
"""A picture is worth every attempt; a frame has a successor, so only what pays is done."""

FIRST_PRINT_RUN = 1
"""The print run that is looked for in any case; every further one would bring as many texts to be mistaken for."""


def grey_of(picture: Picture) -> Grey:
    """Return a picture's grey plane.

    Raises:
        ValueError: when the array is no uint8 picture of one or three planes.

    """
    if picture.dtype != np.uint8 or not (picture.ndim == 2 or (picture.ndim == 3 and picture.shape[2] == 3)):  # noqa: PLR2004 - axes
        reason = f"not a picture: {picture.dtype} {picture.shape}"
        raise ValueError(reason)
    if picture.ndim == 2:  # noqa: PLR2004 - axes
        return np.ascontiguousarray(picture)
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def read_codes(grey: Grey, mode: Mode = "picture", deck: Deck | None = None) -> tuple[Sighting, ...]:
    """Return the QR codes in a grey picture, one sighting for each place; with a deck only its labels, each text once.

    In mode ``frame`` the picture is read as it is and at twice its size; in mode ``picture`` also in renderings, for as
    long as that is worth it.  With a deck, what the first reader leaves is compared with the deck's symbols instead;
    only a picture that shows none of them then is read in all renderings.
    """
    if min(grey.shape) < SMALLEST_SIDE:
        return ()
    if deck is not None:
        of_the_deck, _ = once_and_twins(_read_with_deck(grey, mode, deck), deck.text_once)
        return of_the_deck if of_the_deck or mode == "frame" else of_deck(read_open(grey), deck)
    if mode == "picture":
        return read_open(grey)
    found = first_reader(grey, quick=True)
    if grey.size <= LARGEST_DOUBLED_OPEN_READ:
        found += first_reader(resized(grey, 2.0), quick=True, scale=2.0)
    return without_doubles(found)


def read_frame(grey: Grey, deck: Deck) -> tuple[Sighting, ...]:
    """Return all labels of a deck in a frame, also two of one text: the surer first."""
    return _read_with_deck(grey, "frame", deck) if min(grey.shape) >= SMALLEST_SIDE else ()


def _read_with_deck(grey: Grey, mode: Mode, deck: Deck) -> tuple[Sighting, ...]:
    """Return a deck's labels: decoded where that suffices, matched, or decoded once they are flattened.

    Matched are the labels of the first print run and of every run that was decoded in this picture; others are read
    only where a reader decodes them.  In a large picture labels are looked for at a smaller size; what matches nothing
    there is decoded at its full one.
    """
    shrunk, table = 1, grey
    while table.size > LARGEST_DOUBLED_OPEN_READ:
        shrunk, table = 2 * shrunk, resized(table, 0.5)
    read_in, scale = (table, shrunk) if mode == "frame" else (grey, 1)
    decoded = tuple(seen.scaled(scale) for seen in of_deck(first_reader(read_in, quick=mode == "frame"), deck))
    reading = read_deck(table, deck, _runs_of(decoded), tuple(seen.scaled(1 / shrunk) for seen in decoded))
    matched = tuple(seen.scaled(shrunk) for seen in reading.sightings)
    unknown = (_enlarged(homography, shrunk) for homography in reading.unknown)
    flat = of_deck(tuple(seen for one in unknown for seen in _read_flat(grey, one)), deck)
    return without_doubles(decoded + matched + flat)


def read_part(grey: Grey, deck: Deck, part: Box, known: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Return a deck's labels in one part of a frame but for those that are known, which tell how others must look.

    Two labels may bear one text, and one that is known.
    """
    left, top, right, foot = part
    cut = np.ascontiguousarray(grey[top:foot, left:right])
    if min(cut.shape) < SMALLEST_SIDE:
        return ()
    decoded = tuple(seen.moved(left, top) for seen in of_deck(first_reader(cut, quick=True), deck))
    reading = read_deck(grey, deck, _runs_of(known + decoded), decoded + known, part)
    flat = of_deck(tuple(seen for one in reading.unknown for seen in _read_flat(grey, one)), deck)
    return without_doubles(known + decoded + reading.sightings + flat)[len(known) :]


def _runs_of(sightings: tuple[Sighting, ...]) -> frozenset[int]:
    """Return the print runs whose labels are matched: the first, and those that were seen."""
    runs = {tag.print_run for seen in sightings if (tag := parse_tag(seen.text)) is not None}
    return frozenset({FIRST_PRINT_RUN} | runs)


def _enlarged(homography: npt.NDArray[np.float64], factor: int) -> npt.NDArray[np.float64]:
    """Return the homography to a picture so many times as large; (0, 0) is the middle of its first pixel."""
    off = (factor - 1) / 2
    return np.asarray(np.array([[factor, 0, off], [0, factor, off], [0, 0, 1]]) @ homography, np.float64)


def _read_flat(grey: Grey, homography: npt.NDArray[np.float64]) -> tuple[Sighting, ...]:
    """Decode a label that was found, flattened."""
    corners = corners_of(homography)
    return tuple(Sighting(seen.text, corners) for seen in first_reader(flattened(grey, homography), quick=True)[:1])


def of_deck(sightings: tuple[Sighting, ...], deck: Deck) -> tuple[Sighting, ...]:
    """Keep the labels of any print run of this deck; every other code on the table is ignored."""
    return tuple(seen for seen in sightings if deck.card_of(seen.text) is not None)


# --- prepare
# What is done once before pictures are read: patterns are drawn for a deck, and OpenCV is kept to one core.


def prepare(deck: Deck) -> None:
    """Draw the deck's symbols and the patterns that all labels share; nothing the second time."""
    grids_of(deck, frozenset({FIRST_PRINT_RUN}))
    FINDER.load()
    CLOSER.load()
    soft_pattern(np.eye(2)[None])


def keep_to_one_core() -> None:
    """Let OpenCV work in the thread that calls it, in this whole process: the table's other work needs the other cores.

    Its pieces are so small here that more threads gain nothing.
    """
    cv2.setNumThreads(1)
    _keep_memory()


@cache
def _keep_memory() -> None:
    """Let the C library keep what a picture took for the next one: asking the system for it anew takes a tenth longer.

    It does so up to twice the largest piece that it was given back (glibc, mallopt: the dynamic mmap threshold).
    """
    np.empty(_LARGEST_PIECE, np.uint8)


_LARGEST_PIECE = 30 << 20
"""Bytes: larger ones are never kept."""
