"""Fits the numbers by which a match is believed (``companion.vision.deck.reader``), and tells what they are worth.

    python -m benchmarks.finder.belief VIEWS [--views 8000] [--jobs 1]

On views that no net was trained on: numbers 8500 and on.  In most of them half of the deck is out at random; labels of
other games lie there, too.  Wrong texts weigh more than right ones that are not believed.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.finder.bank import PART, SIDE, draw, kept
from benchmarks.finder.view import View
from benchmarks.scenes import CARDS, DECK
from companion.vision.deck.reader import (
    LEAST_BULK,
    LEAST_CONFIDENCE,
    fitted,
    overlapped,
    possible,
    roughly_fitted,
    softness,
)
from companion.vision.deck.refine import every_way_up, label_places
from companion.vision.label.match import grids_of
from companion.vision.label.pattern import HALF, from_quads, middles_of
from companion.vision.label.tag import Deck

FIRST = 8500
HALVED = 0.7
"""The share of views in which half of the deck is out."""
WRONG_WEIGHS = 5.0
NEAR = 0.4
"""Sides from a label's middle within which a candidate stands for it."""
Floats = npt.NDArray[np.float64]


def candidates(view: View, number: int) -> Floats:
    """Return what may be believed in a view, n x 7: lead, fit, surprise, sight, bulk, crowd, and whether right."""
    random = np.random.default_rng([number, 77])
    cards = frozenset(CARDS) - (
        frozenset(random.permutation(CARDS)[: len(CARDS) // 2].tolist()) if random.random() < HALVED else frozenset()
    )
    grids, grey = grids_of(Deck(DECK.game_code, cards), frozenset({1})), np.asarray(view.grey, np.uint8)
    quads, likely = every_way_up(*label_places(grey, (0, 0, SIDE, SIDE)))
    rough, likely = roughly_fitted(grey, from_quads(quads.astype(np.float32), HALF), likely)
    labels = fitted(grey, rough, likely, grids, softness(grey, rough))
    seen, fits = labels.matched, labels.fit.fits
    odds = np.clip(np.log(np.clip(labels.likely, 1e-6, 1 - 1e-6) / np.clip(1 - labels.likely, 1e-6, 1)), -3, 8)
    right = np.zeros(len(fits))
    for text, quad in zip(view.texts, view.symbols, strict=True):
        away = np.hypot(*(middles_of(labels.fit.homographies) - quad.mean(axis=0) + 0.5).T)
        near = away < NEAR * np.linalg.norm(quad[1] - quad[0])
        right[near & (np.array([grids.texts[best] for best in seen.best], dtype=object) == text)] = 1
    maybe = possible(labels) & ~overlapped(labels)
    lead, surprise = (np.log(np.maximum(of, 0.1)) for of in (seen.lead, seen.surprise))
    bulk = np.maximum(seen.bulk, LEAST_BULK)
    return np.column_stack((lead, fits, surprise, odds, bulk, seen.crowd, right))[maybe]


def fit(measures: Floats, right: Floats) -> Floats:
    """Return the numbers of a logistic curve, the first by itself, by Newton's method."""
    rows = np.column_stack((np.ones(len(measures)), measures))
    weights = np.where(right > 0, 1.0, WRONG_WEIGHS)
    numbers = np.zeros(rows.shape[1])
    for _ in range(60):
        likely = 1 / (1 + np.exp(-np.clip(rows @ numbers, -40, 40)))
        squares = (rows * (weights * likely * (1 - likely))[:, None]).T @ rows + 1e-3 * np.eye(len(numbers))
        numbers -= np.linalg.solve(squares, rows.T @ (weights * (likely - right)) + 1e-3 * numbers)
    return numbers


def _of_file(path: Path) -> Floats:
    first = int(path.stem.rpartition("-")[2])
    return np.concatenate([candidates(one, first + number) for number, one in enumerate(kept(path))])


def main() -> None:
    """Fit, and print the numbers and what they tell."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finder.belief", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--views", type=int, default=8000)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    files = list(draw(asked.folder, asked.views, asked.jobs, FIRST))
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(_of_file, files))
    rows, part = np.concatenate(found), np.concatenate([np.full(len(one), n % 4) for n, one in enumerate(found)])
    measures, right = rows[:, :-1], rows[:, -1]
    numbers = fit(measures, right)
    print("numbers", numbers.round(3).tolist())
    told = 1 / (1 + np.exp(-(numbers[0] + measures @ numbers[1:])))
    apart = np.zeros(len(right))
    for one in range(4):  # each quarter told by the other three
        its = fit(measures[part != one], right[part != one])
        apart[part == one] = 1 / (1 + np.exp(-(its[0] + measures[part == one] @ its[1:])))
    print(f"{len(files) * PART} views, {int(right.sum())} right, {int((1 - right).sum())} wrong")
    print("highest wrong", np.sort(told[right == 0])[-4:].round(3), "told by others", np.sort(apart[right == 0])[-4:])
    print(f"right and believed {100 * (told[right > 0] >= LEAST_CONFIDENCE).mean():.1f} %")
    for low, high in ((0.1, 0.5), (0.5, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 0.999), (0.999, 1.01)):
        among = (told >= low) & (told < high)
        print(f"| {low}-{high} | {among.sum()} | {told[among].mean():.4f} | {right[among].mean():.4f} |")


if __name__ == "__main__":
    main()
