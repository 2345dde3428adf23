"""What the camera sees now, for people who want to see it too: cards, codes that are none, the mat under them.

And labels that nobody can read, with the reason why.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from calibration.mat_sight import FoundMat
from companion.service.sight.camera import Frame
from companion.service.sight.camera_check import CameraCheck
from companion.service.sight.scanner import Scanner
from companion.vision.follow.unread import Unread
from companion.vision.label.sighting import Picture, Sighting

ReadAnything: TypeAlias = Callable[[Picture], Sequence[Sighting]]
FindUnread: TypeAlias = Callable[[Picture, Sequence[Sighting]], Sequence[Unread]]

STRANGERS_EVERY_MS = 2000
"""How often a picture is read for codes of any kind: it costs more than reading the deck, and few lie there."""

SAME_PLACE_SIDES = 0.7
"""A code whose middle is as near as that to a card's, in the card's sides, is that card's own."""


@dataclass(frozen=True, slots=True)
class Viewed:
    """One frame: its number and size, and what is in it.

    ``cards`` are those of the table, as ``sight`` tells them; ``strangers`` codes that are none of them; ``unread``
    labels that have lain there for a while and were not read, or say what another one says.
    """

    number: int
    width: int
    height: int
    cards: tuple[dict[str, Any], ...]
    strangers: tuple[Sighting, ...]
    unread: tuple[Unread, ...]
    mat: FoundMat | None


class CameraView:
    """Looks at the latest frame of the camera that is watched anyway.  Every call may come from any thread."""

    def __init__(
        self, scanner: Scanner, check: CameraCheck, read_anything: ReadAnything, find_unread: FindUnread
    ) -> None:
        """Take whose frames are shown, who keeps them for pages, how codes are read, and what is not read found."""
        self._scanner = scanner
        self._check = check
        self._read_anything, self._find_unread = read_anything, find_unread
        self._lock = threading.Lock()
        self._codes: tuple[Sighting, ...] = ()
        self._unread: tuple[Unread, ...] = ()
        self._lasting: tuple[Unread, ...] = ()
        self._read_at_ms: int | None = None

    def look(self, table_id: str) -> Viewed | None:
        """Say what is seen at a table; ``None`` while no camera looks there."""
        frame = self._scanner.latest
        if frame is None or self._scanner.attached_to != table_id:
            return None
        sight = self._scanner.sight(table_id)
        cards = tuple(sight["cards"])
        places, twins = ([_label(one) for one in told] for told in (cards, sight["twins"]))
        with self._lock:
            self._check.keep(frame)
            self._look_closer(frame, [*places, *twins])
            codes, unread = self._codes, self._lasting
        known = [*places, *twins]
        strangers = tuple(one for one in codes if not any(_same_place(one, card) for card in known))
        unread = tuple(one for one in unread if not any(_same_place(_at(one), card) for card in known))
        unread += tuple(Unread(one.corners, "twice") for one in twins)
        mat = self._scanner.mat
        height, width = frame.image.shape[:2]
        found = None if mat is None else mat.found
        return Viewed(frame.number, int(width), int(height), cards, strangers, unread, found)

    def _look_closer(self, frame: Frame, cards: Sequence[Sighting]) -> None:
        """Look for what is no card that was read: what was not read is told once it is found there again."""
        if self._read_at_ms is not None and 0 <= frame.at_ms - self._read_at_ms < STRANGERS_EVERY_MS:
            return
        self._codes, self._read_at_ms = tuple(self._read_anything(frame.image)), frame.at_ms
        calm = self._scanner.calm()
        shown = frame.image if calm is None else calm
        before, self._unread = self._unread, tuple(self._find_unread(shown, (*cards, *self._codes)))
        self._lasting = tuple(one for one in self._unread if any(_same_place(_at(one), _at(was)) for was in before))


def _label(told: Mapping[str, Any]) -> Sighting:
    a, b, c, d = ((float(x), float(y)) for x, y in told["corners"])
    return Sighting("", (a, b, c, d))


def _at(one: Unread) -> Sighting:
    return Sighting("", one.corners)


def _same_place(code: Sighting, card: Sighting) -> bool:
    (x, y), (at_x, at_y) = code.centre, card.centre
    return max(abs(x - at_x), abs(y - at_y)) < SAME_PLACE_SIDES * card.side
