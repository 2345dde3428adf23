"""Labels that lie in view and are not read, each with the reason why."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.qr.reader import LARGEST_DOUBLED_OPEN_READ, SMALLEST_SIDE
from companion.qr.renderings import resized
from companion.qr.sighting import Corners, Grey, Picture, Sighting
from companion.vision.deck.finder import sizes_of
from companion.vision.deck.reader import MOST_WITNESSES, softness
from companion.vision.deck.refine import Quads, unread_places
from companion.vision.label.fit import fit, joined
from companion.vision.label.legibility import Why, ink_share, why_unread
from companion.vision.label.pattern import HALF, USUAL, Floats, from_quads, from_sightings
from companion.vision.read import grey_of

LIKELY, FITTING = 0.9, 0.45
"""What the closer net takes for a label as surely as that, and what a label fits as well, is told."""
CUT_LIKELY, CUT_FITTING = 0.3, 0.6
"""What is left of one that is cut looks little like a label and fits well."""
ITS_OWN = 0.7
"""Sides about the middle of a label that was read: what is found there is the same."""
LEAST_INK, COVERED_INK = 0.25, 0.15
"""White dice with dark pips look like labels, but have less ink; so have labels under something light."""
SMALLER, LARGER, FEWEST = 0.5, 1.6, 3
"""Labels have about the size of those that were read, where there are so many: art has any."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A label that nobody could read: the corners of its symbol in pixels, and why."""

    corners: Corners
    why: Why


def unread_in(picture: Picture, seen: Sequence[Sighting]) -> tuple[Unread, ...]:
    """Find labels other than those that were ``seen`` in a picture (grey, or blue, green, red).

    What is hidden too well to be taken for a label is not told: nobody knows that it is there.
    """
    whole, shrunk = grey_of(picture), 1
    grey = whole
    if min(grey.shape) < SMALLEST_SIDE:
        return ()
    while grey.size > LARGEST_DOUBLED_OPEN_READ:
        shrunk, grey = 2 * shrunk, resized(grey, 0.5)
    known = tuple(one.scaled(1 / shrunk) for one in seen)
    usual = float(np.median([one.side for one in seen])) if len(seen) >= FEWEST else None
    quads, likely = unread_places(grey, known, None if usual is None else usual / shrunk)
    fits = _how_well(grey, quads, known)
    quads = shrunk * (quads + 0.5)
    maybe = likely >= CUT_LIKELY
    for one in seen:
        maybe &= np.hypot(*(quads.mean(axis=1) - one.centre).T) > ITS_OWN * one.side
    if usual is not None:
        maybe &= (sizes_of(quads) > SMALLER * usual) & (sizes_of(quads) < LARGER * usual)
    found = (
        _Found(_corners(quad), float(sure), float(well))
        for quad, sure, well in zip(quads[maybe], likely[maybe], fits[maybe], strict=True)
    )
    told = ((one, why_unread(whole, one.corners)) for one in found)
    return tuple(Unread(one.corners, why) for one, why in told if _believed(whole, one, why))


def _how_well(grey: Grey, quads: Quads, seen: Sequence[Sighting]) -> Floats:
    """Return how well labels fit at these places, in a picture as soft as what is read in it and what fits says."""
    rough = fit(grey, from_quads(quads.astype(np.float32), HALF), USUAL)
    known = fit(grey, from_sightings(tuple(seen[:MOST_WITNESSES])), USUAL)
    return fit(grey, rough.homographies, softness(grey, joined(known, rough))).fits


def _believed(grey: Grey, one: "_Found", why: Why) -> bool:
    """Say whether that is a label: art and dice look like some.  Under a highlight little of one fits."""
    if why == "cut":
        return one.fits >= CUT_FITTING
    if one.likely < LIKELY:
        return False
    if why == "glare":
        return True
    return one.fits >= FITTING and ink_share(grey, one.corners) > (COVERED_INK if why == "covered" else LEAST_INK)


@dataclass(frozen=True, slots=True)
class _Found:
    """The corners of what may be a label, how likely it is one, and how well one fits."""

    corners: Corners
    likely: float
    fits: float


def _corners(quad: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
