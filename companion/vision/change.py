"""Detect where a picture has changed: on a much reduced picture, against noise estimated from the frames themselves.

Changes of the illumination (lamps that flicker, a camera that adapts its exposure) are estimated and removed first.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np

from companion.qr.sighting import F32, U8, Box, GreyPicture, Mask, Picture

CELL_PIXELS = 8
"""Pixels a side of the cells in which changes are detected; a label is three cells wide at least."""
_ROW_STEP = 4
"""Only each fourth row of pixels is read, and each fourth row of cells used to estimate the noise."""

CellMask: TypeAlias = Mask
"""bool, rows x columns of cells."""

MIN_CHANGE = 7
"""Grey levels of a cell's mean below which a change is noise; if no cell changed by more, the light is the same."""
NOISE_SIGMAS = 6.0
"""Standard deviations of a cell from frame to frame below which a change is noise."""
_MAX_NOISE, _NOISE_WEIGHT = 4.0, 0.1
"""Grey levels of noise at most, and the weight of the newest frame in its estimate."""

MEAN_WEIGHT = 0.2
"""Weight of the newest frame in the running mean."""
MEAN_NOISE = (MEAN_WEIGHT / (2 - MEAN_WEIGHT)) ** 0.5
"""Noise of the running mean, relative to that of a frame."""
LEARNING_FRAMES = 12
"""Frames until the running mean of a cell has nearly converged."""

MAX_GAIN = 2.0
"""Gain of the illumination up to which it is followed, and its inverse."""
UNEVEN = np.float32(0.25)
"""Share of a gain that may be missing in a cell, because the tone curves of cameras are not linear."""
NEARLY_BURNT_OUT, BURNT_OUT = 200, 250
"""Grey levels of cells in which some pixels, and all, may be burnt out."""
STEADY_FRAMES, STEADY, DIFFERENT = 8, 0.04, 0.12
"""After so many frames whose gain differs (natural logarithm) by less than ``STEADY`` from frame to frame and by more
than ``DIFFERENT`` from 1, the illumination is another: what could not be read may be legible now."""
EXPLAINED, TOLERANCE, RELATIVE_TOLERANCE = 0.85, 2.0 * MIN_CHANGE, 0.1
"""Share of a row that a gain must explain, up to so many grey levels and such a share of the level, to be accepted."""
SMOOTHED_ROWS = 5
"""Rows over which gains are averaged: the gain of a dark row, of whole grey levels, is known to a twentieth only."""
_BLACK, _COLUMN_STEP = np.float32(1), 4


def reduce_to_cells(picture: Picture) -> GreyPicture:
    """Return the picture reduced to one grey level a cell."""
    height, width = picture.shape[:2]
    columns, rows = max(1, width // CELL_PIXELS), max(1, height // CELL_PIXELS)
    sampled = picture[::_ROW_STEP]
    grey = sampled if sampled.ndim == 2 else cv2.cvtColor(sampled, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004 - axes
    # In two steps, because OpenCV halves both sides several times as fast as it reduces in any other way.
    half = cv2.resize(grey, (columns * CELL_PIXELS // 2, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(slots=True)
class RunningMean:
    """The mean of the latest frames: in bad light a card changes it by less than the noise of a single frame."""

    _now: F32
    _reference: F32
    _age: U8

    @staticmethod
    def of(cells: GreyPicture) -> "RunningMean":
        """Return the mean of a single frame."""
        return RunningMean(cells.astype(np.float32), cells.astype(np.float32), np.zeros(cells.shape, np.uint8))

    def update(self, cells: GreyPicture, threshold: F32) -> CellMask:
        """Add a frame, and return which cells differ from when they were settled by more than the threshold."""
        cv2.accumulateWeighted(cells, self._now, MEAN_WEIGHT)
        learning = self._age < LEARNING_FRAMES
        if learning.any():
            self._reference[learning] = self._now[learning]
            self._age += learning
        return np.asarray(np.asarray(cv2.absdiff(self._now, self._reference)) > threshold, np.bool_)

    def settle(self, settled: CellMask, cells: GreyPicture) -> None:
        """Restart the mean of these cells from what they show now."""
        self._now[settled] = cells[settled]
        self._age[settled] = 0


@dataclass(slots=True)
class Illumination:
    """Follows the illumination of a table, on cells of its pictures (uint8, rows x columns)."""

    _gain: float = field(default=1.0, init=False)
    _steady_frames: int = field(default=0, init=False)

    @property
    def has_changed(self) -> bool:
        """Return whether a lamp was lit, put out or moved: the gain has changed, and stayed so for a while."""
        return self._steady_frames >= STEADY_FRAMES

    def compensate(self, reference: GreyPicture, cells: GreyPicture) -> tuple[GreyPicture, F32]:
        """Return cells as they would be under the known illumination, and the tolerance of that in grey levels.

        Lamps flicker in bands of rows, because the camera reads row after row. So each row has a gain: the median of
        its cells, if that explains nearly the whole row, else that of the rows above and below, because a sheet laid
        over most of a row is no light. Burnt out cells may be any lighter than they seem.
        """
        if not (np.asarray(cv2.absdiff(cells, reference)) > MIN_CHANGE).any():
            self._follow(1.0)
            return cells, np.zeros((1, 1), np.float32)
        gains = _row_gains(reference, cells)
        self._follow(float(np.median(gains)))
        relit = np.rint(((cells + _BLACK) / gains - _BLACK).clip(0, 255)).astype(np.uint8)
        change = np.abs(np.log(gains))
        nearly_burnt_out = np.maximum(reference, relit) >= NEARLY_BURNT_OUT
        tolerance = reference * (UNEVEN * np.where(nearly_burnt_out, 2 * change.max(), change))
        burnt_out = (cells >= BURNT_OUT) & (reference > relit)
        return np.where(burnt_out, reference, relit), np.asarray(tolerance, np.float32)

    def _follow(self, gain: float) -> None:
        different, step = abs(np.log(gain)) > DIFFERENT, abs(np.log(gain / self._gain))
        self._steady_frames = self._steady_frames + 1 if different and step < STEADY else 0
        self._gain = gain


def _row_gains(reference: GreyPicture, cells: GreyPicture) -> F32:
    """Return the gain of each row of cells, rows x 1; 1 if no row tells."""
    now, before = (np.asarray(frame[:, ::_COLUMN_STEP], np.float32) + _BLACK for frame in (cells, reference))
    gains = np.median(now / before, axis=1, keepdims=True).clip(1 / MAX_GAIN, MAX_GAIN)
    explained = np.abs(now / gains - before) < TOLERANCE + RELATIVE_TOLERANCE * before
    rows = np.flatnonzero(explained.mean(axis=1) >= EXPLAINED)
    if not len(rows):
        return np.ones_like(gains)
    # The gain of a dark cell is known in few steps; of the cells that the median explains, bright ones tell it better.
    telling = explained & (np.maximum(now, before) < NEARLY_BURNT_OUT)
    sum_now, sum_before = ((levels * telling).sum(axis=1, keepdims=True) for levels in (now, before))
    gains = (gains + sum_now) / (1 + sum_before)
    interpolated = np.interp(np.arange(len(gains)), rows, gains[rows, 0])[:, None].astype(np.float32)
    return np.asarray(cv2.blur(interpolated, (1, SMOOTHED_ROWS), borderType=cv2.BORDER_REPLICATE), np.float32)


@dataclass(slots=True)
class ChangeDetector:
    """Tracks which cells have been touched since they were last read, and which move from frame to frame.

    A touched cell stays touched until ``settle``: a card may be exchanged for one that looks alike, but not without a
    hand that is seen.
    """

    touched: CellMask = field(default_factory=lambda: np.ones((0, 0), np.bool_), init=False)
    moving: CellMask = field(default_factory=lambda: np.zeros((0, 0), np.bool_), init=False)
    _before: GreyPicture | None = field(default=None, init=False)
    _reference: GreyPicture | None = field(default=None, init=False)
    _light: Illumination = field(default_factory=Illumination, init=False)
    _tolerance: F32 = field(default_factory=lambda: np.zeros((1, 1), np.float32), init=False)
    _mean: RunningMean = field(default_factory=lambda: RunningMean.of(np.zeros((0, 0), np.uint8)), init=False)
    _noise: float = field(default=1.0, init=False)
    _steps: int = field(default=0, init=False)

    def update(self, picture: Picture) -> None:
        """Process the next frame.

        In the first frame, in one of another size, and once the illumination is another, everything is touched and
        nothing moves.
        """
        cells = reduce_to_cells(picture)
        if self._before is None or self._reference is None or self._before.shape != cells.shape:
            self._steps = 0
            self._restart(cells)
            return
        relit, tolerance = self._light.compensate(self._reference, cells)
        if self._light.has_changed:
            self._restart(cells)
            return
        cells = relit
        step = np.asarray(cv2.absdiff(cells, self._before), np.uint8)
        # Half of all noise lies below the median, and a standard deviation is 1.5 of it; grey levels are integers.
        self._steps += 1
        weight = max(_NOISE_WEIGHT, 1 / self._steps)
        self._noise += weight * (min(1.5 * float(np.median(step[::_ROW_STEP])) + 0.5, _MAX_NOISE) - self._noise)
        threshold = np.float32(max(MIN_CHANGE, NOISE_SIGMAS * self._noise))
        self.moving = _exceeds_with_neighbour(step, threshold + tolerance + self._tolerance)
        mean_threshold = max(MIN_CHANGE, NOISE_SIGMAS * MEAN_NOISE * self._noise) + tolerance
        self.touched |= (
            self.moving
            | _exceeds_with_neighbour(np.asarray(cv2.absdiff(cells, self._reference)), threshold + tolerance)
            | self._mean.update(cells, np.asarray(mean_threshold, np.float32))
        )
        self._before, self._tolerance = cells, tolerance

    def settle(self, cells: CellMask) -> None:
        """Store what these cells show now as known: they have been read."""
        if self._reference is not None and self._before is not None:
            self._reference[cells] = self._before[cells]
            self._mean.settle(cells, self._before)
            self.touched &= ~cells

    def _restart(self, cells: GreyPicture) -> None:
        self._before, self._reference, self._light = cells, cells.copy(), Illumination()
        self._mean, self._tolerance = RunningMean.of(cells), np.zeros((1, 1), np.float32)
        self.touched, self.moving = np.ones(cells.shape, np.bool_), np.zeros(cells.shape, np.bool_)


def _exceeds_with_neighbour(difference: GreyPicture, threshold: F32) -> CellMask:
    """Return cells that exceed the threshold by themselves by a factor of 2, or with a neighbour above half of it.

    Of thirty thousand cells one exceeds the threshold by chance now and then; nothing laid on a table is so small.
    """
    exceeds = np.asarray(difference > threshold, np.bool_)
    if not exceeds.any():
        return exceeds
    half = np.asarray(difference > threshold / 2, np.uint8)
    with_neighbour = cv2.filter2D(half, -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT) > 1
    return np.asarray(exceeds & (with_neighbour | (difference > 2 * threshold)), np.bool_)


def boxes_around(cells: CellMask, margin: int, width: int, height: int) -> list[Box]:
    """Return boxes that hold all these cells with ``margin`` pixels round them; near ones are merged."""
    size = 2 * -(-margin // CELL_PIXELS) + 1
    dilated = cv2.dilate(cells.astype(np.uint8), np.ones((size, size), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(dilated, connectivity=8)
    boxes = []
    for left, top, wide, high, _ in (tuple(int(measure) for measure in row) for row in stats[1:count]):
        right, bottom = min(width, (left + wide) * CELL_PIXELS), min(height, (top + high) * CELL_PIXELS)
        # The last cells also hold the pixels that fill no cell of their own.
        right = width if left + wide == cells.shape[1] else right
        bottom = height if top + high == cells.shape[0] else bottom
        boxes.append((left * CELL_PIXELS, top * CELL_PIXELS, right, bottom))
    return boxes


def cells_inside(box: Box, shape: tuple[int, int]) -> CellMask:
    """Return the cells that a box covers."""
    left, top, right, bottom = (edge // CELL_PIXELS for edge in box)
    inside = np.zeros(shape, np.bool_)
    inside[top : bottom + 1, left : right + 1] = True
    return inside
