"""From places in a picture to labels that are fitted there and compared with a deck."""

from dataclasses import dataclass

import numpy as np

from companion.vision.label.blur import USUAL, Blur
from companion.vision.label.deck_grids import DeckGrids
from companion.vision.label.fit import Fit, blur_of, fit
from companion.vision.label.match import Match, match
from companion.vision.label.place import Homographies
from companion.vision.label.shared_pattern import Floats
from companion.vision.label.sighting import Grey

LEAST_ROUGH_FIT, LEAST_FIT = 0.35, 0.33
"""What is less like a label, after a first fit and after the last, is none."""
ROUGH_STEPS, FINE_STEPS = 3, 4
"""Steps of the first fit, and of the last."""

WITNESSES = 6
"""Labels, the best that were found, that tell how soft the picture is."""
LEAST_WITNESS_FIT = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Labels fitted to a picture, what each matches, and how ``likely`` one was seen there (0 to 1, n)."""

    fit: Fit
    matched: Match
    likely: Floats


def roughly_fitted(grey: Grey, places: Homographies, likely: Floats) -> tuple[Fit, Floats]:
    """Fit labels in a picture of which nothing is known yet; what is no label is left out."""
    first = fit(grey, places, USUAL, ROUGH_STEPS, sparse=True)
    keep = first.fits >= LEAST_ROUGH_FIT
    return first[keep], likely[keep]


def softness(grey: Grey, rough: Fit) -> Blur:
    """Return how soft the picture is, told by those of its labels that fit best; the usual without any."""
    witnesses = rough[np.argsort(-rough.fits)[:WITNESSES]]
    witnesses = witnesses[witnesses.fits >= LEAST_WITNESS_FIT]
    blur = USUAL
    for _ in range(2 if len(witnesses.fits) else 0):
        blur = blur_of(grey, witnesses, blur)
    return blur


def fitted(grey: Grey, rough: Fit, likely: Floats, grids: DeckGrids, blur: Blur) -> Fitted:
    """Fit labels in a picture of known blur, and compare them with the deck."""
    fine = fit(grey, rough.homographies, blur, FINE_STEPS)
    keep = fine.fits >= LEAST_FIT
    return Fitted(fine[keep], match(grey, fine[keep], grids, blur), likely[keep])
