"""Fit labels to a picture (corners to a fraction of a module, blur), and match them with the texts of a deck.

Each text's symbol is blurred as the picture is, and the samples of a label are divided by its contrast, which frame
and finder patterns have told. So the measures do not shrink in bad light: the true text leads another by 1 but for
noise, whatever the blur. A text outside the deck lies about halfway between any two texts of it, and its nearest
leads the next by little. The thresholds are derived in ``docs/reading.md``.

Besides the deck's texts, two other kinds are compared. *Rivals* are cards of the same game that may lie on the table
without being in the deck: all labels of one game share its code and the padding of the symbol, and some the mask, so
they resemble each other more than anything else. *Decoys* are texts of games that do not exist; with the others they
tell how much any text may resemble what is seen.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np

from companion.qr.sighting import F32, F64, GreyPicture, Indices, Mask
from companion.vision.label.label import MODULES, symbol_of
from companion.vision.label.pattern import (
    USUAL_BLUR,
    Blur,
    Homographies,
    LabelModel,
    blur_in_modules,
    clip_blur,
    data_mask,
    jacobians_of,
    render_blurred_pattern,
    sample_labels,
    shared_modules,
    visibility,
)
from companion.vision.label.tag import Deck, format_tag


@dataclass(frozen=True, slots=True, eq=False)
class LabelFits:
    """n labels fitted to a picture.

    ``homographies``: n x 3 x 3. ``correlations``: with the pattern that all labels share, -1 to 1. ``contrast``: grey
    levels by which paper is lighter than ink. ``noise``: grey levels that neither pattern nor illumination explains.
    """

    homographies: Homographies
    correlations: F32
    contrast: F32
    noise: F32

    def __getitem__(self, selected: Mask | Indices | slice) -> "LabelFits":
        """Return some of the labels."""
        return LabelFits(
            self.homographies[selected], self.correlations[selected], self.contrast[selected], self.noise[selected]
        )


def concatenate_fits(*parts: LabelFits) -> LabelFits:
    """Return the labels of all parts."""
    columns = zip(*((part.homographies, part.correlations, part.contrast, part.noise) for part in parts), strict=True)
    homographies, correlations, contrast, noise = (np.concatenate(column) for column in columns)
    return LabelFits(homographies, correlations, contrast, noise)


def fit_labels(
    grey: GreyPicture,
    homographies: Homographies,
    blur: Blur = USUAL_BLUR,
    steps: int = 6,
    *,
    sparse: bool = False,
) -> LabelFits:
    """Move each label to where it fits best (Gauss-Newton); it stays where it was if it fits no better there.

    Args:
        grey: the picture.
        homographies: where the labels are thought to be, n x 3 x 3.
        blur: of the picture.
        steps: number of Gauss-Newton steps.
        sparse: compare at half as many points.

    """
    if not len(homographies):
        nothing = np.empty(0, np.float32)
        return LabelFits(homographies, nothing, nothing, nothing)
    pattern = render_blurred_pattern(blur_in_modules(blur, homographies), sparse=sparse)
    model = LabelModel.of(grey, homographies, pattern)
    samples = sample_labels(grey, pattern.points, homographies)
    moved, before = homographies, LabelFits(homographies, *model.score(samples))
    for _ in range(steps):
        moved = _apply_moves(moved, model.estimate_moves(samples))
        samples = sample_labels(grey, pattern.points, moved)
    after = LabelFits(moved, *model.score(samples))
    worse = before.correlations > after.correlations
    for name in ("homographies", "correlations", "contrast", "noise"):
        getattr(after, name)[worse] = getattr(before, name)[worse]
    return after


def estimate_blur(grey: GreyPicture, fits: LabelFits, blur: Blur = USUAL_BLUR) -> Blur:
    """Return the blur under which these labels, fitted under ``blur``, fit best together (one Gauss-Newton step)."""
    homographies = fits.homographies
    pattern = render_blurred_pattern(blur_in_modules(blur, homographies), second_derivatives=True)
    model = LabelModel.of(grey, homographies, pattern)
    residual = model.residual(sample_labels(grey, pattern.points, homographies))
    inverse = np.linalg.inv(jacobians_of(homographies))
    columns = []
    for across, both, down in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        change = inverse @ np.array([[across, both], [both, down]], np.float64) @ inverse.transpose(0, 2, 1)
        weights = np.stack((change[:, 0, 0] / 2, change[:, 0, 1], change[:, 1, 1] / 2))[:, :, None].astype(np.float32)
        columns.append(model.remove_pattern((weights * pattern.second).sum(axis=0)))
    jacobian = np.stack(columns, axis=1)
    weighted = jacobian * np.square(fits.contrast / np.maximum(fits.noise, 1))[:, None, None]
    normal = np.tensordot(weighted, jacobian, ((0, 2), (0, 2)))
    products = np.tensordot(weighted, residual, ((0, 2), (0, 1)))
    across, both, down = np.linalg.solve(normal + 1e-3 * np.trace(normal) / 3 * np.eye(3), products)
    return clip_blur(blur + np.array([[across, both], [both, down]]))


def _apply_moves(homographies: Homographies, moves: F32) -> Homographies:
    change = np.zeros((len(moves), 3, 3))
    change.reshape(-1, 9)[:, : moves.shape[1]] = moves
    change += np.eye(3)
    moved = homographies @ np.linalg.inv(change)
    return np.asarray(moved / moved[:, 2:, 2:], np.float64)


MARGIN = 3
"""Modules round the symbol that are sampled too: the blurred edge of the data, the quiet zone, some of the frame."""
SIDE = MODULES + 2 * MARGIN
_QUIET = 2

LAGS = 5
"""Modules: two modules further apart than this are not mixed by the blur, applied twice."""

DECOYS = tuple(
    f"{code}{run}{letter}{number}"
    for code, run in (("AK", 1), ("GT", 3), ("NX", 1), ("VQ", 2))
    for letter in "BHP"
    for number in ("07", "23", "58", "91")
)
"""Texts as long as those of most labels."""

_NUMBERED_CARD = re.compile(r"([A-Z]+)([0-9]+)", re.ASCII)
MAX_RIVAL_NUMBER = 60
"""Rivals have no higher numbers, because drawing symbols takes time."""

FINALISTS = 6
"""Texts that are compared exactly, after all were compared approximately."""

_SUBSAMPLES = tuple(np.array([(x, y)], np.float32) for x in (-0.25, 0.25) for y in (-0.25, 0.25))
"""Where a module is sampled, in modules from its centre; the mean of four samples reduces noise."""
_KERNEL_REACH = 3
"""Modules to each side that a blur kernel covers."""
_OVERSAMPLING = 4


@dataclass(frozen=True, slots=True, eq=False)
class DeckGrids:
    """The symbols of a deck, its rivals and decoys, module by module.

    ``texts``: n texts. ``in_deck``: bool n. ``data``: float32 n x SIDE x SIDE, 0.5 for light and -0.5 for dark modules,
    0 where the text does not matter; ``flat``: the same, n x SIDE^2. ``autocorrelations``: float32 n x (2 LAGS + 1)^2,
    the product of each grid with itself shifted by every lag.
    """

    texts: tuple[str, ...]
    in_deck: Mask
    data: F32
    flat: F32
    autocorrelations: F32


@lru_cache(maxsize=16)
def build_grids(deck: Deck, print_runs: frozenset[int]) -> DeckGrids:
    """Return the grids of a deck's labels of some print runs, their rivals, and decoys; empty for an empty deck."""
    cards = sorted(deck.cards | rival_cards(deck.cards))
    texts = tuple(format_tag(deck.game_code, run, card) for run in sorted(print_runs) for card in cards)
    texts += tuple(text for text in DECOYS if texts and text not in texts)
    in_deck = np.array([deck.card_of(text) is not None for text in texts], np.bool_)
    mask = data_mask()
    data = np.zeros((len(texts), SIDE, SIDE), np.float32)
    inner = slice(MARGIN, MARGIN + MODULES)
    for number, text in enumerate(texts):
        data[number, inner, inner] = np.where(mask, 0.5 - symbol_of(text), 0)
    return DeckGrids(texts, in_deck, data, data.reshape(len(texts), SIDE * SIDE), _grid_autocorrelations(data))


def rival_cards(cards: Iterable[str]) -> frozenset[str]:
    """Return other card ids like these: each of their letters with each number up to the highest."""
    own = frozenset(cards)
    numbered = [(match[1], match[2]) for card in own if (match := _NUMBERED_CARD.fullmatch(card))]
    highest = min(max((int(number) for _, number in numbered), default=0), MAX_RIVAL_NUMBER)
    kinds = {(letters, len(number)) for letters, number in numbered}
    return frozenset(f"{letters}{n:0{width}}" for letters, width in kinds for n in range(1, highest + 1)) - own


def _grid_autocorrelations(data: F32) -> F32:
    """Return the sum of each grid times itself shifted by every lag: float32 n x (2 LAGS + 1)^2."""
    room = (SIDE + LAGS, SIDE + LAGS)
    spectra = np.fft.rfft2(data, room)
    products = np.fft.irfft2(np.square(spectra.real) + np.square(spectra.imag), room)
    lags = np.arange(-LAGS, LAGS + 1)
    return np.asarray(products[:, lags[:, None], lags].reshape(len(data), (2 * LAGS + 1) ** 2), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The best text of each of n labels, and how strongly it matches; each array of length n.

    ``best``: index of the best text. ``in_deck``: whether that text is of the deck, neither rival nor decoy.
    ``margin``: lead over the next best text, from 0 (halfway between both) to 1 (nothing but the best).
    ``amplitude``: strength of the best text in the picture, as a share of the label's contrast.
    ``residual_ratio``: mean square of what remains of the data without the best text, divided by that of the rest of
    the label: 1 where only noise remains, more where the text is another.
    ``margin_sigma``: the lead in standard deviations of what remains of the data; by chance it is a few.
    ``z_score``: standard deviations of all texts by which the best is likelier than their mean.
    ``energy``: power of the best text under this blur, relative to the mean of all; a text with large dark and light
    areas resembles anything a little.
    """

    best: Indices
    margin: F32
    amplitude: F32
    residual_ratio: F32
    margin_sigma: F32
    z_score: F32
    energy: F32
    in_deck: Mask


def match_labels(grey: GreyPicture, fits: LabelFits, grids: DeckGrids, blur: Blur) -> Matches:
    """Return the text that each label matches best, in a picture of that blur."""
    homographies = fits.homographies
    count = len(homographies)
    margin, amplitude, residual_ratio, margin_sigma, z_score, energy = np.zeros((6, count), np.float32)
    best, in_deck = np.zeros(count, np.intp), np.zeros(count, np.bool_)
    matches = Matches(best, margin, amplitude, residual_ratio, margin_sigma, z_score, energy, in_deck)
    if not len(homographies) or not grids.texts:
        return matches
    points = _module_centres()
    samples = np.sum([sample_labels(grey, points + offset, homographies) for offset in _SUBSAMPLES], axis=0)
    samples /= len(_SUBSAMPLES) * np.maximum(fits.contrast, 1.0)[:, None]
    visible = visibility(grey, points, homographies)
    kernels = _blur_kernels(blur_in_modules(blur, homographies))
    lights = [_light_of_whole_label() if row.all() else _Illumination(row) for row in visible]
    rest = samples - _blur_shared_modules(kernels)
    rest = np.array([light.remove_from(row) for light, row in zip(lights, rest, strict=True)])
    powers = _kernel_autocorrelations(kernels) @ grids.autocorrelations.T
    likelihoods = 2 * (_correlate_with_kernels(rest, kernels) @ grids.flat.T) - powers
    deviations = np.maximum(likelihoods.std(axis=1), 1e-6)
    z_score[:] = (likelihoods.max(axis=1) - likelihoods.mean(axis=1)) / deviations
    finalists = np.argpartition(-likelihoods, min(FINALISTS, len(grids.texts)) - 1, axis=1)[:, :FINALISTS]
    for number, (light, kernel, texts) in enumerate(zip(lights, kernels, finalists, strict=True)):
        expected = light.remove_from(_blur_grids(grids.data[texts], kernel))
        first, *figures = _score_texts(rest[number], expected, light.visible)
        best[number] = texts[first]
        margin[number], amplitude[number], residual_ratio[number], margin_sigma[number], energy[number] = figures
    energy /= np.maximum(powers.mean(axis=1), 1e-6)
    in_deck[:] = grids.in_deck[best]
    return matches


def _score_texts(rest: F32, texts: F32, visible: F32) -> tuple[int, float, float, float, float, float]:
    """Return the best text's index, and its margin, amplitude, residual ratio, margin sigma and power.

    Args:
        rest: samples of the label's modules (SIDE^2) in units of its contrast, without what all labels show and
            without slow changes of illumination.
        texts: what each text would show there, n x SIDE^2.
        visible: 1 where a module lies in the picture.

    """
    products_of_texts = texts @ texts.T
    powers, products = np.maximum(np.diagonal(products_of_texts), 1e-6), texts @ rest
    likelihoods = 2 * products - powers
    best = int(likelihoods.argmax())
    distances = np.maximum(powers + powers[best] - 2 * products_of_texts[best], 1e-6)
    leads = (likelihoods[best] - likelihoods) / distances
    leads[best] = np.inf
    amplitude = float(products[best] / powers[best])
    margin = float(leads.min()) if len(texts) > 1 else amplitude
    of_data, of_others = _mean_squares(rest - texts[best], visible)
    lead = (leads * np.sqrt(distances)).min() if len(texts) > 1 else amplitude * powers[best] ** 0.5
    return best, margin, amplitude, of_data / of_others, float(lead) / (2 * of_data**0.5), float(powers[best])


def _mean_squares(residual: F32, visible: F32) -> tuple[float, float]:
    """Return the mean squares of what remains of the data, and of what remains of quiet zone and patterns."""
    data, others = _data_and_other_modules()
    of_data = float((residual[data] ** 2).sum()) / max(float(visible[data].sum()), 1)
    of_others = float((residual[others] ** 2).sum()) / max(float(visible[others].sum()), 1)
    return max(of_data, 1e-9), max(of_others, 1e-9)


@cache
def _data_and_other_modules() -> tuple[Mask, Mask]:
    """Return which modules of a grid hold data, and which others are white or patterns: SIDE^2 each."""
    data = np.pad(data_mask(), MARGIN)
    label = np.pad(np.ones((MODULES + 2 * _QUIET,) * 2, np.bool_), MARGIN - _QUIET)
    return data.ravel(), (label & ~data).ravel()


@cache
def _module_centres() -> F32:
    """Return the centres of the modules of a grid, SIDE^2 x 2, in modules from the symbol's centre."""
    ticks = (np.arange(SIDE) - SIDE // 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    return np.column_stack((x.ravel(), y.ravel()))


# Blur kernels: how much of each module near by a module shows.


def _blur_kernels(covariances: F64) -> F32:
    """Return the kernel of each blur (n x 2 x 2, square modules): float32 n x 7 x 7, each summing to 1."""
    inverse = np.linalg.inv(covariances)[:, :, :, None, None]
    fine, overlap = _kernel_ticks()
    x, y = fine[None], fine[:, None]
    spread = np.exp(-0.5 * (inverse[:, 0, 0] * (x * x) + 2 * inverse[:, 0, 1] * (x * y) + inverse[:, 1, 1] * (y * y)))
    kernels = overlap @ spread @ overlap.T
    return np.asarray(kernels / kernels.sum(axis=(1, 2), keepdims=True), np.float32)


@cache
def _kernel_ticks() -> tuple[F64, F64]:
    """Return fine ticks in modules, and for each lag how much two whole modules so far apart overlap at each tick."""
    fine = np.arange(-(_KERNEL_REACH + 1) * _OVERSAMPLING, (_KERNEL_REACH + 1) * _OVERSAMPLING + 1) / _OVERSAMPLING
    lags = np.arange(-_KERNEL_REACH, _KERNEL_REACH + 1)
    return fine, np.maximum(0, 1 - np.abs(fine[None] - lags[:, None]))


def _kernel_autocorrelations(kernels: F32) -> F32:
    """Return the products of each kernel with itself shifted by every lag, n x (2 LAGS + 1)^2."""
    room = 2 * LAGS + 2 * _KERNEL_REACH
    spectra = np.fft.rfft2(kernels, (room, room))
    products = np.fft.irfft2(np.square(spectra.real) + np.square(spectra.imag), (room, room))
    lags = np.arange(-LAGS, LAGS + 1)
    return np.asarray(products[:, lags[:, None], lags], np.float32).reshape(len(kernels), -1)


def _correlate_with_kernels(rest: F32, kernels: F32) -> F32:
    """Return the samples of each label correlated with its kernel, n x SIDE^2: comparable with sharp texts."""
    pairs = zip(rest.reshape(-1, SIDE, SIDE), kernels, strict=True)
    soft = [cv2.filter2D(grid, -1, kernel, borderType=cv2.BORDER_CONSTANT) for grid, kernel in pairs]
    return np.asarray(soft, np.float32).reshape(len(rest), -1)


def _blur_grids(grids: F32, kernel: F32) -> F32:
    """Return the central SIDE x SIDE of grids (n x side x side) under a kernel, n x SIDE^2."""
    count, side, _ = grids.shape
    room = np.zeros((count, side + _KERNEL_REACH, side), np.float32)
    room[:, :side] = grids
    soft = cv2.filter2D(room.reshape(-1, side), -1, kernel, borderType=cv2.BORDER_CONSTANT)
    rim = (side - SIDE) // 2
    stacked = np.asarray(soft, np.float32).reshape(count, side + _KERNEL_REACH, side)
    return np.ascontiguousarray(stacked[:, rim : rim + SIDE, rim : rim + SIDE]).reshape(count, -1)


def _blur_shared_modules(kernels: F32) -> F32:
    """Return what the modules that all labels share show under each kernel, n x SIDE^2."""
    return np.asarray(kernels.reshape(len(kernels), -1) @ _shifted_shared_modules(), np.float32)


@cache
def _shifted_shared_modules() -> F32:
    """Return the modules that all labels share, frame included, shifted to each place of a kernel."""
    side = SIDE + 2 * _KERNEL_REACH
    tones = np.zeros((side, side), np.float32)
    quiet, symbol = MARGIN + _KERNEL_REACH - _QUIET, MARGIN + _KERNEL_REACH
    tones[quiet:-quiet, quiet:-quiet] = 1
    tones[symbol:-symbol, symbol:-symbol] = shared_modules()
    shifted = np.lib.stride_tricks.sliding_window_view(tones, (SIDE, SIDE))
    return np.ascontiguousarray(shifted.reshape(-1, SIDE * SIDE))


class _Illumination:
    """Slow changes of illumination over the visible modules of a grid: even, across, down."""

    def __init__(self, visible: F32) -> None:
        points = _module_centres()
        rows = np.column_stack((np.ones(len(points), np.float32), points)) * visible[:, None]
        self.visible = visible
        self._basis = np.linalg.qr(rows)[0].T.astype(np.float32)

    def remove_from(self, samples: F32) -> F32:
        """Return samples (SIDE^2, or n of them) without these changes, and 0 outside the picture."""
        visible = samples * self.visible
        return np.asarray(visible - (visible @ self._basis.T) @ self._basis, np.float32)


@cache
def _light_of_whole_label() -> _Illumination:
    return _Illumination(np.ones(SIDE * SIDE, np.float32))
