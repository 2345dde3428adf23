"""Explain why a located label cannot be read, from what the picture shows of it, whatever its text."""

from functools import cache
from typing import Literal, TypeAlias

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, Corners, GreyPicture, Mask
from companion.vision.label.pattern import (
    HALF,
    WHITE_HALF,
    homographies_from_quads,
    sample_labels,
    visibility,
)

UnreadReason: TypeAlias = Literal["cut", "small", "dark", "glare", "covered", "blurred", "strange", "twice", "unclear"]
"""The label reaches out of the picture; is too far away; lies in shadow; under a highlight; under something; is out of
focus or smeared; is clear, but no text of the deck; bears a text that lies there already; or a little of several."""

MAX_OUTSIDE = 0.05
"""Share of symbol and quiet zone that may lie outside the picture."""
MIN_SIDE = 24.0
"""Pixels a side below which a symbol is hardly read in any light."""
DARK_PAPER, DULL_PAPER = 45.0, 100.0
"""Grey levels of paper below which it is too dark, and below which it is too dark if the print drowns in noise."""
DROWNED, CLEAR = 5.0, 8.0
"""Contrast in units of the noise below which print drowns, and from which on it is clear."""
BRIGHT_PAPER, LARGE_SIDE = 110.0, 28.0
"""Grey levels of paper, and pixels a side, from which on a clear label would have been read."""
MIN_CONTRAST = 0.35
"""Contrast as a share of the paper's level below which the print has run together."""
HIGHLIGHT = 235.0
"""Grey levels of paper from which on patches without ink show a highlight."""
WASHED_OUT, BARE, NO_FRAME = 0.25, 0.12, 0.25
"""Shares from which on these decide: patches without ink, patches without any print, rim without frame."""
STRIPS, FRAME_CONTRAST = 7, 0.35
"""Places of each side at which the frame is looked for, and its contrast there as a share of the strongest ones."""
_PATCH, _STEP = 2.5, 2.0
_SECOND_DIFFERENCE = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)


def explain_unread(grey: GreyPicture, corners: Corners) -> UnreadReason:
    """Return why the label whose symbol has these corners (pixels) cannot be read."""
    homographies = homographies_from_quads(np.array([corners], np.float32) - 0.5, HALF)
    points = _label_points()
    visible = visibility(grey, points, homographies)[0] > 0
    if 1 - float(visible.mean()) > MAX_OUTSIDE:
        return "cut"
    if _mean_side(corners) < MIN_SIDE:
        return "small"
    samples = sample_labels(grey, points, homographies)[0]
    in_symbol = np.abs(points).max(axis=1) < HALF
    paper, ink = (float(level) for level in np.percentile(samples[in_symbol], (90, 10)))
    strength = (paper - ink) / _estimate_noise(grey, corners)
    if paper < DARK_PAPER or (paper < DULL_PAPER and strength < DROWNED):
        return "dark"
    washed_out, bare = _patches_without_print(samples, paper, ink)
    if washed_out >= WASHED_OUT and paper >= HIGHLIGHT:
        return "glare"
    if paper - ink < MIN_CONTRAST * paper:
        return "blurred"
    if washed_out + bare >= BARE or _rim_without_frame(grey, homographies) >= NO_FRAME:
        return "covered"
    readable = paper >= BRIGHT_PAPER and strength >= CLEAR and _mean_side(corners) >= LARGE_SIDE
    return "strange" if readable else "unclear"


def measure_ink_share(grey: GreyPicture, corners: Corners) -> float:
    """Return the dark share of the area inside these corners: about a half for any symbol, little for a die."""
    homographies = homographies_from_quads(np.array([corners], np.float32) - 0.5, HALF)
    inner = _label_points()[np.abs(_label_points()).max(axis=1) < HALF - 1]
    samples = sample_labels(grey, inner, homographies)[0][visibility(grey, inner, homographies)[0] > 0]
    if not len(samples):
        return 0.0
    light, dark = np.percentile(samples, (96, 3))
    return float((samples < (light + dark) / 2).mean())


@cache
def _label_points() -> F32:
    """Return points of symbol and quiet zone, two a module each way."""
    ticks = np.arange(-WHITE_HALF + 0.25, WHITE_HALF, 0.5).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    return np.column_stack((x.ravel(), y.ravel()))


@cache
def _patches() -> Mask:
    """Return which points lie in each of the patches of five modules that cover the symbol, n x points."""
    count = int((2 * HALF - 2 * _PATCH) / _STEP) + 1
    ticks = np.linspace(-HALF + _PATCH, HALF - _PATCH, count)
    centres = np.array([(x, y) for y in ticks for x in ticks])
    x, y = np.abs(_label_points()[None] - centres[:, None]).transpose(2, 0, 1)
    return np.asarray((x < _PATCH) & (y < _PATCH), np.bool_)


def _patches_without_print(samples: F32, paper: float, ink: float) -> tuple[float, float]:
    """Return the shares of patches that are light without ink, and of those that are neither light nor printed."""
    darkest, lightest = np.array([np.percentile(samples[patch], (10, 90)) for patch in _patches()]).T
    washed_out = (darkest > ink + 0.6 * (paper - ink)) & (lightest > 0.9 * paper)
    bare = ~washed_out & (lightest - darkest < 0.3 * (paper - ink))
    return float(washed_out.mean()), float(bare.mean())


def _rim_without_frame(grey: GreyPicture, homographies: F64) -> float:
    """Return the share of the rim at which no dark frame lies round the quiet zone, to within a module."""
    along = np.linspace(-HALF + 1.5, HALF - 1.5, STRIPS)
    steps = np.zeros((0, 4 * STRIPS), np.float32)
    for offset in (-1.0, -0.5, 0.0, 0.5, 1.0):
        light, dark = (_sample_strips(grey, homographies, along, WHITE_HALF - 1 + offset + away) for away in (0.0, 2.0))
        steps = np.vstack([steps, light - dark])
    strongest = steps.max(axis=0)
    clear = float(np.sort(strongest)[-2 * STRIPS :].mean())
    return float((strongest < FRAME_CONTRAST * clear).mean())


def _sample_strips(grey: GreyPicture, homographies: F64, along: F64, away: float) -> F32:
    """Return the grey levels along a label's four sides, ``away`` modules from its centre."""
    spread = np.linspace(-1.2, 1.2, 5)
    line = np.column_stack([(along[:, None] + spread).ravel(), np.full(STRIPS * 5, -away)])
    turns = (np.array([[c, -s], [s, c]]) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)))
    points = np.concatenate([line @ turn.T for turn in turns]).astype(np.float32)
    return np.asarray(sample_labels(grey, points, homographies)[0].reshape(4 * STRIPS, -1).mean(axis=1), np.float32)


def _estimate_noise(grey: GreyPicture, corners: Corners) -> float:
    """Return the noise about a label in grey levels (Immerkaer 1996, with a median, so that print does not count)."""
    quad = np.array(corners)
    left, top = np.maximum(quad.min(axis=0), 0).astype(int)
    right, bottom = quad.max(axis=0).astype(int) + 1
    part = np.asarray(grey[top:bottom, left:right], np.float32)
    rough = cv2.filter2D(part, -1, _SECOND_DIFFERENCE, borderType=cv2.BORDER_REFLECT)
    return max(float(np.median(np.abs(rough))) / (6 * 0.6745), 0.5)


def _mean_side(corners: Corners) -> float:
    quad = np.array(corners)
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())
