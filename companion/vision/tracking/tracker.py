"""From sightings to placements: what rests in a zone for the inertia time has been laid there.

A camera is level-triggered: it goes on seeing a card for as long as it lies there.  So a placement is an event on
*entering* a zone, and the same card speaks again only after it has left.  Where several cards bear one label, the back
of a pile for example, the next card looks as the one before did, and nothing enters: there the placement of another
card brings along what lies on top.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.engine.placement import Placement
from companion.qr.sighting import Picture, Point, Sighting
from companion.vision.change import REDUCED, Box
from companion.vision.label.tag import parse_tag

Locate: TypeAlias = Callable[[float, float], str | None]
"""The zone under a pixel, or None outside all zones."""

TRAY = "tray"
"""The zone that the whole picture is when there is no mat."""
MOVED_SIDES = 3.0
"""How far one of several labels that look alike may have moved between two frames and be the same, in sides."""


def whole_picture(_x: float, _y: float) -> str | None:
    """Say that everything in view lies in the scan tray: the table has no mat."""
    return TRAY


@dataclass(slots=True)
class _Track:
    """What is known of one tag in view."""

    tag: str
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
    ``shared``: cards whose label several bear; each of these labels is followed by its place.
    ``piles``: zones in which only what lies on top counts.  Where one shows nothing at rest, a card that was laid
    elsewhere waits ``hand_ms`` for it: a hand is still there.
    """

    inertia_ms: int = 500
    gone_ms: int = 1000
    still_sides: float = 0.35
    locate: Locate = whole_picture
    shared: frozenset[str] = frozenset()
    piles: frozenset[str] = frozenset()
    hand_ms: int = 1500
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
                key = self._nearest(sighting, seen) if label.card in self.shared else sighting.text
                seen.setdefault(key, (label.card, sighting))
        gone = [event for key in list(self._tracks) if key not in seen for event in self._miss(now, key)]
        here = [event for key, (card, sighting) in seen.items() for event in self._see(now, key, card, sighting)]
        return tuple(gone + here)

    def lying(self) -> dict[str, str]:
        """Return the zone of every tag that counts as laid down now; of those that several labels bear none."""
        return {
            track.tag: track.placed_in
            for track in self._tracks.values()
            if track.placed_in is not None and track.card not in self.shared
        }

    def in_view(self) -> frozenset[str]:
        """Return every tag that is followed, at rest or not, until it has been away long enough."""
        return frozenset(track.tag for track in self._tracks.values())

    def due_ms(self) -> int | None:
        """Say in how many milliseconds after the last frame the next tag will have rested; ``None``: none rests."""
        now = self._now_ms or 0
        waits = [
            track.resting_since_ms + self.inertia_ms - now
            for track in self._tracks.values()
            if track.zone != track.placed_in and track.missing_since_ms is None
        ]
        return min((wait for wait in waits if wait > 0), default=None)

    def relocate(self) -> None:
        """Ask anew in which zone each tag lies: it is known better now.  Who has rested counts there at once."""
        for track in self._tracks.values():
            track.zone = self.locate(*track.anchor)

    def forget(self, tag: str) -> None:
        """Take a tag as never seen: if it lies there still, it will be placed anew."""
        self._tracks = {key: track for key, track in self._tracks.items() if track.tag != tag}

    def _nearest(self, sighting: Sighting, taken: Iterable[str]) -> str:
        """Give the key of the track that one of several equal labels goes on, or a new one."""
        near = [
            (math.dist(track.anchor, sighting.centre), key)
            for key, track in self._tracks.items()
            if track.tag == sighting.text and key not in set(taken)
        ]
        if near and min(near)[0] < MOVED_SIDES * sighting.side:
            return min(near)[1]
        number = 1
        while (key := f"{sighting.text}@{number}") in self._tracks or key in set(taken):
            number += 1
        return key

    def _miss(self, now: int, key: str) -> list[Placement]:
        """Note that a tag is not in this frame.  Time without frames does not count as absence."""
        track = self._tracks[key]
        if track.missing_since_ms is None:
            track.missing_since_ms = now
        if now - track.missing_since_ms < self.gone_ms:
            return []
        del self._tracks[key]
        return _removal(track)

    def _see(self, now: int, key: str, card: str, sighting: Sighting) -> list[Placement]:
        """Note where a tag is in this frame."""
        track = self._tracks.get(key)
        if track is None or math.dist(track.anchor, sighting.centre) > self.still_sides * sighting.side:
            placed_in = track.placed_in if track is not None else None
            zone = self.locate(*sighting.centre)
            track = _Track(sighting.text, card, sighting.centre, zone, now, sighting.confidence, placed_in)
            self._tracks[key] = track
        track.missing_since_ms = None
        track.confidence = sighting.confidence
        rested = now - track.resting_since_ms
        if track.zone == track.placed_in or rested < self.inertia_ms:
            return []
        if track.zone is None:
            events = _removal(track)
        else:
            tops = self._tops(now) if card not in self.shared and track.zone not in self.piles else {}
            if None in tops.values() and rested < self.inertia_ms + self.hand_ms:
                return []
            self._expect({pile for pile, top in tops.items() if top is None})
            told = tuple(sorted((pile, top) for pile, top in tops.items() if top is not None))
            kind: Literal["place", "move"] = "place" if track.placed_in is None else "move"
            events = [Placement(kind, track.tag, card, track.zone, track.confidence, told)]
        track.placed_in = track.zone
        return events

    def _tops(self, now: int) -> dict[str, str | None]:
        """Give what rests on top of each pile, in this frame or the one before; ``None`` where that is not clear."""
        tops: dict[str, str | None] = {}
        for pile in self.piles:
            cards = {
                track.card if now - track.resting_since_ms >= self.inertia_ms else None
                for track in self._tracks.values()
                if track.card in self.shared and track.zone == pile and track.missing_since_ms is None
            }
            tops[pile] = cards.pop() if len(cards) == 1 else None
        return tops

    def _expect(self, piles: set[str]) -> None:
        """Let what will rest on these piles be told, also where the same text was told there before."""
        self._tracks = {
            key: track
            for key, track in self._tracks.items()
            if track.card not in self.shared or (track.zone not in piles and track.placed_in not in piles)
        }


def _removal(track: _Track) -> list[Placement]:
    """Return the event for a tag that has left; none if it never counted as laid down."""
    if track.placed_in is None:
        return []
    return [Placement("remove", track.tag, track.card, track.placed_in, track.confidence)]


# --- stillness
# Whether something moves in one part of the picture: asked of a few places only, so that it costs next to
# nothing.

LEAST_MOVEMENT = 12
"""Grey levels, of a cell's mean, from one frame to the next: less is noise, also in bad light."""


def still(before: Picture, now: Picture, box: Box) -> bool:
    """Say whether nothing moves in a part that lies wholly in two consecutive pictures of one size."""
    left, top, right, foot = box
    if before.shape != now.shape or left < 0 or top < 0 or foot > now.shape[0] or right > now.shape[1]:
        return False
    one, other = (_cells(picture[top:foot, left:right]) for picture in (before, now))
    return bool(np.abs(one - other).max() < LEAST_MOVEMENT)


def place_of(seen: Sighting) -> Box:
    """Return the box round a symbol, in whole pixels."""
    xs, ys = zip(*seen.corners, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1


def _cells(part: Picture) -> npt.NDArray[np.int16]:
    size = (max(1, part.shape[1] // REDUCED), max(1, part.shape[0] // REDUCED))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.int16)
