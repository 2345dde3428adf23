"""A video codec that stores only the tiles of each picture that have changed recently.

A camera sends ten pictures of some megabytes a second, most of which differ only by noise.  Tiles at rest are therefore
frozen.  Two whole pictures alternate: new tiles are written into the one whose turn it is, and the rest stays as it was
when that one was last shown.  There are two so that successive pictures still differ by noise at rest, from which the
change detector estimates its threshold.

The decoded pictures are also what is read during the recording, so a replay reads the same pixels.
"""

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.pictures import has_few_scans, silence_opencv
from companion.qr.sighting import Picture
from companion.vision.change import CELL_PIXELS, ChangeDetector

TILE = 32
"""Pixels a side; a multiple of the change detector's cells."""
QUALITY = 90
"""Quality of the JPEG that holds the new tiles."""
WARM_MS = 1500
"""How long after a change a tile is updated: the reader uses the mean of several frames at rest."""
WARM_FRAMES = 2
"""Minimum number of frames in which a changed tile is updated, one for each of the two pictures."""

_COLOURED = 3
"""Axes of a picture in colour."""
Tiles: TypeAlias = npt.NDArray[np.bool_]
"""bool, rows x columns of tiles."""


class TileError(ValueError):
    """The tiles cannot be decoded; the message says why."""


@dataclass(frozen=True, slots=True)
class TileUpdate:
    """The new tiles of one picture.

    ``shape``: the picture's, as of an array.  ``runs``: pairs of a tile's number (row by row, from 0) and the count of
    consecutive tiles.  ``jpeg``: the tiles in that order, in rows as long as the picture's; all tiles look like the
    picture.
    """

    shape: tuple[int, ...]
    runs: tuple[tuple[int, int], ...]
    jpeg: bytes


class TileDecoder:
    """Rebuilds the pictures from their updates."""

    def __init__(self) -> None:
        """Start without pictures."""
        self._padded: list[Picture | None] = [None, None]
        self._shown: list[Picture | None] = [None, None]
        self._turn = 1

    def decode(self, update: TileUpdate | None) -> Picture:
        """Return the next picture, with the new tiles in it; the array is never written to again.

        Raises:
            TileError: when the update is damaged, or there is no picture yet to which it applies.

        """
        self._turn = 1 - self._turn
        if update is not None:
            self._apply(update)
        shown = self._shown[self._turn]
        if shown is None:
            raise TileError("there is no picture before this one")
        return shown

    def _apply(self, update: TileUpdate) -> None:
        height, width = update.shape[:2]
        rows, columns = _tiles_in(update.shape)
        size = (rows * TILE, columns * TILE, *update.shape[2:])
        padded = self._padded[self._turn]
        if padded is None or padded.shape != size:
            padded = self._padded[self._turn] = np.zeros(size, np.uint8)
        numbers = _numbers(update.runs, rows * columns)
        as_tiles(padded)[numbers // columns, numbers % columns] = _decode_tiles(update, numbers.size, columns)
        self._shown[self._turn] = padded[:height, :width].copy()


class TileEncoder:
    """Selects and encodes the tiles of one camera's pictures that are new.  Time is passed in."""

    def __init__(self, quality: int = QUALITY, warm_ms: int = WARM_MS) -> None:
        """Store the JPEG quality, and for how many milliseconds a changed tile is updated."""
        self._quality = quality
        self._warm_ms = warm_ms
        self._change = ChangeDetector()
        self._shape: tuple[int, ...] = ()
        self._changed_ms = np.zeros((0, 0), np.int64)
        self._frames_left = np.zeros((0, 0), np.int64)

    def encode(self, picture: Picture, at_ms: int) -> TileUpdate | None:
        """Return the new tiles of the next picture; ``None`` where everything is at rest."""
        rows, columns = _tiles_in(picture.shape)
        if picture.shape != self._shape:
            self._shape, self._change = picture.shape, ChangeDetector()
            self._changed_ms = np.full((rows, columns), at_ms, np.int64)
            self._frames_left = np.full((rows, columns), WARM_FRAMES, np.int64)
        self._change.update(picture)
        touched = _changed_tiles(self._change.touched, rows, columns)
        self._change.settle(self._change.touched.copy())
        self._changed_ms[touched] = at_ms
        self._frames_left[touched] = WARM_FRAMES
        warm = (self._frames_left > 0) | (at_ms - self._changed_ms < self._warm_ms)
        self._frames_left[warm] -= 1
        return _encode_tiles(picture, warm, self._quality) if warm.any() else None


def as_tiles(padded: Picture) -> npt.NDArray[np.uint8]:
    """Return a view of a picture whose sides are multiples of ``TILE``: rows x columns x TILE x TILE (x 3)."""
    height, width = padded.shape[:2]
    shape = (height // TILE, TILE, width // TILE, TILE, *padded.shape[2:])
    return padded.reshape(shape).swapaxes(1, 2)


def _tiles_in(shape: tuple[int, ...]) -> tuple[int, int]:
    return math.ceil(shape[0] / TILE), math.ceil(shape[1] / TILE)


def _changed_tiles(cells: Tiles, rows: int, columns: int) -> Tiles:
    """Return the tiles in which a cell has changed, and their neighbours, because edges reach across."""
    per = TILE // CELL_PIXELS
    padded = np.zeros((rows * per, columns * per), np.bool_)
    padded[: cells.shape[0], : cells.shape[1]] = cells
    touched = np.asarray(padded.reshape(rows, per, columns, per).any(axis=(1, 3)), np.uint8)
    return np.asarray(cv2.dilate(touched, np.ones((3, 3), np.uint8)), np.bool_)


def _encode_tiles(picture: Picture, warm: Tiles, quality: int) -> TileUpdate:
    rows, columns = warm.shape
    down, right = rows * TILE - picture.shape[0], columns * TILE - picture.shape[1]
    whole = picture
    if down or right:
        whole = np.asarray(cv2.copyMakeBorder(picture, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    numbers = np.flatnonzero(warm)
    filled = np.zeros((math.ceil(numbers.size / columns), columns, TILE, TILE, *picture.shape[2:]), np.uint8)
    filled[np.arange(numbers.size) // columns, np.arange(numbers.size) % columns] = as_tiles(whole)[warm]
    side_by_side = filled.swapaxes(1, 2).reshape(-1, columns * TILE, *picture.shape[2:])
    done, jpeg = cv2.imencode(".jpg", side_by_side, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        reason = f"no JPEG can be made of {picture.dtype} {picture.shape}"
        raise ValueError(reason)
    return TileUpdate(picture.shape, _runs(numbers), jpeg.tobytes())


def _decode_tiles(update: TileUpdate, count: int, columns: int) -> npt.NDArray[np.uint8]:
    """Return the tiles of an update, count x TILE x TILE (x 3)."""
    coloured = len(update.shape) == _COLOURED
    flags = cv2.IMREAD_COLOR if coloured else cv2.IMREAD_GRAYSCALE
    with silence_opencv():
        is_readable = bool(update.jpeg) and has_few_scans(update.jpeg)
        decoded: Any = cv2.imdecode(np.frombuffer(update.jpeg, np.uint8), flags) if is_readable else None
    size = (math.ceil(count / columns) * TILE, columns * TILE, *update.shape[2:])
    if decoded is None or decoded.shape != size:
        raise TileError("its picture is broken")
    tiles = as_tiles(np.asarray(decoded, np.uint8))
    return tiles.reshape(-1, *tiles.shape[2:])[:count]


def _runs(numbers: npt.NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)
    return tuple((int(part[0]), len(part)) for part in parts)


def _numbers(runs: tuple[tuple[int, int], ...], count_of_tiles: int) -> npt.NDArray[np.int64]:
    if not runs or any(first < 0 or count < 1 or first + count > count_of_tiles for first, count in runs):
        raise TileError("it names tiles that there are not")
    return np.concatenate([np.arange(first, first + count) for first, count in runs])
