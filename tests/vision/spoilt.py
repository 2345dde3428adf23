"""Labels in pictures, spoilt in a known way: what a lamp, a shadow, a hand, a lens or the picture's edge does."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import F32, GreyPicture
from companion.vision.label.legibility import UnreadReason

Quad: TypeAlias = npt.NDArray[np.float64]
Random: TypeAlias = np.random.Generator
Spoilt: TypeAlias = tuple[F32, Quad]
"""The picture, and where the corners of the label's symbol are in it now."""


class Draws:
    """How a scene is spoilt, and the noise of a frame of it: drawn apart, so that others show the same scene."""

    def __init__(self, scene: Random, noise: Random) -> None:
        self.uniform, self.normal = scene.uniform, noise.normal


def spoilt(grey: GreyPicture, quad: Quad, why: UnreadReason, random: Random) -> tuple[GreyPicture, Quad]:
    """Spoil the label whose symbol has these corners (4 x 2, pixels)."""
    return _frame(grey, quad, why, Draws(random, random))


def spoilt_frames(
    grey: GreyPicture, quad: Quad, why: UnreadReason, seed: int, count: int
) -> tuple[list[GreyPicture], Quad]:
    """Spoil it in the same way in so many frames of a camera."""
    frames = [
        _frame(grey, quad, why, Draws(np.random.default_rng([seed, 31]), np.random.default_rng([seed, 31, number])))
        for number in range(count)
    ]
    return [frame for frame, _ in frames], frames[0][1]


def _frame(grey: GreyPicture, quad: Quad, why: UnreadReason, random: Draws) -> tuple[GreyPicture, Quad]:
    picture, moved = SPOIL[why](np.asarray(grey, np.float32), quad, random)
    return np.clip(picture + random.normal(0, 2, picture.shape), 0, 255).astype(np.uint8), moved


def _glare(grey: F32, quad: Quad, random: Draws) -> Spoilt:
    """A lamp's highlight on a sleeve, with a soft edge."""
    x, y, side = _off(grey, quad, random, 0.3)
    long = random.uniform(0.5, 0.8) * side
    turn = random.uniform(0, np.pi)
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    distance = (along / long) ** 2 + (across / (random.uniform(0.5, 0.9) * long)) ** 2
    return np.asarray(grey + 330 * np.exp(-1.2 * distance**2), np.float32), quad


def _dark(grey: F32, quad: Quad, random: Draws) -> Spoilt:
    """A shadow with a hard edge, as deep as hands throw it under one lamp."""
    x, y, side = _off(grey, quad, random, 0.0)
    turn = random.uniform(0, 2 * np.pi)
    within = (x * np.cos(turn) + y * np.sin(turn) > -1.4 * side) & (np.hypot(x, y) < 4 * side)
    light = cv2.GaussianBlur(np.where(within, random.uniform(0.05, 0.08), 1.0).astype(np.float32), (0, 0), 2)
    noise = np.where(within, random.normal(0, 6, grey.shape), 0)
    return np.asarray(grey * light + noise, np.float32), quad


def _covered(grey: F32, quad: Quad, random: Draws) -> Spoilt:
    """Something flat that lies over a good third of it."""
    x, y, side = _off(grey, quad, random, 0.0)
    turn = random.uniform(0, 2 * np.pi)
    over = (x * np.cos(turn) + y * np.sin(turn) > random.uniform(-0.1, 0.05) * side) & (np.hypot(x, y) < 3 * side)
    thing = random.uniform(60, 190) + 8 * np.sin(x / 7)
    return np.where(over, thing, grey).astype(np.float32), quad


def _blurred(grey: F32, quad: Quad, random: Draws) -> Spoilt:
    """A lens out of focus."""
    side = float(np.linalg.norm(quad[1] - quad[0]))
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), random.uniform(0.085, 0.11) * side), np.float32), quad


def _cut(grey: F32, quad: Quad, random: Draws) -> Spoilt:
    """The picture ends within the label, in a room that is rather dark."""
    start = int(quad[:, 0].mean() - random.uniform(0.0, 0.1) * float(np.linalg.norm(quad[1] - quad[0])))
    return _dull(np.ascontiguousarray(grey[:, start:]), random, 0.4), quad - (start, 0)


def _small(grey: F32, quad: Quad, random: Draws) -> Spoilt:
    """The camera hangs too high, in a room that is none too bright."""
    scale = random.uniform(15, 19) / float(np.linalg.norm(quad[1] - quad[0]))
    far = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _dull(np.asarray(far, np.float32), random), quad * scale


def _dull(grey: F32, random: Draws, light: float = 0.7) -> F32:
    """Return a picture as cameras take it in weak light: darker, softer, noisier."""
    soft = light * cv2.GaussianBlur(grey, (0, 0), 1.4)
    return np.asarray(soft + random.normal(0, 3 / light, soft.shape), np.float32)


def _off(grey: F32, quad: Quad, random: Draws, by: float) -> tuple[F32, F32, float]:
    """Return how far each pixel lies from about a label's middle, across and down, and the label's side."""
    side = float(np.linalg.norm(quad[1] - quad[0]))
    turn = random.uniform(0, 2 * np.pi)
    middle = quad.mean(axis=0) + by * side * np.array([np.cos(turn), np.sin(turn)])
    y, x = np.indices(grey.shape, np.float32)
    return np.asarray(x - middle[0], np.float32), np.asarray(y - middle[1], np.float32), side


SPOIL: Mapping[UnreadReason, Callable[[F32, Quad, Draws], Spoilt]] = {
    "glare": _glare,
    "dark": _dark,
    "covered": _covered,
    "blurred": _blurred,
    "cut": _cut,
    "small": _small,
}
