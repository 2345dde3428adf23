"""Where a picture has changed: on a much reduced picture, against noise that is told from the frames themselves."""

from dataclasses import dataclass, field
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey, Picture

# --- light
# What of a picture's change is only the light's: lamps that flicker, a camera that changes its exposure.

Floats: TypeAlias = npt.NDArray[np.float32]

LEAST_CHANGE = 7
"""Grey levels, of a cell's mean: less is noise; where no cell has changed by more, the light is what it was."""
MOST_LIGHTER = 2.0
"""Light is followed so far up and down."""
UNEVEN = np.float32(0.25)
"""Cameras bend their tones: what is dark does not become lighter by as much as what is bright."""
NEARLY_BURNT_OUT, BURNT_OUT = 200, 250
"""Grey levels of cells in which some pixels, and all, may be burnt out."""
STEADY, AS_STEADY, OTHER = 8, 0.04, 0.12
"""After so many frames in light that differs by less than the second (natural logarithm) from frame to frame, and by
more than the third from what it was, it is another light: what could not be read may be legible now."""
EXPLAINED, NEARLY, NEARLY_OF_IT = 0.85, 2.0 * LEAST_CHANGE, 0.1
"""The share of a row whose light is believed, where it leaves no more grey levels, and no more of them, unexplained."""
SMOOTH_ROWS = 5
"""Rows over which light is evened out: what a dark row says, of whole grey levels, is known to a twentieth only."""
_DARK, _COLUMNS = np.float32(1), 4


@dataclass(slots=True)
class Light:
    """Follows the light in which a table is seen, by cells of a picture (uint8, rows x columns)."""

    _lighter: float = field(default=1.0, init=False)
    _steady: int = field(default=0, init=False)

    @property
    def is_another(self) -> bool:
        """Whether a lamp was lit, put out or moved: the light has changed, and stayed so for a while."""
        return self._steady >= STEADY

    def evened(self, known: Grey, cells: Grey) -> tuple[Grey, Floats]:
        """Return cells as they would be in the light in which they were known, and how far off that is at most.

        Lamps flicker by bands of rows, for the camera reads one after the other: each row is taken to be as much
        lighter as half of it is at least, if that explains nearly all of it, else as rows above and below are: a sheet
        that is laid over most of a row is no light.  What is burnt out may be any lighter than it seems.
        """
        if not (np.asarray(cv2.absdiff(cells, known)) > LEAST_CHANGE).any():
            self._follow(1.0)
            return cells, np.zeros((1, 1), np.float32)
        lighter = _by_rows(known, cells)
        self._follow(float(np.median(lighter)))
        even = np.rint(((cells + _DARK) / lighter - _DARK).clip(0, 255)).astype(np.uint8)
        by = np.abs(np.log(lighter))
        slack = known * (UNEVEN * np.where(np.maximum(known, even) >= NEARLY_BURNT_OUT, 2 * by.max(), by))
        return np.where((cells >= BURNT_OUT) & (known > even), known, even), np.asarray(slack, np.float32)

    def _follow(self, lighter: float) -> None:
        other, before = abs(np.log(lighter)) > OTHER, abs(np.log(lighter / self._lighter))
        self._steady = self._steady + 1 if other and before < AS_STEADY else 0
        self._lighter = lighter


def _by_rows(known: Grey, cells: Grey) -> Floats:
    """Return how much lighter each row of cells has become, rows x 1; 1 where no row tells."""
    some, then = (np.asarray(own[:, ::_COLUMNS], np.float32) + _DARK for own in (cells, known))
    lighter = np.median(some / then, axis=1, keepdims=True).clip(1 / MOST_LIGHTER, MOST_LIGHTER)
    explained = np.abs(some / lighter - then) < NEARLY + NEARLY_OF_IT * then
    rows = np.flatnonzero(explained.mean(axis=1) >= EXPLAINED)
    if not len(rows):
        return np.ones_like(lighter)
    # What is dark is known in few grey levels: of what the median explains, the bright says more.
    telling = explained & (np.maximum(some, then) < NEARLY_BURNT_OUT)
    now, before = ((own * telling).sum(axis=1, keepdims=True) for own in (some, then))
    lighter = (lighter + now) / (1 + before)
    every = np.interp(np.arange(len(lighter)), rows, lighter[rows, 0])[:, None].astype(np.float32)
    return np.asarray(cv2.blur(every, (1, SMOOTH_ROWS), borderType=cv2.BORDER_REPLICATE), np.float32)


REDUCED = 8
"""Pixels a side of the cells in which change is told; a label is three cells wide at least."""
_ROWS = 4
"""Of so many rows one is looked at, and of so many rows of cells one tells the noise."""

NOISES = 6.0
"""Standard deviations of a cell from one frame to the next: less is noise."""

Cells: TypeAlias = npt.NDArray[np.bool_]
"""bool, rows x columns of cells."""

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right and foot in pixels; right and foot are the first outside."""


def cells_of(picture: Picture) -> Grey:
    """Return the picture reduced to one grey value a cell."""
    height, width = picture.shape[:2]
    columns, rows = max(1, width // REDUCED), max(1, height // REDUCED)
    some = picture[::_ROWS]
    grey = some if some.ndim == 2 else cv2.cvtColor(some, cv2.COLOR_BGR2GRAY)  # noqa: PLR2004 - axes
    # In two steps, for OpenCV halves both ways several times as fast as it reduces in any other way.
    half = cv2.resize(grey, (columns * REDUCED // 2, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)


@dataclass(slots=True)
class Change:
    """What has been touched since it was last read, and what moves from frame to frame.

    ``touched`` stays so until ``settle``: a card may be changed for one that looks alike, but no hand does it unseen.
    """

    touched: Cells = field(default_factory=lambda: np.ones((0, 0), np.bool_), init=False)
    moving: Cells = field(default_factory=lambda: np.zeros((0, 0), np.bool_), init=False)
    _before: Grey | None = field(default=None, init=False)
    _known: Grey | None = field(default=None, init=False)
    _light: Light = field(default_factory=Light, init=False)
    _slack: Floats = field(default_factory=lambda: np.zeros((1, 1), np.float32), init=False)
    _mean: "Mean" = field(default_factory=lambda: Mean.of(np.zeros((0, 0), np.uint8)), init=False)
    _noise: float = field(default=1.0, init=False)
    _steps: int = field(default=0, init=False)

    def look(self, picture: Picture) -> None:
        """Take in the next frame.

        In the first, in one of another size, and once the table is seen in another light, everything is touched and
        nothing moves.
        """
        cells = cells_of(picture)
        if self._before is None or self._known is None or self._before.shape != cells.shape:
            self._steps = 0
            self._begin(cells)
            return
        even, slack = self._light.evened(self._known, cells)
        if self._light.is_another:
            self._begin(cells)
            return
        cells = even
        step = np.asarray(cv2.absdiff(cells, self._before), np.uint8)
        # Half of what noise does lies below the median; a standard deviation is 1.5 of it, and grey levels are whole.
        self._steps += 1
        weight = max(_WEIGHT, 1 / self._steps)
        self._noise += weight * (min(1.5 * float(np.median(step[::_ROWS])) + 0.5, _NOISIEST) - self._noise)
        least = np.float32(max(LEAST_CHANGE, NOISES * self._noise))
        self.moving = _not_alone(step, least + slack + self._slack)
        self.touched |= (
            self.moving
            | _not_alone(np.asarray(cv2.absdiff(cells, self._known)), least + slack)
            | self._mean.look(
                cells, np.asarray(max(LEAST_CHANGE, NOISES * MEAN_NOISE * self._noise) + slack, np.float32)
            )
        )
        self._before, self._slack = cells, slack

    def _begin(self, cells: Grey) -> None:
        self._before, self._known, self._light = cells, cells.copy(), Light()
        self._mean, self._slack = Mean.of(cells), np.zeros((1, 1), np.float32)
        self.touched, self.moving = np.ones(cells.shape, np.bool_), np.zeros(cells.shape, np.bool_)

    def settle(self, where: Cells) -> None:
        """Take what cells show now as known: it has been read."""
        if self._known is not None and self._before is not None:
            self._known[where] = self._before[where]
            self._mean.settle(where, self._before)
            self.touched &= ~where


def _not_alone(apart: Grey, least: Floats) -> Cells:
    """Say which cells differ by more than the least, and one beside them by half of it, or else by twice as much.

    Of thirty thousand cells one swings too far now and then; nothing that is laid on a table is so small.
    """
    much = np.asarray(apart > least, np.bool_)
    if not much.any():
        return much
    half = np.asarray(apart > least / 2, np.uint8)
    beside = cv2.filter2D(half, -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT) > 1
    return np.asarray(much & (beside | (apart > 2 * least)), np.bool_)


_NOISIEST, _WEIGHT = 4.0, 0.1

NEWEST = 0.2
"""The weight of the newest frame in the mean of those before."""
MEAN_NOISE = (NEWEST / (2 - NEWEST)) ** 0.5
"""The noise of such means from one to another one, against that of frames."""
LEARNING = 12
"""Frames until the mean of a cell is what it shows, but for a little noise."""


@dataclass(slots=True)
class Mean:
    """What cells show in the mean of the latest frames: in bad light a card changes less than the noise of a frame."""

    _now: Floats
    _known: Floats
    _age: npt.NDArray[np.uint8]

    @staticmethod
    def of(cells: Grey) -> "Mean":
        """Begin with one frame."""
        return Mean(cells.astype(np.float32), cells.astype(np.float32), np.zeros(cells.shape, np.uint8))

    def look(self, cells: Grey, least: Floats) -> Cells:
        """Take in a frame, and say which cells show something else in the mean than when they were settled."""
        cv2.accumulateWeighted(cells, self._now, NEWEST)
        learning = self._age < LEARNING
        if learning.any():
            self._known[learning] = self._now[learning]
            self._age += learning
        return np.asarray(np.asarray(cv2.absdiff(self._now, self._known)) > least, np.bool_)

    def settle(self, where: Cells, cells: Grey) -> None:
        """Learn anew what these cells show."""
        self._now[where] = cells[where]
        self._age[where] = 0


def boxes_round(cells: Cells, margin: int, width: int, height: int) -> list[Box]:
    """Return boxes that hold all changed cells and ``margin`` pixels round them; near ones are taken together."""
    around = 2 * -(-margin // REDUCED) + 1
    grown = cv2.dilate(cells.astype(np.uint8), np.ones((around, around), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8)
    boxes = []
    for left, top, wide, high, _ in (tuple(int(measure) for measure in row) for row in stats[1:count]):
        right, foot = min(width, (left + wide) * REDUCED), min(height, (top + high) * REDUCED)
        # The last cells also hold the pixels that fill no cell of their own.
        right = width if left + wide == cells.shape[1] else right
        foot = height if top + high == cells.shape[0] else foot
        boxes.append((left * REDUCED, top * REDUCED, right, foot))
    return boxes


def cells_in(box: Box, shape: tuple[int, int]) -> Cells:
    """Return the cells that a box covers."""
    left, top, right, foot = (edge // REDUCED for edge in box)
    inside = np.zeros(shape, np.bool_)
    inside[top : foot + 1, left : right + 1] = True
    return inside
