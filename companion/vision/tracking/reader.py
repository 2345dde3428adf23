"""Read the labels of a table frame by frame, each time only where the picture has changed.

A label that was read counts for as long as nothing touches its place. Changed parts are read once they are still, or
now and then while they keep moving; while the table rests, the mean of some frames is read too, for what no single one
shows. After that a frame costs no more than the search for changes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, Box, GreyPicture, Picture, Sighting
from companion.vision.change import CELL_PIXELS, CellMask, ChangeDetector, boxes_around, cells_inside
from companion.vision.label.tag import Deck
from companion.vision.read import read_frame, read_part, reduce_for_search, to_grey

# The mean of several frames of a table at rest: noise falls, and what drowned in it can be read

MAX_OFFSET = 24.0
"""Pixels of offset from which on a frame shows something else, or nothing that can be compared."""
MIN_OFFSET = 0.3
"""Pixels of offset below which a frame is not shifted."""
MAX_SUMMED = 257
"""Frames whose sum fits 16 bits; the noise of a mean of so many is that of none."""
STRIP_ROWS = 256
"""Rows that are divided at once, so that a large picture takes little memory."""

_SCALES = (1 / 8, 1 / 4)
_STEPS = 4


class FrameSum:
    """Adds up frames of one size, so that of any number only their sum takes memory."""

    def __init__(self, first: GreyPicture) -> None:
        """Begin with one frame."""
        self._total = first.astype(np.uint16)
        self.count = 1

    def add(self, frame: GreyPicture) -> None:
        """Add a frame of the same size; after ``MAX_SUMMED`` frames nothing changes any more."""
        if self.count < MAX_SUMMED:
            self._total += frame
            self.count += 1

    def compute_mean(self) -> GreyPicture:
        """Return the mean of the frames."""
        mean = np.empty(self._total.shape, np.uint8)
        for top in range(0, len(mean), STRIP_ROWS):
            mean[top : top + STRIP_ROWS] = np.rint(self._total[top : top + STRIP_ROWS] / self.count)
        return mean


def average_frames(last: GreyPicture, others: Iterable[GreyPicture]) -> GreyPicture:
    """Return the mean of frames, each shifted onto the last; frames that cannot be aligned are left out.

    ``others`` are taken in turn, so that they need not all be in memory.
    """
    total = FrameSum(last)
    for frame in others:
        if frame.shape != last.shape or min(last.shape) < MAX_OFFSET:
            continue
        x, y = estimate_offset(last, frame)
        if max(abs(x), abs(y)) > MAX_OFFSET:
            continue
        total.add(_shift(frame, -x, -y) if max(abs(x), abs(y)) > MIN_OFFSET else frame)
        del frame  # before the next exists
    return total.compute_mean()


def estimate_offset(grey: GreyPicture, other: GreyPicture) -> tuple[float, float]:
    """Return the offset of ``other`` against ``grey`` in pixels, by least squares on reduced pictures.

    Phase correlation would weigh all frequencies alike, and in bad light lock onto the camera's fixed-pattern noise;
    here what is large and strong on the table counts.
    """
    x = y = 0.0
    for scale in _SCALES:
        first, second = _reduce(grey, scale), _reduce(other, scale)
        across, down = cv2.Sobel(first, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(first, cv2.CV_32F, 0, 1) / 8
        normal = np.array([[np.vdot(across, across), np.vdot(across, down)], [0, np.vdot(down, down)]], np.float64)
        normal[1, 0] = normal[0, 1]
        normal += np.eye(2)
        for _ in range(_STEPS):
            residual = _shift(second, -x * scale, -y * scale) - first
            products = np.array([np.vdot(across, residual), np.vdot(down, residual)], np.float64)
            step = np.linalg.solve(normal, products)
            x, y = x - float(step[0]) / scale, y - float(step[1]) / scale
    return x, y


def _reduce(grey: GreyPicture, scale: float) -> F32:
    """Return the picture reduced and blurred, so that small offsets show as gradients."""
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.5), np.float32)


def _shift(picture: npt.NDArray[Any], x: float, y: float) -> npt.NDArray[Any]:
    """Return the picture shifted by pixels; its edge is replicated."""
    shift = np.array([[1, 0, x], [0, 1, y]], np.float64)
    size = (picture.shape[1], picture.shape[0])
    return np.asarray(cv2.warpAffine(picture, shift, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE))


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
