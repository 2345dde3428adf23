"""Watches a table that is nearly still: a frame is read only where it has changed since.

What was read counts for as long as nothing touches its place.  Changed parts are read once they are still, or else
every now and then; while the table rests the mean of some frames is read too, for what no single one shows.  After that
a frame costs no more than the look for changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey, Picture, Sighting
from companion.vision.change import REDUCED, Box, Cells, Change, boxes_round, cells_in
from companion.vision.label.tag import Deck
from companion.vision.read import grey_of, read_frame, read_part

PATIENCE_MS = 400
"""How long what goes on moving is not read."""
MEANS = (3, 8)
"""After so many frames at rest their mean is read."""
MOST_AT_ONCE = 0.5
"""The share of the picture from which on all of it is read."""
WORK_A_FRAME = 1_000_000
"""Pixels that are read in parts of one frame; what is left over comes next, the longest unread first."""
WORK_A_PART = 200_000
"""Pixels in whose time the rest is asked how labels look, once for each part."""
USUAL_SIDE = 36.0
"""Pixels: the side of a symbol before any was seen."""


@dataclass(slots=True)
class Watcher:
    """Reads the frames of one camera, one after the other.  Time is passed in; nothing here looks at a clock."""

    _deck: Deck | None = field(default=None, init=False)
    _seen: tuple[Sighting, ...] = field(default=(), init=False)
    _change: Change = field(default_factory=Change, init=False)
    _read_at_ms: int = field(default=0, init=False)
    _turns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64), init=False)
    _turn: int = field(default=0, init=False)
    _total: npt.NDArray[np.float32] | None = field(default=None, init=False)
    _frames: int = field(default=0, init=False)
    calm: Grey | None = field(default=None, init=False)
    """The mean of frames at rest, while the table rests: it shows what drowns in the noise of each."""

    def look(self, picture: Picture, deck: Deck, at_ms: int) -> tuple[Sighting, ...]:
        """Return the labels of a deck that lie in view; ``at_ms`` is the frame's time on any clock.

        Where two of one text lie there, the one that was read first comes first.
        A label in a part that has changed and is not read yet is not told.
        """
        if deck != self._deck:
            self._deck, self._seen, self._change, self.calm = deck, (), Change(), None
        self._change.look(picture)
        touched = self._change.touched
        if touched.any():
            self._total, self._frames, self.calm = None, 0, None
            waited = at_ms - self._read_at_ms >= PATIENCE_MS
            if touched.mean() > MOST_AT_ONCE:
                if waited or not self._change.moving.any() or not self._seen:
                    self._read_all(grey_of(picture), deck, at_ms)
            else:
                self._read_parts(picture, deck, at_ms, waited=waited)
        elif self._frames < MEANS[-1]:
            self._rest(grey_of(picture), deck)
        return tuple(seen for seen in self._seen if not _covers(self._change.touched, seen))

    def _read_all(self, grey: Grey, deck: Deck, at_ms: int) -> None:
        self._seen = read_frame(grey, deck)
        self._settled(np.ones_like(self._change.touched), at_ms)

    def _read_parts(self, picture: Picture, deck: Deck, at_ms: int, *, waited: bool) -> None:
        """Read the parts that are touched and still, or have waited long enough, as far as one frame's work goes."""
        side = max((seen.side for seen in self._seen), default=USUAL_SIDE)
        height, width = picture.shape[:2]
        ready = []
        for box in boxes_round(self._change.touched, round(side), width, height):
            cells = cells_in(box, self._change.touched.shape)
            if waited or not (self._change.moving & cells).any():
                ready.append((box, cells))
        if not ready:
            return
        ready.sort(key=lambda part: int(self._turns[part[1] & self._change.touched].max()))
        grey = grey_of(picture)
        for box, cells in ready[: in_one_frame([box for box, _ in ready])]:
            known = tuple(seen for seen in self._seen if not _covers(self._change.touched, seen))
            new = read_part(grey, deck, box, known)
            texts = {seen.text for seen in new if not deck.is_shared(seen.text)}
            here = self._change.touched & cells
            # What is read anew and lay where something has changed since has moved; else there are two of it.
            moved = (seen for seen in self._seen if seen.text not in texts or not _covers(self._change.touched, seen))
            kept = (seen for seen in moved if not _covers(here, seen))
            self._seen = (*kept, *new)
            self._settled(cells, at_ms)

    def _settled(self, cells: Cells, at_ms: int) -> None:
        self._change.settle(cells)
        self._read_at_ms = at_ms
        if self._turns.shape != cells.shape:
            self._turns = np.zeros(cells.shape, np.int64)
        self._turn += 1
        self._turns[cells] = self._turn

    def _rest(self, grey: Grey, deck: Deck) -> None:
        """Add a frame to the mean; read that when it has enough of them."""
        if self._total is None:
            self._total = np.zeros(grey.shape, np.float32)
        cv2.accumulate(grey, self._total)
        self._frames += 1
        if self._frames in MEANS:
            self.calm = mean = np.rint(self._total / self._frames).astype(np.uint8)
            # All of it: in bad light a card may have come that changes less than noise does.
            everywhere: Box = (0, 0, grey.shape[1], grey.shape[0])
            self._seen += read_part(mean, deck, everywhere, self._seen)
        if self._frames == MEANS[-1]:
            self._total = None


def in_one_frame(parts: Sequence[Box]) -> int:
    """Return how many of these parts are read in one frame: the first in any case, more while work is left for them."""
    spent = np.cumsum([WORK_A_PART + (right - left) * (foot - top) for left, top, right, foot in parts])
    return max(1, int(np.count_nonzero(spent <= WORK_A_FRAME)))


def _covers(cells: Cells, seen: Sighting) -> bool:
    """Say whether any of these cells lies on a symbol."""
    xs, ys = zip(*seen.corners, strict=True)
    rows, columns = cells.shape
    left, right = (min(max(int(x) // REDUCED, 0), columns - 1) for x in (min(xs), max(xs)))
    top, foot = (min(max(int(y) // REDUCED, 0), rows - 1) for y in (min(ys), max(ys)))
    return bool(cells[top : foot + 1, left : right + 1].any())
