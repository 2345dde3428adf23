"""Fit the logistic model of a match's confidence (``companion.vision.read``), and evaluate it.

    python -m benchmarks.finder.confidence VIEWS [--views 8000] [--jobs 1]

On views that no net was trained on: numbers 8500 and on. In most of them half of the deck is left out at random; labels
of other games lie there too. Wrong texts weigh more than right ones that are not accepted.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from benchmarks.finder.bank import PART, SIDE, draw, kept
from benchmarks.finder.view import View
from benchmarks.scenes import CARDS, DECK
from companion.qr.sighting import F64
from companion.vision.deck.finder import add_orientations, locate_labels
from companion.vision.label.match import build_grids
from companion.vision.label.pattern import HALF, centres_of, homographies_from_quads
from companion.vision.label.tag import Deck
from companion.vision.read import (
    MIN_CONFIDENCE,
    MIN_ENERGY,
    estimate_common_blur,
    fit_and_match,
    fit_roughly,
    is_overlapped,
    is_plausible,
)

FIRST_VIEW = 8500
HALVED_DECK = 0.7
"""Share of views in which half of the deck's cards are left out."""
WRONG_WEIGHT = 5.0
"""Weight of a wrong match in the fit, against 1 for a right one."""
SAME_LABEL = 0.4
"""Sides from a label's centre within which a candidate counts as that label."""


def measure_candidates(view: View, number: int) -> F64:
    """Return the plausible matches in a view, n x 7.

    Columns: margin sigma, correlation, residual ratio, presence, energy, z-score, and 1 if the match is right.
    """
    random = np.random.default_rng([number, 77])
    cards = frozenset(CARDS) - (
        frozenset(random.permutation(CARDS)[: len(CARDS) // 2].tolist())
        if random.random() < HALVED_DECK
        else frozenset()
    )
    grids, grey = build_grids(Deck(DECK.game_code, cards), frozenset({1})), np.asarray(view.grey, np.uint8)
    quads, presence = add_orientations(*locate_labels(grey, (0, 0, SIDE, SIDE)))
    rough, presence = fit_roughly(grey, homographies_from_quads(quads.astype(np.float32), HALF), presence)
    labels = fit_and_match(grey, rough, presence, grids, estimate_common_blur(grey, rough))
    matches, correlations = labels.matches, labels.fits.correlations
    clipped = np.clip(labels.presence, 1e-6, 1 - 1e-6)
    log_odds = np.clip(np.log(clipped / np.clip(1 - labels.presence, 1e-6, 1)), -3, 8)
    right = np.zeros(len(correlations))
    texts = np.array([grids.texts[best] for best in matches.best], dtype=object)
    for text, quad in zip(view.texts, view.symbols, strict=True):
        distances = np.hypot(*(centres_of(labels.fits.homographies) - quad.mean(axis=0) + 0.5).T)
        near = distances < SAME_LABEL * np.linalg.norm(quad[1] - quad[0])
        right[near & (texts == text)] = 1
    plausible = is_plausible(labels) & ~is_overlapped(labels)
    margin_sigma, residual_ratio = (
        np.log(np.maximum(values, 0.1)) for values in (matches.margin_sigma, matches.residual_ratio)
    )
    energy = np.maximum(matches.energy, MIN_ENERGY)
    columns = (margin_sigma, correlations, residual_ratio, log_odds, energy, matches.z_score, right)
    return np.column_stack(columns)[plausible]


def fit_logistic(measures: F64, right: F64) -> F64:
    """Return the coefficients of a logistic regression, the intercept first (Newton's method)."""
    rows = np.column_stack((np.ones(len(measures)), measures))
    weights = np.where(right > 0, 1.0, WRONG_WEIGHT)
    coefficients = np.zeros(rows.shape[1])
    for _ in range(60):
        probabilities = _predict(rows, coefficients, 40)
        hessian = (rows * (weights * probabilities * (1 - probabilities))[:, None]).T @ rows
        gradient = rows.T @ (weights * (probabilities - right)) + 1e-3 * coefficients
        coefficients -= np.linalg.solve(hessian + 1e-3 * np.eye(len(coefficients)), gradient)
    return coefficients


def _predict(rows: F64, coefficients: F64, limit: float = np.inf) -> F64:
    return np.asarray(1 / (1 + np.exp(-np.clip(rows @ coefficients, -limit, limit))), np.float64)


def _measure_file(path: Path) -> F64:
    first = int(path.stem.rpartition("-")[2])
    return np.concatenate([measure_candidates(view, first + number) for number, view in enumerate(kept(path))])


def main() -> None:
    """Fit the model, and print its coefficients and how well they predict."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.finder.confidence", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--views", type=int, default=8000)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    files = list(draw(arguments.folder, arguments.views, arguments.jobs, FIRST_VIEW))
    with ProcessPoolExecutor(arguments.jobs, mp_context=get_context("spawn")) as pool:
        measured = list(pool.map(_measure_file, files))
    rows = np.concatenate(measured)
    quarter = np.concatenate([np.full(len(part), number % 4) for number, part in enumerate(measured)])
    measures, right = rows[:, :-1], rows[:, -1]
    with_ones = np.column_stack((np.ones(len(measures)), measures))
    coefficients = fit_logistic(measures, right)
    print("numbers", coefficients.round(3).tolist())
    predicted = _predict(with_ones, coefficients)
    crossed = np.zeros(len(right))
    for number in range(4):  # each quarter predicted from the other three
        others = fit_logistic(measures[quarter != number], right[quarter != number])
        crossed[quarter == number] = _predict(with_ones[quarter == number], others)
    print(f"{len(files) * PART} views, {int(right.sum())} right, {int((1 - right).sum())} wrong")
    highest_wrong = np.sort(predicted[right == 0])[-4:].round(3)
    print("highest wrong", highest_wrong, "predicted by others", np.sort(crossed[right == 0])[-4:])
    print(f"right and accepted {100 * (predicted[right > 0] >= MIN_CONFIDENCE).mean():.1f} %")
    for low, high in ((0.1, 0.5), (0.5, 0.9), (0.9, 0.97), (0.97, 0.99), (0.99, 0.999), (0.999, 1.01)):
        among = (predicted >= low) & (predicted < high)
        print(f"| {low}-{high} | {among.sum()} | {predicted[among].mean():.4f} | {right[among].mean():.4f} |")


if __name__ == "__main__":
    main()
