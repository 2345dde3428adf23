"""Surfaces of tables and cards: grey pictures of wood, cloth, stripes, paper, shapes, words."""

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

Surface = npt.NDArray[np.float32]
"""float32, height x width: the share of light that is given back, 0 to 1."""
Grey = npt.NDArray[np.uint8]
Random = np.random.Generator
Texture = Callable[[Random, int, int], Surface]


def plain(random: Random, height: int, width: int) -> Surface:
    """Return one tone, with a slow change across."""
    across = np.linspace(0, random.uniform(-0.2, 0.2), width, dtype=np.float32)
    down = np.linspace(0, random.uniform(-0.2, 0.2), height, dtype=np.float32)
    return np.asarray(random.uniform(0.02, 0.95) + across[None] + down[:, None], np.float32)


def cloudy(random: Random, height: int, width: int) -> Surface:
    """Return tones that change smoothly, at one scale or at several."""
    made = np.full((height, width), random.uniform(0.05, 0.8), np.float32)
    for _ in range(random.integers(1, 4)):
        cell = float(random.uniform(3, 80))
        made += _noise(random, height, width, cell, cell * random.uniform(0.3, 1), random.uniform(0.02, 0.2))
    return made


def wooden(random: Random, height: int, width: int) -> Surface:
    """Return planks with grain along them."""
    long = float(random.uniform(30, 200))
    made = np.full((height, width), random.uniform(0.1, 0.7), np.float32)
    made += _noise(random, height, width, random.uniform(1.5, 6), long, random.uniform(0.02, 0.12))
    made += _noise(random, height, width, random.uniform(8, 40), long * 2, random.uniform(0.02, 0.1))
    plank = int(random.integers(60, 500))
    for top in range(int(random.integers(0, plank)), height, plank):
        made[top : top + int(random.integers(1, 5))] *= random.uniform(0.2, 0.9)
        made[top:] += random.uniform(-0.05, 0.05)
    return made if random.random() < 0.5 else np.ascontiguousarray(np.rot90(made, 1)[:height, :width], np.float32)  # noqa: PLR2004


def woven(random: Random, height: int, width: int) -> Surface:
    """Return threads across and down."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    pitch = float(random.uniform(2.5, 14))
    waves = np.sin(x * (2 * np.pi / pitch)) * random.uniform(0, 0.1)
    waves += np.sin(y * (2 * np.pi / pitch / random.uniform(0.7, 1.4))) * random.uniform(0, 0.1)
    return np.asarray(cloudy(random, height, width) + waves, np.float32)


def striped(random: Random, height: int, width: int) -> Surface:
    """Return stripes or checks at any angle, hard-edged."""
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle = random.uniform(0, np.pi)
    pitch, share = float(random.uniform(6, 120)), float(random.uniform(0.2, 0.8))
    dark, light = (float(tone) for tone in random.uniform(0.02, 0.98, 2))
    on = ((x * np.cos(angle) + y * np.sin(angle)) / pitch % 1) < share
    if random.random() < 0.4:  # noqa: PLR2004 - now and then checks
        on = on ^ (((y * np.cos(angle) - x * np.sin(angle)) / pitch % 1) < share)
    return np.where(on, np.float32(light), np.float32(dark))


def written(random: Random, height: int, width: int) -> Surface:
    """Return a sheet of paper with lines of words, rules or a table."""
    paper, ink = float(random.uniform(0.6, 1)), float(random.uniform(0, 0.4))
    made = np.full((height, width), round(255 * paper), np.uint8)
    size = float(random.uniform(0.25, 1.6))
    step = max(8, int(30 * size * random.uniform(0.9, 1.8)))
    for top in range(step, height, step):
        if random.random() < 0.8:  # noqa: PLR2004 - some lines are empty
            words(made, random, (int(random.uniform(0, width / 3)), top), size, ink)
    return np.asarray(made / 255, np.float32)


def words(onto: Grey, random: Random, at: tuple[int, int], size: float, ink: float) -> None:
    """Write some letters that say nothing."""
    letters = "".join(chr(random.integers(33, 123)) for _ in range(random.integers(2, 40)))
    font = int(random.choice((cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)))
    cv2.putText(
        onto, letters, at, font, size, round(255 * ink), max(1, round(size * random.uniform(0.8, 2.5))), cv2.LINE_AA
    )


TABLES: tuple[Texture, ...] = (plain, cloudy, wooden, wooden, woven, striped, written)
FACES: tuple[Texture, ...] = (plain, plain, cloudy, striped, written, woven)


def surface(random: Random, among: tuple[Texture, ...], height: int, width: int) -> Surface:
    """Return one of some kinds of surface, within 0.02 to 1."""
    drawn = among[int(random.integers(len(among)))](random, height, width)
    return np.asarray(np.clip(drawn, 0.02, 1), np.float32)


def shapes(onto: Surface, random: Random, count: int) -> None:
    """Draw art over a surface: boxes, discs, lines, polygons, words, little checkerboards."""
    drawn = np.asarray(np.clip(255 * onto, 0, 255), np.uint8)
    for _ in range(count):
        _shape(drawn, random)
    onto[:] = drawn / np.float32(255)


def _shape(onto: Grey, random: Random) -> None:
    height, width = onto.shape
    tone, x, y = int(random.integers(256)), int(random.integers(width)), int(random.integers(height))
    reach = float(np.exp(random.uniform(np.log(6), np.log(max(width, 8) * 0.6))))
    filled = -1 if random.random() < 0.6 else int(random.integers(1, 14))  # noqa: PLR2004
    kind = random.integers(6)
    if kind == 0:
        box = cv2.boxPoints(((x, y), (reach, reach * random.uniform(0.3, 2)), float(random.choice((0, 0, 45, 17)))))
        _polygon(onto, np.asarray(box, np.float32), tone, filled)
    elif kind == 1:
        cv2.circle(onto, (x, y), int(reach / 2), tone, filled, cv2.LINE_AA)
    elif kind == 2:  # noqa: PLR2004
        end = (int(random.integers(width)), int(random.integers(height)))
        cv2.line(onto, (x, y), end, tone, int(random.integers(1, 16)), cv2.LINE_AA)
    elif kind == 3:  # noqa: PLR2004
        corners = np.array([x, y]) + random.uniform(-reach, reach, (int(random.integers(3, 8)), 2))
        _polygon(onto, corners, tone, filled)
    elif kind == 4:  # noqa: PLR2004
        words(onto, random, (x, y), float(random.uniform(0.4, 3)), tone / 255)
    else:
        _checks(onto, random, x, y, reach)


def _checks(onto: Grey, random: Random, x: int, y: int, reach: float) -> None:
    side = int(random.integers(3, 26))
    small = (random.random((side, side)) < random.uniform(0.3, 0.7)).astype(np.float32)
    size = max(side, int(reach))
    large = cv2.resize(small, (size, size), interpolation=cv2.INTER_NEAREST)
    part = onto[y : y + size, x : x + size]
    low, high = (float(tone) for tone in np.sort(random.uniform(0, 255, 2)))
    part[:] = low + (high - low) * large[: part.shape[0], : part.shape[1]]


def _polygon(onto: Grey, corners: npt.NDArray[np.floating], tone: int, filled: int) -> None:
    points = np.round(corners).astype(np.int32)
    if filled < 0:
        cv2.fillPoly(onto, [points], tone, cv2.LINE_AA)
    else:
        cv2.polylines(onto, [points], True, tone, filled, cv2.LINE_AA)


def _noise(random: Random, height: int, width: int, tall: float, long: float, strength: float) -> Surface:
    rows, columns = int(height / tall) + 2, int(width / long) + 2
    small = random.normal(0, strength, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
