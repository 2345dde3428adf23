"""Is the camera good enough to read cards?  Asked before a game begins, and whenever somebody doubts it."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from calibration.fiducials import to_grey
from calibration.mat import DetectedMat
from calibration.picture_check import PictureCheck, check_picture
from companion.qr.sighting import Picture, Sighting, ToJpeg
from companion.service.camera.camera import Frame
from companion.service.camera.pipeline import ReadFrame
from companion.service.camera.scanner import Scanner
from companion.vision.card_art.outline import (
    CardPicture,
    crop_card,
    find_outlines,
    find_single_card,
    match_illumination,
    turn_upright,
)
from companion.vision.change import reduce_to_cells
from companion.vision.label.label import STANDARD_LABEL, crop_around, limit_size
from companion.vision.label.tag import Deck
from companion.vision.tracking.unread import UnreadLabel

MOST_CROPS = 12
"""Maximum number of cards that are remembered with their pictures."""

MOST_FRAMES = 4
"""Number of judged frames that are kept, so that a page may show the one that was judged."""

LONGEST_SHOWN = 1920
"""Pixels of the longer side of what pages are shown; they draw over it in the frame's own measure."""


@dataclass(frozen=True, slots=True)
class SampleDeck:
    """The deck of an installed game, looked for while there is no table: its game, labels and cards as JSON."""

    game: str
    deck: Deck
    cards: Callable[[], Mapping[str, Any]]


class SampleReader:
    """Reads whichever of several decks lies in view: a frame shows the cards of one box."""

    def __init__(self, read_frame: ReadFrame, samples: Sequence[SampleDeck]) -> None:
        """Store the decks; the first is tried first, later the one that was read last."""
        self._read_frame = read_frame
        self._samples = [*samples]

    def read(self, frame: Frame) -> tuple[SampleDeck, Sequence[Sighting]]:
        """Return the first deck with labels in a frame, and those; the usual one and none where there are none."""
        for sample in self._samples:
            seen = self._read_frame(frame, sample.deck)
            if seen:
                self._samples = [sample, *(other for other in self._samples if other is not sample)]
                return sample, seen
        return self._samples[0], ()


@dataclass(frozen=True, slots=True)
class FrameCheck:
    """The latest frame, judged: its ``number``, width and height, and the cards read in it with their places.

    ``sample``: the deck that was read, ``None`` for that of the table which the camera is attached to.
    """

    number: int
    width: int
    height: int
    picture: PictureCheck
    cards: tuple[tuple[str, Sighting], ...]
    sample: SampleDeck | None = None


class CameraCheck:
    """Judges the latest frame of the camera that is watched anyway.  Every call may come from any thread."""

    def __init__(self, scanner: Scanner, read_frame: ReadFrame, to_jpeg: ToJpeg, samples: Sequence[SampleDeck]) -> None:
        """Store the scanner, and the decks to look for while it is attached to no table, the usual one first."""
        self.usual = samples[0]
        self._scanner = scanner
        self._read_frame = read_frame
        self._to_jpeg = to_jpeg
        self._samples = SampleReader(read_frame, samples)
        self._lock = threading.Lock()
        self._latest: FrameCheck | None = None
        self._crops: OrderedDict[str, bytes] = OrderedDict()
        self._frames: OrderedDict[int, bytes] = OrderedDict()

    def check_latest(self) -> FrameCheck | None:
        """Judge the latest frame; ``None`` while there is none.  Asked twice about the same frame it works once."""
        frame = self._scanner.latest
        if frame is None:
            return None
        with self._lock:
            if self._latest is None or self._latest.number != frame.number or frame.number not in self._frames:
                self._latest = self._judged(frame)
            return self._latest

    def read_labels(self, frame: Frame) -> tuple[Deck, SampleDeck | None, Sequence[Sighting]]:
        """Return what lies in a frame: the deck, the sample that it is of (``None``: the table's), and its labels."""
        deck = self._scanner.deck
        if deck is not None:
            return deck, None, self._read_frame(frame, deck)
        sample, seen = self._samples.read(frame)
        return sample.deck, sample, seen

    def _judged(self, frame: Frame) -> FrameCheck:
        grey = to_grey(frame.image)
        deck, sample, seen = self.read_labels(frame)
        symbols = [np.array(label.corners, np.float64) for label in seen]
        _, _, symbol_mm = STANDARD_LABEL.symbol_mm
        mat = self._scanner.mat
        picture = check_picture(grey, symbols, symbol_mm, None if mat is None else mat.latest)
        cards = [(deck.card_of(label.text), label) for label in seen]
        named = tuple((card, label) for card, label in cards if card is not None)
        for card, label in named:
            self._crops[card] = self._to_jpeg(crop_around(frame.image, label))
            self._crops.move_to_end(card)
        while len(self._crops) > MOST_CROPS:
            self._crops.popitem(last=False)
        self.keep(frame)
        height, width = grey.shape
        return FrameCheck(frame.number, width, height, picture, named, sample)

    def keep(self, frame: Frame) -> None:
        """Remember a frame, so that a page may show it with what was found in it."""
        if frame.number in self._frames:
            return
        self._frames[frame.number] = self._to_jpeg(limit_size(frame.image, LONGEST_SHOWN))
        while len(self._frames) > MOST_FRAMES:
            self._frames.popitem(last=False)

    def crop(self, card: str) -> bytes | None:
        """Return the picture of a card that was read, as JPEG."""
        return self._crops.get(card)

    def live_picture(self, number: int | None = None) -> bytes | None:
        """Return a judged frame by its number as JPEG, or the latest; ``None`` while there is none."""
        kept = self._frames.get(number) if number is not None else None
        return self._scanner.live_picture() if kept is None else kept


# What the camera sees now, for people who want to see it too: cards, codes that are none, the mat under them.
# And labels that nobody can read, with the reason why.

ReadAnything: TypeAlias = Callable[[Picture], Sequence[Sighting]]
FindUnread: TypeAlias = Callable[[Picture, Sequence[Sighting]], Sequence[UnreadLabel]]

STRANGERS_EVERY_MS = 2000
"""How often a picture is read for codes of any kind: it costs more than reading the deck, and few lie there."""

SAME_PLACE_SIDES = 0.7
"""A code whose middle is as near as that to a card's, in the card's sides, is that card's own."""


@dataclass(frozen=True, slots=True)
class FrameContents:
    """One frame: its number and size, and what is in it.

    ``cards`` are those of the table, as ``sight`` tells them; ``foreign_codes`` are no card of it; ``unread``
    labels that have lain there for a while and were not read, or say what another one says.
    """

    number: int
    width: int
    height: int
    cards: tuple[dict[str, Any], ...]
    foreign_codes: tuple[Sighting, ...]
    unread: tuple[UnreadLabel, ...]
    mat: DetectedMat | None


class CameraView:
    """Looks at the latest frame of the camera that is watched anyway.  Every call may come from any thread."""

    def __init__(
        self, scanner: Scanner, check: CameraCheck, read_anything: ReadAnything, find_unread: FindUnread
    ) -> None:
        """Store the scanner, the check that holds frames, and the readers of any code and of unread labels."""
        self._scanner = scanner
        self._check = check
        self._read_anything, self._find_unread = read_anything, find_unread
        self._lock = threading.Lock()
        self._codes: tuple[Sighting, ...] = ()
        self._unread: tuple[UnreadLabel, ...] = ()
        self._lasting: tuple[UnreadLabel, ...] = ()
        self._read_at_ms: int | None = None

    def view_latest(self, table_id: str) -> FrameContents | None:
        """Return what is seen at a table; ``None`` while no camera looks there."""
        frame = self._scanner.latest
        if frame is None or self._scanner.attached_to != table_id:
            return None
        state = self._scanner.state_json(table_id)
        cards = tuple(state["cards"])
        places, twins = ([_label(card) for card in group] for group in (cards, state["twins"]))
        with self._lock:
            self._check.keep(frame)
            self._look_closer(frame, [*places, *twins])
            codes, unread = self._codes, self._lasting
        labels = [*places, *twins]
        foreign_codes = tuple(code for code in codes if not any(_same_place(code, card) for card in labels))
        unread = tuple(label for label in unread if not any(_same_place(_at(label), card) for card in labels))
        unread += tuple(UnreadLabel(twin.corners, "twice") for twin in twins)
        mat = self._scanner.mat
        height, width = frame.image.shape[:2]
        mat_found = None if mat is None else mat.latest
        return FrameContents(frame.number, int(width), int(height), cards, foreign_codes, unread, mat_found)

    def _look_closer(self, frame: Frame, cards: Sequence[Sighting]) -> None:
        """Look for what is no card that was read: what was not read is told once it is found there again."""
        if self._read_at_ms is not None and 0 <= frame.at_ms - self._read_at_ms < STRANGERS_EVERY_MS:
            return
        self._codes, self._read_at_ms = tuple(self._read_anything(frame.image)), frame.at_ms
        calm = self._scanner.averaged_frame()
        shown = frame.image if calm is None else calm
        before, self._unread = self._unread, tuple(self._find_unread(shown, (*cards, *self._codes)))
        self._lasting = tuple(
            label for label in self._unread if any(_same_place(_at(label), _at(was)) for was in before)
        )


def _label(card: Mapping[str, Any]) -> Sighting:
    a, b, c, d = ((float(x), float(y)) for x, y in card["corners"])
    return Sighting("", (a, b, c, d))


def _at(label: UnreadLabel) -> Sighting:
    return Sighting("", label.corners)


def _same_place(code: Sighting, card: Sighting) -> bool:
    (x, y), (at_x, at_y) = code.centre, card.centre
    return max(abs(x - at_x), abs(y - at_y)) < SAME_PLACE_SIDES * card.side


# The place under the camera where one card after the other is laid so that its picture can be taken.

Latest: TypeAlias = Callable[[], Frame | None]
FRAMES, WAIT_S, BETWEEN_S = 3, 1.2, 0.05
"""Frames that make one picture, and seconds until they are given up."""
MOVES, CELLS = 12, 3
"""Grey levels of a cell's mean, and cells: whatever changes by more is a hand."""


class NoCard(Exception):  # noqa: N818 - an answer, not an error of the program
    """No card can be made out: ``no_picture``, ``place_unknown``, ``nothing_there``, ``moving`` or ``unclear``."""


class CardPlace:
    """Knows how the place looks with nothing on it.  Every call may come from any thread."""

    def __init__(self, latest: Latest) -> None:
        """Store what gives the camera's latest frame."""
        self._latest = latest
        self._ground: Frame | None = None

    @property
    def is_known(self) -> bool:
        """Return whether it is known how the place looks when it is empty."""
        return self._ground is not None

    def is_empty_now(self) -> None:
        """Store the present picture as the empty place; raise ``NoCard`` if the camera has none."""
        frame = self._latest()
        if frame is None:
            raise NoCard("no_picture")
        self._ground = frame

    def card(self) -> CardPicture:
        """Cut out the card that lies there, the mean of a few frames; ``NoCard``."""
        frames = self._frames()
        first, last, ground = frames[0].image, frames[-1].image, self._ground
        if ground is None or ground.image.shape != last.shape:
            raise NoCard("place_unknown")
        step = np.abs(reduce_to_cells(first).astype(np.int16) - reduce_to_cells(last).astype(np.int16))
        if int((step > MOVES).sum()) >= CELLS:
            raise NoCard("moving")
        outlines = find_outlines(match_illumination(ground.image, last), last)
        if not outlines:
            raise NoCard("nothing_there")
        outline = turn_upright(outlines[0])
        return np.asarray(np.mean([crop_card(frame.image, outline) for frame in frames], axis=0) + 0.5, np.uint8)

    def _frames(self) -> list[Frame]:
        """Wait for a few frames."""
        frames: list[Frame] = []
        end = time.monotonic() + WAIT_S
        while len(frames) < FRAMES and time.monotonic() < end:
            frame = self._latest()
            if frame is not None and all(frame.number != earlier.number for earlier in frames):
                frames.append(frame)
            time.sleep(BETWEEN_S)
        if not frames:
            raise NoCard("no_picture")
        return frames


def card_in(picture: Picture) -> CardPicture:
    """Cut a card out of a picture that somebody took of it alone; ``NoCard``."""
    outline = find_single_card(picture)
    if outline is None:
        raise NoCard("unclear")
    return crop_card(picture, turn_upright(outline))
