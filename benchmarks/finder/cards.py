"""Cards as they are printed, with what is stuck on them: labels of any text, foreign codes, or nothing."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import segno

from benchmarks.finder.surfaces import FACES, Random, Surface, shapes, surface
from benchmarks.scenes import CARDS, DECK
from companion.vision.label.label import STANDARD_LABEL, draw_label

PIXELS_A_MM = 5.0
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
KINDS = 400
"""So many labels and foreign codes are drawn; each is cut, stuck and seen differently every time."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A printed card, ``PIXELS_A_MM`` fine; what its label says, if it has one, and the corners of its symbol.

    ``symbol``: 4 x 2, pixels of the card.
    """

    face: Surface
    text: str
    symbol: npt.NDArray[np.float64] | None


def card(random: Random, labelled: float = 0.75) -> Card:
    """Return a card of any size; ``labelled``: the share that bears a label."""
    width = round(random.uniform(40, 75) * PIXELS_A_MM)
    height = round(random.uniform(55, 95) * PIXELS_A_MM)
    face = surface(random, FACES, height, width)
    shapes(face, random, int(random.integers(0, 30)))
    if random.random() < 0.5:  # noqa: PLR2004 - half of the cards have a border
        edge = int(random.uniform(1, 5) * PIXELS_A_MM)
        cv2.rectangle(face, (0, 0), (width - 1, height - 1), float(random.uniform(0, 1)), 2 * edge)
    kind = random.random()
    if kind < labelled:
        text, printed, corners = _label(random)
        return Card(face, text, _stick(face, random, printed, corners))
    if kind < labelled + 0.7 * (1 - labelled):
        _stick(face, random, _foreign(random), None)
    return Card(face, "", None)


def _label(random: Random) -> tuple[str, Surface, npt.NDArray[np.float64]]:
    """Return what a label says, how it was printed and cut out, and the corners of its symbol in it."""
    text, small = _printed(int(random.integers(KINDS)))
    left, top, side = (PIXELS_A_MM * measure for measure in STANDARD_LABEL.symbol_mm)
    corners = np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)])
    # Cut beside the line: a rim of paper stays, or a part of the frame goes.
    cut = [round(off * PIXELS_A_MM) for off in random.uniform(-0.7, 0.7, 4)]
    rimmed = cv2.copyMakeBorder(small, *(max(0, off) for off in cut), cv2.BORDER_CONSTANT, value=(1,))
    up, down, before, behind = (max(0, -off) for off in cut)
    kept = rimmed[up : rimmed.shape[0] - down, before : rimmed.shape[1] - behind]
    moved = np.array([max(0, cut[2]) - before, max(0, cut[0]) - up])
    return text, np.asarray(kept, np.float32), corners + moved


@cache
def _printed(number: int) -> tuple[str, Surface]:
    """Return a label: half of them are of the deck that is played with, the others of any game, card and print run."""
    random = np.random.default_rng([number, 1])
    game, kind = ("".join(random.choice(list(LETTERS), count)) for count in (2, 1))
    text = f"{game}{random.integers(1, 10)}{kind}{random.integers(100):02}"
    if number % 2:
        text = f"{DECK.game_code}1{CARDS[number // 2 % len(CARDS)]}"
    drawn = draw_label(text, text[3:], PIXELS_A_MM * 2).astype(np.float32) / 255
    return text, np.asarray(cv2.resize(drawn, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


@cache
def _foreign_modules(number: int) -> npt.NDArray[np.bool_]:
    random = np.random.default_rng([number, 2])
    content = "".join(chr(random.integers(48, 123)) for _ in range(random.integers(3, 60)))
    return ~np.array(segno.make(content, micro=False).matrix, np.bool_)


def _foreign(random: Random) -> Surface:
    """Return somebody else's code, small or large, with as much quiet zone as it was given."""
    modules = np.pad(_foreign_modules(int(random.integers(KINDS))), int(random.integers(0, 5)), constant_values=True)
    size = round(random.uniform(12, 36) * PIXELS_A_MM)
    large = np.kron(modules, np.ones((6, 6), np.float32)).astype(np.float32)
    return np.asarray(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), np.float32)


def _stick(
    face: Surface, random: Random, piece: Surface, corners: npt.NDArray[np.float64] | None
) -> npt.NDArray[np.float64] | None:
    """Stick a piece of paper on a face, turned a little or much; return where its corners lie then."""
    paper, ink = random.uniform(0.7, 1), random.uniform(0.02, 0.3)
    inked = ink + piece * (paper - ink)
    height, width = face.shape
    degrees = random.normal(0, 4) + 90 * random.integers(4)
    scale = random.uniform(0.95, 1.05)
    reach = 0.6 * max(piece.shape)
    x, y = (random.uniform(min(reach, size / 2), max(size - reach, size / 2)) for size in (width, height))
    onto = np.vstack((cv2.getRotationMatrix2D((piece.shape[1] / 2, piece.shape[0] / 2), degrees, scale), (0, 0, 1)))
    onto[:2, 2] += (x - piece.shape[1] / 2, y - piece.shape[0] / 2)
    cover = cv2.warpAffine(np.ones_like(piece), onto[:2], (width, height), flags=cv2.INTER_LINEAR)
    shown = cv2.warpAffine(inked, onto[:2], (width, height), flags=cv2.INTER_LINEAR)
    face[:] = face * (1 - cover) + np.where(cover > 0, shown, 0)
    return None if corners is None else cv2.perspectiveTransform(corners[None] - 0.5, onto)[0] + 0.5
