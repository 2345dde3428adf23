"""From sightings to placements: what rests in a zone for the inertia time has been laid there.

A camera is level-triggered: it goes on seeing a card for as long as it lies there.  So a placement is an event on
*entering* a zone, and the same card speaks again only after it has left.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from companion.engine.placement import Placement
from companion.vision.label.sighting import Point, Sighting
from companion.vision.label.tag import parse_tag

Locate: TypeAlias = Callable[[float, float], str | None]
"""The zone under a pixel, or None outside all zones."""

TRAY = "tray"
"""The zone that the whole picture is when there is no mat."""


def whole_picture(_x: float, _y: float) -> str | None:
    """Say that everything in view lies in the scan tray: the table has no mat."""
    return TRAY


@dataclass(slots=True)
class _Track:
    """What is known of one tag in view."""

    card: str
    anchor: Point
    zone: str | None
    resting_since_ms: int
    confidence: float
    placed_in: str | None = None
    missing_since_ms: int | None = None


@dataclass(slots=True)
class Tracker:
    """Follows tags through frames.  Time is passed in; nothing here looks at a clock.

    ``inertia_ms``: how long a tag must rest before it counts as laid there.
    ``gone_ms``: how long it must be out of sight, with frames coming, before it counts as taken away.
    ``still_sides``: how far it may seem to move, in sides of its symbol, and still be at rest.
    ``locate``: the zone under a pixel; without a mat the whole picture is the scan tray.
    """

    inertia_ms: int = 500
    gone_ms: int = 1000
    still_sides: float = 0.35
    locate: Locate = whole_picture
    _tracks: dict[str, _Track] = field(default_factory=dict, init=False)
    _now_ms: int | None = field(default=None, init=False)

    def observe(self, at_ms: int, sightings: Iterable[Sighting]) -> tuple[Placement, ...]:
        """Take in what one frame shows and return what that means, removals first.

        ``at_ms`` is the time of the frame on any clock that does not run backwards; should it, the frame counts
        as of the same moment as the one before.  A frame that shows nothing must be observed too.
        Sightings whose text is no label's are ignored; of two with the same text the first counts.
        """
        now = at_ms if self._now_ms is None else max(at_ms, self._now_ms)
        self._now_ms = now
        seen: dict[str, tuple[str, Sighting]] = {}
        for sighting in sightings:
            label = parse_tag(sighting.text)
            if label is not None:
                seen.setdefault(sighting.text, (label.card, sighting))
        gone = [event for tag in list(self._tracks) if tag not in seen for event in self._miss(now, tag)]
        here = [event for tag, (card, sighting) in seen.items() for event in self._see(now, tag, card, sighting)]
        return tuple(gone + here)

    def lying(self) -> dict[str, str]:
        """Return the zone of every tag that counts as laid down now."""
        return {tag: track.placed_in for tag, track in self._tracks.items() if track.placed_in is not None}

    def in_view(self) -> frozenset[str]:
        """Return every tag that is followed, at rest or not, until it has been away long enough."""
        return frozenset(self._tracks)

    def forget(self, tag: str) -> None:
        """Take a tag as never seen: if it lies there still, it will be placed anew."""
        self._tracks.pop(tag, None)

    def _miss(self, now: int, tag: str) -> list[Placement]:
        """Note that a tag is not in this frame.  Time without frames does not count as absence."""
        track = self._tracks[tag]
        if track.missing_since_ms is None:
            track.missing_since_ms = now
        if now - track.missing_since_ms < self.gone_ms:
            return []
        del self._tracks[tag]
        return _removal(tag, track)

    def _see(self, now: int, tag: str, card: str, sighting: Sighting) -> list[Placement]:
        """Note where a tag is in this frame."""
        track = self._tracks.get(tag)
        if track is None or math.dist(track.anchor, sighting.centre) > self.still_sides * sighting.side:
            placed_in = track.placed_in if track is not None else None
            zone = self.locate(*sighting.centre)
            track = _Track(card, sighting.centre, zone, now, sighting.confidence, placed_in)
            self._tracks[tag] = track
        track.missing_since_ms = None
        track.confidence = sighting.confidence
        if track.zone == track.placed_in or now - track.resting_since_ms < self.inertia_ms:
            return []
        if track.zone is None:
            events = _removal(tag, track)
        else:
            kind: Literal["place", "move"] = "place" if track.placed_in is None else "move"
            events = [Placement(kind, tag, card, track.zone, track.confidence)]
        track.placed_in = track.zone
        return events


def _removal(tag: str, track: _Track) -> list[Placement]:
    """Return the event for a tag that has left; none if it never counted as laid down."""
    if track.placed_in is None:
        return []
    return [Placement("remove", tag, track.card, track.placed_in, track.confidence)]
