"""A part of a table as a camera sees it: cards that lie, lean, bend and cover each other, in any light."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from benchmarks.finder.cards import PIXELS_A_MM, Card, card
from benchmarks.finder.light import lit, taken
from benchmarks.finder.surfaces import TABLES, Random, Surface, shapes, surface

FINER = 2
"""Samples a pixel, in each direction, before lens and sensor."""
LEAST_SEEN, LEAST_TOLD = 0.6, 0.35
"""A label of which less is seen need not be found; one of which still less is seen is none."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A grey picture, uint8 height x width, and its labels: what they say, where their symbols lie, how much is seen.

    ``symbols``: n x 4 x 2, pixels from the picture's edge, clockwise from a symbol's own top left; ``seen``: n shares.
    """

    grey: npt.NDArray[np.uint8]
    texts: tuple[str, ...]
    symbols: npt.NDArray[np.float64]
    seen: npt.NDArray[np.float64]


def view(random: Random, size: int) -> View:
    """Return a square part of a picture, so many pixels a side."""
    side = size * FINER
    table = surface(random, TABLES, side, side)
    if random.random() < 0.3:  # noqa: PLR2004 - things lie about
        shapes(table, random, int(random.integers(1, 12)))
    pixels_a_mm = float(np.exp(random.uniform(np.log(1.15), np.log(3.2))))
    lean = _lean(random)
    owner = np.zeros((side, side), np.int16)
    labels: list[_Label] = []
    most = int(1.3 * (size / pixels_a_mm / 75) ** 2) + 1
    for number in range(int(random.integers(0, most + 2))):
        label = _lay(random, table, owner, number + 1, card(random), pixels_a_mm * FINER, lean)
        labels += [] if label is None else [label]
    shown = np.array([_share_seen(owner, label) for label in labels])
    bright = lit(random, table)
    grey = taken(random, bright, FINER)
    symbols = np.array([label.corners for label in labels]).reshape(-1, 4, 2) / FINER
    return View(grey, tuple(label.text for label in labels), symbols, shown)


@dataclass(frozen=True, slots=True, eq=False)
class _Label:
    """The label of the card of that number: its text, and its symbol's corners in samples."""

    number: int
    text: str
    corners: npt.NDArray[np.float64]


def _lean(random: Random) -> npt.NDArray[np.float64]:
    """Return how a leaning camera squeezes what lies there, 2 x 2."""
    towards, degrees = random.uniform(0, np.pi), abs(random.normal(0, 22))
    squeeze = np.cos(np.radians(min(degrees, 48)))
    turn = np.array([[np.cos(towards), -np.sin(towards)], [np.sin(towards), np.cos(towards)]])
    return np.asarray(turn @ np.diag((1, squeeze)) @ turn.T, np.float64)


def _lay(
    random: Random,
    table: Surface,
    owner: npt.NDArray[np.int16],
    number: int,
    card: Card,
    scale: float,
    lean: npt.NDArray[np.float64],
) -> _Label | None:
    """Lay a card on what lies there; return its label, if it has one that comes into view."""
    side = len(table)
    height, width = card.face.shape
    onto = _onto(random, card.face.shape, scale / PIXELS_A_MM, lean, side)
    outline = np.array([[(0, 0), (width, 0), (width, height), (0, height)]], np.float64)
    reached = cv2.perspectiveTransform(outline, onto)[0]
    bend = _bend(random, scale)
    margin = float(np.abs(bend).max()) + 2
    left, top = np.maximum(np.floor(reached.min(axis=0) - margin), 0).astype(int)
    right, foot = np.minimum(np.ceil(reached.max(axis=0) + margin), side).astype(int)
    if right <= left + 1 or foot <= top + 1:
        return None
    x, y = np.meshgrid(np.arange(left, right) + 0.5, np.arange(top, foot) + 0.5)
    back = np.linalg.inv(onto)
    source = _projected(back, x, y)
    off = _bent(source, (width, height), bend)
    u, v = _projected(back, x - off[0], y - off[1])
    source_x, source_y = (np.asarray(own - 0.5, np.float32) for own in (u, v))
    smooth = cv2.GaussianBlur(card.face, (0, 0), max(0.3, 0.4 * PIXELS_A_MM / scale))
    shown = cv2.remap(smooth, source_x, source_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (u > 0) & (u < width) & (v > 0) & (v < height)
    part = table[top:foot, left:right]
    _shadow(random, part, inside, scale)
    part[inside] = shown[inside]
    if random.random() < 0.25:  # noqa: PLR2004 - in a sleeve
        _sleeve(random, part, inside)
    owner[top:foot, left:right][inside] = number
    if card.symbol is None:
        return None
    flat = cv2.perspectiveTransform(card.symbol[None], onto)[0]
    moved = _bent((card.symbol[:, 0], card.symbol[:, 1]), (width, height), bend)
    return _Label(number, card.text, np.asarray(flat + np.column_stack(moved), np.float64))


def _onto(
    random: Random, shape: tuple[int, ...], scale: float, lean: npt.NDArray[np.float64], side: int
) -> npt.NDArray[np.float64]:
    """Return where a card's pixels come to lie: anywhere, turned at will, leaning by itself too, a little in depth."""
    angle = random.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    own = np.eye(2) if random.random() < 0.6 else _lean(random)  # noqa: PLR2004 - most lie flat
    place = scale * random.uniform(0.94, 1.06) * (lean @ own @ turn)
    onto = np.eye(3)
    onto[:2, :2] = place
    onto[:2, 2] = random.uniform(-0.05, 1.05, 2) * side - place @ (shape[1] / 2, shape[0] / 2)
    depth = np.eye(3)
    depth[2, :2] = random.normal(0, 6e-5, 2)
    middle = np.array([[1, 0, -side / 2], [0, 1, -side / 2], [0, 0, 1]])
    return np.asarray(np.linalg.inv(middle) @ depth @ middle @ onto, np.float64)


def _bend(random: Random, scale: float) -> npt.NDArray[np.float64]:
    """Return how far the middle of a curled card stands off, by its width and its height: 2 x 2 samples."""
    if random.random() < 0.4:  # noqa: PLR2004 - many are flat
        return np.zeros((2, 2))
    rise = random.normal(0, 2.0, 2) * scale * 0.5  # millimetres of sag, seen aslant
    return np.asarray(rise[:, None] * random.normal(0, 0.5, (1, 2)), np.float64)


def _bent(
    places: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    size: tuple[int, int],
    bend: npt.NDArray[np.float64],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    across = 1 - (2 * places[0] / size[0] - 1).clip(-1.2, 1.2) ** 2
    down = 1 - (2 * places[1] / size[1] - 1).clip(-1.2, 1.2) ** 2
    return across * bend[0, 0] + down * bend[1, 0], across * bend[0, 1] + down * bend[1, 1]


def _projected(
    by: npt.NDArray[np.float64], x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    depth = by[2, 0] * x + by[2, 1] * y + by[2, 2]
    return (by[0, 0] * x + by[0, 1] * y + by[0, 2]) / depth, (by[1, 0] * x + by[1, 1] * y + by[1, 2]) / depth


def _shadow(random: Random, part: Surface, inside: npt.NDArray[np.bool_], scale: float) -> None:
    """Darken what lies beside a card that stands off the table."""
    if random.random() < 0.5:  # noqa: PLR2004 - flat ones throw none
        return
    reach = random.uniform(0.2, 4) * scale
    moved = np.roll(inside, tuple(int(off) for off in random.normal(0, reach / 2, 2)), (0, 1)).astype(np.float32)
    soft = cv2.GaussianBlur(moved, (0, 0), max(0.5, reach / 3))
    part *= 1 - random.uniform(0.1, 0.6) * soft


def _sleeve(random: Random, part: Surface, inside: npt.NDArray[np.bool_]) -> None:
    """Let a sleeve take contrast and throw back a lamp."""
    part[inside] = part[inside] * random.uniform(0.85, 1) + random.uniform(0, 0.06)
    if random.random() < 0.5:  # noqa: PLR2004 - where no lamp is
        return
    height, width = part.shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    angle, middle = random.uniform(0, np.pi), random.uniform(0.1, 0.9, 2) * (width, height)
    off = (x - middle[0]) * np.cos(angle) + (y - middle[1]) * np.sin(angle)
    along = (y - middle[1]) * np.cos(angle) - (x - middle[0]) * np.sin(angle)
    wide, long = random.uniform(4, 40), random.uniform(15, 150)
    lamp = np.exp(-0.5 * ((off / wide) ** 2 + (along / long) ** 2)) * random.uniform(0.1, 1.2)
    part[inside] += lamp[inside]


def _share_seen(owner: npt.NDArray[np.int16], label: _Label) -> float:
    """Return how much of a symbol no later card covers and no edge of the picture cuts."""
    ticks = np.linspace(0.03, 0.97, 12)
    u, v = (own.ravel() for own in np.meshgrid(ticks, ticks))
    a, b, c, d = label.corners
    places = np.outer((1 - u) * (1 - v), a) + np.outer(u * (1 - v), b) + np.outer(u * v, c) + np.outer((1 - u) * v, d)
    x, y = np.floor(places).astype(int).T
    there = (x >= 0) & (y >= 0) & (x < owner.shape[1]) & (y < owner.shape[0])
    return float(np.mean(there & (owner[y.clip(0, owner.shape[0] - 1), x.clip(0, owner.shape[1] - 1)] == label.number)))
