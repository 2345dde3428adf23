"""Codes of any text, drawn and spoilt as photographs of codes are: one kind of trouble each, from mild to hopeless.

    python -m benchmarks.reading.any_codes [EACH [FIRST]]

They hang on bottles and in folds, are torn, scribbled on and stained, lie under lamps and in shadows, lean away, are
out of focus, or 48 on a sheet.  What reads them was made on the first forty of each kind; numbers from 100 on are new.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.arguments import parse_arguments
from benchmarks.finder.light import smear
from benchmarks.finder.surfaces import Random, Surface
from benchmarks.reading.bent_sheets import MODULE, PLACES, SIZE, Sheet, code, draw_pose, seen, sheet_of, taken
from companion.qr.reader import read_qr_codes
from companion.qr.sighting import GreyPicture
from companion.qr.zxing import decode_with_zxing
from companion.vision.read import limit_opencv_to_one_core

Made = tuple[GreyPicture, frozenset[str]]


def _curved(random: Random) -> Made:
    sheet, radius = code(random), random.uniform(0.38, 0.9)
    rise = np.sqrt(np.maximum(radius**2 - PLACES**2, 0)) - radius
    return taken(random, seen(random, sheet, replace(draw_pose(random), rise=rise))), sheet.texts


def _folded(random: Random) -> Made:
    sheet, rise = code(random), np.zeros(301)
    for _ in range(3):
        waves = random.uniform(0.5, 2.2)
        rise += random.uniform(0.01, 0.07) / waves * np.sin(2 * np.pi * waves * PLACES + random.uniform(0, 6))
    return taken(random, seen(random, sheet, replace(draw_pose(random), rise=rise))), sheet.texts


def _damaged(random: Random) -> Made:
    sheet = code(random)
    tones = sheet.tones.copy()
    side = len(tones)
    for _ in range(int(random.integers(1, 5))):
        tone, at = float(random.choice((0.05, 0.3, 0.6, 0.95))), random.uniform(0.1, 0.9, 2) * side
        reach, kind = random.uniform(0.04, 0.2) * side, random.integers(4)
        if kind == 0:
            points = np.cumsum(random.normal(0, reach, (8, 2)), axis=0) + at
            cv2.polylines(tones, [points.astype(np.int32)], False, tone, int(random.uniform(0.3, 1.5) * MODULE))
        elif kind == 1:
            points = at + random.uniform(-1, 1, (6, 2)) * reach
            cv2.fillPoly(tones, [cv2.convexHull(points.astype(np.int32))], tone)
        elif kind == 2:  # noqa: PLR2004
            mask = np.zeros_like(tones)
            cv2.ellipse(mask, tuple(at.astype(int)), (int(reach), int(reach * 0.6)), 30, 0, 360, 1.0, -1)
            tones += (tone - tones) * cv2.GaussianBlur(mask, (0, 0), MODULE / 2) * random.uniform(0.5, 1)
        else:
            corner, cut = random.integers(0, 2, 2) * (side - 1), random.uniform(0.1, 0.45) * side
            toward = np.where(corner > 0, -1, 1)
            torn = [corner, corner + toward * (cut, 0), corner + toward * (0, cut * random.uniform(0.3, 1))]
            cv2.fillPoly(tones, [np.array(torn, np.int32)], tone)
    return taken(random, seen(random, Sheet(tones, sheet.texts), draw_pose(random))), sheet.texts


def _lamps(random: Random, count: int, wide: tuple[float, float], strong: tuple[float, float]) -> Made:
    sheet = code(random)
    bright = random.uniform(0.3, 0.8) * seen(random, sheet, draw_pose(random))
    y, x = np.indices(bright.shape, np.float32)
    for _ in range(count):
        at, reach = random.uniform(0.3, 0.7, 2) * SIZE, random.uniform(*wide) * min(SIZE)
        off = ((x - at[0]) ** 2 + (y - at[1]) ** 2 * random.uniform(0.5, 2)) / reach**2
        bright = bright + random.uniform(*strong) * np.exp(-(off ** random.uniform(0.7, 2)))
    return taken(random, np.asarray(bright, np.float32)), sheet.texts


def _spots(random: Random) -> Made:
    return _lamps(random, int(random.integers(1, 5)), (0.03, 0.14), (0.7, 2.5))


def _glare(random: Random) -> Made:
    return _lamps(random, 1, (0.15, 0.5), (0.4, 1.0))


def _blurred(random: Random) -> Made:
    sheet, how = code(random), replace(draw_pose(random), large=random.uniform(0.25, 0.6))
    module = how.large * min(SIZE) * MODULE / len(sheet.tones)
    bright = seen(random, sheet, how)
    if random.random() < 0.4:  # noqa: PLR2004
        return _smeared(random, bright, random.uniform(0.8, 2.6) * module), sheet.texts
    return taken(random, bright, module * random.uniform(0.5, 1.1)), sheet.texts


def _smeared(random: Random, bright: Surface, long: float) -> GreyPicture:
    moved = cv2.filter2D(bright, -1, smear(long, random.uniform(0, np.pi)))
    return taken(random, np.asarray(moved, np.float32))


def _leaning(random: Random) -> Made:
    sheet, lean = code(random), float(random.uniform(0.8, 1.25) * random.choice((-1, 1)))
    how = replace(draw_pose(random), lean=lean, large=random.uniform(0.5, 0.9), away=random.uniform(1.5, 4))
    return taken(random, seen(random, sheet, how)), sheet.texts


def _dim(random: Random) -> Made:
    sheet = code(random)
    bright = seen(random, sheet, draw_pose(random))
    shown = bright * random.uniform(0.03, 0.15) if random.random() < 0.5 else 0.5 + bright * random.uniform(0.4, 1.2)  # noqa: PLR2004
    return taken(random, np.asarray(shown, np.float32), noise=2.0), sheet.texts


def _shaded(random: Random) -> Made:
    sheet = code(random)
    bright = seen(random, sheet, draw_pose(random))
    for _ in range(int(random.integers(1, 4))):
        points = random.uniform(0.2, 0.8, 2) * SIZE + random.normal(0, 0.3 * min(SIZE), (6, 2))
        mask = np.zeros(bright.shape, np.float32)
        cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 1.0)
        bright = bright * (1 - random.uniform(0.5, 0.9) * cv2.GaussianBlur(mask, (0, 0), random.uniform(1, 15)))
    return taken(random, np.asarray(bright, np.float32)), sheet.texts


def _cramped(random: Random) -> Made:
    sheet = code(random, quiet=random.uniform(0, 1))
    return taken(random, seen(random, sheet, draw_pose(random))), sheet.texts


def _small(random: Random) -> Made:
    sheet = code(random)
    module = random.uniform(1.2, 2.2)
    how = replace(draw_pose(random), large=module * len(sheet.tones) / MODULE / min(SIZE))
    return taken(random, seen(random, sheet, how), random.uniform(0.4, 0.9)), sheet.texts


def _many(random: Random) -> Made:
    sheet = sheet_of(random, 8, 6)
    how = replace(draw_pose(random, 0.5), large=random.uniform(0.75, 0.9))
    return taken(random, seen(random, sheet, how), random.uniform(0.4, 0.8)), sheet.texts


KINDS: Mapping[str, Callable[[Random], Made]] = {
    "curved": _curved,
    "folded": _folded,
    "damaged": _damaged,
    "bright spots": _spots,
    "glare": _glare,
    "blurred": _blurred,
    "leaning": _leaning,
    "too dark or too bright": _dim,
    "shaded": _shaded,
    "no quiet zone": _cramped,
    "small": _small,
    "many": _many,
}


def pictures(kind: str, count: int, first: int = 0) -> Iterator[Made]:
    """Return so many pictures of a kind and what is written there, each by its number, the same in every run."""
    for number in range(first, first + count):
        yield KINDS[kind](np.random.default_rng([number, list(KINDS).index(kind), 11]))


def main() -> None:
    """Print how many codes each reader reads."""
    options = parse_arguments(__doc__, each=40, first=100)
    each, first = options.each, options.first
    limit_opencv_to_one_core()
    for kind in KINDS:
        shot = list(pictures(kind, each if kind != "many" else max(1, each // 10), first))
        there = sum(len(texts) for _, texts in shot)
        parts = [f"{kind:22} {there:4} codes"]
        for name, reader in {"zxing-cpp": decode_with_zxing, "ours": read_qr_codes}.items():
            start = time.process_time()
            read = [({code.text for code in reader(grey)}, texts) for grey, texts in shot]
            ms = 1000 * (time.process_time() - start) / len(shot)
            right, false = sum(len(own & texts) for own, texts in read), sum(len(own - texts) for own, texts in read)
            parts.append(f"{name} {right:4}, false {false}, {ms:5.1f} ms")
        sys.stdout.write("; ".join(parts) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
