"""Two runs of the same frames compared: the placements that were recorded, and those of now."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from companion.engine.game import Placement


@dataclass(frozen=True, slots=True)
class Placed:
    """A placement and the frame that led to it; ``at_ms`` counts from the first frame."""

    frame: int
    at_ms: int
    placement: Placement

    def as_json(self) -> dict[str, Any]:
        """Return it as it is printed."""
        placement = self.placement
        return {
            "frame": self.frame,
            "at_ms": self.at_ms,
            "event": placement.event,
            "tag": placement.tag,
            "card": placement.card,
            "zone": placement.zone,
            "confidence": round(placement.confidence, 4),
        }


@dataclass(frozen=True, slots=True)
class Departure:
    """Where two runs part: one was recorded (or not), the other came now (or not)."""

    recorded: Placed | None
    now: Placed | None

    @property
    def at_ms(self) -> int:
        """When, from the first frame."""
        return min(placed.at_ms for placed in (self.recorded, self.now) if placed is not None)


def first_departure(recorded: Iterable[Placed], now: Iterable[Placed], within_ms: int) -> Departure | None:
    """Compare two runs label by label: the same events in the same zones, so many milliseconds apart at most.

    The order among different labels may differ by as much; how sure the reader was is not compared.
    """
    before, after = _by_tag(recorded), _by_tag(now)
    departures = (
        Departure(first, other)
        for tag in before.keys() | after.keys()
        for first, other in zip_longest(before[tag], after[tag])
        if first is None or other is None or not _same(first, other, within_ms)
    )
    return min(departures, key=lambda departure: departure.at_ms, default=None)


def _same(first: Placed, other: Placed, within_ms: int) -> bool:
    alike = (first.placement.event, first.placement.zone) == (other.placement.event, other.placement.zone)
    return alike and abs(first.at_ms - other.at_ms) <= within_ms


def _by_tag(run: Iterable[Placed]) -> defaultdict[str, list[Placed]]:
    by_tag: defaultdict[str, list[Placed]] = defaultdict(list)
    for placed in run:
        by_tag[placed.placement.tag].append(placed)
    return by_tag
