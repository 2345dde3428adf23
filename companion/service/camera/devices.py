"""The cameras of phones and tablets, and hand scanners: they feed the same proposals as the camera over the table."""

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from companion.engine.game import BANKER, Placement, Question, Refused
from companion.qr.sighting import Sighting, ToJpeg
from companion.service.camera.camera import Frame
from companion.service.camera.pipeline import ReadFrame
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.proposals import CardSource
from companion.service.table.table import Table
from companion.vision.label.label import crop_around
from companion.vision.label.tag import Deck, build_deck, format_tag
from companion.vision.tracking.tracker import TRAY, Tracker, report_picture

MOST_DEVICES = 64
"""Beyond that the one that has been quiet longest is forgotten."""
HAND_STILL_SIDES = 1.5
HAND_GONE_MS = 1500
"""A hand trembles: a card may seem to move by more than on a table, and drop out of sight for longer."""
SESSION_MS = 5000
"""Time without pictures after which a device begins anew: its sheet was closed meanwhile."""
SCANNER = CardSource("scanner", "scanner")

_NUMBER = re.compile(r"([A-Z])0*([0-9]{1,2})", re.ASCII)
_SYMBOL_KIND = re.compile(r"^\][A-Z][0-9A-Z](?=.)", re.ASCII)
"""How scanners that are told so begin: ``]Q1`` for a QR code (ISO/IEC 15424)."""
_PRINT_RUN = 1
_LONGEST_TOLD = 40


@dataclass(frozen=True, slots=True)
class PictureTools:
    """How the bytes of a picture are unfolded, how frames are read, and how pictures are written.

    ``unfold`` raises ``ForeignPicture`` or ``UnreadablePicture``.
    """

    unfold: Callable[[bytes], npt.NDArray[np.uint8]]
    read_frame: ReadFrame
    to_jpeg: ToJpeg


_Key: TypeAlias = tuple[str, str, str]
"""Table, viewer, device."""


class Devices:
    """Processes what the devices of all tables send.  Thread-safe."""

    def __init__(self, proposals: ProposalService, optics: PictureTools, now_ms: Callable[[], int]) -> None:
        """Store who asks, how pictures are read, and a clock that does not run backwards, in milliseconds."""
        self._proposals = proposals
        self._optics = optics
        self._now_ms = now_ms
        self._lock = threading.Lock()
        self._trackers: OrderedDict[_Key, Tracker] = OrderedDict()

    def process_picture(self, table: Table, viewer: str, device: str, data: bytes) -> dict[str, Any]:
        """Process a picture from a device's camera and return what ``companion read --deck`` says of it, and more.

        Each tag says besides whether it has come to rest (``placed``) and what it means now to this viewer:
        ``command``, ``refusal`` or neither.  What came to rest with this picture is asked at the table.
        ``device`` tells the cameras of one viewer apart.  Raises ``ForeignPicture`` and ``UnreadablePicture``.
        """
        image = self._optics.unfold(data)
        deck = _deck(table)
        begun = time.perf_counter()
        seen = tuple(self._optics.read_frame(Frame(image, 0, 0), deck))
        ms = (time.perf_counter() - begun) * 1000
        key = (table.id, viewer, device)
        placements, lying = self._observe(key, seen)
        source = CardSource(f"{viewer}/{device}", viewer=viewer)
        self._proposals.register_source(table, source, partial(self._forget, key))
        by_text = {label.text: label for label in seen}
        for placement in placements:
            if placement.event != "remove" and placement.tag in by_text:
                picture = self._optics.to_jpeg(crop_around(image, by_text[placement.tag]))
                self._proposals.on_placement(table, placement, picture, source)
        seen_there = report_picture(device or "frame", image, seen, ms, deck)
        tags = [{**tag, "placed": tag["text"] in lying, **_means(table, viewer, tag)} for tag in seen_there["tags"]]
        return {**seen_there, "tags": tags}

    def scan(self, table: Table, viewer: str, text: str, key: str | None = None, keys: str = "") -> dict[str, Any]:
        """Process what a hand scanner or a person typed: a label's text, or the number of a card.

        ``keys``: the same as the keys of an American keyboard, for a scanner that is set to another layout than the
        device; it counts where the text names no card.

        Gives ``{"card", "proposal", "did", "entry"}``: the question that it led to, or what was done: what a command
        card says, and the entry of a command.  A card is executed at once where the level is ``automatic`` and it is
        unambiguous, as under the camera.
        Raises ``Refused`` where it is no card of this table or leads to nothing now, and what a command raises.
        """
        placement = _typed(table, text, keys)
        source = CardSource(SCANNER.name, SCANNER.kind, viewer)
        card = placement.card
        words = table.game.command_words
        before = table.stored_under(key)
        if before is not None:  # the same request again, after a restart of the program
            return {"card": card, "proposal": None, "did": words.get(card), "entry": before}
        if card in words:
            done = self._proposals.execute_command_card(table, card, source, key)
            if done is None:
                raise Refused("card_means_nothing", card=card)
            return {"card": card, "proposal": None, **done}
        command = table.read(placement)
        can_ask = viewer == BANKER and isinstance(command, Question) and command.yes is not None
        refused = None if can_ask else _refusal(table, viewer, command)
        asked = None if refused or command is None else self._proposals.propose(table, placement, b"", source)
        if asked is None:
            raise refused or Refused("card_means_nothing", card=card)
        entry = self._proposals.answer_plain(table, asked, key)
        return {"card": card, "proposal": None if entry else asked.as_json(), "did": None, "entry": entry}

    def _observe(self, key: _Key, seen: tuple[Sighting, ...]) -> tuple[tuple[Placement, ...], Mapping[str, str]]:
        with self._lock:
            now_ms, tracker = self._now_ms(), self._trackers.get(key)
            if tracker is None or now_ms - (tracker.latest_ms or 0) > SESSION_MS:
                tracker = self._trackers[key] = Tracker(still_sides=HAND_STILL_SIDES, gone_ms=HAND_GONE_MS)
            self._trackers.move_to_end(key)
            while len(self._trackers) > MOST_DEVICES:
                self._trackers.popitem(last=False)
            return tracker.observe(now_ms, seen), tracker.placed_tags()

    def _forget(self, key: _Key, tag: str) -> None:
        with self._lock:
            if key in self._trackers:
                self._trackers[key].forget(tag)


def _deck(table: Table) -> Deck:
    return build_deck(table.game.rules.label_code, table.cards(), table.shared_labels())


def _typed(table: Table, text: str, keys: str) -> Placement:
    """Return which card a typed text or its keys name; ``Refused``."""
    deck = _deck(table)
    for typed in (text, keys):
        code = _strip_frame(typed)
        card = deck.card_of(code)
        if card is None and (number := _NUMBER.fullmatch(code)) is not None:
            card = f"{number[1]}{int(number[2]):02}"
            code = format_tag(deck.game_code, _PRINT_RUN, card)
        if card is not None and card in deck.cards:
            return Placement("place", code, card, TRAY, 1.0)
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    raise Refused("unknown_card", card=" ".join(shown.split())[:_LONGEST_TOLD])


def _strip_frame(typed: str) -> str:
    """Return a code without what scanners put round it: control characters, blanks, and the kind of symbol (AIM)."""
    visible = "".join(letter for letter in typed if letter.isprintable() and not letter.isspace()).upper()
    return _SYMBOL_KIND.sub("", visible)


def _refusal(table: Table, viewer: str, command: dict[str, Any] | Question | None) -> Refused | None:
    """Return why a card leads this viewer to nothing: it is somebody else's turn, or the rules say no.

    Why somebody else's card is refused is not told to a player: it could tell what the other one hides.
    """
    if command is None:
        return None
    if viewer != BANKER:
        overview = table.overview
        waiting = () if overview is None else overview.waiting_for
        if viewer not in waiting or (not isinstance(command, Question) and table.author(command) != viewer):
            return Refused("not_your_turn", player=viewer, waiting=waiting)
    return Refused(command.rule, **dict(command.details)) if isinstance(command, Question) else None


def _means(table: Table, viewer: str, tag: Mapping[str, Any]) -> dict[str, Any]:
    command = None
    if tag["card"] is not None and tag["card"] not in table.game.command_words:
        command = table.read(Placement("place", tag["text"], tag["card"], TRAY, tag["confidence"]))
    refused = _refusal(table, viewer, command)
    return {"command": None if refused else command, "refusal": refused}
