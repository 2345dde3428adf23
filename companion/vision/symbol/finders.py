"""The three finder patterns of a symbol that was straightened by its corners: where each lies, and how it is bent."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.symbol.grid import WITHIN
from companion.vision.symbol.mesh import Aim, Floats, Mesh, Slopes, fitted

PATTERN = 7
"""Modules a side."""
LEAST_LIKE = 0.55
"""The correlation from which on a finder pattern is one."""
MODULES = np.geomspace(17, 65, 11)
"""Modules a side of symbols whose finder patterns are sought."""
SQUEEZED = (0.7, 1.0, 1.4)
"""Times as wide as high modules may be."""
OFF = np.arange(-1.5, 1.6, 0.5)
"""Modules that a pattern may be off, in either direction."""
SIDEWAYS = 0.2
"""How much the quiet zone counts, which may be missing, against a module of the pattern."""
FLATTEST = 0.2
"""The sine of the angle between its sides at least."""
STIFF = 10.0
"""A frame does not bend."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A finder pattern's middle in the picture, and where one module across and one down lead, 2 pixels each."""

    middle: Floats
    across: Floats
    down: Floats
    like: float

    def at(self, modules: Floats) -> Floats:
        """Return where places lie that are so many modules (n x 2) from the middle, n x 2 pixels."""
        return np.asarray(self.middle + modules[:, :1] * self.across + modules[:, 1:] * self.down, np.float64)


def frames(picture: Slopes, corner: float, side: float) -> tuple[Frame, Frame, Frame] | None:
    """Return the frames at top left, top right and bottom left of a symbol, or None where two of them are not there.

    ``corner``: pixels from the picture's edge to the symbol's; ``side``: pixels from one of its edges to the other.
    """
    where = ((0, 0), (1, 0), (0, 1))
    found = [_frame(picture, corner + side * np.array(one), side, one) for one in where]
    seen = [frame for frame in found if frame is not None]
    if len(seen) < len(where) - 1:
        return None
    across = np.mean([one.across for one in seen], axis=0)
    down = np.mean([one.down for one in seen], axis=0)
    first, right, foot = (
        frame
        or Frame(
            corner + side * np.array(one) + across * (3.5 - 7 * one[0]) + down * (3.5 - 7 * one[1]), across, down, 0.0
        )
        for frame, one in zip(found, where, strict=True)
    )
    return first, right, foot


def _frame(picture: Slopes, outer: Floats, side: float, where: tuple[int, int]) -> Frame | None:
    places, tones, weights = _pattern(where)
    toward = 1 - 2 * np.array(where)
    modules, squeeze, x, y = (one.ravel() for one in np.meshgrid(side / MODULES, SQUEEZED, OFF, OFF, indexing="ij"))
    across, down = modules * np.sqrt(squeeze), modules / np.sqrt(squeeze)
    middles = outer + np.column_stack((across * (3.5 * toward[0] + x), down * (3.5 * toward[1] + y)))
    points_x = middles[:, :1] + across[:, None] * places[:, 0]
    points_y = middles[:, 1:] + down[:, None] * places[:, 1]
    shown = cv2.remap(
        picture.grey,
        points_x.astype(np.float32),
        points_y.astype(np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    ).astype(np.float64)
    likes = alike(shown, tones, weights)
    best = int(likes.argmax())
    start = Mesh(np.array([middles[best], (0.0, down[best]), (across[best], 0.0), (0.0, 0.0)]))
    return settled(picture, start, where)


def settled(picture: Slopes, start: Mesh, where: tuple[int, int] | None, least: float = LEAST_LIKE) -> Frame | None:
    """Return the frame of a finder pattern near an affine map in modules, or None where there is none.

    ``where``: at the right, at the foot, 1 or 0 each; None when that is not known.
    """
    places, tones, weights = _pattern(where)
    mesh = start
    fine, its, lighter = (places[:, None] + WITHIN).reshape(-1, 2), np.repeat(weights, 4), np.repeat(tones, 4) > 0
    for _ in range(3):
        tone, _, _ = picture.at(mesh.at(fine))
        light = np.average(tone[lighter], weights=its[lighter])
        dark = np.average(tone[~lighter], weights=its[~lighter])
        if light - dark < 1:
            return None
        aim = Aim(fine, np.where(lighter, light, dark), np.full(len(fine), light - dark), its)
        mesh = fitted(mesh, picture, aim, STIFF, 3)
    tone, _, _ = picture.at(mesh.at(places))
    like = float(alike(tone[None], tones, weights)[0])
    middle, down, across = mesh.coefficients[:3]
    long, high = np.linalg.norm(across), np.linalg.norm(down)
    flat = abs(across[0] * down[1] - across[1] * down[0]) < FLATTEST * long * high
    if like < least or min(long, high) < 1 or flat:
        return None
    return Frame(middle, across, down, like)


def _pattern(where: tuple[int, int] | None) -> tuple[Floats, Floats, Floats]:
    """Return the modules of a finder pattern and of its separator: from its middle, 1 light or -1 dark, and weights."""
    reach = PATTERN // 2 + 1
    across, down = (one.ravel() for one in np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1)))
    ring = np.maximum(np.abs(across), np.abs(down))
    tones = np.where((ring == reach - 2) | (ring == reach), 1.0, -1.0)
    right, foot = where or (0, 0)
    outside = (across == (reach if right else -reach)) | (down == (reach if foot else -reach))
    weights = np.where(ring == reach if where is None else outside, SIDEWAYS, 1.0)
    return np.column_stack((across, down)).astype(np.float64), tones, weights


def alike(shown: npt.NDArray[np.float64], tones: Floats, weights: Floats) -> Floats:
    """Return the weighted correlation of each row with the tones."""
    share = weights / weights.sum()
    off = shown - shown @ share[:, None]
    wanted = tones - tones @ share
    power = np.sqrt(np.maximum((off**2) @ share, 4.0) * (wanted**2 @ share))
    return np.asarray(off @ (share * wanted) / power, np.float64)
