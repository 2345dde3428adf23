"""Compares rectified labels with the symbols of a deck.

The score says how much a label looks like the best text of the deck, the margin how much more than like the next
best one.  Both thresholds are derived in ``docs/reading.md``.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.vision.deck_grids import DeckGrids
from companion.vision.fit import Homographies, normalised, sample
from companion.vision.shared_pattern import Floats
from companion.vision.sighting import Grey

_NEAR = tuple(np.array([(x, y)], np.float32) for x in (-0.25, 0.25) for y in (-0.25, 0.25))
"""Modules round a module's middle: four samples are averaged, against noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """For each of n labels the best text (its number), the score and the margin; each of length n."""

    best: npt.NDArray[np.intp]
    score: Floats
    margin: Floats


def match(grey: Grey, homographies: Homographies, grids: DeckGrids) -> Match:
    """Return what each label looks most like."""
    shown = np.array([sample(grey, grids.places + near, homographies) for near in _NEAR], np.float32).sum(axis=0)
    return compare(normalised(np.asarray(shown, np.float32), grids.basis), grids)


def compare(shown: Floats, grids: DeckGrids) -> Match:
    """Compare samples, normalised n x m, with the grids: in the softness that suits each label best.

    The margin is the distance to the next best text along the line between the two, so that alike texts are told apart
    by where they differ.
    """
    if not len(shown) or not grids.texts:
        nothing = np.empty(0, np.float32)
        return Match(np.empty(0, np.intp), nothing, nothing)
    scores = np.einsum("im,snm->isn", shown, grids.light, optimize=True)
    rows = np.arange(len(shown))
    softness = scores.max(axis=2).argmax(axis=1)
    own = scores[rows, softness]
    best = own.argmax(axis=1)
    score = own[rows, best]
    if len(grids.texts) == 1:
        return Match(best, score, score)
    apart = np.maximum(1 - grids.alike[softness, best], 1e-6)
    apart[rows, best] = 1
    lead = (score[:, None] - own) / np.sqrt(2 * apart)
    lead[rows, best] = np.inf
    return Match(best, score, lead.min(axis=1))
