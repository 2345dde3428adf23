"""What every QR symbol of a version is made of (ISO/IEC 18004): what is fixed, and where the data lie."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import reedsolo
import segno
from segno import consts

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.intp]

LEVELS = ("L", "M", "Q", "H")
"""Error correction, from the weakest."""
LARGEST = 40
SMALLEST_SIDE, A_VERSION = 17, 4
"""Modules a side: so many and so many more for each version."""
TIMING = 6
"""The row and the column in which dark and light take turns."""

_DATA = (consts.TYPE_DATA_DARK, consts.TYPE_DATA_LIGHT)
_FORMAT = (consts.TYPE_FORMAT_DARK, consts.TYPE_FORMAT_LIGHT)
_DARK_FROM = 256
"""The types of dark modules are above, those of light ones below."""

_MASKS: tuple[Callable[[Ints, Ints], Ints], ...] = (
    lambda i, j: (i + j) % 2,
    lambda i, _: i % 2,
    lambda _, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)


@dataclass(frozen=True, slots=True, eq=False)
class Anatomy:
    """The modules of a version, each N x N: ``fixed`` ones and which of them are ``dark``.

    ``data``: m x 2, row and column of the modules that bear data, in the order in which they are read.
    ``alignment``: the middles of alignment patterns that are not part of a timing pattern's row or column.
    """

    version: int
    fixed: Bools
    dark: Bools
    data: Ints
    alignment: tuple[tuple[int, int], ...]

    @property
    def side(self) -> int:
        """Return the modules a side."""
        return len(self.fixed)


def side_of(version: int) -> int:
    """Return the modules a side."""
    return SMALLEST_SIDE + A_VERSION * version


@cache
def anatomy(version: int) -> Anatomy:
    """Return what all symbols of a version share."""
    kinds = _kinds(version, "L", 0)
    data = np.isin(kinds, _DATA)
    fixed = ~data & ~np.isin(kinds, _FORMAT)
    return Anatomy(version, fixed, kinds >= _DARK_FROM, _in_order(data), _alignment(kinds))


@cache
def masked(version: int, mask: int) -> Bools:
    """Return which modules a mask turns over, N x N."""
    rows, columns = np.indices((side_of(version),) * 2)
    return np.asarray(_MASKS[mask](rows, columns) == 0, np.bool_)


@cache
def formats() -> tuple[tuple[str, int, Bools, Bools], ...]:
    """Return for each level and mask where a symbol of version 1 tells them, and how: 21 x 21 each."""
    told = []
    for level in LEVELS:
        for mask in range(len(_MASKS)):
            kinds = _kinds(1, level, mask)
            told.append((level, mask, np.isin(kinds, _FORMAT), kinds >= _DARK_FROM))
    return tuple(told)


@cache
def blocks(version: int, level: str) -> tuple[tuple[int, int], ...]:
    """Return the codewords of each block: all, and those of them that are data."""
    kinds: Any = consts.ECC
    its = kinds[version][consts.ERROR_MAPPING[level]]
    return tuple((kind.num_total, kind.num_data) for kind in its for _ in range(kind.num_blocks))


def whole(version: int, level: str, mask: int, bits: Bools) -> Bools:
    """Return a symbol in which everything is as it must be, N x N: dark where True; ``bits`` are unmasked."""
    modules = _kinds(version, level, mask) >= _DARK_FROM
    rows, columns = anatomy(version).data.T
    modules[rows, columns] = masked(version, mask)[rows, columns]
    modules[rows[: len(bits)], columns[: len(bits)]] ^= bits
    return modules


def _kinds(version: int, level: str, mask: int) -> npt.NDArray[np.int64]:
    made = segno.make_qr("0", version=version, error=level, mask=mask, boost_error=False)
    kinds = np.array([list(row) for row in made.matrix_iter(border=0, verbose=True)], np.int64)
    kinds[8, -9] = _DATA[0] if kinds[8, -9] >= _DARK_FROM else _DATA[1]  # told as format, which starts one further
    return kinds


def _in_order(data: Bools) -> Ints:
    """Return the data modules as they are read: two columns at a time from the right, upwards and downwards in turn."""
    side = len(data)
    places = []
    rights = [column if column > TIMING else column - 1 for column in range(side - 1, 0, -2)]
    for number, right in enumerate(rights):
        rows = range(side - 1, -1, -1) if number % 2 == 0 else range(side)
        places += [(row, column) for row in rows for column in (right, right - 1) if data[row, column]]
    return np.array(places, np.intp)


def _alignment(kinds: npt.NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    side = len(kinds)
    dark, light = kinds == consts.TYPE_ALIGNMENT_PATTERN_DARK, kinds == consts.TYPE_ALIGNMENT_PATTERN_LIGHT
    return tuple(
        (row, column)
        for row in range(8, side - 2)
        for column in range(8, side - 2)
        if dark[row, column] and light[row - 1 : row + 2, column - 1 : column + 2].sum() == 8  # noqa: PLR2004
    )


# --- codewords
# Puts right what modules say wrongly: Reed-Solomon codes, told which codewords are doubtful. A codeword that is
# known to be lost costs half as much as one that is wrong unnoticed (ISO/IEC 18004, 7.6.2); what is doubtful is
# counted as lost, the most doubtful first, more and more of it (Forney 1966, generalized minimum distance).

Floats = npt.NDArray[np.float64]

SPARED = 3
"""Check codewords of a block that are not spent on mending, so that chance does not make sense of nonsense."""
TRIES = 7
"""Counts of codewords that are given up in turn, from none to as many as may be."""


def mended(seen: npt.NDArray[np.uint8], doubt: Floats, version: int, level: str) -> npt.NDArray[np.uint8] | None:
    """Return the codewords put right, or None where too much is lost.

    ``seen``: as they stand in the symbol, blocks interleaved; ``doubt``: of each, the higher the more.
    """
    right = seen.copy()
    for places, checks in _interleaved(version, level):
        block = _block(seen[places], doubt[places], checks)
        if block is None:
            return None
        right[places] = block
    return right


def _block(seen: npt.NDArray[np.uint8], doubt: Floats, checks: int) -> npt.NDArray[np.uint8] | None:
    most = checks - SPARED
    order = np.argsort(-doubt, kind="stable")
    for lost in dict.fromkeys(np.linspace(0, most, TRIES).round().astype(int).tolist()):
        gone = order[:lost].tolist()
        try:
            told = _codec(checks).decode(bytearray(seen.tobytes()), erase_pos=gone)
        except reedsolo.ReedSolomonError:
            continue
        right = np.frombuffer(bytes(told[1]), np.uint8)
        wrong = np.count_nonzero(np.delete(right != seen, gone))
        if 2 * wrong + lost <= most:
            return right
    return None


@cache
def _codec(checks: int) -> reedsolo.RSCodec:
    return reedsolo.RSCodec(checks)


@cache
def _interleaved(version: int, level: str) -> list[tuple[npt.NDArray[np.intp], int]]:
    """Return for each block where its codewords stand, data first, and how many of them are checks."""
    sizes = blocks(version, level)
    places: list[list[int]] = [[] for _ in sizes]
    at = 0
    for turn in range(max(data for _, data in sizes)):
        for number, (_, data) in enumerate(sizes):
            if turn < data:
                places[number].append(at)
                at += 1
    for _ in range(sizes[0][0] - sizes[0][1]):
        for its in places:
            its.append(at)
            at += 1
    return [(np.array(its), total - data) for its, (total, data) in zip(places, sizes, strict=True)]
