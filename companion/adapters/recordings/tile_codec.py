"""Pictures as a recording keeps them: of each only the tiles in which something has happened of late.

A camera gives ten pictures a second, megabytes each, and for most of an evening they differ by noise alone.  So the
tiles that rest are frozen: two whole pictures take turns, each new tile is laid into the one whose turn it is, and
the rest stays as it was when that one was shown last.  Two of them, so that from one picture to the next there still
is noise where nothing moves: the reader tells from it what is a change.

What comes out is what the reader gets while it is recorded.  A replay lays the same tiles and gets the same pictures.
"""

import math
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.pictures import silence_opencv
from companion.qr.arrays import Picture
from companion.vision.change import CELL_PIXELS, ChangeDetector

TILE = 32
"""Pixels a side; a whole number of the cells in which change is told."""
QUALITY = 90
"""Of the JPEG that holds the new tiles."""
WARM_MS = 1500
"""So long after the latest change a tile is kept up to date: the reader looks at the mean of several frames at rest."""
WARM_FRAMES = 2
"""But in so many frames at least, one for each of the two pictures."""

_COLOURED = 3
"""Axes of a picture in colour."""
Tiles: TypeAlias = npt.NDArray[np.bool_]
"""bool, rows x columns of tiles."""


class TileError(ValueError):
    """The tiles cannot be unpacked; the message says why."""


@dataclass(frozen=True, slots=True)
class TileUpdate:
    """The new tiles of one picture, ``shape`` as arrays have it.

    ``runs`` are pairs: the number of a tile, row by row from 0, and how many follow each other from there.  ``jpeg``
    shows them in that order, in rows as long as the picture's; a patch of all tiles looks like the picture.
    """

    shape: tuple[int, ...]
    runs: tuple[tuple[int, int], ...]
    jpeg: bytes


class TileDecoder:
    """The two pictures that take turns."""

    def __init__(self) -> None:
        """Start with none."""
        self._padded: list[Picture | None] = [None, None]
        self._shown: list[Picture | None] = [None, None]
        self._turn = 1

    def decode(self, patch: TileUpdate | None) -> Picture:
        """Return the next picture, the new tiles laid in.  It is not written to again.

        Raises:
            PatchError: when the patch is broken, or there is nothing yet that it could be laid into.

        """
        self._turn = 1 - self._turn
        if patch is not None:
            self._lay(patch)
        shown = self._shown[self._turn]
        if shown is None:
            raise TileError("there is no picture before this one")
        return shown

    def _lay(self, patch: TileUpdate) -> None:
        height, width = patch.shape[:2]
        rows, columns = _tiles_in(patch.shape)
        size = (rows * TILE, columns * TILE, *patch.shape[2:])
        padded = self._padded[self._turn]
        if padded is None or padded.shape != size:
            padded = self._padded[self._turn] = np.zeros(size, np.uint8)
        numbers = _numbers(patch.runs, rows * columns)
        as_tiles(padded)[numbers // columns, numbers % columns] = _unpacked(patch, numbers.size, columns)
        self._shown[self._turn] = padded[:height, :width].copy()


class TileEncoder:
    """Says of each picture of one camera which tiles are new.  Time is passed in."""

    def __init__(self, quality: int = QUALITY, warm_ms: int = WARM_MS) -> None:
        """Take the quality of the JPEGs, and how long tiles are kept up to date after they have changed."""
        self._quality = quality
        self._warm_ms = warm_ms
        self._change = ChangeDetector()
        self._shape: tuple[int, ...] = ()
        self._changed_ms = np.zeros((0, 0), np.int64)
        self._frames_left = np.zeros((0, 0), np.int64)

    def encode(self, picture: Picture, at_ms: int) -> TileUpdate | None:
        """Return the tiles of the next picture that are new; None where all is at rest."""
        rows, columns = _tiles_in(picture.shape)
        if picture.shape != self._shape:
            self._shape, self._change = picture.shape, ChangeDetector()
            self._changed_ms = np.full((rows, columns), at_ms, np.int64)
            self._frames_left = np.full((rows, columns), WARM_FRAMES, np.int64)
        self._change.update(picture)
        touched = _touched(self._change.touched, rows, columns)
        self._change.settle(self._change.touched.copy())
        self._changed_ms[touched] = at_ms
        self._frames_left[touched] = WARM_FRAMES
        warm = (self._frames_left > 0) | (at_ms - self._changed_ms < self._warm_ms)
        self._frames_left[warm] -= 1
        return _packed(picture, warm, self._quality) if warm.any() else None


def as_tiles(padded: Picture) -> npt.NDArray[np.uint8]:
    """Return a view of a picture of whole tiles: rows x columns x TILE x TILE (x 3)."""
    height, width = padded.shape[:2]
    shape = (height // TILE, TILE, width // TILE, TILE, *padded.shape[2:])
    return padded.reshape(shape).swapaxes(1, 2)


def _tiles_in(shape: tuple[int, ...]) -> tuple[int, int]:
    return math.ceil(shape[0] / TILE), math.ceil(shape[1] / TILE)


def _touched(cells: Tiles, rows: int, columns: int) -> Tiles:
    """Return the tiles in which a cell has changed, and their neighbours: edges reach over."""
    per = TILE // CELL_PIXELS
    padded = np.zeros((rows * per, columns * per), np.bool_)
    padded[: cells.shape[0], : cells.shape[1]] = cells
    touched = np.asarray(padded.reshape(rows, per, columns, per).any(axis=(1, 3)), np.uint8)
    return np.asarray(cv2.dilate(touched, np.ones((3, 3), np.uint8)), np.bool_)


def _packed(picture: Picture, warm: Tiles, quality: int) -> TileUpdate:
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


def _unpacked(patch: TileUpdate, count: int, columns: int) -> npt.NDArray[np.uint8]:
    """Return the tiles of a patch, count x TILE x TILE (x 3)."""
    coloured = len(patch.shape) == _COLOURED
    flags = cv2.IMREAD_COLOR if coloured else cv2.IMREAD_GRAYSCALE
    with silence_opencv():
        decoded: Any = cv2.imdecode(np.frombuffer(patch.jpeg, np.uint8), flags) if patch.jpeg else None
    size = (math.ceil(count / columns) * TILE, columns * TILE, *patch.shape[2:])
    if decoded is None or decoded.shape != size:
        raise TileError("its picture is broken")
    tiles = as_tiles(np.asarray(decoded, np.uint8))
    return tiles.reshape(-1, *tiles.shape[2:])[:count]


def _runs(numbers: npt.NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) != 1) + 1)
    return tuple((int(part[0]), len(part)) for part in parts)


def _numbers(runs: tuple[tuple[int, int], ...], there_are: int) -> npt.NDArray[np.int64]:
    if not runs or any(first < 0 or count < 1 or first + count > there_are for first, count in runs):
        raise TileError("it names tiles that there are not")
    return np.concatenate([np.arange(first, first + count) for first, count in runs])
