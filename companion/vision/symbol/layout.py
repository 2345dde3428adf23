"""Finds out how many modules a straightened symbol has, and about where they lie on what is bent.

The finder patterns say where three corners are and how the paper leans there; timing and alignment patterns, what lies
between.
"""

from collections.abc import Iterator

import numpy as np

from companion.vision.symbol.anatomy import A_VERSION, LARGEST, SMALLEST_SIDE, TIMING, Anatomy, anatomy
from companion.vision.symbol.finders import Frame, alike
from companion.vision.symbol.grid import aim, place, places
from companion.vision.symbol.mesh import Floats, Mesh, Slopes, fitted, through

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
