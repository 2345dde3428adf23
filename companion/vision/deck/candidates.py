"""From places in a picture to labels that are fitted there and compared with a deck."""

from dataclasses import dataclass

import numpy as np

from companion.vision.label.blur import USUAL, Blur
from companion.vision.label.deck_grids import DeckGrids
from companion.vision.label.fit import Fit, blur_of, fit, joined
from companion.vision.label.label_model import ANY
from companion.vision.label.match import Match, match
from companion.vision.label.place import Homographies, best_turn
from companion.vision.label.sighting import Grey

LEAST_TURN_FIT = 0.12
"""The likeness to a label, its corners as they were found, below which nothing is tried."""
LEAST_FIRST_FIT = 0.4
LEAST_FIT = 0.33
"""What is less like a label, after a first fit and after the last, is none."""

ROUGH_STEPS, FINE_STEPS = 3, 4
"""Steps of the first fit, and of the last."""

WITNESSES = 6
"""Labels, the best that were found, that tell how soft the picture is."""
LEAST_WITNESS_FIT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Labels fitted to a picture, and what each matches."""

    fit: Fit
    matched: Match


def roughly_fitted(
    grey: Grey, places: Homographies, blur: Blur = USUAL, least: float = LEAST_TURN_FIT, freedom: int = ANY
) -> Fit:
    """Fit the corners of labels that may be turned by quarters, and turn them right; what is no label is left out.

    Finder patterns are clear only where the corners are right: after the fit it is asked once more which is which.
    """
    turned, likeness = best_turn(grey, places)
    first = fit(grey, turned[likeness >= least], blur, ROUGH_STEPS, freedom, sparse=True)
    first = first[first.fits >= LEAST_FIRST_FIT]
    turned, _ = best_turn(grey, first.homographies)
    return Fit(turned, first.fits, first.contrast, first.noise)


def softness(grey: Grey, rough: Fit, known: Blur = USUAL) -> Blur:
    """Return how soft the picture is, told by those of its labels that fit best; what was known without any."""
    witnesses = rough[np.argsort(-rough.fits)[:WITNESSES]]
    witnesses = witnesses[witnesses.fits >= LEAST_WITNESS_FIT]
    blur = known
    for _ in range(2 if len(witnesses.fits) else 0):
        blur = blur_of(grey, witnesses, blur)
    return blur


def fitted(grey: Grey, rough: Fit, grids: DeckGrids, blur: Blur, freedom: int = ANY) -> Fitted:
    """Fit labels in a picture of known blur, and compare them with the deck."""
    fine = fit(grey, rough.homographies, blur, FINE_STEPS, freedom)
    fine = fine[fine.fits >= LEAST_FIT]
    return Fitted(fine, match(grey, fine, grids, blur))


def all_of(parts: list[Fitted]) -> Fitted:
    """Return the labels of all parts, of which there must be one."""
    matched = (tuple(getattr(part.matched, name) for part in parts) for name in Match.__dataclass_fields__)
    return Fitted(joined(*(part.fit for part in parts)), Match(*(np.concatenate(column) for column in matched)))
