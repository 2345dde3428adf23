"""Reads the labels of a known deck where no reader that must understand any code can: by comparing.

Places are found and looked at closer by two small nets, corners fitted to what all labels share, and the rectified
symbols compared with the deck's.  Each label stands by itself: how others lie is not asked.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.vision.change import Box
from companion.vision.deck.belief import confidence, overlapped, sure
from companion.vision.deck.candidates import ROUGH_STEPS, Fitted, fitted, roughly_fitted, softness
from companion.vision.deck.closer import every_way_up, looked_closer
from companion.vision.deck.finder import LARGEST_SIDE, places_in
from companion.vision.label.blur import USUAL
from companion.vision.label.deck_grids import DeckGrids, grids_of
from companion.vision.label.fit import fit, joined
from companion.vision.label.place import Homographies, corners_of, from_quads, from_sightings
from companion.vision.label.renderings import resized
from companion.vision.label.shared_pattern import HALF, Floats
from companion.vision.label.sighting import Grey, Sighting, once_and_twins
from companion.vision.label.tag import Deck

Quads = npt.NDArray[np.float64]

MOST_PLACES = 40
"""Places that are looked at closer."""
LEAST_PLACE, LEAST_LABEL = 0.05, 0.1
"""How likely a label is at a place that is looked at closer, and at one to which a label is fitted."""
CLOSER_LOOKS = 2
"""Each look starts from where the one before saw the corners."""
MOST_WITNESSES = 16
"""Labels that are known already that are fitted again, to tell how soft the picture is."""
LEAST_UNKNOWN_FIT = 0.66
"""The fit from which on what matches nothing is taken for a label of something else."""
SEEN_TWICE = 0.7
"""The share of the largest side that is found at full size from which on symbols are sought in the reduced picture."""
AROUND = 48
"""Pixels round a part of a picture that are looked at with it: what lies round a label helps to find it."""


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
    quads, likely, turns = label_places(grey, within or (0, 0, grey.shape[1], grey.shape[0]))
    places, likely = _elsewhere(*every_way_up(quads, likely, turns), known)
    rough, likely = roughly_fitted(grey, from_quads(places.astype(np.float32), HALF), likely)
    blur = softness(grey, joined(witnesses, rough))
    return _reading(fitted(grey, rough, likely, grids, blur), grids, deck)


def label_places(grey: Grey, within: Box) -> tuple[Quads, Floats, Floats]:
    """Return the corners of symbols that may lie in a part of a picture, n x 4 x 2, and how likely each is one.

    And, n x 4, how likely each corner is the symbol's own first.  (0, 0) is the first pixel's middle.  Large ones are
    sought in reduced pictures.
    """
    left, top = (max(0, start - AROUND) for start in within[:2])
    part = np.ascontiguousarray(grey[top : within[3] + AROUND, left : within[2] + AROUND])
    found = [places_in(part, MOST_PLACES, LEAST_PLACE)]
    scale = 2
    while min(part.shape) > 2 * scale * SEEN_TWICE * LARGEST_SIDE:
        reduced = places_in(resized(part, 1 / scale), MOST_PLACES, LEAST_PLACE)
        found.append(reduced.enlarged(scale, LARGEST_SIDE * SEEN_TWICE / 2))
        scale *= 2
    quads, likely = np.concatenate([one.quads for one in found]), np.concatenate([one.likely for one in found])
    quads = quads[np.argsort(-likely, kind="stable")[:MOST_PLACES]]
    turns: Floats = np.empty((len(quads), 4), np.float32)
    for _ in range(CLOSER_LOOKS):
        quads, likely, turns = looked_closer(part, quads)
        keep = likely >= LEAST_LABEL
        quads, likely, turns = quads[keep], likely[keep], turns[keep]
    quads = quads + np.array([left, top])
    middles = quads.mean(axis=1)
    inside = (middles >= within[:2]).all(axis=1) & (middles < within[2:]).all(axis=1)
    return np.asarray(quads[inside], np.float64), likely[inside], turns[inside]


def _elsewhere(places: Quads, likely: Floats, known: tuple[Sighting, ...]) -> tuple[Quads, Floats]:
    """Return the places whose middle lies in no symbol that is known."""
    middles = places.mean(axis=1) + 0.5
    keep = np.ones(len(middles), np.bool_)
    for seen in known:
        keep &= np.hypot(*(middles - seen.centre).T) > seen.side / 2
    return places[keep], likely[keep]


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
