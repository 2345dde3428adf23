"""Read the labels and other QR codes in picture files and in the frames of a camera."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

from companion.adapters.pictures import PictureError, decode_grey_picture
from companion.adapters.system import os_error_reason
from companion.qr.sighting import GreyPicture, Picture, Sighting
from companion.service.camera.camera import Frame
from companion.vision.label.tag import Deck
from companion.vision.read import ReadMode, limit_opencv_to_one_core, prepare_deck, read_codes, to_grey
from companion.vision.tracking.reader import IncrementalReader, average_frames
from companion.vision.tracking.tracker import PictureFault, PictureReport, report_picture

PictureSource: TypeAlias = "bytes | Callable[[], bytes]"
"""The bytes of a picture file, or what reads them, as often as it is called; that may raise ``OSError``."""


def read_sightings(picture: Picture, deck: Deck | None, mode: ReadMode = "picture") -> tuple[Sighting, ...]:
    """Return the QR codes in a picture (uint8); with a deck only its labels."""
    return read_codes(to_grey(picture), mode, deck)


def read_frame(frame: Frame, deck: Deck) -> tuple[Sighting, ...]:
    """Return the labels of a deck in one frame of a camera, within the time of a frame."""
    return read_sightings(frame.image, deck, "frame")


def read_any_codes(picture: Picture) -> tuple[Sighting, ...]:
    """Return the QR codes of any kind in a camera's picture, as far as the quick mode reads them."""
    return read_sightings(picture, None, "frame")


class FrameReader:
    """Reads successive frames of one camera, only where something has changed since the last."""

    def __init__(self) -> None:
        limit_opencv_to_one_core()
        self._watcher = IncrementalReader()

    def read(self, frame: Frame, deck: Deck) -> tuple[Sighting, ...]:
        """Return the labels of a deck that lie in view; see ``IncrementalReader.read_next``."""
        return self._watcher.read_next(frame.image, deck, frame.at_ms)

    def calm(self) -> GreyPicture | None:
        """Return the mean of the frames at rest, clearer than any single one; ``None`` while something moves."""
        return self._watcher.mean_frame


def read_picture(name: str, source: PictureSource, deck: Deck | None = None) -> PictureReport | PictureFault:
    """Return the codes in a picture file, ready for JSON; ``error`` instead for an unreadable file."""
    limit_opencv_to_one_core()
    try:
        grey = _decode_source(source)
    except PictureError as fault:
        return {"image": name, "error": str(fault)}
    if deck is not None:
        prepare_deck(deck)
    start = time.perf_counter()
    seen = read_codes(grey, "picture", deck)
    return report_picture(name, grey, seen, (time.perf_counter() - start) * 1000, deck)


def read_burst(
    pictures: Iterable[tuple[str, PictureSource]], deck: Deck | None = None
) -> tuple[PictureReport | None, Sequence[PictureFault]]:
    """Return one report for consecutive frames of one scene, and the faults of unreadable files.

    A tag seen in any frame counts once, with its corners in the last frame that shows it.  With a deck the mean of
    the aligned frames is read too, for labels that no single frame shows; for that they are decoded once more, so that
    only few frames are in memory at a time.

    Args:
        pictures: name and source of each file.
        deck: read only labels of this deck.

    Returns:
        The report, with name and size of the last picture (``None`` where there is none), and the faults.

    """
    last: tuple[str, GreyPicture] | None = None
    readable: list[PictureSource] = []
    by_text: dict[str, Sighting] = {}
    faults: list[PictureFault] = []
    ms = 0.0
    limit_opencv_to_one_core()
    if deck is not None:
        prepare_deck(deck)
    for name, source in pictures:
        try:
            grey = _decode_source(source)
        except PictureError as fault:
            faults.append({"image": name, "error": str(fault)})
            continue
        start = time.perf_counter()
        seen = read_codes(grey, "picture", deck)
        ms += (time.perf_counter() - start) * 1000
        by_text |= {sighting.text: sighting for sighting in seen}
        readable.append(source)
        last = (name, grey)
    if last is None:
        return None, faults
    if deck is not None and len(readable) > 1:
        start = time.perf_counter()
        in_mean = read_codes(average_frames(last[1], _decode_again(readable[:-1])), "frame", deck)
        ms += (time.perf_counter() - start) * 1000
        by_text = {sighting.text: sighting for sighting in in_mean} | by_text
    return report_picture(last[0], last[1], tuple(by_text.values()), ms, deck), faults


def _decode_source(source: PictureSource) -> GreyPicture:
    """Return a picture; raise ``PictureError``, also where its file cannot be read."""
    if isinstance(source, bytes):
        return decode_grey_picture(source)
    try:
        data = source()
    except (OSError, ValueError) as error:  # ``ValueError``: no file can have this name
        reason = os_error_reason(error) if isinstance(error, OSError) else str(error)
        raise PictureError(f"cannot be opened: {reason}") from error
    return decode_grey_picture(data)


def _decode_again(sources: Iterable[PictureSource]) -> Iterator[GreyPicture]:
    """Yield pictures that were decoded before, without those whose file has changed since."""
    for source in sources:
        with suppress(PictureError):
            yield _decode_source(source)
