"""Reads the labels of a known deck where no reader that must understand any code can: by comparing.

Places are found and looked at closer by two small nets, corners fitted to what all labels share, and the rectified
symbols compared with the deck's.  Each label stands by itself: how others lie is not asked.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey, Sighting, once_and_twins
from companion.vision.change import Box
from companion.vision.deck.refine import elsewhere, every_way_up, label_places
from companion.vision.label.fit import Fit, blur_of, fit, joined
from companion.vision.label.match import DeckGrids, Match, grids_of, match
from companion.vision.label.pattern import (
    HALF,
    USUAL,
    Blur,
    Floats,
    Homographies,
    corners_of,
    from_quads,
    from_sightings,
    middles_of,
    sides_of,
)
from companion.vision.label.tag import Deck

# --- candidates
# From places in a picture to labels that are fitted there and compared with a deck.

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


# --- belief
# What a match must show to be believed; ``docs/reading.md`` says where the figures come from.

LEAST_CONFIDENCE = 0.92
LEAST_MARGIN = 0.25
LEAST_LEAD = 3.2
LEAST_BELIEVED_FIT = 0.33
"""Whatever else speaks for it: what hardly leads, or is hardly a label, may be any text."""
LEAST_BULK = 0.95
"""A text that shows less than this is no surer for it."""
ROOM = 1.0
"""Sides of a symbol that two middles are apart at least: labels do not overlap."""


def confidence(labels: Fitted) -> Floats:
    """Return how probably each label carries the text that it matches best, 0 to 1, n.

    A logistic curve over lead, fit, surprise, bulk, crowd and what the closer net saw, fitted to drawn views
    (``benchmarks.finder``) that had half of their cards taken out of the deck, and checked on other pictures:
    ``docs/reading.md``.
    """
    seen = labels.matched
    likely = _ALONE + _BY_LEAD * _log(seen.lead) + _BY_FIT * labels.fit.fits + _BY_SURPRISE * _log(seen.surprise)
    likely = (
        likely
        + _BY_SIGHT * _odds(labels.likely)
        + _BY_BULK * np.maximum(seen.bulk, LEAST_BULK)
        + _BY_CROWD * seen.crowd
    )
    return np.asarray(1 / (1 + np.exp(-np.clip(likely, -50, 50))), np.float32)


_ALONE = -12.02
_BY_LEAD, _BY_FIT, _BY_SURPRISE = 4.48, 11.02, -5.22
_BY_SIGHT, _BY_BULK, _BY_CROWD = 0.807, -12.25, 2.84


def _log(of: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(np.maximum(of, 0.1)), np.float32)


def _odds(likely: Floats) -> Floats:
    sound = np.clip(likely, 1e-6, 1 - 1e-6)
    return np.asarray(np.clip(np.log(sound / (1 - sound)), -3, 8), np.float32)


def sure(labels: Fitted) -> npt.NDArray[np.bool_]:
    """Return which labels match a text clearly, bool n, each by itself."""
    return np.asarray(possible(labels) & (confidence(labels) >= LEAST_CONFIDENCE), np.bool_)


def possible(labels: Fitted) -> npt.NDArray[np.bool_]:
    """Return which labels may be believed if they are likely, bool n."""
    seen = labels.matched
    leads = (seen.margin >= LEAST_MARGIN) & (seen.lead >= LEAST_LEAD)
    return np.asarray(seen.own & leads & (labels.fit.fits >= LEAST_BELIEVED_FIT), np.bool_)


def overlapped(labels: Fitted) -> npt.NDArray[np.bool_]:
    """Return which labels lie where another fits better."""
    middles, sides = middles_of(labels.fit.homographies), sides_of(labels.fit.homographies)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    better = labels.fit.fits[None] > labels.fit.fits[:, None]
    another = labels.matched.best[None] != labels.matched.best[:, None]
    return np.asarray((better & another & (apart < ROOM * sides[None])).any(axis=1), np.bool_)


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
