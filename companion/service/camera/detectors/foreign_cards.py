"""Cards of another game under the camera: told, so that nobody waits for what is never acted on.

The reader looks for the labels of its own deck only.  What came to lie there and is not explained by one of them is
read once, for labels of any game that is installed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from companion.qr.sighting import Box, Picture, Point, Sighting
from companion.service.camera.camera import Frame
from companion.vision.change import CellMask, ChangeDetector, boxes_around, cells_inside
from companion.vision.label.tag import Deck

ReadDeck: TypeAlias = Callable[[Picture, Deck], Sequence[Sighting]]

LOOK_MS = 300
"""Milliseconds from one frame that is processed to the next: a table at rest shall cost next to nothing."""
REST_MS = 1000
"""How long nothing may move before it is read: cards of the table's own game are read first."""
EVERY_MS = 2000
"""How much time lies between two readings at least."""
CARD_SIDES = 5.0
"""A card reaches as far as that from its label, in the label's sides."""
FEWEST_CELLS = 6
"""Less than a label covers even far away."""
MARGIN = 24
"""Pixels about what has changed: a label that is half covered by change is read whole."""
MAX_MOVING_CELLS = 3
"""Number of moving cells from which on it is no noise."""


@dataclass(frozen=True, slots=True)
class ForeignCard:
    """A label of another game: its text, its card, and the game's id."""

    text: str
    card: str
    game: str


class ForeignCardDetector:
    """Detector of cards of other games at one table.  Time comes with the frames; for one thread.

    ``cards`` may be read from any thread.
    """

    def __init__(self, read_deck: ReadDeck, decks: Mapping[str, Deck], own: str) -> None:
        """Store how the labels of a deck are read, the decks of all games by their ids, and the table's letters."""
        self._read = read_deck
        self._decks = {game: deck for game, deck in decks.items() if deck.game_code != own}
        self._change = ChangeDetector()
        self._looked_ms: int | None = None
        self._moved_ms: int | None = None
        self._read_ms: int | None = None
        self._seen: dict[ForeignCard, Point] = {}
        self.cards: tuple[ForeignCard, ...] = ()

    def observe(self, frame: Frame, own: Sequence[Sighting]) -> bool:
        """Process a frame with the labels of the table in it; return whether the reported cards changed."""
        if not self._decks or (self._looked_ms is not None and frame.at_ms - self._looked_ms < LOOK_MS):
            return False
        self._looked_ms = frame.at_ms
        self._change.update(frame.image)
        if self._moved_ms is None or int(self._change.moving.sum()) >= MAX_MOVING_CELLS:
            self._moved_ms = frame.at_ms
        if frame.at_ms - self._moved_ms < REST_MS or not self._is_due(frame.at_ms):
            return False
        unexplained = self._unexplained(own)
        self._change.settle(np.ones_like(self._change.touched))
        if int(unexplained.sum()) < FEWEST_CELLS:
            return False
        self._read_ms = frame.at_ms
        return self._read_part(frame.image, unexplained)

    def _is_due(self, now_ms: int) -> bool:
        return self._read_ms is None or now_ms - self._read_ms >= EVERY_MS

    def _unexplained(self, own: Sequence[Sighting]) -> CellMask:
        left = self._change.touched.copy()
        for label in own:
            (x, y), reach = label.centre, CARD_SIDES * label.side
            box = (int(max(0, x - reach)), int(max(0, y - reach)), int(x + reach), int(y + reach))
            left &= ~cells_inside(box, (left.shape[0], left.shape[1]))
        return left

    def _read_part(self, picture: Picture, where: CellMask) -> bool:
        """Read where something changed; what was told there and is not read again has gone."""
        height, width = picture.shape[:2]
        boxes = boxes_around(where, MARGIN, width, height)
        kept = {card: at for card, at in self._seen.items() if not any(_inside(at, box) for box in boxes)}
        for left, top, right, foot in boxes:
            part = picture[top:foot, left:right]
            for game, deck in self._decks.items():
                for seen in self._read(part, deck):
                    x, y = seen.centre
                    kept[ForeignCard(seen.text, deck.card_of(seen.text) or "", game)] = (x + left, y + top)
        self._seen = kept
        before, self.cards = self.cards, tuple(sorted(kept, key=lambda card: card.text))
        return before != self.cards


def _inside(at: Point, box: Box) -> bool:
    left, top, right, foot = box
    return left <= at[0] < right and top <= at[1] < foot
