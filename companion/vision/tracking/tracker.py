"""Join sightings from frame to frame, and report a placement when a tag has rested in a zone for the inertia time.

A camera is level-triggered: it sees a card for as long as it lies there. So a placement is reported on *entering* a
zone, and the same card is reported again only after it has left. Where several cards bear the same label, such as the
backs in a pile, the next card looks like the one before and nothing enters: there the placement of another card carries
what lies on top of the piles.

The report of a single picture, as JSON, is here as well.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, TypedDict, final

import cv2
import numpy as np
import numpy.typing as npt

from companion.engine.game import Placement
from companion.qr.sighting import Box, Picture, Point, ReadMethod, Sighting
from companion.vision.change import CELL_PIXELS
from companion.vision.label.tag import Deck, parse_tag

Locate: TypeAlias = Callable[[float, float], str | None]
"""Returns the zone under a pixel, or None outside all zones."""

TRAY = "tray"
"""The zone that the whole picture is when there is no mat."""
MAX_JUMP = 3.0
"""Sides by which one of several labels with the same text may move between two frames and still be the same one."""
MIN_MOVEMENT = 12
"""Grey levels of a cell's mean, from one frame to the next, below which a change is noise, also in bad light."""


def locate_in_tray(_x: float, _y: float) -> str | None:
    """Return the scan tray, wherever the pixel lies: the table has no mat."""
    return TRAY


@dataclass(slots=True)
class _Track:
    """One tag in view."""

    tag: str
    card: str
    anchor: Point
    zone: str | None
    resting_since_ms: int
    confidence: float
    box: Box
    placed_in: str | None = None
    missing_since_ms: int | None = None
    still_since_ms: int = 0


@dataclass(slots=True)
class Tracker:
    """Tracks tags through frames. Time is passed in; no clock is used.

    ``inertia_ms``: how long a tag must rest before it counts as placed.
    ``gone_ms``: how long it must be out of sight, with frames coming, before it counts as removed.
    ``still_sides``: how far it may seem to move, in sides of its symbol, and still be at rest.
    ``locate``: the zone under a pixel; without a mat the whole picture is the scan tray.
    ``shared``: cards with several labels of the same text; each of these labels is tracked by its place.
    ``piles``: zones in which only the top card counts. Where a pile shows nothing at rest, a card placed elsewhere
    waits ``hand_ms`` for it, because a hand is still there.
    ``commands``: cards that say a word. They count in the tray where no zone is, and are removed only once their place
    has shown nothing, and nothing moved there, for ``gone_ms``: what a hand has covered is not laid anew.
    """

    inertia_ms: int = 500
    gone_ms: int = 1000
    still_sides: float = 0.35
    locate: Locate = locate_in_tray
    shared: frozenset[str] = frozenset()
    piles: frozenset[str] = frozenset()
    hand_ms: int = 1500
    commands: frozenset[str] = frozenset()
    _tracks: dict[str, _Track] = field(default_factory=dict, init=False)
    _now_ms: int | None = field(default=None, init=False)

    def observe(
        self, at_ms: int, sightings: Iterable[Sighting], still: Callable[[Box], bool] = lambda _: True
    ) -> tuple[Placement, ...]:
        """Process the sightings of one frame, also of one without any, and return the placements, removals first.

        Args:
            at_ms: time of the frame. If the clock runs backwards, the time of the frame before counts.
            sightings: texts of no label are ignored; of two with the same text the first counts.
            still: whether nothing moves in a part of the picture.

        """
        now = at_ms if self._now_ms is None else max(at_ms, self._now_ms)
        self._now_ms = now
        seen: dict[str, tuple[str, Sighting]] = {}
        for sighting in sightings:
            label = parse_tag(sighting.text)
            if label is not None:
                key = self._key_of_nearest(sighting, seen) if label.card in self.shared else sighting.text
                seen.setdefault(key, (label.card, sighting))
        missing = [key for key in self._tracks if key not in seen]
        removals = [event for key in missing for event in self._record_missing(now, key, still)]
        placements = [
            event for key, (card, sighting) in seen.items() for event in self._record_seen(now, key, card, sighting)
        ]
        return tuple(removals + placements)

    def placed_tags(self) -> dict[str, str]:
        """Return the zone of each tag that counts as placed now, without shared cards."""
        return {
            track.tag: track.placed_in
            for track in self._tracks.values()
            if track.placed_in is not None and track.card not in self.shared
        }

    def tags_in_view(self) -> frozenset[str]:
        """Return each tag that is tracked, at rest or not, until it has been out of sight for long enough."""
        return frozenset(track.tag for track in self._tracks.values())

    def next_due_ms(self) -> int | None:
        """Return in how many milliseconds after the last frame the next tag will have rested; None if none rests."""
        now = self._now_ms or 0
        waits = [
            track.resting_since_ms + self.inertia_ms - now
            for track in self._tracks.values()
            if track.zone != track.placed_in and track.missing_since_ms is None
        ]
        return min((wait for wait in waits if wait > 0), default=None)

    def relocate(self) -> None:
        """Recompute each tag's zone after ``locate`` changed; tags already at rest are placed with the next frame."""
        for track in self._tracks.values():
            track.zone = self._locate(track.card, track.anchor)

    def forget(self, tag: str) -> None:
        """Drop a tag; if it still lies there, it will be placed again."""
        self._tracks = {key: track for key, track in self._tracks.items() if track.tag != tag}

    def _key_of_nearest(self, sighting: Sighting, taken: Iterable[str]) -> str:
        """Return the key of the track that one of several labels with the same text continues, or a new key."""
        near = [
            (math.dist(track.anchor, sighting.centre), key)
            for key, track in self._tracks.items()
            if track.tag == sighting.text and key not in set(taken)
        ]
        if near and min(near)[0] < MAX_JUMP * sighting.side:
            return min(near)[1]
        number = 1
        while (key := f"{sighting.text}@{number}") in self._tracks or key in set(taken):
            number += 1
        return key

    def _locate(self, card: str, place: Point) -> str | None:
        """Return the zone in which a card lies."""
        return self.locate(*place) or (TRAY if card in self.commands else None)

    def _record_missing(self, now: int, key: str, still: Callable[[Box], bool]) -> list[Placement]:
        """Record that a tag is not in this frame; time without frames does not count as absence."""
        track = self._tracks[key]
        if track.missing_since_ms is None:
            track.missing_since_ms = track.still_since_ms = now
        elif track.card in self.commands and not still(track.box):
            track.still_since_ms = now
        if now - track.still_since_ms < self.gone_ms:
            return []
        del self._tracks[key]
        return _removal_of(track)

    def _record_seen(self, now: int, key: str, card: str, sighting: Sighting) -> list[Placement]:
        """Record where a tag is in this frame, and return its placement once it has rested."""
        track = self._tracks.get(key)
        if track is not None and self._is_laid_anew(now, track, sighting):
            del self._tracks[key]
            return [*_removal_of(track), *self._record_seen(now, key, card, sighting)]
        if track is None or _has_moved(track, sighting, self.still_sides):
            placed_in = track.placed_in if track is not None else None
            zone, box = self._locate(card, sighting.centre), bounding_box(sighting)
            track = _Track(sighting.text, card, sighting.centre, zone, now, sighting.confidence, box, placed_in)
            self._tracks[key] = track
        track.missing_since_ms = None
        track.confidence = sighting.confidence
        rested = now - track.resting_since_ms
        if track.zone == track.placed_in or rested < self.inertia_ms:
            return []
        if track.zone is None:
            events = _removal_of(track)
        else:
            tops = self._top_cards(now) if card not in self.shared and track.zone not in self.piles else {}
            if None in tops.values() and rested < self.inertia_ms + self.hand_ms:
                return []
            self._forget_tops({pile for pile, top in tops.items() if top is None})
            known_tops = tuple(sorted((pile, top) for pile, top in tops.items() if top is not None))
            kind: Literal["place", "move"] = "place" if track.placed_in is None else "move"
            events = [Placement(kind, track.tag, card, track.zone, track.confidence, known_tops)]
        track.placed_in = track.zone
        return events

    def _is_laid_anew(self, now: int, track: _Track, sighting: Sighting) -> bool:
        """Return whether a card that says a word was away for long enough, and lies elsewhere now."""
        away = track.missing_since_ms is not None and now - track.missing_since_ms >= self.gone_ms
        return away and track.card in self.commands and _has_moved(track, sighting, self.still_sides)

    def _top_cards(self, now: int) -> dict[str, str | None]:
        """Return the card at rest on top of each pile, in this frame or the one before; None if that is not clear."""
        tops: dict[str, str | None] = {}
        for pile in self.piles:
            cards = {
                track.card if now - track.resting_since_ms >= self.inertia_ms else None
                for track in self._tracks.values()
                if track.card in self.shared and track.zone == pile and track.missing_since_ms is None
            }
            tops[pile] = cards.pop() if len(cards) == 1 else None
        return tops

    def _forget_tops(self, piles: set[str]) -> None:
        """Forget what lay on these piles, so that the next card at rest is reported even with the same text."""
        self._tracks = {
            key: track
            for key, track in self._tracks.items()
            if track.card not in self.shared or (track.zone not in piles and track.placed_in not in piles)
        }


def _has_moved(track: _Track, sighting: Sighting, still_sides: float) -> bool:
    """Return whether a tag lies elsewhere than it did."""
    return math.dist(track.anchor, sighting.centre) > still_sides * sighting.side


def _removal_of(track: _Track) -> list[Placement]:
    """Return the event for a tag that has left; none if it never counted as placed."""
    if track.placed_in is None:
        return []
    return [Placement("remove", track.tag, track.card, track.placed_in, track.confidence)]


def is_still(before: Picture, now: Picture, box: Box) -> bool:
    """Return whether nothing moves in a part that lies wholly in two consecutive pictures of the same size."""
    left, top, right, bottom = box
    if before.shape != now.shape or left < 0 or top < 0 or bottom > now.shape[0] or right > now.shape[1]:
        return False
    first, second = (_reduce(picture[top:bottom, left:right]) for picture in (before, now))
    return bool(np.abs(first - second).max() < MIN_MOVEMENT)


def bounding_box(sighting: Sighting) -> Box:
    """Return the box round a symbol, in whole pixels."""
    xs, ys = zip(*sighting.corners, strict=True)
    return int(min(xs)), int(min(ys)), int(max(xs)) + 1, int(max(ys)) + 1


def _reduce(part: Picture) -> npt.NDArray[np.int16]:
    size = (max(1, part.shape[1] // CELL_PIXELS), max(1, part.shape[0] // CELL_PIXELS))
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.int16)


# What was read in a picture, in the form of its JSON


class TagReport(TypedDict):
    """One tag in a picture; ``card`` is None if no deck was given."""

    text: str
    card: str | None
    corners: list[list[float]]
    how: ReadMethod
    confidence: float


@final
class PictureReport(TypedDict):
    """The report of ``companion read`` on a picture; ``ms`` is the time of reading alone."""

    image: str
    width: int
    height: int
    ms: float
    tags: list[TagReport]


@final
class PictureFault(TypedDict):
    """The report of ``companion read`` on a file that is no picture."""

    image: str
    error: str


def report_picture(
    image: str, picture: Picture, sightings: tuple[Sighting, ...], ms: float, deck: Deck | None
) -> PictureReport:
    """Return the report on a picture named ``image``."""
    height, width = picture.shape[:2]
    tags = [_report_tag(sighting, deck) for sighting in sightings]
    return {"image": image, "width": int(width), "height": int(height), "ms": round(ms, 1), "tags": tags}


def _report_tag(sighting: Sighting, deck: Deck | None) -> TagReport:
    return {
        "text": sighting.text,
        "card": deck.card_of(sighting.text) if deck is not None else None,
        "corners": [[round(x, 2), round(y, 2)] for x, y in sighting.corners],
        "how": sighting.method,
        "confidence": round(sighting.confidence, 3),
    }
