"""The symbols of a deck as a camera softens them: what a rectified label is compared with."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.shared_pattern import HALF, Floats, data_mask
from companion.vision.symbol import MODULES, symbol_of
from companion.vision.tag import Deck, tag_text

SOFTNESSES = (0.35, 0.6, 0.85)
"""Modules: blurs that are tried."""

_FINE = 8
_QUIET = 2


@dataclass(frozen=True, slots=True, eq=False)
class DeckGrids:
    """All texts of a deck, and how their data looks.

    ``texts``: n texts.  ``places``: float32 m x 2, the middles of the modules that depend on the text, in modules
    from the symbol's middle.  ``basis``: float32 m x 3, orthonormal, slow changes of light.  ``light``: float32
    3 x n x m, for each softness every text's samples, free of the basis and of length 1.  ``alike``: float32
    3 x n x n, the correlation of every text with every other.
    """

    texts: tuple[str, ...]
    places: Floats
    basis: Floats
    light: Floats
    alike: Floats


@lru_cache(maxsize=16)
def grids_of(deck: Deck, print_runs: frozenset[int]) -> DeckGrids:
    """Return the grids of a deck's labels of some print runs."""
    texts = tuple(tag_text(deck.game_code, run, card) for run in sorted(print_runs) for card in sorted(deck.cards))
    mask = data_mask()
    rows, columns = np.nonzero(mask)
    places = np.column_stack((columns, rows)).astype(np.float32) + np.float32(0.5 - HALF)
    curves = np.column_stack((np.ones(len(places)), places))
    basis = np.linalg.qr(curves)[0].astype(np.float32)
    light = np.array([[_softened(text, softness)[mask] for text in texts] for softness in SOFTNESSES], np.float32)
    light -= (light @ basis) @ basis.T
    light /= np.linalg.norm(light, axis=2, keepdims=True)
    alike = light @ light.transpose(0, 2, 1)
    return DeckGrids(texts, places, basis, light, alike)


def _softened(text: str, softness: float) -> Floats:
    """Return what the middle of each module of a symbol shows, 1 is light, float32 21 x 21."""
    drawn = np.pad(1 - symbol_of(text).astype(np.float32), _QUIET, constant_values=1)
    large = np.kron(drawn, np.ones((_FINE, _FINE), np.float32))
    soft = cv2.GaussianBlur(large, (0, 0), softness * _FINE)
    small = cv2.resize(soft, (MODULES + 2 * _QUIET,) * 2, interpolation=cv2.INTER_AREA)
    return np.asarray(small[_QUIET:-_QUIET, _QUIET:-_QUIET], np.float32)
