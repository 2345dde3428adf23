"""Differences between the table and the books that have lasted.

A card in motion is no difference yet.  A card out of view may be covered by a hand: one that lay in its place counts as
lying there until nothing has moved at that place for a while; one that was never seen there gets longer.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.qr.sighting import Box
from companion.service.table.table import Table

LASTING_MS = 3000
"""How long a card must lie where it does not belong."""
ABSENT_MS = 6000
"""How long a card that lay in its place must not show there while nothing moves."""
NEVER_SEEN_MS = 20_000
"""How long a card may be missing that was never seen where the books have it."""
LONGEST_FRAME_MS = 1000
"""Milliseconds between two frames that count at most: without frames nothing is missing."""


@dataclass(frozen=True, slots=True)
class FrameView:
    """Cards at rest in a frame: their places, and whether something moves at one."""

    places: Mapping[str, Box]
    still: Callable[[Box], bool]


@dataclass(slots=True)
class _Lain:
    """A card that counts as lying in a zone for as long as it has not been missing too long."""

    zone: str
    place: Box | None
    patience_ms: int
    missing_ms: int = 0


class Differences:
    """Differences between one camera's view and its table.  Time is passed in; not for several threads at once.

    ``resumed``: the table goes on where a pulled plug has left it, so that cards may have moved unseen.
    """

    def __init__(self, *, resumed: bool = False) -> None:
        """Start with none."""
        self._since: dict[str, tuple[int, dict[str, Any]]] = {}
        self._reported: tuple[dict[str, Any], ...] = ()
        self._lain: dict[str, _Lain] = {}
        self._at_ms: int | None = None
        self._resumed = resumed
        self._resumed_at: int | None = None

    def observe(self, at_ms: int, table: Table, lying: Mapping[str, str], view: FrameView) -> bool:
        """Compare the zones of cards at rest with the books; ``True`` if what is told has changed."""
        self._remember(at_ms, lying, view)
        found_now = (*self._lasting(at_ms, table, lying), *self._missing(table, lying))
        resumed = self._resumed
        if self._resumed_at is None:
            self._resumed_at = table.version
        # Whoever plays on has looked; and what was put back needs no second look.
        self._resumed = resumed and table.version == self._resumed_at and not (self._reported and not found_now)
        changed, self._reported = found_now != self._reported or resumed != self._resumed, found_now
        return changed

    def _lasting(self, at_ms: int, table: Table, lying: Mapping[str, str]) -> tuple[dict[str, Any], ...]:
        """Return the cards that have lain in a wrong zone long enough."""
        differences = (difference for difference in table.differences(lying) if difference["difference"] != "fewer")
        now = {repr(sorted(difference.items())): difference for difference in differences}
        self._since = {key: self._since.get(key, (at_ms, difference)) for key, difference in now.items()}
        return tuple(difference for since, difference in self._since.values() if at_ms - since >= LASTING_MS)

    def _missing(self, table: Table, lying: Mapping[str, str]) -> tuple[dict[str, Any], ...]:
        """Return where the books say more cards than there are, those that may lie there after all counted in."""
        patience_ms = ABSENT_MS if self._resumed else NEVER_SEEN_MS
        unseen = _fewer(table, lying)
        for difference in unseen:
            for card in difference["cards"]:
                self._lain.setdefault(card, _Lain(difference["player"], None, patience_ms))
        doubtful = {(difference["player"], difference["type"]) for difference in unseen}
        present = {card: lain.zone for card, lain in self._lain.items() if lain.missing_ms < lain.patience_ms}
        after_all = _fewer(table, {**present, **lying})
        return tuple(difference for difference in after_all if (difference["player"], difference["type"]) in doubtful)

    def _remember(self, at_ms: int, lying: Mapping[str, str], view: FrameView) -> None:
        """Note where cards lie, and for how long others have not shown."""
        passed_ms = 0 if self._at_ms is None else min(max(at_ms - self._at_ms, 0), LONGEST_FRAME_MS)
        self._at_ms = at_ms
        for card, lain in self._lain.items():
            if card not in lying and (lain.place is None or view.still(lain.place)):
                lain.missing_ms += passed_ms
        for card, zone in lying.items():
            before = self._lain.get(card)
            place = view.places.get(card, None if before is None else before.place)
            self._lain[card] = _Lain(zone, place, ABSENT_MS)

    @property
    def as_json(self) -> list[dict[str, Any]]:
        """Return what has lasted, as JSON."""
        return [dict(difference) for difference in self._reported]

    @property
    def resumed(self) -> bool:
        """Return whether what differs may have happened while nobody looked, and nobody has played on since."""
        return self._resumed


def _fewer(table: Table, lying: Mapping[str, str]) -> list[dict[str, Any]]:
    return [difference for difference in table.differences(lying) if difference["difference"] == "fewer"]
