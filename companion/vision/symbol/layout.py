"""Finds out how many modules a straightened symbol has, and where they lie on what is bent.

The finder patterns say where three corners are and how the paper leans there; timing and alignment patterns, what lies
between; then the modules themselves do, from what is known outwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.symbol.anatomy import A_VERSION, LARGEST, SMALLEST_SIDE, TIMING, Anatomy, anatomy
from companion.vision.symbol.finders import Frame
from companion.vision.symbol.mesh import WITHIN, Aim, Floats, Mesh, Slopes, fitted, through
from companion.vision.symbol.modules import Modules, modules, places
from companion.vision.symbol.unsmeared import unsmeared

NEAREST = 3
"""Versions that are tried: those that fit best what the finder patterns say."""
LEAST_TIMING, LEAST_LEAD = 0.12, 0.08
"""The correlation from which on a timing pattern is one, and by how much it is better than for another version.

Where modules have run into each other little is left of it.
"""
AGAIN = 2
BLURRED = 0.85
"""The mean trust below which blur is taken into account."""
LEAST_ALIGNED = 0.6
SOUGHT = np.arange(-3.5, 3.6, 0.5)
"""Modules that an alignment pattern is off at most, in either direction."""
SPANNED = (1.0, 1e-2)
FIXED_STIFFNESS = 1e-4


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


def grown(picture: Slopes, symbol: Anatomy, mesh: Mesh) -> Iterator[Modules]:
    """Give what the modules are, better and better: each time the map is fitted to more of what is seen."""
    far = cv2.distanceTransform((~symbol.fixed).astype(np.uint8), cv2.DIST_L2, 3).astype(np.float64)
    seen = modules(picture, mesh, symbol.side)
    yield seen
    for stage in GROWTH:
        near = np.exp(-((far / stage.reach) ** 2))
        for _ in range(2):
            dark = np.where(symbol.fixed, symbol.dark, seen.are_dark)
            weights = np.where(symbol.fixed, 1.0, near * seen.trust)
            aim = _aim(
                symbol.side, np.where(dark, seen.dark, seen.light), np.maximum(seen.light - seen.dark, 4), weights
            )
            mesh = fitted(mesh.raised(stage.degree), picture, aim, stage.stiffness, 2)
            seen = modules(picture, mesh, symbol.side)
        if stage.told:
            yield seen
        if stage.told and seen.trust.mean() < BLURRED:
            yield from _unsmeared(picture, symbol, mesh, seen)


def _unsmeared(picture: Slopes, symbol: Anatomy, mesh: Mesh, seen: Modules) -> Iterator[Modules]:
    """Give the modules with blur taken into account, the map fitted anew to what they should look like."""
    told, tones = unsmeared(symbol, seen)
    yield told
    for _ in range(AGAIN):
        aim = _aim(symbol.side, tones, np.maximum(seen.light - seen.dark, 4), np.where(symbol.fixed, 1.0, told.trust))
        mesh = fitted(mesh, picture, aim, 1e-4, 3)
        seen = modules(picture, mesh, symbol.side)
        told, tones = unsmeared(symbol, seen)
    yield told


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
    known, onto = corners, mesh.at(corners)
    weights = np.ones(len(known))
    for row, column in sorted(symbol.alignment, key=sum):
        seen = _alignment(picture, mesh, side, row, column)
        if seen is None:
            continue
        known = np.vstack((known, (np.array([column, row]) + 0.5) / side * 2 - 1))
        onto, weights = np.vstack((onto, seen)), np.append(weights, 3.0)
        mesh = through(known, onto, weights, 2, 1e-3)
    return mesh


def _alignment(picture: Slopes, mesh: Mesh, side: int, row: int, column: int) -> Floats | None:
    """Return where an alignment pattern lies, near where a map has it, or None where none is seen."""
    across, down = (one.ravel() for one in np.meshgrid(np.arange(-2, 3), np.arange(-2, 3)))
    tones = np.where(np.maximum(np.abs(across), np.abs(down)) == 1, 1.0, -1.0)
    off_x, off_y = (one.ravel() for one in np.meshgrid(SOUGHT, SOUGHT))
    x = column + 0.5 + off_x[:, None] + across
    y = row + 0.5 + off_y[:, None] + down
    spots = np.column_stack((x.ravel(), y.ravel())) / side * 2 - 1
    shown = picture.at(mesh.at(spots))[0].reshape(x.shape)
    off = shown - shown.mean(axis=1, keepdims=True)
    wanted = tones - tones.mean()
    likes = off @ wanted / np.sqrt(np.maximum((off**2).sum(axis=1), 100.0) * (wanted**2).sum())
    likes -= 0.03 * np.hypot(off_x, off_y)
    best = int(likes.argmax())
    if likes[best] < LEAST_ALIGNED:
        return None
    spot = np.array([[column + 0.5 + off_x[best], row + 0.5 + off_y[best]]]) / side * 2 - 1
    return mesh.at(spot)


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
        contrast[symbol.fixed] = np.maximum(-slope @ light[3:], 4)
        tones = np.zeros((symbol.side,) * 2)
        tones[symbol.fixed] = terms @ light
        aim = _aim(symbol.side, tones, np.maximum(contrast, 4), symbol.fixed.astype(np.float64))
        mesh = fitted(mesh, picture, aim, FIXED_STIFFNESS, 2)
    return mesh


def _timing(picture: Slopes, symbol: Anatomy, mesh: Mesh) -> float:
    """Return the correlation with the timing patterns."""
    spots = np.zeros((symbol.side,) * 2, np.bool_)
    spots[TIMING, 8:-8] = spots[8:-8, TIMING] = True
    tone = picture.at(mesh.at(places(symbol.side)[spots.ravel()]))[0]
    return float(np.corrcoef(-tone, symbol.dark[spots])[0, 1]) if tone.std() > 1 else 0.0


def _aim(side: int, tones: Floats, contrast: Floats, weights: Floats) -> Aim:
    """Return what is looked for in each of N x N modules, at four places of it; nothing where it has no weight."""
    counts = weights.ravel() > 0.02  # noqa: PLR2004 - less is nothing
    spots = (places(side)[counts][:, None] + np.array(WITHIN) * 2 / side).reshape(-1, 2)
    told = (np.repeat(own.ravel()[counts], len(WITHIN)) for own in (tones, contrast, weights))
    return Aim(spots, *told)
