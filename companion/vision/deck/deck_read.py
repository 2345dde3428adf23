"""Reads the labels of a known deck where no reader that must understand any code can: by comparing.

Places are found and looked at closer by two small nets, corners fitted to what all labels share, and the rectified
symbols compared with the deck's.  Each label stands by itself: how others lie is not asked.
"""

from dataclasses import dataclass

import numpy as np

from companion.vision.change import Box
from companion.vision.deck.belief import confidence, overlapped, sure
from companion.vision.deck.candidates import ROUGH_STEPS, Fitted, fitted, roughly_fitted, softness
from companion.vision.deck.closer import every_way_up
from companion.vision.deck.looks import elsewhere, label_places
from companion.vision.label.blur import USUAL
from companion.vision.label.deck_grids import DeckGrids, grids_of
from companion.vision.label.fit import fit, joined
from companion.vision.label.place import Homographies, corners_of, from_quads, from_sightings
from companion.vision.label.shared_pattern import HALF
from companion.vision.label.sighting import Grey, Sighting, once_and_twins
from companion.vision.label.tag import Deck

MOST_WITNESSES = 16
"""Labels that are known already that are fitted again, to tell how soft the picture is."""
LEAST_UNKNOWN_FIT = 0.66
"""The fit from which on what matches nothing is taken for a label of something else."""


@dataclass(frozen=True, slots=True, eq=False)
class DeckReading:
    """What was matched, and the labels that were found but match no text of the deck (homographies)."""

    sightings: tuple[Sighting, ...]
    unknown: Homographies


def read_deck(
    grey: Grey, deck: Deck, print_runs: frozenset[int], known: tuple[Sighting, ...] = (), within: Box | None = None
) -> DeckReading:
    """Match the framed labels in a picture with a deck's labels of some print runs; those that are known are left out.

    The surest come first, then others of the same texts, which lie elsewhere.  With ``within`` labels are looked for in
    that part alone; what is known elsewhere still tells how soft the picture is.
    """
    grids = grids_of(deck, print_runs)
    witnesses = fit(grey, from_sightings(known[:MOST_WITNESSES]), USUAL, ROUGH_STEPS)
    places, likely = every_way_up(*label_places(grey, within or (0, 0, grey.shape[1], grey.shape[0]), known))
    apart = elsewhere(places, known)
    rough, likely = roughly_fitted(grey, from_quads(places[apart].astype(np.float32), HALF), likely[apart])
    blur = softness(grey, joined(witnesses, rough))
    return _reading(fitted(grey, rough, likely, grids, blur), grids, deck)


def _reading(labels: Fitted, grids: DeckGrids, deck: Deck) -> DeckReading:
    trusted, probable = sure(labels) & ~overlapped(labels), confidence(labels)
    sightings = tuple(
        Sighting(
            grids.texts[labels.matched.best[number]],
            corners_of(labels.fit.homographies[number]),
            "matched",
            float(probable[number]),
        )
        for number in np.flatnonzero(trusted)[np.argsort(-labels.matched.margin[trusted])]
    )
    once, twins = once_and_twins(sightings, deck.text_once)
    return DeckReading(once + twins, labels.fit.homographies[~trusted & (labels.fit.fits >= LEAST_UNKNOWN_FIT)])
