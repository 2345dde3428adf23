"""From finder patterns to symbols: three that stand as a symbol's do, or two, and where the third would be."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from companion.vision.symbol.finders import Frame
from companion.vision.symbol.mesh import Floats

NEAREST, FURTHEST = 11.0, 180.0
"""Modules from one finder pattern's middle to the next."""
ASIDE = 0.35
"""How far aside the next may lie, as a share of how far ahead."""
ASLANT = 0.9
"""The cosine of the angle between two sides of a symbol at most."""
AS_LARGE = 2.2
"""Times as large one may seem as another."""
UNLIKE = 1.7
"""Times as far the one may be from the first as the other."""
NEIGHBOURS = 8
"""Finder patterns, the nearest, that may stand in one symbol with another."""
MOST_TORN = 6
"""Finder patterns left alone of which any two are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """The corners that symbols may have, 4 x 2, clockwise from their own top left.

    ``whole``: those of which three finder patterns are seen; ``torn``: of which two are, each way that may be.
    """

    whole: tuple[Floats, ...]
    torn: tuple[Floats, ...]


def grouped(found: Sequence[Frame]) -> Grouped:
    """Return the symbols that finder patterns may belong to; each pattern belongs to one that has three."""
    threes = [one for number in range(len(found)) for one in _threes(found, number)]
    used, whole = set[int](), []
    for _, members, quad in sorted(threes, key=lambda one: one[0]):
        if used.isdisjoint(members):
            whole.append(quad)
            used |= set(members)
    left = [one for number, one in enumerate(found) if number not in used][:MOST_TORN]
    return Grouped(tuple(whole), tuple(quad for one, other in combinations(left, 2) for quad in _of_two(one, other)))


def _threes(found: Sequence[Frame], first: int) -> Iterator[tuple[float, tuple[int, int, int], Floats]]:
    """Give the symbols whose first corner a pattern may be: how unlikely, its patterns, and its corners."""
    one = found[first]
    near = {number: way for number in _near(found, one) if (way := _ahead(one, found[number])) is not None}
    for right, foot in permutations(near, 2):
        (across, far), (down, low) = near[right], near[foot]
        square = 1 / UNLIKE < far / low < UNLIKE and abs(_share(across, down)) < ASLANT
        if square and across[0] * down[1] > across[1] * down[0]:
            quad = _quad(one, found[right], found[foot], across, down)
            yield _unlikely(quad, one), (first, right, foot), quad


def _near(found: Sequence[Frame], one: Frame) -> list[int]:
    """Return the nearest patterns that lie straight ahead of one, in any of four directions."""
    steps = np.linalg.solve(
        np.column_stack((one.across, one.down)), np.array([other.middle - one.middle for other in found]).T
    )
    low, high = np.sort(np.abs(steps), axis=0)
    ahead = np.flatnonzero((low <= ASIDE * high) & (high > NEAREST / 2) & (high < 2 * FURTHEST))
    return [int(number) for number in ahead[np.argsort(high[ahead], kind="stable")][:NEIGHBOURS]]


def _of_two(one: Frame, other: Frame) -> list[Floats]:
    """Return where symbols may lie of which two patterns are seen."""
    ahead = _ahead(one, other)
    quads = []
    if ahead is None:
        return _of_diagonal(one, other)
    for side in (1, -1):
        first, second = (one, other) if side > 0 else (other, one)
        along = _axis(first, second.middle - first.middle)
        aside = _turned(first, along)
        far = ahead[1]
        third = Frame(first.middle + far * aside, first.across, first.down, 0.0)
        quad = _quad(first, second, third, along, aside)
        quads += [quad, np.roll(quad, -1, axis=0)]
    return quads


def _of_diagonal(one: Frame, other: Frame) -> list[Floats]:
    steps = np.linalg.solve(np.column_stack((one.across, one.down)), other.middle - one.middle)
    low, high = np.sort(np.abs(steps))
    if not (low > NEAREST and high < UNLIKE * low and high < FURTHEST and _alike(one, other)):
        return []
    quads = []
    for corner in (one.middle + steps[0] * one.across, one.middle + steps[1] * one.down):
        first = Frame(corner, one.across, one.down, 0.0)
        to_one, to_other = one.middle - corner, other.middle - corner
        right, foot = (one, other) if to_one[0] * to_other[1] - to_one[1] * to_other[0] > 0 else (other, one)
        quads.append(_quad(first, right, foot, _axis(first, right.middle - corner), _axis(first, foot.middle - corner)))
    return quads


def _quad(first: Frame, right: Frame, foot: Frame, across: Floats, down: Floats) -> Floats:
    top_left = first.middle - 3.5 * (across + down)
    top_right = right.middle + 3.5 * (_axis(right, across) - _axis(right, down))
    foot_left = foot.middle + 3.5 * (_axis(foot, down) - _axis(foot, across))
    return np.array([top_left, top_right, top_right + foot_left - top_left, foot_left])


def _ahead(one: Frame, other: Frame) -> tuple[Floats, float] | None:
    """Return which way one module leads from one pattern to the other, and how many modules it is; None if aslant."""
    steps = np.linalg.solve(np.column_stack((one.across, one.down)), other.middle - one.middle)
    low, high = np.sort(np.abs(steps))
    if low > ASIDE * high or not _alike(one, other):
        return None
    along = _axis(one, other.middle - one.middle)
    far = float(
        2 * np.linalg.norm(other.middle - one.middle) / (np.linalg.norm(along) + np.linalg.norm(_axis(other, along)))
    )
    return (along, far) if NEAREST < far < FURTHEST else None


def _alike(one: Frame, other: Frame) -> bool:
    sizes = [abs(float(own.across[0] * own.down[1] - own.across[1] * own.down[0])) for own in (one, other)]
    return max(sizes) < AS_LARGE**2 * min(sizes)


def _axis(frame: Frame, along: Floats) -> Floats:
    """Return the module of a frame, one of four, that leads most in a direction."""
    ways = (frame.across, frame.down, -frame.across, -frame.down)
    return max(ways, key=lambda way: _share(way, along))


def _turned(frame: Frame, along: Floats) -> Floats:
    """Return the module of a frame that leads to the right of a direction."""
    return _axis(frame, np.array([-along[1], along[0]]))


def _share(one: Floats, other: Floats) -> float:
    return float(one @ other / (np.linalg.norm(one) * np.linalg.norm(other) + 1e-9))


def _unlikely(quad: Floats, first: Frame) -> float:
    """Return how far a quadrilateral is from a small square: by its sides, its angle and its modules."""
    top, left = quad[1] - quad[0], quad[3] - quad[0]
    across, down = np.linalg.norm(top), np.linalg.norm(left)
    modules = (across + down) / (np.linalg.norm(first.across) + np.linalg.norm(first.down))
    return float(abs(np.log(across / down)) + abs(_share(top, left)) + np.log(modules))
