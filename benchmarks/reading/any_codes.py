"""Codes of any text, drawn and spoilt as photographs of codes are: one kind of trouble each, from mild to hopeless.

    python -m benchmarks.reading.any_codes [EACH [FIRST]]

They hang on bottles and in folds, are torn, scribbled on and stained, lie under lamps and in shadows, lean away, are
out of focus, or 48 on a sheet.  What reads them was made on the first forty of each kind; numbers from 100 on are new.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
import segno

from benchmarks.finder.light import smear
from benchmarks.finder.surfaces import TABLES, Random, Surface, surface
from companion.vision.label.sighting import Grey
from companion.vision.open.first_reader import first_reader
from companion.vision.open.open_read import read_open
from companion.vision.open.prepare import keep_to_one_core

SIZE = (900, 675)
MODULE = 16
"""Pixels of the drawing a module."""
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-._"
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed: its tones, and what its codes say."""

    tones: Surface
    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Held:
    """How a sheet is held: its height over the plane along its width, the camera's angles, and how large it is seen.

    ``rise``: sheet widths at places -1.5 to 1.5 widths, evenly; ``lean``: radians; ``large``: shares of the picture.
    """

    rise: Floats
    lean: float
    turn: float
    large: float
    away: float = 4.0


FLAT = np.zeros(301)
PLACES = np.linspace(-1.5, 1.5, 301)


def text(random: Random) -> str:
    """Return a text as such codes bear them."""
    most = int(random.choice((12, 25, 40, 60, 100, 180), p=(0.15, 0.3, 0.25, 0.15, 0.1, 0.05)))
    return "http://" + "".join(random.choice(list(LETTERS), int(random.integers(most // 2, most))))


def code(random: Random, quiet: float = 4) -> Sheet:
    """Return one code on its paper, any error correction."""
    says = text(random)
    made = segno.make_qr(says, error=str(random.choice(list("LLMMQH"))), boost_error=False)
    dark, light = float(random.uniform(0.03, 0.3)), float(random.uniform(0.6, 0.95))
    modules = np.array([list(row) for row in made.matrix], np.bool_)
    wide = np.kron(modules, np.ones((MODULE, MODULE), np.bool_))
    tones = np.where(np.pad(wide, round(quiet * MODULE)), dark, light).astype(np.float32)
    return Sheet(tones, frozenset({says}))


def sheet_of(random: Random, across: int, down: int) -> Sheet:
    """Return many codes on a sheet."""
    side = 41 * 6
    tones = np.full((down * side, across * side), 0.9, np.float32)
    texts: set[str] = set()
    for place in range(across * down):
        says = f"{random.integers(10**9)}-{place}"
        modules = np.array([list(row) for row in segno.make_qr(says, error="M").matrix], np.bool_)
        wide = np.kron(modules, np.ones((6, 6), np.bool_))
        top, left = place // across * side + 36, place % across * side + 36
        tones[top : top + len(wide), left : left + len(wide)][wide] = 0.1
        texts.add(says)
    return Sheet(tones, frozenset(texts))


def seen(random: Random, sheet: Sheet, held: Held) -> Surface:
    """Return what a camera sees of a sheet over some background: rays meet the bent sheet."""
    width, height = SIZE
    x, y = np.meshgrid((np.arange(width) + 0.5 - width / 2), (np.arange(height) + 0.5 - height / 2))
    focal = held.large * min(SIZE) * held.away
    roll = random.uniform(0, 2 * np.pi)
    about = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(held.lean), -np.sin(held.lean)], [0, np.sin(held.lean), np.cos(held.lean)]])
    turn = np.array([[np.cos(held.turn), 0, np.sin(held.turn)], [0, 1, 0], [-np.sin(held.turn), 0, np.cos(held.turn)]])
    ways = np.stack((x / focal, y / focal, np.ones_like(x)), axis=2) @ about @ lean @ turn
    eye = np.array([0, 0, -held.away]) @ about @ lean @ turn
    shift = random.uniform(-0.1, 0.1, 2)
    far = -eye[2] / ways[:, :, 2]
    for _ in range(25):
        rise = np.interp(eye[0] + far * ways[:, :, 0], PLACES, held.rise)
        far = 0.5 * far + 0.5 * (-rise - eye[2]) / ways[:, :, 2]
    long = np.concatenate(([0], np.cumsum(np.hypot(np.diff(PLACES), np.diff(held.rise)))))
    u = np.interp(eye[0] + far * ways[:, :, 0], PLACES, long - np.interp(0, PLACES, long)) + shift[0]
    v = eye[1] + far * ways[:, :, 1] + shift[1]
    tall, wide = sheet.tones.shape
    source = [np.asarray((own * max(tall, wide) + size / 2) - 0.5, np.float32) for own, size in ((u, wide), (v, tall))]
    inside = (source[0] > 0) & (source[0] < wide) & (source[1] > 0) & (source[1] < tall) & (far > 0)
    soft = cv2.GaussianBlur(sheet.tones, (0, 0), 0.3 * max(tall, wide) / (held.large * min(SIZE)))
    shown = cv2.remap(soft, *source, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    slope = np.interp(eye[0] + far * ways[:, :, 0], PLACES, np.gradient(held.rise, PLACES))
    shade = 1 - np.clip(random.uniform(0.2, 0.5) * slope, -0.2, 0.7)
    table = surface(random, TABLES, width, width)[:height]
    return np.asarray(np.where(inside, shown * shade, table), np.float32)


def taken(random: Random, bright: Surface, blur: float = 0.7, noise: float = 3.0) -> Grey:
    """Return the photograph of what is bright: 0 to 1, more is white."""
    soft = cv2.GaussianBlur(bright, (0, 0), blur)
    level = 255 * np.minimum(soft, 1) + random.normal(0, noise, soft.shape)
    _, data = cv2.imencode(".jpg", np.clip(level, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)


def held(random: Random, lean: float = 0.35) -> Held:
    """Return how a flat sheet is held, leaning by so many radians at most."""
    return Held(FLAT, random.uniform(-lean, lean), random.uniform(-lean, lean), random.uniform(0.35, 0.8))


Made = tuple[Grey, frozenset[str]]


def _curved(random: Random) -> Made:
    sheet, radius = code(random), random.uniform(0.38, 0.9)
    rise = np.sqrt(np.maximum(radius**2 - PLACES**2, 0)) - radius
    return taken(random, seen(random, sheet, replace(held(random), rise=rise))), sheet.texts


def _folded(random: Random) -> Made:
    sheet, rise = code(random), np.zeros(301)
    for _ in range(3):
        waves = random.uniform(0.5, 2.2)
        rise += random.uniform(0.01, 0.07) / waves * np.sin(2 * np.pi * waves * PLACES + random.uniform(0, 6))
    return taken(random, seen(random, sheet, replace(held(random), rise=rise))), sheet.texts


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
            points = [corner, corner + toward * (cut, 0), corner + toward * (0, cut * random.uniform(0.3, 1))]
            cv2.fillPoly(tones, [np.array(points, np.int32)], tone)
    return taken(random, seen(random, Sheet(tones, sheet.texts), held(random))), sheet.texts


def _lamps(random: Random, count: int, wide: tuple[float, float], strong: tuple[float, float]) -> Made:
    sheet = code(random)
    bright = random.uniform(0.3, 0.8) * seen(random, sheet, held(random))
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
    sheet, how = code(random), replace(held(random), large=random.uniform(0.25, 0.6))
    module = how.large * min(SIZE) * MODULE / len(sheet.tones)
    bright = seen(random, sheet, how)
    if random.random() < 0.4:  # noqa: PLR2004
        return _smeared(random, bright, random.uniform(0.8, 2.6) * module), sheet.texts
    return taken(random, bright, module * random.uniform(0.5, 1.1)), sheet.texts


def _smeared(random: Random, bright: Surface, long: float) -> Grey:
    moved = cv2.filter2D(bright, -1, smear(long, random.uniform(0, np.pi)))
    return taken(random, np.asarray(moved, np.float32))


def _leaning(random: Random) -> Made:
    sheet, lean = code(random), float(random.uniform(0.8, 1.25) * random.choice((-1, 1)))
    how = replace(held(random), lean=lean, large=random.uniform(0.5, 0.9), away=random.uniform(1.5, 4))
    return taken(random, seen(random, sheet, how)), sheet.texts


def _dim(random: Random) -> Made:
    sheet = code(random)
    bright = seen(random, sheet, held(random))
    shown = bright * random.uniform(0.03, 0.15) if random.random() < 0.5 else 0.5 + bright * random.uniform(0.4, 1.2)  # noqa: PLR2004
    return taken(random, np.asarray(shown, np.float32), noise=2.0), sheet.texts


def _shaded(random: Random) -> Made:
    sheet = code(random)
    bright = seen(random, sheet, held(random))
    for _ in range(int(random.integers(1, 4))):
        points = random.uniform(0.2, 0.8, 2) * SIZE + random.normal(0, 0.3 * min(SIZE), (6, 2))
        mask = np.zeros(bright.shape, np.float32)
        cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 1.0)
        bright = bright * (1 - random.uniform(0.5, 0.9) * cv2.GaussianBlur(mask, (0, 0), random.uniform(1, 15)))
    return taken(random, np.asarray(bright, np.float32)), sheet.texts


def _cramped(random: Random) -> Made:
    sheet = code(random, quiet=random.uniform(0, 1))
    return taken(random, seen(random, sheet, held(random))), sheet.texts


def _small(random: Random) -> Made:
    sheet = code(random)
    module = random.uniform(1.2, 2.2)
    how = replace(held(random), large=module * len(sheet.tones) / MODULE / min(SIZE))
    return taken(random, seen(random, sheet, how), random.uniform(0.4, 0.9)), sheet.texts


def _many(random: Random) -> Made:
    sheet = sheet_of(random, 8, 6)
    how = replace(held(random, 0.5), large=random.uniform(0.75, 0.9))
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
    """Give so many pictures of a kind and what is written there, each by its number, the same in every run."""
    for number in range(first, first + count):
        yield KINDS[kind](np.random.default_rng([number, list(KINDS).index(kind), 11]))


def main() -> None:
    """Print how many codes each reader reads."""
    keep_to_one_core()
    each, first = (int(word) for word in (*sys.argv[1:], *("40", "100")[len(sys.argv) - 1 :]))
    for kind in KINDS:
        shot = list(pictures(kind, each if kind != "many" else max(1, each // 10), first))
        there = sum(len(texts) for _, texts in shot)
        told = [f"{kind:22} {there:4} codes"]
        for name, reader in {"zxing-cpp": first_reader, "ours": read_open}.items():
            start = time.process_time()
            read = [({one.text for one in reader(grey)}, texts) for grey, texts in shot]
            ms = 1000 * (time.process_time() - start) / len(shot)
            right, false = sum(len(own & texts) for own, texts in read), sum(len(own - texts) for own, texts in read)
            told.append(f"{name} {right:4}, false {false}, {ms:5.1f} ms")
        sys.stdout.write("; ".join(told) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
