"""Puts right what modules say wrongly: Reed-Solomon codes, told which codewords are doubtful.

A codeword that is known to be lost costs half as much as one that is wrong unnoticed (ISO/IEC 18004, 7.6.2); what is
doubtful is counted as lost, the most doubtful first, more and more of it (Forney 1966, generalized minimum distance).
"""

from functools import cache

import numpy as np
import numpy.typing as npt
import reedsolo

from companion.vision.symbol.anatomy import blocks

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
