"""The symbols of a deck, module by module: what a rectified label is compared with.

Beside them stand those of its *rivals*: cards of the same game that may be on the table without being in the deck.  All
labels of one game share its code and what fills up the symbol, and some the mask: so they are likelier taken for each
other than for anything else.  And those of some *strangers*, cards of games that nobody has: they tell, with the
others, how much any text may look like what is seen.
"""

import re
from collections.abc import Iterable
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
