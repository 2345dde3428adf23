"""Makes out a symbol that was found and not read: laid out, its modules told apart, what is lost mended."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.finder_patterns import Frame, alike, frames
from companion.qr.sampling import (
    BLANK,
    Floats,
    Mesh,
    Modules,
    Slopes,
    aim,
    fitted,
    modules,
    place,
    places,
    slopes_of,
    through,
)
from companion.qr.sighting import RIM, Corners, Grey, straightened
from companion.qr.spec import (
    A_VERSION,
    LARGEST,
    SMALLEST_SIDE,
    TIMING,
    Anatomy,
    Bools,
    anatomy,
    formats,
    masked,
    mended,
    whole,
)

# --- layout
# Finds out how many modules a straightened symbol has, and about where they lie on what is bent. The finder
# patterns say where three corners are and how the paper leans there; timing and alignment patterns, what lies
# between.

NEAREST = 3
"""Versions that are tried: those that fit best what the finder patterns say."""
LEAST_TIMING, LEAST_LEAD = 0.12, 0.08
"""The correlation from which on a timing pattern is one, and by how much it is better than for another version.

Where modules have run into each other little is left of it.
"""
SPANNED = (1.0, 1e-2)
"""How stiff the first map is: nearly plain, then as the finder patterns bend it."""
STIFFNESS, ALIGNED_STIFFNESS = 1e-4, 1e-3
ALIGNMENT_WEIGHS = 3.0
"""Times as much as one of nine points of a finder pattern."""
LEAST_ALIGNED = 0.6
"""The correlation from which on an alignment pattern is one."""
SOUGHT = np.arange(-3.5, 3.6, 0.5)
"""Modules that an alignment pattern is off at most, in either direction."""
AWAY = 0.03
"""What each of them costs in correlation."""


def laid_out(picture: Slopes, found: tuple[Frame, Frame, Frame]) -> Iterator[tuple[Anatomy, Mesh]]:
    """Give what symbol it may be and about where its modules lie, as it leans first, then as it bends."""
    for stiffness in SPANNED:
        tried = []
        for version in _versions(found):
            symbol = anatomy(version)
            mesh = _by_fixed(picture, symbol, _with_alignment(picture, symbol, _spanned(found, symbol.side, stiffness)))
            tried.append((_timing(picture, symbol, mesh), symbol, mesh))
        tried.sort(key=lambda one: -one[0])
        like, symbol, mesh = tried[0]
        if like >= LEAST_TIMING and like - tried[1][0] >= LEAST_LEAD:
            yield symbol, mesh


def _versions(found: tuple[Frame, Frame, Frame]) -> list[int]:
    """Return the versions that fit best: between two finder patterns modules grow evenly."""
    first, right, foot = found
    top = np.linalg.norm(right.middle - first.middle) / (
        (np.linalg.norm(first.across) + np.linalg.norm(right.across)) / 2
    )
    left = np.linalg.norm(foot.middle - first.middle) / ((np.linalg.norm(first.down) + np.linalg.norm(foot.down)) / 2)
    about = ((top + left) / 2 + 7 - SMALLEST_SIDE) / A_VERSION
    return sorted(range(1, LARGEST + 1), key=lambda version: abs(version - about))[:NEAREST]


def _spanned(found: tuple[Frame, Frame, Frame], side: int, stiffness: float) -> Mesh:
    """Return the map of second degree through three finder patterns as they lie."""
    square = np.array([(x, y) for x in (-3.5, 0, 3.5) for y in (-3.5, 0, 3.5)])
    middles = np.array([(3.5, 3.5), (side - 3.5, 3.5), (3.5, side - 3.5)])
    onto = np.concatenate([frame.at(square) for frame in found])
    at = np.concatenate([middle + square for middle in middles]) / side * 2 - 1
    return through(at, onto, np.ones(len(at)), 2, stiffness)


def _with_alignment(picture: Slopes, symbol: Anatomy, mesh: Mesh) -> Mesh:
    """Return the map drawn to the alignment patterns that are seen near where it has them, nearest first."""
    side = symbol.side
    at = np.array([(x, y) for x in (-1.0, -0.8, 0.0) for y in (-1.0, -0.8, 0.0)])
    corners = np.concatenate([at, at * (-1, 1), at * (1, -1)])
    known, onto, weights = corners, mesh.at(corners), np.ones(len(corners))
    for row, column in sorted(symbol.alignment, key=sum):
        seen = _alignment(picture, mesh, side, row, column)
        if seen is None:
            continue
        known, onto = np.vstack((known, place(row, column, side))), np.vstack((onto, seen))
        weights = np.append(weights, ALIGNMENT_WEIGHS)
        mesh = through(known, onto, weights, 2, ALIGNED_STIFFNESS)
    return mesh


def _alignment(picture: Slopes, mesh: Mesh, side: int, row: int, column: int) -> Floats | None:
    """Return where an alignment pattern lies, near where a map has it, or None where none is seen."""
    across, down = (one.ravel() for one in np.meshgrid(np.arange(-2, 3), np.arange(-2, 3)))
    tones = np.where(np.maximum(np.abs(across), np.abs(down)) == 1, 1.0, -1.0)
    off_x, off_y = (one.ravel() for one in np.meshgrid(SOUGHT, SOUGHT))
    x, y = column + off_x[:, None] + across, row + off_y[:, None] + down
    shown = picture.at(mesh.at(place(y.ravel(), x.ravel(), side)))[0].reshape(x.shape)
    likes = alike(shown, tones, np.ones(len(tones))) - AWAY * np.hypot(off_x, off_y)
    best = int(likes.argmax())
    if likes[best] < LEAST_ALIGNED:
        return None
    return mesh.at(place(row + off_y[best], column + off_x[best], side))


def _by_fixed(picture: Slopes, symbol: Anatomy, mesh: Mesh) -> Mesh:
    """Return the map fitted to what is the same in all symbols of a version, under light that changes evenly."""
    middles = places(symbol.side)[symbol.fixed.ravel()]
    dark = symbol.dark[symbol.fixed]
    slope = np.column_stack((np.ones(len(middles)), middles))
    terms = np.hstack((slope, slope * dark[:, None]))
    for _ in range(3):
        tone = picture.at(mesh.at(middles))[0]
        light = np.linalg.lstsq(terms, tone, rcond=None)[0]
        contrast = np.zeros((symbol.side,) * 2)
        contrast[symbol.fixed] = -slope @ light[3:]
        tones = np.zeros((symbol.side,) * 2)
        tones[symbol.fixed] = terms @ light
        mesh = fitted(mesh, picture, aim(tones, contrast, symbol.fixed.astype(np.float64)), STIFFNESS, 2)
    return mesh


def _timing(picture: Slopes, symbol: Anatomy, mesh: Mesh) -> float:
    """Return the correlation with the timing patterns."""
    spots = np.zeros((symbol.side,) * 2, np.bool_)
    spots[TIMING, 8:-8] = spots[8:-8, TIMING] = True
    tone = picture.at(mesh.at(places(symbol.side)[spots.ravel()]))[0]
    return float(np.corrcoef(-tone, symbol.dark[spots])[0, 1]) if tone.std() > 1 else 0.0


# --- unsmeared
# Tells modules apart that blur has run into each other: what neighbours lend each other is learnt and taken
# away. The tones of modules are what is printed, convolved with a kernel of a few modules. The kernel is fitted
# to what is known, by least squares; then each module is asked which of both explains the tones about it
# better, given its neighbours, softly first and surer each time (soft decision feedback, as receivers do with
# intersymbol interference).

REACH = 2
"""Modules to each side over which blur is told."""
SURENESS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0)
"""How sharply a module is decided, step by step."""
EASED = 0.5
"""The share of a step that is taken, so that neighbours do not overshoot together."""
STIFF = 0.02
"""Shares of the modules: kernels are drawn towards none by so much."""


def unsmeared(symbol: Anatomy, seen: Modules) -> tuple[Modules, Floats]:
    """Return the modules with blur taken into account, and the tones that they should have under it, N x N."""
    half = np.maximum(seen.light - seen.dark, 1) / 2
    shown = np.clip((seen.tone - (seen.light + seen.dark) / 2) / half, -1.5, 1.5)
    known = np.where(symbol.dark, -1.0, 1.0)
    trusted = np.where(seen.trust > BLANK, 1.0, 0.0)  # blank patches tell nothing of blur
    printed = np.where(symbol.fixed, known, np.clip(shown, -1, 1))
    kernel = np.zeros((2 * REACH + 1,) * 2)
    score, bias = shown, 0.0
    for sure in SURENESS:
        kernel, bias = _kernel(shown, printed, np.where(symbol.fixed, 3.0, np.abs(printed)) * trusted)
        left = (shown - bias - _spread(printed, kernel)) * trusted
        power = float((kernel**2).sum())
        score = printed + cv2.filter2D(left, -1, kernel[::-1, ::-1], borderType=cv2.BORDER_CONSTANT) / max(power, 1e-6)
        told = np.tanh(sure * score)
        printed = np.where(symbol.fixed, known, (1 - EASED) * printed + EASED * told)
    middle = (seen.light + seen.dark) / 2
    trust = np.minimum(1, np.abs(score)) * np.where(trusted > 0, 1.0, BLANK)
    told = replace(seen, tone=middle + half * np.clip(score, -1, 1), trust=trust)
    return told, middle + half * (_spread(printed, kernel) + bias)


def _spread(printed: Floats, kernel: Floats) -> Floats:
    """Return what a kernel makes of modules in a light quiet zone."""
    wide = np.pad(printed, REACH, constant_values=1.0)
    return np.asarray(cv2.filter2D(wide, -1, kernel)[REACH:-REACH, REACH:-REACH], np.float64)


def _kernel(shown: Floats, printed: Floats, weights: Floats) -> tuple[Floats, float]:
    """Return the kernel that makes the tones of what is printed, and how much lighter all is."""
    side, width = len(shown), 2 * REACH + 1
    wide = np.pad(printed, REACH, constant_values=1.0)
    columns = [wide[y : y + side, x : x + side].ravel() for y in range(width) for x in range(width)]
    terms = np.column_stack((*columns, np.ones(side * side)))
    squares: npt.NDArray[np.float64] = (terms * weights.ravel()[:, None]).T @ terms
    squares += STIFF * weights.sum() * np.diag([1.0] * width**2 + [0.0])
    solved = np.linalg.solve(squares + 1e-6 * np.eye(width**2 + 1), terms.T @ (weights.ravel() * shown.ravel()))
    return np.asarray(solved[:-1].reshape(width, width), np.float64), float(solved[-1])


# --- growth
# What the modules of a symbol are, better and better: its map is fitted to more and more of what is seen.

EACH = 2
"""Times at least that modules are told apart and the map fitted to them in each stage, and steps of a fit."""
MOST = 6
"""Times at most, for as long as more than this share of the modules changes."""
SETTLED = 0.004
LEAST_FIXED = 0.77
"""The share of what is the same in all symbols of a version that must be seen as it is."""
MOST_BLANK = 0.3
"""The share of modules that may show nothing: more is never put right."""
BLURRED = 0.85
"""The mean trust below which blur is taken into account."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """How a map may bend, and how far from what is fixed what is seen counts, in modules; ``told``: worth a try."""

    degree: int
    reach: float
    stiffness: float = 1e-4
    told: bool = False


GROWTH = (
    _Stage(2, 2.0),
    _Stage(3, 4.0),
    _Stage(4, 6.0),
    _Stage(4, 12.0),
    _Stage(4, 50.0, told=True),
    _Stage(5, 50.0, 1e-5),
    _Stage(6, 50.0, 1e-5, told=True),
)


def grown(picture: Slopes, symbol: Anatomy, mesh: Mesh) -> Iterator[Modules]:
    """Give what the modules of a symbol are, as they are told apart from what is known outwards."""
    far = cv2.distanceTransform((~symbol.fixed).astype(np.uint8), cv2.DIST_L2, 3).astype(np.float64)
    seen = modules(picture, mesh, symbol.side)
    yield seen
    for stage in GROWTH:
        near = np.exp(-((far / stage.reach) ** 2))
        for turn in range(1, MOST + 1):
            dark = np.where(symbol.fixed, symbol.dark, seen.are_dark)
            weights = np.where(symbol.fixed, 1.0, near * seen.trust)
            expected = aim(np.where(dark, seen.dark, seen.light), seen.light - seen.dark, weights)
            mesh = fitted(mesh.raised(stage.degree), picture, expected, stage.stiffness, EACH)
            before, seen = seen, modules(picture, mesh, symbol.side)
            changed = np.count_nonzero(seen.are_dark != before.are_dark)
            if turn >= EACH and changed <= SETTLED * seen.tone.size:
                break
        if _hopeless(symbol, seen):
            return
        if stage.told:
            yield seen
            if seen.trust.mean() < BLURRED:
                yield from _unsmeared(picture, symbol, mesh, seen)


def _hopeless(symbol: Anatomy, seen: Modules) -> bool:
    """Say whether too little is in its place or to be seen at all."""
    in_place = np.mean((seen.are_dark == symbol.dark)[symbol.fixed])
    return bool(in_place < LEAST_FIXED or np.mean(seen.trust <= BLANK) > MOST_BLANK)


def _unsmeared(picture: Slopes, symbol: Anatomy, mesh: Mesh, seen: Modules) -> Iterator[Modules]:
    """Give the modules with blur taken into account; then the map is fitted anew to what they should look like."""
    told, tones = unsmeared(symbol, seen)
    yield told
    for _ in range(EACH):
        expected = aim(tones, seen.light - seen.dark, np.where(symbol.fixed, 1.0, told.trust))
        mesh = fitted(mesh, picture, expected, GROWTH[0].stiffness, EACH)
        seen = modules(picture, mesh, symbol.side)
        told, tones = unsmeared(symbol, seen)
    yield told


SMALLEST, LARGEST_MADE_OUT = 128, 480
"""Pixels a side of a straightened symbol."""
SOFT = 1.0
"""Pixels of it by which noise is softened."""
IN_PLACE = 0.99
"""The share of what is the same in all symbols of a version from which on modules lie where they were thought to."""
FORMATS = 2
"""Formats that are tried, the likeliest first."""
LEAST_TOLD = 0.7
"""How clearly the format must be told, -1 to 1."""
LEAST_AGREED = 0.8
"""The share of what is trusted that must be as it was seen."""


def made_out(grey: Grey, corners: Corners) -> Bools | None:
    """Return the modules of the symbol with these corners (clockwise from its own top left), N x N, or None."""
    longest = max(math.dist(*ends) for ends in pairwise((*corners, corners[0])))
    side = int(np.clip(longest, SMALLEST, LARGEST_MADE_OUT))
    flat = straightened(grey, corners, side).astype(np.float32)
    picture = slopes_of(np.asarray(cv2.GaussianBlur(flat, (0, 0), SOFT), np.float32))
    found = frames(picture, side * RIM, side)
    if found is None:
        return None
    for symbol, mesh in laid_out(picture, found):
        seen = None
        for seen in grown(picture, symbol, mesh):
            printed = _sense(symbol, seen)
            if printed is not None:
                return printed
        if seen is not None and (seen.are_dark == symbol.dark)[symbol.fixed].mean() >= IN_PLACE:
            return None  # it lies where it should, and too much of it is lost
    return None


def _sense(symbol: Anatomy, seen: Modules) -> Bools | None:
    """Return the symbol as it was printed, if what is seen makes sense."""
    rows, columns = symbol.data.T
    dark, trust = seen.are_dark[rows, columns], seen.trust[rows, columns]
    many = len(dark) // 8 * 8
    doubt = 1 - trust[:many].reshape(-1, 8)
    for level, mask in _formats(seen):
        bits = dark ^ masked(symbol.version, mask)[rows, columns]
        words = mended(np.packbits(bits[:many]), doubt.max(axis=1) + doubt.mean(axis=1), symbol.version, level)
        if words is None:
            continue
        right = np.unpackbits(words).astype(np.bool_)
        if float(np.average(right == bits[:many], weights=trust[:many] + 1e-6)) >= LEAST_AGREED:
            return whole(symbol.version, level, mask, right)
    return None


def _formats(seen: Modules) -> Iterator[tuple[str, int]]:
    """Give the likeliest levels and masks, by both places that tell them."""
    side = len(seen.tone)
    signed = np.where(seen.are_dark, 1.0, -1.0) * seen.trust
    told = []
    for level, mask, where, dark in formats():
        row, column = np.nonzero(where)
        row_here, column_here = (np.where(own > 8, own + side - 21, own) for own in (row, column))  # noqa: PLR2004
        as_seen = signed[row_here, column_here]
        told.append(
            (float((as_seen * np.where(dark[row, column], 1, -1)).sum() / max(np.abs(as_seen).sum(), 1)), level, mask)
        )
    for like, level, mask in sorted(told, reverse=True)[:FORMATS]:
        if like >= LEAST_TOLD:
            yield level, mask
