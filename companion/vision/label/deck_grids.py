"""The symbols of a deck, module by module: what a rectified label is compared with."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.vision.label.shared_pattern import Floats, data_mask
from companion.vision.label.symbol import MODULES, symbol_of
from companion.vision.label.tag import Deck, tag_text

AROUND = 3
"""Modules round the symbol that are looked at as well: the softened edge of the data, the quiet zone, some frame."""
SIDE = MODULES + 2 * AROUND

LAGS = 5
"""Modules: how far apart two modules may be and still be mixed by the blur, twice over."""
_LAGS_IN_ALL = (2 * LAGS + 1) ** 2


@dataclass(frozen=True, slots=True, eq=False)
class DeckGrids:
    """All texts of a deck, and where each is lighter or darker than the mean of both.

    ``texts``: n texts.  ``data``: float32 n x SIDE x SIDE, half for light and minus half for dark modules, 0 where the
    text does not matter; ``flat`` the same, n x SIDE * SIDE.  ``alike``: float32 n x (2 LAGS + 1)^2, the product of
    every text with itself moved.
    """

    texts: tuple[str, ...]
    data: Floats
    flat: Floats
    alike: Floats


@lru_cache(maxsize=16)
def grids_of(deck: Deck, print_runs: frozenset[int]) -> DeckGrids:
    """Return the grids of a deck's labels of some print runs."""
    texts = tuple(tag_text(deck.game_code, run, card) for run in sorted(print_runs) for card in sorted(deck.cards))
    mask = data_mask()
    data = np.zeros((len(texts), SIDE, SIDE), np.float32)
    inner = slice(AROUND, AROUND + MODULES)
    for number, text in enumerate(texts):
        data[number, inner, inner] = np.where(mask, 0.5 - symbol_of(text), 0)
    return DeckGrids(texts, data, data.reshape(len(texts), SIDE * SIDE), _products_with_itself(data))


def _products_with_itself(data: Floats) -> Floats:
    """Return the sum of each grid times itself moved by every lag: float32 n x (2 LAGS + 1)^2."""
    room = np.pad(data, ((0, 0), (LAGS, LAGS), (LAGS, LAGS)))
    moved = np.lib.stride_tricks.sliding_window_view(room, (SIDE, SIDE), axis=(1, 2))
    return np.asarray(
        np.einsum("nabij,nij->nab", moved, data, optimize=True).reshape(len(data), _LAGS_IN_ALL), np.float32
    )


def places_of_modules() -> npt.NDArray[np.float32]:
    """Return the middles of the modules of a grid, SIDE * SIDE x 2, in modules from the symbol's middle."""
    ticks = (np.arange(SIDE) - SIDE // 2).astype(np.float32)
    x, y = np.meshgrid(ticks, ticks)
    return np.column_stack((x.ravel(), y.ravel()))
