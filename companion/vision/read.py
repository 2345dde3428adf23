"""Reads the QR codes in a picture.

The same picture is read in several renderings, for each brings out codes that the others lose.  Twice the size is
the cheapest large gain for small labels; darker, brighter and globally thresholded renderings help against glare.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt
import zxingcpp

from companion.vision.change import Box
from companion.vision.deck_read import read_deck
from companion.vision.place import corners_of, flattened
from companion.vision.second_reader import second_opinion
from companion.vision.sighting import Grey, Picture, Sighting, of_deck, without_doubles
from companion.vision.tag import Deck, parse_tag

Mode: TypeAlias = Literal["picture", "frame"]
"""A picture is worth every attempt; a frame has a successor, so only what pays is done."""

LARGEST_DOUBLED = 4_000_000
"""Pixels up to which a picture is also read at twice its size: beyond, its codes are large enough."""

LARGEST_TREBLED = 2_100_000
"""Pixels up to which a picture is also read at three times its size: a whole table in 1920 x 1080 needs it."""

FIRST_PRINT_RUN = 1
"""The print run that is looked for in any case; every further one would bring as many texts to be mistaken for."""

SMALLEST_SIDE = 11
"""Pixels: no symbol fits into less, and readers may stumble over such pictures."""

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
_LOCAL = zxingcpp.Binarizer.LocalAverage
_GLOBAL = zxingcpp.Binarizer.GlobalHistogram


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
    """Return the QR codes in a grey picture, one sighting for each place; with a deck only its labels.

    In mode ``frame`` the picture is read as it is and at twice its size; in mode ``picture`` also at three times.
    A picture that shows nothing wanted that way is read in further renderings and by the second reader, until
    something is found.  With a deck, what the first reader leaves is compared with the deck's symbols instead; only a
    picture that shows none of them then is read in all renderings.
    """
    if min(grey.shape) < SMALLEST_SIDE:
        return ()
    if deck is not None:
        of_the_deck = _read_with_deck(grey, mode, deck)
        if of_the_deck or mode == "frame":
            return of_the_deck
    invert = mode == "picture"
    found = _read(grey, invert=invert)
    if grey.size <= LARGEST_DOUBLED:
        found += _read_enlarged(grey, 2.0, invert=invert)
    if mode == "picture" and grey.size <= LARGEST_TREBLED:
        found += _read_enlarged(grey, 3.0)
    wanted = _wanted(found, deck)
    if mode == "frame":
        return wanted
    for attempt in _FURTHER:
        if wanted:
            break
        wanted = _wanted(attempt(grey), deck)
    return wanted


def _read_with_deck(grey: Grey, mode: Mode, deck: Deck) -> tuple[Sighting, ...]:
    """Return a deck's labels: decoded where that suffices, matched, or decoded once they are flattened.

    Matched are the labels of the first print run and of every run that was decoded in this picture; others are read
    only where a reader decodes them.  In a large picture labels are looked for at a smaller size; what matches nothing
    there is decoded at its full one.
    """
    shrunk, table = 1, grey
    while table.size > LARGEST_DOUBLED:
        shrunk, table = 2 * shrunk, _halved(table)
    read_in, scale = (table, shrunk) if mode == "frame" else (grey, 1)
    decoded = tuple(seen.scaled(scale) for seen in of_deck(_read(read_in, invert=mode == "picture"), deck))
    reading = read_deck(table, deck, _runs_of(decoded), tuple(seen.scaled(1 / shrunk) for seen in decoded))
    matched = tuple(seen.scaled(shrunk) for seen in reading.sightings)
    unknown = (_enlarged(homography, shrunk) for homography in reading.unknown)
    return _told_once(decoded, matched, tuple(seen for one in unknown for seen in _read_flat(grey, one)), deck)


def read_part(grey: Grey, deck: Deck, part: Box, known: tuple[Sighting, ...]) -> tuple[Sighting, ...]:
    """Return a deck's labels in one part of a frame; what is known of the rest tells how they must look."""
    left, top, right, foot = part
    cut = np.ascontiguousarray(grey[top:foot, left:right])
    if min(cut.shape) < SMALLEST_SIDE:
        return ()
    decoded = tuple(seen.moved(left, top) for seen in of_deck(_read(cut, invert=False), deck))
    reading = read_deck(grey, deck, _runs_of(known + decoded), decoded + known, part)
    flat = tuple(seen for one in reading.unknown for seen in _read_flat(grey, one))
    texts = {seen.text for seen in known}
    return tuple(seen for seen in _told_once(decoded, reading.sightings, flat, deck) if seen.text not in texts)


def _runs_of(sightings: tuple[Sighting, ...]) -> frozenset[int]:
    """Return the print runs whose labels are matched: the first, and those that were seen."""
    runs = {tag.print_run for seen in sightings if (tag := parse_tag(seen.text)) is not None}
    return frozenset({FIRST_PRINT_RUN} | runs)


def _told_once(
    decoded: tuple[Sighting, ...], matched: tuple[Sighting, ...], flat: tuple[Sighting, ...], deck: Deck
) -> tuple[Sighting, ...]:
    """Return sightings of all kinds, each place and each matched text once: what was decoded is surer."""
    texts = {seen.text for seen in decoded}
    return without_doubles(decoded + tuple(seen for seen in matched if seen.text not in texts) + of_deck(flat, deck))


def _enlarged(homography: npt.NDArray[np.float64], factor: int) -> npt.NDArray[np.float64]:
    """Return the homography to a picture so many times as large; (0, 0) is the middle of its first pixel."""
    off = (factor - 1) / 2
    return np.asarray(np.array([[factor, 0, off], [0, factor, off], [0, 0, 1]]) @ homography, np.float64)


def _read_flat(grey: Grey, homography: npt.NDArray[np.float64]) -> tuple[Sighting, ...]:
    """Decode a label that was found, flattened."""
    corners = corners_of(homography)
    return tuple(Sighting(seen.text, corners) for seen in _read(flattened(grey, homography), invert=False)[:1])


def _halved(grey: Grey) -> Grey:
    return np.asarray(cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def _wanted(found: tuple[Sighting, ...], deck: Deck | None) -> tuple[Sighting, ...]:
    return without_doubles(found if deck is None else of_deck(found, deck))


def _read(grey: Grey, binarizer: zxingcpp.Binarizer = _LOCAL, *, invert: bool = True) -> tuple[Sighting, ...]:
    """Read one rendering."""
    codes = zxingcpp.read_barcodes(
        grey,
        formats=_QR,
        text_mode=zxingcpp.TextMode.Plain,
        binarizer=binarizer,
        try_invert=invert,
    )
    return tuple(_sighting(code) for code in codes if code.text)


def _sighting(code: zxingcpp.Barcode) -> Sighting:
    """Return the sighting of a decoded symbol; its position already starts at the symbol's own top left."""
    where = code.position
    a, b, c, d = (
        (float(point.x), float(point.y))
        for point in (where.top_left, where.top_right, where.bottom_right, where.bottom_left)
    )
    return Sighting(text=code.text, corners=(a, b, c, d))


def _read_enlarged(
    grey: Grey, factor: float, binarizer: zxingcpp.Binarizer = _LOCAL, *, invert: bool = True
) -> tuple[Sighting, ...]:
    """Read the picture enlarged, and say where things are in the picture as it was."""
    large = np.asarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC), np.uint8)
    return tuple(seen.scaled(1 / factor) for seen in _read(large, binarizer, invert=invert))


def _toned(grey: Grey, gamma: float) -> Grey:
    """Return the picture brighter (gamma below 1) or darker (above)."""
    tones = np.round(255 * (np.arange(256) / 255) ** gamma).astype(np.uint8)
    return np.asarray(cv2.LUT(grey, tones), np.uint8)


def _doubled_globally(grey: Grey) -> tuple[Sighting, ...]:
    return _read_enlarged(grey, 2.0, _GLOBAL) if grey.size <= LARGEST_DOUBLED else ()


_FURTHER: tuple[Callable[[Grey], tuple[Sighting, ...]], ...] = (
    lambda grey: _read(_toned(grey, 2.2)),
    lambda grey: _read(_toned(grey, 0.5)),
    lambda grey: _read(grey, _GLOBAL),
    _doubled_globally,
    lambda grey: _read_enlarged(grey, 1.5) if grey.size <= LARGEST_DOUBLED else (),
    second_opinion,
)
"""What is tried on a picture that shows nothing at first, cheapest and most fruitful first."""
