"""Why a label that was found cannot be read: told by what is seen of it, whatever it says."""

from functools import cache
from typing import Literal, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Corners, Grey
from companion.vision.label.pattern import HALF, WHITE_HALF, Floats, from_quads, in_view, sample

Why: TypeAlias = Literal["cut", "small", "dark", "glare", "covered", "blurred", "strange", "twice", "unclear"]
"""It reaches out of the picture; is too far away; lies in shadow; under a highlight; under something; out of focus or
smeared; is clear, but no text of the deck; bears a text that lies there already; or suffers a little from several."""

MOST_OUT = 0.05
"""The share of symbol and quiet zone that may lie outside the picture."""
SMALLEST = 24.0
"""Pixels a side: what is smaller is hardly read in any light."""
DARKEST, DULL = 45.0, 100.0
"""Grey levels of paper: what is darker is too dark; what is darker than the second, where noise drowns the print."""
DROWNED, CLEAR = 5.0, 8.0
"""Print is so many times as strong as noise at least, or drowns; and so many times, where it is clear."""
BRIGHT, LARGE = 110.0, 28.0
"""Grey levels of paper, and pixels a side, from which on a clear label would have been read."""
FLATTEST = 0.35
"""Ink is darker than paper by that share of the paper's light at least, or the print has run together."""
LIGHTEST = 235.0
"""Grey levels: what is as light as that without any ink is a lamp's highlight, not paper."""
WASHED, BARE, GONE = 0.25, 0.12, 0.25
"""The shares of the symbol without ink, of the symbol without any print, and of the rim without frame, that tell."""
STRIPS, FRAMED = 7, 0.35
"""So many places of each side are asked whether the frame is there: as dark there as this share of the darkest."""
_PATCH, _STEP = 2.5, 2.0


def why_unread(grey: Grey, corners: Corners) -> Why:
    """Say why a label whose symbol has these corners (pixels) cannot be read."""
    placed = from_quads(np.array([corners], np.float32) - 0.5, HALF)
    places = _label()
    seen = in_view(grey, places, placed)[0] > 0
    if 1 - float(seen.mean()) > MOST_OUT:
        return "cut"
    if _side(corners) < SMALLEST:
        return "small"
    shown = sample(grey, places, placed)[0]
    symbol = np.abs(places).max(axis=1) < HALF
    paper, ink = (float(level) for level in np.percentile(shown[symbol], (90, 10)))
    strength = (paper - ink) / _noise(grey, corners)
    if paper < DARKEST or (paper < DULL and strength < DROWNED):
        return "dark"
    washed, bare = _without_print(shown, paper, ink)
    if washed >= WASHED and paper >= LIGHTEST:
        return "glare"
    if paper - ink < FLATTEST * paper:
        return "blurred"
    if washed + bare >= BARE or _without_frame(grey, placed) >= GONE:
        return "covered"
    return "strange" if paper >= BRIGHT and strength >= CLEAR and _side(corners) >= LARGE else "unclear"


def ink_share(grey: Grey, corners: Corners) -> float:
    """Return how much of what lies inside these corners is dark: about a half of any symbol, little of a die."""
    placed = from_quads(np.array([corners], np.float32) - 0.5, HALF)
    inner = _label()[np.abs(_label()).max(axis=1) < HALF - 1]
    shown = sample(grey, inner, placed)[0][in_view(grey, inner, placed)[0] > 0]
    if not len(shown):
        return 0.0
    light, dark = np.percentile(shown, (96, 3))
    return float((shown < (light + dark) / 2).mean())


@cache
def _label() -> Floats:
    """Return places of symbol and quiet zone, two a module each way."""
    ticks = np.arange(-WHITE_HALF + 0.25, WHITE_HALF, 0.5).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    return np.column_stack((x.ravel(), y.ravel()))


@cache
def _patches() -> npt.NDArray[np.bool_]:
    """Return which places lie in each of the patches of five modules that cover the symbol, n x places."""
    count = int((2 * HALF - 2 * _PATCH) / _STEP) + 1
    ticks = np.linspace(-HALF + _PATCH, HALF - _PATCH, count)
    middles = np.array([(x, y) for y in ticks for x in ticks])
    x, y = np.abs(_label()[None] - middles[:, None]).transpose(2, 0, 1)
    return np.asarray((x < _PATCH) & (y < _PATCH), np.bool_)


def _without_print(shown: Floats, paper: float, ink: float) -> tuple[float, float]:
    """Return the shares of patches that show no ink, and of those that are neither light nor printed."""
    darkest, lightest = np.array([np.percentile(shown[patch], (10, 90)) for patch in _patches()]).T
    washed = (darkest > ink + 0.6 * (paper - ink)) & (lightest > 0.9 * paper)
    bare = ~washed & (lightest - darkest < 0.3 * (paper - ink))
    return float(washed.mean()), float(bare.mean())


def _without_frame(grey: Grey, placed: npt.NDArray[np.float64]) -> float:
    """Return the share of the rim at which no dark frame lies round the quiet zone, to within a module."""
    along = np.linspace(-HALF + 1.5, HALF - 1.5, STRIPS)
    deep = np.zeros((0, 4 * STRIPS), np.float32)
    for off in (-1.0, -0.5, 0.0, 0.5, 1.0):
        light, dark = (_strips(grey, placed, along, WHITE_HALF - 1 + off + away) for away in (0.0, 2.0))
        deep = np.vstack([deep, light - dark])
    deepest = deep.max(axis=0)
    clear = float(np.sort(deepest)[-2 * STRIPS :].mean())
    return float((deepest < FRAMED * clear).mean())


def _strips(grey: Grey, placed: npt.NDArray[np.float64], along: npt.NDArray[np.float64], away: float) -> Floats:
    """Return how light the label is along its four sides, so many modules from its middle."""
    spread = np.linspace(-1.2, 1.2, 5)
    line = np.column_stack([(along[:, None] + spread).ravel(), np.full(STRIPS * 5, -away)])
    turns = (np.array([[c, -s], [s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)))
    places = np.concatenate([line @ turn.T for turn in turns]).astype(np.float32)
    return np.asarray(sample(grey, places, placed)[0].reshape(4 * STRIPS, -1).mean(axis=1), np.float32)


def _noise(grey: Grey, corners: Corners) -> float:
    """Return the noise about a label in grey levels (Immerkaer 1996, with a median: print is no noise)."""
    quad = np.array(corners)
    left, top = np.maximum(quad.min(axis=0), 0).astype(int)
    right, foot = quad.max(axis=0).astype(int) + 1
    part = np.asarray(grey[top:foot, left:right], np.float32)
    rough = cv2.filter2D(part, -1, _ROUGH, borderType=cv2.BORDER_REFLECT)
    return max(float(np.median(np.abs(rough))) / (6 * 0.6745), 0.5)


_ROUGH = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)


def _side(corners: Corners) -> float:
    quad = np.array(corners)
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
