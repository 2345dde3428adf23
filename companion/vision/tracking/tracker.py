"""Join sightings from frame to frame, and report a placement when a tag has rested in a zone for the inertia time.

A camera is level-triggered: it sees a card for as long as it lies there. So a placement is reported on *entering* a
zone, and the same card is reported again only after it has left. Where several cards bear the same label, such as the
backs in a pile, the next card looks like the one before and nothing enters: there the placement of another card carries
what lies on top of the piles.

A card whose place cannot be seen has not left, and one that shows again exactly where it lay was never moved: nobody
lays a card again to a millimetre.

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
from companion.qr.sighting import F32, Box, GreyPicture, Picture, Point, ReadMethod, Sighting
from companion.vision.change import CELL_PIXELS, CellMask, reduce_to_cells
from companion.vision.label.tag import Deck, parse_tag

Locate: TypeAlias = Callable[[float, float], str | None]
"""Returns the zone under a pixel, or None outside all zones."""

TRAY = "tray"
"""The zone that the whole picture is when there is no mat."""
MAX_JUMP = 3.0
"""Sides by which one of several labels with the same text may move between two frames and still be the same one."""
MIN_MOVEMENT = 12
"""Grey levels of a cell's mean, from one frame to the next, below which a change is noise, also in bad light."""
MIN_UNLIKE, MIN_UNLIKE_SHARE, MIN_KNOWN_SHARE = 16, 0.3, 0.5
"""Grey levels by which a bare place differs from a symbol, in such a share of its cells, of which so many are known."""
SMOOTHED_CELLS = 3
"""Cells a side over which looks are averaged before they are compared: a camera out of focus mixes them."""
MAX_PLAIN = 0.2
"""Contrast of a bare place, relative to that of a symbol; one out of focus has more."""
MAX_RELIT = 1.5
"""Gain of the light, and its inverse, up to which two looks of a table are compared."""
_ROW_STEP, _COLUMN_STEP, _BLACK = 4, 2, 8
"""Rows of which one is looked at, columns between pixels that are compared, and grey levels added to what is dark."""
LONGEST_STEP_MS = 500
"""Time from one frame to the next that counts at most: a camera that stood still has seen nothing."""
SAME_SIDES, SAME_PIXELS = 0.03, 1.5
"""How far a corner of a label that was never moved may seem to have moved, in sides of its symbol; pixels at least."""


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
    corners: tuple[Point, ...]
    is_initial: bool
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
    ``commands``: cards that say a word. They count in the tray where no zone is.
    ``lying``: tags that lay there when a game began; None: whatever was not seen bare may have lain there before.

    A card is removed once its place has shown nothing, and nothing moved there, for ``gone_ms``: what a hand has
    covered is not laid anew. Labels of shared cards are removed once they were out of sight for so long.
    """

    inertia_ms: int = 500
    gone_ms: int = 1000
    still_sides: float = 0.35
    locate: Locate = locate_in_tray
    shared: frozenset[str] = frozenset()
    piles: frozenset[str] = frozenset()
    hand_ms: int = 1500
    commands: frozenset[str] = frozenset()
    lying: frozenset[str] | None = None
    initial_tags: frozenset[str] = field(default=frozenset(), init=False)
    """Tags placed in the latest frame that may have lain there before the first one."""
    returned_tags: frozenset[str] = field(default=frozenset(), init=False)
    """Tags placed in the latest frame that were out of sight, and lie exactly where they lay before."""
    _tracks: dict[str, _Track] = field(default_factory=dict, init=False)
    _left: dict[str, _Track] = field(default_factory=dict, init=False)
    _shared_placed: set[str] = field(default_factory=set, init=False)
    _at_ms: int | None = field(default=None, init=False)
    _now_ms: int = field(default=0, init=False)

    def observe(
        self,
        at_ms: int,
        sightings: Iterable[Sighting],
        still: Callable[[Box], bool] = lambda _: True,
        bare: Callable[[Box], bool] = lambda _: True,
    ) -> tuple[Placement, ...]:
        """Process the sightings of one frame, also of one without any, and return the placements, removals first.

        Args:
            at_ms: time of the frame. If the clock runs backwards, the time of the frame before counts.
            sightings: texts of no label are ignored; of two with the same text the first counts.
            still: whether nothing moves in a part of the picture.
            bare: whether a part of the picture was seen without the label that it shows now.

        """
        last = at_ms if self._at_ms is None else self._at_ms
        self._at_ms = max(at_ms, last)
        now = self._now_ms = self._now_ms + min(self._at_ms - last, LONGEST_STEP_MS)
        self.initial_tags = self.returned_tags = frozenset()
        seen: dict[str, tuple[str, Sighting]] = {}
        for sighting in sightings:
            label = parse_tag(sighting.text)
            if label is not None:
                key = self._key_of_nearest(sighting, seen) if label.card in self.shared else sighting.text
                seen.setdefault(key, (label.card, sighting))
        if self.lying:
            self.lying &= self.tags_in_view() | {sighting.text for _, sighting in seen.values()}
        missing = [key for key in self._tracks if key not in seen]
        removals = [event for key in missing for event in self._record_missing(now, key, still)]
        placements = [
            event
            for key, (card, sighting) in seen.items()
            for event in self._record_seen(now, key, card, sighting, bare)
        ]
        return tuple(removals + placements)

    @property
    def latest_ms(self) -> int | None:
        """Return the time of the latest frame; None before the first."""
        return self._at_ms

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
        waits = [
            track.resting_since_ms + self.inertia_ms - self._now_ms
            for track in self._tracks.values()
            if track.zone != track.placed_in and track.missing_since_ms is None
        ]
        return min((wait for wait in waits if wait > 0), default=None)

    def relocate(self, *, silently: bool = False) -> None:
        """Recompute each tag's zone after ``locate`` changed; tags already at rest are placed with the next frame.

        Nobody has moved them, so they count as found there; ``silently``: they are not placed either.
        """
        for track in self._tracks.values():
            track.zone = self._locate(track.card, track.anchor)
            if track.placed_in not in (None, track.zone):
                track.is_initial, track.placed_in = True, track.zone if silently else track.placed_in

    def forget(self, tag: str) -> None:
        """Drop a tag; if it still lies there, it will be placed again."""
        self._tracks = {key: track for key, track in self._tracks.items() if track.tag != tag}
        self._left.pop(tag, None)

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
        elif track.card not in self.shared and not still(track.box):
            track.still_since_ms = now
        if now - track.still_since_ms < self.gone_ms:
            return []
        del self._tracks[key]
        if track.placed_in is not None and track.card not in self.shared:
            self._left[key] = track
        return _removal_of(track)

    def _record_seen(
        self, now: int, key: str, card: str, sighting: Sighting, bare: Callable[[Box], bool]
    ) -> list[Placement]:
        """Record where a tag is in this frame, and return its placement once it has rested."""
        track = self._tracks.get(key)
        if track is not None and self._is_laid_anew(now, track, sighting):
            del self._tracks[key]
            return [*_removal_of(track), *self._record_seen(now, key, card, sighting, bare)]
        if track is None or _has_moved(track, sighting, self.still_sides):
            track = self._tracks[key] = self._begin_track(now, key, card, sighting, bare)
        track.missing_since_ms = None
        track.confidence, track.corners = sighting.confidence, sighting.corners
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
            self._note_where_it_lay(key, track)
        track.placed_in = track.zone
        return events

    def _begin_track(self, now: int, key: str, card: str, sighting: Sighting, bare: Callable[[Box], bool]) -> _Track:
        """Return the track of a tag that has come into view or moved.

        What was placed before has been found already, wherever it lies now.
        """
        before = self._tracks.get(key)
        placed_in = None if before is None else before.placed_in
        zone, box = self._locate(card, sighting.centre), bounding_box(sighting)
        is_known = placed_in is not None or key in self._left or sighting.text in self._shared_placed
        lay_there = not bare(box) if self.lying is None else sighting.text in self.lying
        is_initial = not is_known and (before is None or before.is_initial) and lay_there
        tag, corners = sighting.text, sighting.corners
        return _Track(tag, card, sighting.centre, zone, now, sighting.confidence, box, corners, is_initial, placed_in)

    def _note_where_it_lay(self, key: str, track: _Track) -> None:
        """Note of a tag that is placed now whether it lay there before."""
        if track.card in self.shared:
            self._shared_placed.add(track.tag)
        left = self._left.pop(key, None)
        if left is not None and _is_in_same_place(left, track):
            if left.placed_in == track.zone:
                self.returned_tags |= {track.tag}
            track.is_initial = True
        if track.is_initial:
            self.initial_tags |= {track.tag}

    def _is_laid_anew(self, now: int, track: _Track, sighting: Sighting) -> bool:
        """Return whether a card was away for long enough, and lies elsewhere now."""
        away = track.missing_since_ms is not None and now - track.missing_since_ms >= self.gone_ms
        return away and track.card not in self.shared and _has_moved(track, sighting, self.still_sides)

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


def _is_in_same_place(before: _Track, now: _Track) -> bool:
    """Return whether the corners of a symbol are where they were."""
    moved = np.abs(np.subtract(before.corners, now.corners)).max()
    return bool(moved <= max(SAME_PIXELS, SAME_SIDES * math.dist(*now.corners[:2])))


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


@dataclass(slots=True)
class Ground:
    """Remembers how each part of a table has looked at rest, to tell a label that was laid from one that lay there.

    A place was bare if it looked otherwise than with the label, in about the same light, and nothing moved there for
    ``rest_ms``. A label that could only not be read for a while, because the camera was dark or not in focus, looks
    the same then. Time is passed in; no clock is used.
    """

    rest_ms: int = 1000
    _cells: GreyPicture | None = field(default=None, init=False)
    _contrast: F32 = field(default_factory=lambda: np.zeros((0, 0), np.float32), init=False)
    _at_ms: int = field(default=0, init=False)
    _still_ms: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 0), np.int32), init=False)
    _looked_ms: int = field(default=0, init=False)
    _level: float = field(default=1.0, init=False)
    _darkest: GreyPicture = field(default_factory=lambda: np.zeros((0, 0), np.uint8), init=False)
    _lightest: GreyPicture = field(default_factory=lambda: np.zeros((0, 0), np.uint8), init=False)
    _plainest: F32 = field(default_factory=lambda: np.zeros((0, 0), np.float32), init=False)

    def observe(self, at_ms: int, picture: Picture) -> None:
        """Process a frame."""
        cells, before = reduce_to_cells(picture), self._cells
        self._cells, self._contrast = cells, _compute_contrast(picture, cells)
        step, self._at_ms = min(max(at_ms - self._at_ms, 0), LONGEST_STEP_MS), at_ms
        if before is None or before.shape != cells.shape:
            self._still_ms = np.zeros(cells.shape, np.int32)
            self.restart()
            return
        moved = cv2.absdiff(cells, before) >= MIN_MOVEMENT
        self._still_ms = np.where(moved, 0, np.minimum(self._still_ms + step, self.rest_ms)).astype(np.int32)
        self._looked_ms += step
        if not 1 / MAX_RELIT < (float(np.median(cells)) + 1) / self._level < MAX_RELIT:
            self.restart()
        self._remember(cells)

    def restart(self) -> None:
        """Remember only how the table looks now, where nothing moves."""
        self._looked_ms = 0
        if self._cells is not None:
            self._level = float(np.median(self._cells)) + 1
            self._darkest, self._lightest = np.full_like(self._cells, 255), np.zeros_like(self._cells)
            self._plainest = np.full(self._cells.shape, np.inf, np.float32)
            self._remember(self._cells)

    def was_bare(self, box: Box) -> bool:
        """Return whether a part of the latest picture looked otherwise at rest, in about the same light.

        Where that part shows nothing at all, it counts for how long the table was looked at.
        """
        if self._cells is None:
            return False
        left, top, right, bottom = (max(edge, 0) // CELL_PIXELS for edge in box)
        place = slice(top, bottom + 1), slice(left, right + 1)
        remembered_cells: CellMask = self._darkest <= self._lightest
        if not remembered_cells[place].size or remembered_cells[place].mean() < MIN_KNOWN_SHARE:
            return False
        part, contrast = remembered_cells[place], self._contrast[place]
        if not contrast.any():
            return self._looked_ms >= self.rest_ms
        if self._plainest[place][part].mean() < MAX_PLAIN * contrast[part].mean():
            return True
        changes = (
            self._change_since(before, remembered_cells)[place][part] for before in (self._darkest, self._lightest)
        )
        return any((change >= MIN_UNLIKE).mean() >= MIN_UNLIKE_SHARE for change in changes)

    def _remember(self, cells: GreyPicture) -> None:
        rests = self._still_ms >= self.rest_ms
        self._darkest[rests] = np.minimum(self._darkest, cells)[rests]
        self._lightest[rests] = np.maximum(self._lightest, cells)[rests]
        self._plainest[rests] = np.minimum(self._plainest, self._contrast)[rests]

    def _change_since(self, before: GreyPicture, remembered_cells: CellMask) -> F32:
        """Return by how many grey levels each cell has changed since an earlier look, apart from the light."""
        now, then = np.asarray(self._cells, np.float32) + 1, before.astype(np.float32) + 1
        relit = then * np.median(now[remembered_cells] / then[remembered_cells])
        change = np.where(remembered_cells, now - relit, np.float32(0))
        return np.abs(np.asarray(cv2.blur(change, (SMOOTHED_CELLS, SMOOTHED_CELLS)), np.float32))


def _compute_contrast(picture: Picture, cells: GreyPicture) -> F32:
    """Return how much neighbouring pixels of each cell differ, relative to how light it is."""
    sampled = picture[::_ROW_STEP]
    grey = sampled if sampled.ndim == 2 else cv2.cvtColor(sampled, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004 - axes
    differences = cv2.absdiff(grey[:, _COLUMN_STEP:], grey[:, :-_COLUMN_STEP])
    columns, rows = cells.shape[1], cells.shape[0]
    contrast = cv2.resize(differences, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(contrast / (cells + np.float32(_BLACK)), np.float32)


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
