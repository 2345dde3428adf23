"""Read the labels of a table frame by frame, each time only where the picture has changed.

A label that was read counts for as long as nothing touches its place. Changed parts are read once they are still, or
now and then while they keep moving; while the table rests, the mean of some frames is read too, for what no single one
shows. After that a frame costs no more than the search for changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Box, GreyPicture, Picture, Sighting
from companion.vision.burst import FrameSum
from companion.vision.change import CELL_PIXELS, CellMask, ChangeDetector, boxes_around, cells_inside
from companion.vision.label.tag import Deck
from companion.vision.read import read_frame, read_part, reduce_for_search, to_grey

PATIENCE_MS = 400
"""Time for which parts that keep moving are not read."""
MEAN_FRAMES = (3, 8)
"""Numbers of frames at rest after which their mean is read."""
MAX_TOUCHED = 0.5
"""Touched share of the picture from which on all of it is read."""
PIXELS_PER_FRAME = 1_000_000
"""Pixels that are read in parts of one frame; other parts follow in the next, those unread for longest first."""
PIXELS_PER_PART = 200_000
"""Fixed cost of a part, in pixels: estimating blur from the known labels."""
USUAL_SIDE = 36.0
"""Side of a symbol in pixels before any was seen."""


@dataclass(slots=True)
class IncrementalReader:
    """Reads the frames of one camera, one after the other. Time is passed in; no clock is used."""

    _deck: Deck | None = field(default=None, init=False)
    _sightings: tuple[Sighting, ...] = field(default=(), init=False)
    _change: ChangeDetector = field(default_factory=ChangeDetector, init=False)
    _read_at_ms: int = field(default=0, init=False)
    _turns: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 0), np.int64), init=False)
    _turn: int = field(default=0, init=False)
    _total: FrameSum | None = field(default=None, init=False)
    _frames: int = field(default=0, init=False)
    mean_frame: GreyPicture | None = field(default=None, init=False)
    """The mean of frames while the table rests, which shows what drowns in the noise of each; else None.

    None for large frames too, of which only a reduced mean is read.
    """

    def read_next(self, picture: Picture, deck: Deck, at_ms: int) -> tuple[Sighting, ...]:
        """Return the labels of a deck that lie in view.

        Of two with the same text the one that was read first comes first. Labels in parts that have changed and are not
        read yet are left out.

        Args:
            picture: the next frame.
            deck: whose labels are read; with another deck everything is read anew.
            at_ms: time of the frame on any clock.

        """
        if deck != self._deck:
            self._deck, self._sightings, self._change, self.mean_frame = deck, (), ChangeDetector(), None
        self._change.update(picture)
        touched = self._change.touched
        if touched.any():
            self._total, self._frames, self.mean_frame = None, 0, None
            waited = at_ms - self._read_at_ms >= PATIENCE_MS
            if touched.mean() > MAX_TOUCHED:
                if waited or not self._change.moving.any() or not self._sightings:
                    self._read_all(to_grey(picture), deck, at_ms)
            else:
                self._read_parts(picture, deck, at_ms, waited=waited)
        elif self._frames < MEAN_FRAMES[-1]:
            self._read_mean(to_grey(picture), deck)
        return tuple(sighting for sighting in self._sightings if not _covers(self._change.touched, sighting))

    def _read_all(self, grey: GreyPicture, deck: Deck, at_ms: int) -> None:
        self._sightings = read_frame(grey, deck)
        self._settle(np.ones_like(self._change.touched), at_ms)

    def _read_parts(self, picture: Picture, deck: Deck, at_ms: int, *, waited: bool) -> None:
        """Read touched parts that are still, or all if they have ``waited``, as far as the budget of a frame allows."""
        side = max((sighting.side for sighting in self._sightings), default=USUAL_SIDE)
        height, width = picture.shape[:2]
        ready = []
        for box in boxes_around(self._change.touched, round(side), width, height):
            cells = cells_inside(box, self._change.touched.shape)
            if waited or not (self._change.moving & cells).any():
                ready.append((box, cells))
        if not ready:
            return
        ready.sort(key=lambda part: int(self._turns[part[1] & self._change.touched].max()))
        grey = to_grey(picture)
        for box, cells in ready[: count_affordable_parts([box for box, _ in ready])]:
            touched = self._change.touched
            known_labels = tuple(sighting for sighting in self._sightings if not _covers(touched, sighting))
            new = read_part(grey, deck, box, known_labels)
            texts = {sighting.text for sighting in new if not deck.is_shared(sighting.text)}
            touched_here = touched & cells
            # A text read anew whose former place was touched has moved; otherwise there are two labels with it.
            remaining = (
                sighting for sighting in self._sightings if sighting.text not in texts or not _covers(touched, sighting)
            )
            kept = (sighting for sighting in remaining if not _covers(touched_here, sighting))
            self._sightings = (*kept, *new)
            self._settle(cells, at_ms)

    def _settle(self, cells: CellMask, at_ms: int) -> None:
        self._change.settle(cells)
        self._read_at_ms = at_ms
        if self._turns.shape != cells.shape:
            self._turns = np.zeros(cells.shape, np.int64)
        self._turn += 1
        self._turns[cells] = self._turn

    def _read_mean(self, grey: GreyPicture, deck: Deck) -> None:
        """Add a frame to the mean, and read the mean once it has enough frames; large ones at a reduced size."""
        factor, reduced = reduce_for_search(grey, grey.size)
        if self._total is None:
            self._total = FrameSum(reduced)
        else:
            self._total.add(reduced)
        self._frames = self._total.count
        if self._frames in MEAN_FRAMES:
            mean = self._total.compute_mean()
            self.mean_frame = mean if factor == 1 else None
            # All of it: in bad light a card may have come that changes the picture by less than noise does.
            everywhere: Box = (0, 0, mean.shape[1], mean.shape[0])
            known_labels = tuple(sighting.scale_by(1 / factor) for sighting in self._sightings)
            new = read_part(mean, deck, everywhere, known_labels)
            self._sightings += tuple(sighting.scale_by(factor) for sighting in new)
        if self._frames == MEAN_FRAMES[-1]:
            self._total = None


def count_affordable_parts(parts: Sequence[Box]) -> int:
    """Return how many of these parts are read in one frame: at least one, and more while the budget lasts."""
    costs = np.cumsum([PIXELS_PER_PART + (right - left) * (bottom - top) for left, top, right, bottom in parts])
    return max(1, int(np.count_nonzero(costs <= PIXELS_PER_FRAME)))


def _covers(cells: CellMask, sighting: Sighting) -> bool:
    """Return whether any of these cells lies on a symbol."""
    xs, ys = zip(*sighting.corners, strict=True)
    rows, columns = cells.shape
    left, right = (min(max(int(x) // CELL_PIXELS, 0), columns - 1) for x in (min(xs), max(xs)))
    top, bottom = (min(max(int(y) // CELL_PIXELS, 0), rows - 1) for y in (min(ys), max(ys)))
    return bool(cells[top : bottom + 1, left : right + 1].any())
