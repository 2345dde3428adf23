"""What the camera sees now, for people who want to see it too: cards, codes that are none, the mat under them."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from calibration.mat_sight import FoundMat
from companion.service.sight.camera import Frame
from companion.service.sight.camera_check import CameraCheck
from companion.service.sight.scanner import Scanner
from companion.vision.label.sighting import Picture, Sighting

ReadAnything: TypeAlias = Callable[[Picture], Sequence[Sighting]]

STRANGERS_EVERY_MS = 2000
"""How often a picture is read for codes of any kind: it costs more than reading the deck, and few lie there."""

SAME_PLACE_SIDES = 0.7
"""A code whose middle is as near as that to a card's, in the card's sides, is that card's own."""


@dataclass(frozen=True, slots=True)
class Viewed:
    """One frame: its number and size, and what is in it.

    ``cards`` are those of the table, as ``sight`` tells them; ``strangers`` codes that are none of them.
    """

    number: int
    width: int
    height: int
    cards: tuple[dict[str, Any], ...]
    strangers: tuple[Sighting, ...]
    mat: FoundMat | None


class CameraView:
    """Looks at the latest frame of the camera that is watched anyway.  Every call may come from any thread."""

    def __init__(self, scanner: Scanner, check: CameraCheck, read_anything: ReadAnything) -> None:
        """Take whose frames are shown, who keeps them for pages, and how codes of any kind are read."""
        self._scanner = scanner
        self._check = check
        self._read_anything = read_anything
        self._lock = threading.Lock()
        self._codes: tuple[Sighting, ...] = ()
        self._read_at_ms: int | None = None

    def look(self, table_id: str) -> Viewed | None:
        """Say what is seen at a table; ``None`` while no camera looks there."""
        frame = self._scanner.latest
        if frame is None or self._scanner.attached_to != table_id:
            return None
        cards = tuple(self._scanner.sight(table_id)["cards"])
        places = [Sighting("", tuple((x, y) for x, y in card["corners"])) for card in cards]  # type: ignore[arg-type]
        with self._lock:
            self._check.keep(frame)
            codes = self._codes_in(frame)
        strangers = tuple(one for one in codes if not any(_same_place(one, card) for card in places))
        mat = self._scanner.mat
        height, width = frame.image.shape[:2]
        found = None if mat is None else mat.found
        return Viewed(frame.number, int(width), int(height), cards, strangers, found)

    def _codes_in(self, frame: Frame) -> tuple[Sighting, ...]:
        due = self._read_at_ms is None or not 0 <= frame.at_ms - self._read_at_ms < STRANGERS_EVERY_MS
        if due:
            self._codes, self._read_at_ms = tuple(self._read_anything(frame.image)), frame.at_ms
        return self._codes


def _same_place(code: Sighting, card: Sighting) -> bool:
    (x, y), (at_x, at_y) = code.centre, card.centre
    return max(abs(x - at_x), abs(y - at_y)) < SAME_PLACE_SIDES * card.side
