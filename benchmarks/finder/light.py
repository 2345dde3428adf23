"""Lamps, shadows, lens and sensor: what becomes of a table before it is a picture."""

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.finder.surfaces import Random, Surface

COARSE = 4
"""How much coarser light is drawn than what it falls on."""


def lit(random: Random, table: Surface) -> Surface:
    """Return a table under lamps, with shadows of hands and heads, a vignette and spots of glare."""
    whole = len(table)
    side = whole // COARSE
    y, x = np.mgrid[:side, :side].astype(np.float32) / side
    angle = random.uniform(0, 2 * np.pi)
    light = 1 - random.uniform(0, 0.6) * ((x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle) + 0.5)
    for _ in range(random.integers(0, 3)):
        light *= 1 - random.uniform(0.2, 0.75) * _shade(random, side)
    added = np.zeros((side, side), np.float32)
    for _ in range(int(random.integers(0, 3)) if random.random() < 0.4 else 0):  # noqa: PLR2004
        at, wide = random.uniform(0, 1, 2), random.uniform(0.02, 0.2, 2)
        spot = np.exp(-0.5 * (((x - at[0]) / wide[0]) ** 2 + ((y - at[1]) / wide[1]) ** 2))
        added += spot * random.uniform(0.1, 0.9)
    fell, shone = (cv2.resize(own, (whole, whole), interpolation=cv2.INTER_LINEAR) for own in (light, added))
    return np.asarray(table * fell + shone, np.float32)


def _shade(random: Random, side: int) -> Surface:
    """Return a shadow, 0 to 1, hard-edged or soft."""
    middle = random.uniform(0, side, 2)
    points = middle + random.normal(0, side * random.uniform(0.1, 0.5), (int(random.integers(3, 9)), 2))
    mask = np.zeros((side, side), np.float32)
    cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 1.0)
    soft = random.uniform(0.3, 12)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), soft), np.float32)


def taken(random: Random, bright: Surface, finer: int) -> npt.NDArray[np.uint8]:
    """Return the picture that a camera takes: soft, smeared, noisy, sharpened, bent in its tones, compressed."""
    soft = cv2.GaussianBlur(bright, (0, 0), finer * random.uniform(0.35, 1.35))
    moved = random.uniform(0, 3.8) * (random.random() < 0.6)  # noqa: PLR2004
    if moved > 0.3:  # noqa: PLR2004 - shorter ways are no smear
        soft = cv2.filter2D(soft, -1, smear(moved * finer, random.uniform(0, np.pi)))
    small = np.asarray(cv2.resize(soft, None, fx=1 / finer, fy=1 / finer, interpolation=cv2.INTER_AREA), np.float32)
    exposure = np.exp(random.uniform(np.log(0.15), np.log(1.05)))
    level = 255 * exposure * small
    noise = random.uniform(0.5, 11) * (0.5 + 0.5 * np.sqrt(np.maximum(level, 0) / 128))
    level = level + random.standard_normal(level.shape, np.float32) * noise
    if random.random() < 0.15:  # noqa: PLR2004 - lamps that flicker while rows are read
        rows = np.arange(len(level))
        level *= 1 + random.uniform(0.03, 0.2) * np.sin(rows / random.uniform(20, 150) + random.uniform(0, 6))[:, None]
    if random.random() < 0.5:  # noqa: PLR2004 - webcams sharpen
        level = level + random.uniform(0.2, 2) * (level - cv2.GaussianBlur(level, (0, 0), random.uniform(0.8, 2)))
    if random.random() < 0.25:  # noqa: PLR2004 - and smooth noise away
        level = cv2.GaussianBlur(level, (0, 0), random.uniform(0.4, 0.9))
    shown = 255 * np.clip(level / 255, 0, 1) ** random.uniform(0.6, 1.4)
    grey = np.clip(shown, 0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, int(random.integers(50, 96))])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)


def smear(length: float, angle: float) -> npt.NDArray[np.float32]:
    """Return the kernel of a camera that moves by so many pixels in that direction (radians)."""
    size = 2 * int(np.ceil(length / 2)) + 3
    kernel = np.zeros((size, size), np.float32)
    reach = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    start, end = (np.round((size / 2 - 0.5 + sign * reach) * 16).astype(int) for sign in (-1, 1))
    cv2.line(kernel, tuple(start), tuple(end), 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(kernel / kernel.sum(), np.float32)
