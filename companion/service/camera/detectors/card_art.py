"""Unlabelled cards that come to rest in the tray, recognised by their art where it was taught, once each.

A face is only ever proposed.  What is not surely one card is told as unknown, with what it looks like.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.qr.sighting import Box, GreyPicture, Picture, Sighting
from companion.service.camera.camera import Frame
from companion.vision.card_art.match import Recognition, recognise_card
from companion.vision.card_art.outline import (
    Quad,
    TaughtCards,
    crop_card,
    detect_features,
    find_outlines,
    locate_by_features,
    map_to_quad,
    match_illumination,
    turn_upright,
)
from companion.vision.change import boxes_around, reduce_to_cells

REST_MS = 600
"""How long nothing may move before a card counts as at rest: labels are read first."""
FRAMES = 3
"""Exposures of which one picture is made."""
MIN_CHANGE, MAX_MOVING_CELLS, FEWEST_CELLS = 12, 3, 12
"""Grey levels of a cell's mean that are no noise; so many cells that move are none; a card has more."""
ALL_CHANGED = 0.5
"""Share of the picture whose change is no card: the light, or the camera was moved."""
MARGIN = 24
LIKE_FITS = 0.8
"""What fits less looks like none of the cards."""


@dataclass(frozen=True, slots=True, eq=False)
class UnlabelledCard:
    """A bare card at rest: its card, or ``None`` and what it looks like, where it lies, and the picture of it."""

    card: str | None
    like: tuple[str, ...]
    centre: tuple[float, float]
    picture: Picture


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where something lies: its outline, what it is taken for, and whether it bears a label."""

    outline: Quad
    bare: UnlabelledCard | None


class CardArtDetector:
    """Looks for bare cards in one camera's frames.  Time comes with the frames; for one thread.

    ``cards`` may be read from any thread.
    """

    def __init__(self, load: Callable[[], TaughtCards], in_tray: Callable[[float, float], bool]) -> None:
        """Store what loads the taught card art, and whether a pixel lies in the tray."""
        self._load = load
        self._loaded: TaughtCards | None = None
        self._in_tray = in_tray
        self._before: GreyPicture | None = None
        self._ground: Picture | None = None
        self._ground_cells: GreyPicture | None = None
        self._moved_ms = 0
        self._rested: list[Frame] = []
        self._places: list[_Place] = []
        self.cards: tuple[UnlabelledCard, ...] = ()

    @property
    def _taught(self) -> TaughtCards:
        """The card art, loaded for the first card: it takes a second, which no start of a game waits for."""
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    def observe(self, frame: Frame, labels: Sequence[Sighting]) -> list[UnlabelledCard]:
        """Process a frame with its labels and return the unlabelled cards that came to rest."""
        cells = reduce_to_cells(frame.image)
        before, self._before = self._before, cells
        if before is None or before.shape != cells.shape:
            self._settle(frame, cells)
            return []
        if int((cv2.absdiff(cells, before) > MIN_CHANGE).sum()) >= MAX_MOVING_CELLS:
            self._moved_ms, self._rested = frame.at_ms, []
            return []
        if frame.at_ms - self._moved_ms < REST_MS or not self._differs(cells):
            self._rested = []
            return []
        self._rested.append(frame)
        if len(self._rested) < FRAMES:
            return []
        rested, self._rested = self._rested, []
        cards = self._recognise(rested, labels)
        self._settle(frame, cells)
        return cards

    def forget(self, card: str) -> None:
        """Look at a card once more: somebody wishes so."""
        place_of_card = next(
            (place for place in self._places if place.bare is not None and place.bare.card == card), None
        )
        if place_of_card is None or self._ground is None:
            return
        self._places.remove(place_of_card)
        ground = self._ground.copy()
        cv2.fillConvexPoly(ground, np.round(place_of_card.outline).astype(np.int32), (0, 0, 0))
        self._ground, self._ground_cells = ground, reduce_to_cells(ground)

    def _settle(self, frame: Frame, cells: GreyPicture) -> None:
        self._ground, self._ground_cells, self._rested = frame.image, cells, []
        self.cards = tuple(place.bare for place in self._places if place.bare is not None)

    def _differs(self, cells: GreyPicture) -> bool:
        ground = self._ground_cells
        return ground is not None and int((cv2.absdiff(cells, ground) > MIN_CHANGE).sum()) >= FEWEST_CELLS

    def _recognise(self, frames: Sequence[Frame], labels: Sequence[Sighting]) -> list[UnlabelledCard]:
        """Look at what is new since the ground; what lay there before and is gone is forgotten."""
        now = frames[-1].image
        if self._ground is None or self._ground.shape != now.shape:
            return []
        ground = match_illumination(self._ground, now)
        changed = np.asarray(cv2.absdiff(reduce_to_cells(now), reduce_to_cells(ground)) > MIN_CHANGE, np.bool_)
        if float(changed.mean()) > ALL_CHANGED:
            self._places = []
            return []
        cards = []
        for part in boxes_around(changed, MARGIN, now.shape[1], now.shape[0]):
            for outline in _outlines(ground, now, part):
                new = self._placed(outline, frames, labels)
                if new is not None:
                    cards.append(new)
        return cards

    def _placed(self, outline: Quad, frames: Sequence[Frame], labels: Sequence[Sighting]) -> UnlabelledCard | None:
        """Register what is inside an outline and return it if it is a new unlabelled card."""
        gone = [place for place in self._places if _is_in(_middle(place.outline), outline)]
        self._places = [place for place in self._places if place not in gone]
        x, y = _middle(outline)
        if any(_is_in(label.centre, outline) for label in labels):
            self._places.append(_Place(outline, None))
            return None
        if not self._in_tray(x, y):
            return None
        recognised = self._recognised(outline, [frame.image for frame in frames])
        sure = recognised is not None and recognised.is_certain
        if gone and not sure:
            return None  # what lay there was taken away
        like = (
            () if recognised is None else tuple(card_id for card_id in (recognised.card, recognised.other) if card_id)
        )
        card = recognised.card if recognised is not None and sure else None
        picture = crop_card(frames[-1].image, turn_upright(outline))
        bare = UnlabelledCard(card, () if sure or not _near(recognised) else like, (x, y), picture)
        self._places.append(_Place(outline, bare))
        return bare

    def _recognised(self, outline: Quad, pictures: Sequence[Picture]) -> Recognition | None:
        by_outline = recognise_card(self._taught, pictures, map_to_quad(outline))
        if by_outline is None or by_outline.is_certain:
            return by_outline
        # A shadow, or a finger's breadth of the card beneath: its features say better how it lies.
        (left, top), (right, foot) = (_bound(outline, way, pictures[0]) for way in (-1, 1))
        seen = detect_features(np.ascontiguousarray(pictures[0][top:foot, left:right]))
        start = locate_by_features([card.features for card in self._taught.cards], seen)
        if start is None:
            return by_outline
        shift = np.array([[1.0, 0, left], [0, 1.0, top], [0, 0, 1]])
        by_features = recognise_card(self._taught, pictures, shift @ start)
        return (
            by_features if by_features is not None and by_features.correlation > by_outline.correlation else by_outline
        )


def _near(recognised: Recognition | None) -> bool:
    """Return whether it is worth while to tell what a card looks like."""
    return recognised is not None and recognised.correlation >= LIKE_FITS


def _outlines(ground: Picture, now: Picture, part: Box) -> list[Quad]:
    left, top, right, foot = part
    outlines = find_outlines(ground[top:foot, left:right], now[top:foot, left:right])
    return [np.asarray(outline + np.array([left, top], np.float32), np.float32) for outline in outlines]


def _middle(outline: Quad) -> tuple[float, float]:
    x, y = outline.mean(axis=0)
    return float(x), float(y)


def _is_in(point: tuple[float, float], outline: Quad) -> bool:
    return cv2.pointPolygonTest(outline, point, measureDist=False) >= 0


def _bound(outline: Quad, way: int, picture: Picture) -> tuple[int, int]:
    x, y = outline.min(axis=0) - MARGIN if way < 0 else outline.max(axis=0) + MARGIN
    height, width = picture.shape[:2]
    return int(np.clip(x, 0, width)), int(np.clip(y, 0, height))
