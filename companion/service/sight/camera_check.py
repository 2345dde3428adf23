"""Is the camera good enough to read cards?  Asked before a game begins, and whenever somebody doubts it."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.fiducials import grey_of
from calibration.picture_check import PictureCheck, check_picture
from companion.service.sight.camera import Frame
from companion.service.sight.pipeline import ReadFrame
from companion.service.sight.scanner import Scanner, ToJpeg
from companion.vision.label.crop import crop_around, fitting
from companion.vision.label.label import STANDARD_LABEL
from companion.vision.label.sighting import Sighting
from companion.vision.label.tag import Deck

MOST_CROPS = 12
"""So many cards are remembered with their pictures."""

MOST_FRAMES = 4
"""So many judged frames are kept, that a page may show the one that was judged."""

LONGEST_SHOWN = 1920
"""Pixels of the longer side of what pages are shown; they draw over it in the frame's own measure."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The latest frame, judged: its ``number``, width and height, and the cards read in it with their places."""

    number: int
    width: int
    height: int
    picture: PictureCheck
    cards: tuple[tuple[str, Sighting], ...]


class CameraCheck:
    """Judges the latest frame of the camera that is watched anyway.  Every call may come from any thread."""

    def __init__(
        self, scanner: Scanner, read_frame: ReadFrame, to_jpeg: ToJpeg, deck: Deck, catalog: Mapping[str, Any]
    ) -> None:
        """Take whose frames are judged, and the deck that is looked for while the camera looks at no table.

        ``catalog``: that deck's cards as JSON, to name them by.
        """
        self.catalog = catalog
        self._scanner = scanner
        self._read_frame = read_frame
        self._to_jpeg = to_jpeg
        self._deck = deck
        self._lock = threading.Lock()
        self._latest: Checked | None = None
        self._crops: OrderedDict[str, bytes] = OrderedDict()
        self._frames: OrderedDict[int, bytes] = OrderedDict()

    def look(self) -> Checked | None:
        """Judge the latest frame; ``None`` while there is none.  Asked twice about the same frame it works once."""
        frame = self._scanner.latest
        if frame is None:
            return None
        with self._lock:
            if self._latest is None or self._latest.number != frame.number or frame.number not in self._frames:
                self._latest = self._judged(frame)
            return self._latest

    def _judged(self, frame: Frame) -> Checked:
        grey = grey_of(frame.image)
        seen = self._read_frame(frame, self._deck)
        symbols = [np.array(one.corners, np.float64) for one in seen]
        _, _, symbol_mm = STANDARD_LABEL.symbol_mm
        mat = self._scanner.mat
        picture = check_picture(grey, symbols, symbol_mm, None if mat is None else mat.found)
        cards = [(self._deck.card_of(one.text), one) for one in seen]
        named = tuple((card, one) for card, one in cards if card is not None)
        for card, one in named:
            self._crops[card] = self._to_jpeg(crop_around(frame.image, one))
            self._crops.move_to_end(card)
        while len(self._crops) > MOST_CROPS:
            self._crops.popitem(last=False)
        self.keep(frame)
        height, width = grey.shape
        return Checked(frame.number, width, height, picture, named)

    def keep(self, frame: Frame) -> None:
        """Remember a frame, so that a page may show it with what was found in it."""
        if frame.number in self._frames:
            return
        self._frames[frame.number] = self._to_jpeg(fitting(frame.image, LONGEST_SHOWN))
        while len(self._frames) > MOST_FRAMES:
            self._frames.popitem(last=False)

    def crop(self, card: str) -> bytes | None:
        """Give the picture of a card that was read, as JPEG."""
        return self._crops.get(card)

    def live_picture(self, number: int | None = None) -> bytes | None:
        """Give a judged frame by its number as JPEG, or the latest; ``None`` while there is none."""
        kept = self._frames.get(number) if number is not None else None
        return self._scanner.live_picture() if kept is None else kept
