"""Dice that come to rest while a throw is awaited: read where the picture has changed, and told once.

What is read is a proposal like any card.  Where nothing can be told, nothing is guessed: people tap the throw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from companion.qr.sighting import Box, GreyPicture, Picture
from companion.service.camera.camera import Frame
from companion.vision.change import CELL_PIXELS, CellMask, boxes_around, reduce_to_cells
from companion.vision.dice.faces import SeenDie

ReadDice: TypeAlias = Callable[[Picture, int], Sequence[SeenDie]]

REST_MS = 400
"""How long nothing may move before dice count as at rest."""
MOST_TRIES = 4
"""So often one throw is looked at, each time in another frame, before it is left to people."""
SURE_FIT = 0.75
"""What fits as well as that is told at the first look; the rest where a second look says the same."""
MIN_CHANGE = 12
"""Grey levels of a cell's mean that are more than noise."""
MAX_MOVING_CELLS = 2
"""Number of moving cells from which on it is no noise."""
FEWEST_CELLS = 3
MARGIN = 40
"""Pixels about what has changed."""
PLACES = 3
"""Maximum number of places that are searched where they are too far apart for one part."""
LARGEST = (900, 900)
"""Pixels across and down of a part that is looked through: a hand's width of table from any usual height."""


@dataclass(frozen=True, slots=True)
class Throw:
    """Faces of thrown dice, and the part of the picture that shows them."""

    faces: tuple[int, ...]
    part: Picture


class DiceDetector:
    """Detector of a number of dice in one camera's frames.  Time comes with the frames; for one thread."""

    def __init__(self, read_dice: ReadDice, count: int) -> None:
        """Store how dice are read, and how many are thrown together."""
        self._read = read_dice
        self._count = count
        self._before: GreyPicture | None = None
        self._read_cells: GreyPicture | None = None
        self._ground: GreyPicture | None = None
        self._moved_ms = 0
        self._version = 0
        self._tried = 0
        self._heard: set[tuple[int, ...]] = set()

    def observe(self, frame: Frame, *, awaited: bool, version: int = 0) -> Throw | None:
        """Process a frame and return a throw that came to rest, once.

        ``awaited``: whether the game waits for one.  ``version``: that of the table.  What came to rest at another one
        is a throw of the past: somebody has tapped it, or played on.
        """
        cells = reduce_to_cells(frame.image)
        before, self._before = self._before, cells
        if before is None or before.shape != cells.shape:
            self._read_cells = self._ground = cells
            self._moved_ms, self._tried = frame.at_ms, MOST_TRIES
            return None
        if int((cv2.absdiff(cells, before) > MIN_CHANGE).sum()) >= MAX_MOVING_CELLS:
            self._moved_ms, self._tried, self._version = frame.at_ms, 0, version
            self._heard.clear()
            return None
        if frame.at_ms - self._moved_ms < REST_MS or self._tried >= MOST_TRIES:
            return None
        if not awaited or version != self._version:
            # What lies there before it is wanted is an earlier throw.
            self._read_cells, self._tried = cells, MOST_TRIES
            return None
        self._tried += 1
        thrown = self._seen_in(self._parts(frame.image, cells))
        if thrown is None:
            if self._tried == MOST_TRIES:
                self._read_cells = cells
            return None
        self._ground, self._read_cells, self._tried = self._read_cells, cells, MOST_TRIES
        return thrown

    def _seen_in(self, parts: Sequence[Picture]) -> Throw | None:
        """Read the dice where they lie; ``None`` where none are, in several parts, or not surely."""
        read = ((part, tuple(self._read(part, self._count))) for part in parts)
        parts_with_dice = [(part, dice) for part, dice in read if dice]
        if len(parts_with_dice) != 1 or not self._is_sure(parts_with_dice[0][1]):
            return None
        part, dice = parts_with_dice[0]
        return Throw(tuple(die.face for die in dice), _about(part, dice))

    def _is_sure(self, dice: Sequence[SeenDie]) -> bool:
        """Return whether a reading is to be believed: it fits well, or was there before."""
        faces = tuple(sorted(die.face for die in dice))
        if min(die.score for die in dice) >= SURE_FIT or faces in self._heard:
            return True
        self._heard.add(faces)
        return False

    def forget(self) -> None:
        """Look at the latest throw once more: somebody wishes so."""
        self._read_cells, self._tried = self._ground, 0
        self._heard.clear()

    def _parts(self, image: Picture, cells: GreyPicture) -> list[Picture]:
        """Cut out where the table looks otherwise than before the throw: all together, or place by place.

        Whoever takes a card up while throwing leaves two places that have changed, far from each other.
        """
        if self._read_cells is None:
            return []
        changed: CellMask = np.asarray(cv2.absdiff(cells, self._read_cells) > MIN_CHANGE, np.bool_)
        if int(changed.sum()) < FEWEST_CELLS:
            return []
        height, width = image.shape[:2]
        boxes = boxes_around(changed, MARGIN, width, height)
        left, top = (min(box[side] for box in boxes) for side in (0, 1))
        right, foot = (max(box[side] for box in boxes) for side in (2, 3))
        together = (left, top, right, foot)
        places = [together] if _fits(together) else [box for box in boxes if _fits(box)][:PLACES]
        return [np.ascontiguousarray(image[top:foot, left:right]) for left, top, right, foot in places]


def _fits(box: Box) -> bool:
    left, top, right, foot = box
    return right - left <= LARGEST[0] and foot - top <= LARGEST[1] and min(right - left, foot - top) >= CELL_PIXELS


def _about(part: Picture, dice: Sequence[SeenDie]) -> Picture:
    """Cut out the dice, with a little round them."""
    left, top, right, foot = _box(part, dice)
    return np.ascontiguousarray(part[top:foot, left:right])


def _box(part: Picture, dice: Sequence[SeenDie]) -> Box:
    height, width = part.shape[:2]
    left = min(die.x - die.side for die in dice)
    top = min(die.y - die.side for die in dice)
    right = max(die.x + die.side for die in dice)
    foot = max(die.y + die.side for die in dice)
    return int(max(0, left)), int(max(0, top)), int(min(width, right + 1)), int(min(height, foot + 1))
