"""Tells which text of a deck a label carries: by what each would look like in this picture.

All symbols are softened as the picture is (``blur``), and what the picture shows is divided by the label's contrast,
which frame and finder patterns have told.  So the measures do not shrink in bad light: of two texts the true one leads
by 1 but for the noise, whatever the blur.  A text that is not in the deck lies about halfway between any two of it, and
its nearest leads the next by little.  The thresholds are derived in ``docs/reading.md``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey
from companion.vision.label.fit import Fit
from companion.vision.label.label import MODULES, symbol_of
from companion.vision.label.pattern import Blur, Floats, data_mask, in_modules, in_view, sample, shared_modules
from companion.vision.label.tag import Deck, tag_text

# --- deck_grids
# The symbols of a deck, module by module: what a rectified label is compared with. Beside them stand those of
# its *rivals*: cards of the same game that may be on the table without being in the deck. All labels of one
# game share its code and what fills up the symbol, and some the mask: so they are likelier taken for each other
# than for anything else. And those of some *strangers*, cards of games that nobody has: they tell, with the
# others, how much any text may look like what is seen.

AROUND = 3
"""Modules round the symbol that are looked at as well: the softened edge of the data, the quiet zone, some frame."""
SIDE = MODULES + 2 * AROUND

LAGS = 5
"""Modules: how far apart two modules may be and still be mixed by the blur, twice over."""
_LAGS_IN_ALL = (2 * LAGS + 1) ** 2


@dataclass(frozen=True, slots=True, eq=False)
class DeckGrids:
    """All texts of a deck, its rivals and strangers, and where each is lighter or darker than the mean of both.

    ``texts``: n texts.  ``own``: bool n, those of the deck.  ``data``: float32 n x SIDE x SIDE, half for light and
    minus half for dark modules, 0 where the text does not matter; ``flat`` the same, n x SIDE * SIDE.  ``alike``:
    float32 n x (2 LAGS + 1)^2, the product of every text with itself moved.
    """

    texts: tuple[str, ...]
    own: npt.NDArray[np.bool_]
    data: Floats
    flat: Floats
    alike: Floats


@lru_cache(maxsize=16)
def grids_of(deck: Deck, print_runs: frozenset[int]) -> DeckGrids:
    """Return the grids of a deck's labels of some print runs, of their rivals, and of strangers; none without cards."""
    cards = sorted(deck.cards | rivals_of(deck.cards))
    texts = tuple(tag_text(deck.game_code, run, card) for run in sorted(print_runs) for card in cards)
    texts += tuple(text for text in STRANGERS if texts and text not in texts)
    own = np.array([deck.card_of(text) is not None for text in texts], np.bool_)
    mask = data_mask()
    data = np.zeros((len(texts), SIDE, SIDE), np.float32)
    inner = slice(AROUND, AROUND + MODULES)
    for number, text in enumerate(texts):
        data[number, inner, inner] = np.where(mask, 0.5 - symbol_of(text), 0)
    return DeckGrids(texts, own, data, data.reshape(len(texts), SIDE * SIDE), _products_with_itself(data))


def rivals_of(cards: Iterable[str]) -> frozenset[str]:
    """Return ids like these that are not among them: each of their letters with each number up to the highest."""
    among = frozenset(cards)
    found = [(one[1], one[2]) for card in among if (one := _NUMBERED.fullmatch(card))]
    highest = min(max((int(number) for _, number in found), default=0), HIGHEST)
    kinds = {(letters, len(number)) for letters, number in found}
    return frozenset(f"{letters}{n:0{width}}" for letters, width in kinds for n in range(1, highest + 1)) - among


STRANGERS = tuple(
    f"{code}{run}{letter}{number}"
    for code, run in (("AK", 1), ("GT", 3), ("NX", 1), ("VQ", 2))
    for letter in "BHP"
    for number in ("07", "23", "58", "91")
)
"""Texts as long as those of most labels."""

_NUMBERED = re.compile(r"([A-Z]+)([0-9]+)", re.ASCII)
HIGHEST = 60
"""No rival has a higher number: drawing symbols takes time."""


def _products_with_itself(data: Floats) -> Floats:
    """Return the sum of each grid times itself moved by every lag: float32 n x (2 LAGS + 1)^2."""
    room = (SIDE + LAGS, SIDE + LAGS)
    spectra = np.fft.rfft2(data, room)
    whole = np.fft.irfft2(np.square(spectra.real) + np.square(spectra.imag), room)
    lags = np.arange(-LAGS, LAGS + 1)
    return np.asarray(whole[:, lags[:, None], lags].reshape(len(data), _LAGS_IN_ALL), np.float32)


def places_of_modules() -> npt.NDArray[np.float32]:
    """Return the middles of the modules of a grid, SIDE * SIDE x 2, in modules from the symbol's middle."""
    ticks = (np.arange(SIDE) - SIDE // 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    return np.column_stack((x.ravel(), y.ravel()))


_NEAR = tuple(np.array([(x, y)], np.float32) for x in (-0.25, 0.25) for y in (-0.25, 0.25))
"""Modules round a module's middle: four samples are averaged, against noise."""

FINALISTS = 6
"""Texts that are compared exactly, after all were compared nearly so."""

_REACH = 3
"""Modules to which a kernel reaches."""
_FINE = 4


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """For each of n labels the best text (its number), and how far that is to be believed; each of length n.

    ``margin``: the lead over the next best, between 0 (halfway between both) and 1 (nothing but the best).
    ``share``: how strong the best text is in the picture, in units of what the label's contrast lets expect.
    ``surprise``: what is left of the data when the best text is taken away, against what is left of the rest of the
    label: mean squares; 1 where only noise is left, more where the text is another.
    ``lead``: the lead over the next best in standard deviations of what is left of the data: chance leads by a few.
    ``crowd``: by how many standard deviations of all texts the best is likelier than their mean.
    ``bulk``: how much the best text shows under this blur, against the mean of all: a text with large dark and light
    areas looks a little like anything.
    ``own``: whether the best text is of the deck, not of a rival or a stranger.
    """

    best: npt.NDArray[np.intp]
    margin: Floats
    share: Floats
    surprise: Floats
    lead: Floats
    crowd: Floats
    bulk: Floats
    own: npt.NDArray[np.bool_]


def match(grey: Grey, fitted: Fit, grids: DeckGrids, blur: Blur) -> Match:
    """Return what each label looks most like in a picture of that blur."""
    placed = fitted.homographies
    count = len(placed)
    margin, share, surprise, lead, crowd, bulk = np.zeros((6, count), np.float32)
    best, own = np.zeros(count, np.intp), np.zeros(count, np.bool_)
    found = Match(best, margin, share, surprise, lead, crowd, bulk, own)
    if not len(placed) or not grids.texts:
        return found
    places = places_of_modules()
    shown = np.sum([sample(grey, places + near, placed) for near in _NEAR], axis=0)
    shown /= len(_NEAR) * np.maximum(fitted.contrast, 1.0)[:, None]
    seen = in_view(grey, places, placed)
    kernels = kernels_of(in_modules(blur, placed))
    lights = [_all_in_view() if own.all() else _Light(own) for own in seen]
    rest = shown - _softened_shared(kernels)
    rest = np.array([light.without(own) for light, own in zip(lights, rest, strict=True)])
    powers = _autocorrelations(kernels) @ grids.alike.T
    likely = 2 * (_back(rest, kernels) @ grids.flat.T) - powers
    crowd[:] = (likely.max(axis=1) - likely.mean(axis=1)) / np.maximum(likely.std(axis=1), 1e-6)
    finalists = np.argpartition(-likely, min(FINALISTS, len(grids.texts)) - 1, axis=1)[:, :FINALISTS]
    for number, (light, kernel, texts) in enumerate(zip(lights, kernels, finalists, strict=True)):
        shapes = light.without(_softened(grids.data[texts], kernel))
        first, *figures = compare(rest[number], shapes, light.seen)
        best[number] = texts[first]
        margin[number], share[number], surprise[number], lead[number], bulk[number] = figures
    bulk /= np.maximum(powers.mean(axis=1), 1e-6)
    own[:] = grids.own[best]
    return found


def compare(rest: Floats, texts: Floats, seen: Floats) -> tuple[int, float, float, float, float, float]:
    """Return which text fits one label best, with margin, share, surprise and lead, and the square of what it shows.

    ``rest``: what its modules show (SIDE * SIDE), in units of its contrast, less what all labels show and less slow
    changes of light; ``texts``: what each text would show there; ``seen``: 1 where a module lies in the picture.
    """
    among = texts @ texts.T
    powers, products = np.maximum(np.diagonal(among), 1e-6), texts @ rest
    likely = 2 * products - powers
    best = int(likely.argmax())
    apart = np.maximum(powers + powers[best] - 2 * among[best], 1e-6)
    lead = (likely[best] - likely) / apart
    lead[best] = np.inf
    share = float(products[best] / powers[best])
    margin = float(lead.min()) if len(texts) > 1 else share
    of_data, of_others = _left(rest - texts[best], seen)
    ahead = (lead * np.sqrt(apart)).min() if len(texts) > 1 else share * powers[best] ** 0.5
    return best, margin, share, of_data / of_others, float(ahead) / (2 * of_data**0.5), float(powers[best])


def _back(rest: Floats, kernels: Floats) -> Floats:
    """Return what modules show under each label's kernel once more, n x SIDE * SIDE, to be compared with texts."""
    sides = zip(rest.reshape(-1, SIDE, SIDE), kernels, strict=True)
    soft = [cv2.filter2D(own, -1, kernel, borderType=cv2.BORDER_CONSTANT) for own, kernel in sides]
    return np.asarray(soft, np.float32).reshape(len(rest), -1)


def _left(left: Floats, seen: Floats) -> tuple[float, float]:
    """Return the mean squares of what is left of the data, and of what is left of quiet zone and patterns."""
    data, others = _where_data()
    of_data = float((left[data] ** 2).sum()) / max(float(seen[data].sum()), 1)
    of_others = float((left[others] ** 2).sum()) / max(float(seen[others].sum()), 1)
    return max(of_data, 1e-9), max(of_others, 1e-9)


@cache
def _where_data() -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Return which modules of a grid hold data, and which others are white or patterns: SIDE * SIDE each."""
    data = np.pad(data_mask(), AROUND)
    label = np.pad(np.ones((MODULES + 2 * _QUIET,) * 2, np.bool_), AROUND - _QUIET)
    return data.ravel(), (label & ~data).ravel()


def _softened_shared(kernels: Floats) -> Floats:
    """Return what the modules of all labels show under each kernel, n x SIDE * SIDE."""
    return np.asarray(kernels.reshape(len(kernels), -1) @ _shared_moved(), np.float32)


@cache
def _shared_moved() -> Floats:
    """Return what the modules of all labels show, the frame among them, moved by each place of a kernel."""
    side = SIDE + 2 * _REACH
    shown = np.zeros((side, side), np.float32)
    quiet, symbol = AROUND + _REACH - _QUIET, AROUND + _REACH
    shown[quiet:-quiet, quiet:-quiet] = 1
    shown[symbol:-symbol, symbol:-symbol] = shared_modules()
    moved = np.lib.stride_tricks.sliding_window_view(shown, (SIDE, SIDE))
    return np.ascontiguousarray(moved.reshape(-1, SIDE * SIDE))


_QUIET = 2


def kernels_of(covariances: npt.NDArray[np.float64]) -> Floats:
    """Return how much of each module near by a module shows under each blur: float32 n x 7 x 7, each summing to 1."""
    inverse = np.linalg.inv(covariances)[:, :, :, None, None]
    fine, triangle = _ticks()
    x, y = fine[None], fine[:, None]
    spread = np.exp(-0.5 * (inverse[:, 0, 0] * (x * x) + 2 * inverse[:, 0, 1] * (x * y) + inverse[:, 1, 1] * (y * y)))
    kernels = triangle @ spread @ triangle.T
    return np.asarray(kernels / kernels.sum(axis=(1, 2), keepdims=True), np.float32)


@cache
def _ticks() -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return places between modules, and for each lag how much two whole modules so far apart overlap there."""
    fine = np.arange(-(_REACH + 1) * _FINE, (_REACH + 1) * _FINE + 1) / _FINE
    lags = np.arange(-_REACH, _REACH + 1)
    return fine, np.maximum(0, 1 - np.abs(fine[None] - lags[:, None]))


def _softened(grids: Floats, kernel: Floats) -> Floats:
    """Return grids (n x side x side) under a kernel, the SIDE * SIDE in their middle."""
    count, side, _ = grids.shape
    room = np.zeros((count, side + _REACH, side), np.float32)
    room[:, :side] = grids
    soft = cv2.filter2D(room.reshape(-1, side), -1, kernel, borderType=cv2.BORDER_CONSTANT)
    rim = (side - SIDE) // 2
    kept = np.asarray(soft, np.float32).reshape(count, side + _REACH, side)[:, rim : rim + SIDE, rim : rim + SIDE]
    return np.ascontiguousarray(kept).reshape(count, -1)


def _autocorrelations(kernels: Floats) -> Floats:
    """Return the products of each kernel with itself moved by every lag, n x (2 LAGS + 1)^2."""
    room = 2 * LAGS + 2 * _REACH
    spectra = np.fft.rfft2(kernels, (room, room))
    whole = np.fft.irfft2(np.square(spectra.real) + np.square(spectra.imag), (room, room))
    lags = np.arange(-LAGS, LAGS + 1)
    return np.asarray(whole[:, lags[:, None], lags], np.float32).reshape(len(kernels), -1)


@cache
def _all_in_view() -> "_Light":
    return _Light(np.ones(SIDE * SIDE, np.float32))


class _Light:
    """Slow changes of light over the modules in view: even, across, down."""

    def __init__(self, seen: Floats) -> None:
        places = places_of_modules()
        rows = np.column_stack((np.ones(len(places), np.float32), places)) * seen[:, None]
        self.seen = seen
        self._slow = np.linalg.qr(rows)[0].T.astype(np.float32)

    def without(self, shown: Floats) -> Floats:
        """Return samples (SIDE * SIDE, or n of them) without it, 0 out of view."""
        own = shown * self.seen
        return np.asarray(own - (own @ self._slow.T) @ self._slow, np.float32)
