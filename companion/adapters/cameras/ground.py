"""What else lies on a table: cloth instead of wood, sheets of paper with print, dark things."""

import cv2
import numpy as np

from companion.adapters.cameras.card_art import Colours


def draw_ground(wood: Colours, seed: int) -> Colours:
    """Return the empty table with a cloth, or as it is, and things on it."""
    random = np.random.default_rng([seed, 11])
    table = _cloth(wood.shape[:2], random) if random.random() < 0.5 else wood.copy()  # noqa: PLR2004 - every second
    for _ in range(int(random.integers(2, 7))):
        _sheet(table, random)
    for _ in range(int(random.integers(0, 12))):
        middle = tuple(int(of) for of in random.uniform(0, 1, 2) * table.shape[1::-1])
        cv2.circle(table, middle, int(random.uniform(10, 60)), _colour(random, 10, 250), -1, cv2.LINE_AA)
    return table


def _cloth(shape: tuple[int, ...], random: np.random.Generator) -> Colours:
    """Return woven threads in two colours."""
    height, width = shape[:2]
    threads = random.normal(0, 14, (height, width)).astype(np.float32)
    across, down = (cv2.GaussianBlur(threads, (0, 0), sigmaX=x, sigmaY=y) * 4 for x, y in ((4, 0.6), (0.6, 4)))
    stripes = 18 * np.sign(np.sin(np.arange(width) / random.uniform(6, 40)))[None, :]
    base = random.integers(20, 200, 3).astype(np.float32)
    return np.asarray(np.clip(base + (across + down + stripes)[:, :, None], 0, 255), np.uint8)


def _sheet(table: Colours, random: np.random.Generator) -> None:
    """Lay a sheet of paper or a dark board down, with lines of print."""
    height, width = table.shape[:2]
    size = random.uniform(0.08, 0.3, 2) * width
    middle = random.uniform(0, 1, 2) * (width, height)
    angle = random.uniform(0, 180)
    light = random.random() < 0.6  # noqa: PLR2004 - most are light
    corners = cv2.boxPoints((middle.tolist(), size.tolist(), angle)).astype(np.int32)
    cv2.fillPoly(table, [corners], _colour(random, 200, 255) if light else _colour(random, 5, 70), cv2.LINE_AA)
    a, b, d = (corners[number].astype(np.float64) for number in (0, 1, 3))
    for line in np.linspace(0.1, 0.9, int(random.integers(4, 24))):
        start, end = a + (b - a) * line + (d - a) * 0.1, a + (b - a) * line + (d - a) * random.uniform(0.3, 0.9)
        ends = [tuple(int(part) for part in end_) for end_ in (start, end)]
        cv2.line(table, ends[0], ends[1], (60, 60, 60) if light else (190, 190, 190), int(random.integers(1, 5)))


def _colour(random: np.random.Generator, low: int, high: int) -> tuple[int, int, int]:
    blue, green, red = (int(part) for part in random.integers(low, high, 3))
    return blue, green, red
