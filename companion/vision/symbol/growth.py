"""What the modules of a symbol are, better and better: its map is fitted to more and more of what is seen."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.symbol.anatomy import Anatomy
from companion.vision.symbol.grid import aim
from companion.vision.symbol.mesh import Mesh, Slopes, fitted
from companion.vision.symbol.modules import BLANK, Modules, modules
from companion.vision.symbol.unsmeared import unsmeared

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
