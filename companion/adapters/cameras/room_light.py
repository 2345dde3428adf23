"""The light of a room: shadows of hands and heads, warm and cold lamps at once, corners darker than the middle."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.adapters.cameras.nuisances import Nuisances

Light = npt.NDArray[np.float32]
"""float32 height x width x 3 (blue, green, red): 1 is white light in full."""


def room_light(width: int, height: int, seed: int, nuisances: Nuisances) -> Light | None:
    """Draw a room's light; None where it is the same everywhere."""
    if not nuisances & {"shadows", "lamps"}:
        return None
    random = np.random.default_rng([seed, 8])
    light = np.ones((height, width, 3), np.float32)
    if "lamps" in nuisances:
        light *= _lamps(width, height, random)
    if "shadows" in nuisances:
        for _ in range(int(random.integers(1, 4))):
            light *= 1 - random.uniform(0.2, 0.65) * _shadow(width, height, random)[:, :, None]
    return light


def _lamps(width: int, height: int, random: np.random.Generator) -> Light:
    x, y = (
        np.linspace(-1, 1, width, dtype=np.float32)[None, :],
        np.linspace(-1, 1, height, dtype=np.float32)[:, None],
    )
    angle = random.uniform(0, 2 * np.pi)
    warm = 0.5 + 0.35 * (x * np.cos(angle) + y * np.sin(angle))
    blue, red = 1 - random.uniform(0.1, 0.4) * warm, 1 - random.uniform(0.05, 0.25) * (1 - warm)
    darker = 1 - random.uniform(0.1, 0.4) * (x * x + y * y) / 2
    return np.asarray(np.stack((blue, np.ones_like(blue), red), axis=2) * darker[:, :, None], np.float32)


def _shadow(width: int, height: int, random: np.random.Generator) -> npt.NDArray[np.float32]:
    """Return where a shadow falls, 0 to 1: of a hand and arm from an edge, or of a head."""
    shade = np.zeros((height, width), np.float32)
    at = random.uniform(0.15, 0.85, 2) * (width, height)
    reach = random.uniform(0.06, 0.16) * width
    cv2.ellipse(shade, _point(at), _point((reach, 0.8 * reach)), random.uniform(0, 180), 0, 360, 1.0, -1)
    if random.random() < 0.7:  # noqa: PLR2004 - most have an arm
        end = at + random.choice((-1, 1)) * np.array([random.uniform(-1, 1) * width, 1.5 * height])
        cv2.line(shade, _point(at), _point(end), 1.0, int(0.8 * reach))
    return np.asarray(cv2.GaussianBlur(shade, (0, 0), random.uniform(1, 12)), np.float32)


def _point(where: npt.ArrayLike) -> tuple[int, int]:
    x, y = np.asarray(where, np.float64)
    return int(x), int(y)
