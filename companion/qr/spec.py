"""The parts of ISO/IEC 18004 that the decoder needs: function patterns, module order, masks, error correction."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import reedsolo
import segno
from segno import consts

from companion.qr.sighting import F64, U8, Indices, Mask

LEVELS = ("L", "M", "Q", "H")
"""Error correction levels, from the weakest."""
MAX_VERSION = 40
BASE_SIDE, SIDE_PER_VERSION = 17, 4
"""A symbol has ``BASE_SIDE + SIDE_PER_VERSION * version`` modules a side."""
TIMING = 6
"""The row and the column of the timing patterns."""

_DATA = (consts.TYPE_DATA_DARK, consts.TYPE_DATA_LIGHT)
_FORMAT = (consts.TYPE_FORMAT_DARK, consts.TYPE_FORMAT_LIGHT)
_DARK_FROM = 256
"""segno numbers the types of dark modules from here on, those of light modules below."""

_MASKS: tuple[Callable[[Indices, Indices], Indices], ...] = (
    lambda i, j: (i + j) % 2,
    lambda i, _: i % 2,
    lambda _, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)
"""Data mask conditions by mask number (table 10): a module is inverted where the value is 0."""

RESERVED_CHECKS = 3
"""Check codewords of a block that are not used for correction, so that noise is not corrected into a valid text."""
ERASURE_STEPS = 7
"""Numbers of erasures that are tried for a block, evenly spaced from none to the most possible."""


@dataclass(frozen=True, slots=True, eq=False)
class SymbolLayout:
    """The layout that all symbols of one version share. N is the number of modules a side.

    ``fixed``: N x N, True for function patterns; ``dark``: N x N, which of these are dark.
    ``data``: m x 2, row and column of the modules that carry data, in reading order.
    ``alignment``: centres (row, column) of the alignment patterns that touch no timing pattern.
    """

    version: int
    fixed: Mask
    dark: Mask
    data: Indices
    alignment: tuple[tuple[int, int], ...]

    @property
    def side(self) -> int:
        """Return the number of modules a side."""
        return len(self.fixed)


def count_side_modules(version: int) -> int:
    """Return the number of modules a side of a version."""
    return BASE_SIDE + SIDE_PER_VERSION * version


@cache
def build_layout(version: int) -> SymbolLayout:
    """Return what all symbols of a version share."""
    types = _module_types(version, "L", 0)
    data = np.isin(types, _DATA)
    fixed = ~data & ~np.isin(types, _FORMAT)
    return SymbolLayout(version, fixed, types >= _DARK_FROM, _reading_order(data), _alignment_centres(types))


@cache
def build_mask(version: int, mask: int) -> Mask:
    """Return which modules a mask inverts, N x N."""
    rows, columns = np.indices((count_side_modules(version),) * 2)
    return np.asarray(_MASKS[mask](rows, columns) == 0, np.bool_)


@cache
def build_formats() -> tuple[tuple[str, int, Mask, Mask], ...]:
    """Return (level, mask, format modules, dark modules) for every format of a version 1 symbol, 21 x 21 each."""
    formats = []
    for level in LEVELS:
        for mask in range(len(_MASKS)):
            types = _module_types(1, level, mask)
            formats.append((level, mask, np.isin(types, _FORMAT), types >= _DARK_FROM))
    return tuple(formats)


@cache
def block_sizes(version: int, level: str) -> tuple[tuple[int, int], ...]:
    """Return (all codewords, data codewords) of each error correction block."""
    table: Any = consts.ECC
    groups = table[version][consts.ERROR_MAPPING[level]]
    return tuple((group.num_total, group.num_data) for group in groups for _ in range(group.num_blocks))


def build_symbol(version: int, level: str, mask: int, bits: Mask) -> Mask:
    """Return an undamaged symbol with these unmasked data bits, N x N, True for dark."""
    modules = _module_types(version, level, mask) >= _DARK_FROM
    rows, columns = build_layout(version).data.T
    modules[rows, columns] = build_mask(version, mask)[rows, columns]
    modules[rows[: len(bits)], columns[: len(bits)]] ^= bits
    return modules


def _module_types(version: int, level: str, mask: int) -> npt.NDArray[np.int64]:
    """Return segno's type of each module, N x N."""
    code = segno.make_qr("0", version=version, error=level, mask=mask, boost_error=False)
    types = np.array([list(row) for row in code.matrix_iter(border=0, verbose=True)], np.int64)
    # segno reports this data module as format information, which starts one module further.
    types[8, -9] = _DATA[0] if types[8, -9] >= _DARK_FROM else _DATA[1]
    return types


def _reading_order(data: Mask) -> Indices:
    """Return row and column of the data modules in reading order (7.7.3).

    Two columns at a time from the right, alternately upwards and downwards, without the timing column.
    """
    side = len(data)
    modules = []
    rights = [column if column > TIMING else column - 1 for column in range(side - 1, 0, -2)]
    for number, right in enumerate(rights):
        rows = range(side - 1, -1, -1) if number % 2 == 0 else range(side)
        modules += [(row, column) for row in rows for column in (right, right - 1) if data[row, column]]
    return np.array(modules, np.intp)


def _alignment_centres(types: npt.NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    side = len(types)
    dark, light = types == consts.TYPE_ALIGNMENT_PATTERN_DARK, types == consts.TYPE_ALIGNMENT_PATTERN_LIGHT
    return tuple(
        (row, column)
        for row in range(8, side - 2)
        for column in range(8, side - 2)
        if dark[row, column] and light[row - 1 : row + 2, column - 1 : column + 2].sum() == 8  # noqa: PLR2004
    )


def correct_codewords(codewords: U8, doubt: F64, version: int, level: str) -> U8 | None:
    """Correct errors and erasures of a symbol's codewords (Reed-Solomon), or return None if too much is lost.

    An erasure costs half as many check codewords as an error (ISO/IEC 18004, 7.6.2). The most doubtful codewords are
    treated as erasures, more and more of them (generalised minimum distance decoding, Forney 1966).

    Args:
        codewords: as they stand in the symbol, blocks interleaved.
        doubt: one value for each codeword; only their order counts.
        version: of the symbol.
        level: error correction level.

    """
    corrected = codewords.copy()
    for positions, checks in _deinterleave(version, level):
        block = _correct_block(codewords[positions], doubt[positions], checks)
        if block is None:
            return None
        corrected[positions] = block
    return corrected


def _correct_block(codewords: U8, doubt: F64, checks: int) -> U8 | None:
    capacity = checks - RESERVED_CHECKS
    order = np.argsort(-doubt, kind="stable")
    for count in dict.fromkeys(np.linspace(0, capacity, ERASURE_STEPS).round().astype(int).tolist()):
        erasures = order[:count].tolist()
        try:
            decoded = _codec(checks).decode(bytearray(codewords.tobytes()), erase_pos=erasures)
        except reedsolo.ReedSolomonError:
            continue
        corrected = np.frombuffer(bytes(decoded[1]), np.uint8)
        errors = np.count_nonzero(np.delete(corrected != codewords, erasures))
        if 2 * errors + count <= capacity:
            return corrected
    return None


@cache
def _codec(checks: int) -> reedsolo.RSCodec:
    return reedsolo.RSCodec(checks)


@cache
def _deinterleave(version: int, level: str) -> list[tuple[Indices, int]]:
    """Return for each block the positions of its codewords, data first, and the number of its check codewords."""
    sizes = block_sizes(version, level)
    positions: list[list[int]] = [[] for _ in sizes]
    position = 0
    for turn in range(max(data for _, data in sizes)):
        for number, (_, data) in enumerate(sizes):
            if turn < data:
                positions[number].append(position)
                position += 1
    for _ in range(sizes[0][0] - sizes[0][1]):
        for block in positions:
            block.append(position)
            position += 1
    return [(np.array(block), total - data) for block, (total, data) in zip(positions, sizes, strict=True)]
