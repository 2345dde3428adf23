"""Reads the labels of a known deck where no reader that must understand any code can: by comparing.

Frames are found, corners fitted to what all labels share, and the rectified symbols compared with the deck's.  The
labels read that way tell how soft the picture is and how the table lies, and so how and where the others must be.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from companion.vision.change import Box
from companion.vision.deck.belief import as_the_others_lie, believed, confidence, sure
from companion.vision.deck.candidates import ROUGH_STEPS, Fitted, all_of, fitted, roughly_fitted, softness
from companion.vision.deck.label_frames import CLEAR, NOISY, QUICK, Frames, frames_in
from companion.vision.deck.lie import FEWEST_FOR_HORIZON, lie_of
from companion.vision.deck.seek import likely_places
from companion.vision.label.blur import USUAL, Blur
from companion.vision.label.deck_grids import DeckGrids, grids_of
from companion.vision.label.fit import Fit, fit, joined
from companion.vision.label.label_model import AFFINE, RIGID
from companion.vision.label.place import (
    TURNS,
    Homographies,
    corners_of,
    from_quads,
    from_sightings,
    in_view,
    middles_of,
    sides_of,
)
from companion.vision.label.shared_pattern import HALF
from companion.vision.label.sighting import Grey, Sighting
from companion.vision.label.tag import Deck

ROUNDS = 2
"""How often the table is searched: again, with what is known then, when its lie was told by few labels."""
MOST_SOUGHT = 50
"""Places on the table that are looked at for labels whose frame was not found."""
LEAST_SOUGHT_FIT = 0.36
"""The likeness to a label below which such a place is not fitted."""
MOST_FRAMES = 14
"""Frames that are fitted at once: mostly enough to tell how the table lies, and so where all others are."""
LEAST_BENT_FIT = 0.5
"""The fit from which on a label that matches nothing is fitted once more, with more freedom."""
LARGE = 60.0
"""Pixels: the side of symbols whose frames are seen in the reduced picture, if at all."""
MOST_WITNESSES = 16
"""Labels that are known already that are fitted again, to tell how soft the picture is and how the table lies."""
ENOUGH_FOR_LIE = 6
"""Labels that tell well how the table lies."""
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

    No text is told twice: there is one card of a kind, and of two labels the surer is taken.  With ``within`` labels
    are looked for in that part alone; what is known elsewhere still tells how they lie.
    """
    grids = grids_of(deck, print_runs)
    witnesses = fit(grey, from_sightings(known[:MOST_WITNESSES]), USUAL, ROUGH_STEPS)
    blur, first = _by_frames(grey, grids, known, witnesses, within)
    parts = [first]
    before = None
    for _ in range(ROUNDS):
        clear = joined(witnesses, *(part.fit[sure(part)] for part in parts)).homographies
        lie = lie_of(clear)
        if lie is None or (before is not None and lie.much_as(before, grey.shape)):
            break
        before = lie
        clear = clear[as_the_others_lie(clear, clear)]
        taken = np.concatenate((middles_of(clear), np.array([seen.centre for seen in known]).reshape(-1, 2) - 0.5))
        places = likely_places(grey, lie, taken, MOST_SOUGHT, within)
        rough = roughly_fitted(grey, places, blur, LEAST_SOUGHT_FIT, RIGID)
        rigid = fitted(grey, rough, grids, blur, RIGID)
        # A lens bends the table at its edges, so what is not sure yet may be formed a little otherwise.
        bent = rigid.fit[~sure(rigid) & (rigid.fit.fits >= LEAST_BENT_FIT)]
        cut = fit(grey, _other_turns(grey, bent.homographies), blur, 1, RIGID)
        parts.append(all_of([rigid, *(fitted(grey, more, grids, blur, AFFINE) for more in (bent, cut))]))
        if len(clear) >= ENOUGH_FOR_LIE or not sure(parts[-1]).any():
            break
    return _reading(all_of(parts), witnesses.homographies, grids)


def _other_turns(grey: Grey, labels: Homographies) -> Homographies:
    """Return labels that the edge of the picture cuts, turned the other ways: which way up they are is hard to tell."""
    inside = in_view(grey, np.array([(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)], np.float32), labels)
    return np.asarray((labels[inside.min(axis=1) == 0][:, None] @ TURNS[None, 1:]).reshape(-1, 3, 3), np.float64)


def _by_frames(
    grey: Grey, grids: DeckGrids, known: tuple[Sighting, ...], witnesses: Fit, within: Box | None
) -> tuple[Blur, Fitted]:
    """Return how soft the picture is, and the labels that are found by their frames.

    Frames are looked for ever less strictly, until enough labels are known to tell where the others are.
    """
    blur = softness(grey, witnesses)
    parts = [fitted(grey, witnesses[:0], grids, blur)]
    if len(known) >= FEWEST_FOR_HORIZON:
        return blur, all_of(parts)
    for darkness in (QUICK, CLEAR, NOISY):
        clear = joined(witnesses, *(part.fit[sure(part)] for part in parts))
        if darkness.reduced == 1 and (sides_of(clear.homographies) >= LARGE).any():
            break
        for frames in _some_at_a_time(_elsewhere(frames_in(grey, darkness, within), known)):
            rough = roughly_fitted(grey, from_quads(frames.quads()))
            blur = softness(grey, joined(witnesses, rough), blur)
            parts.append(fitted(grey, rough, grids, blur))
            if len(known) + sum(int(sure(part).sum()) for part in parts) >= FEWEST_FOR_HORIZON:
                return blur, all_of(parts)
    return blur, all_of(parts)


def _some_at_a_time(found: Frames) -> Iterator[Frames]:
    """Return frames in two parts when they are many: some from everywhere, and the rest."""
    every = 1 + len(found.outlines) // MOST_FRAMES
    first = np.arange(len(found.outlines)) % every == 0
    yield found.some(first)
    if every > 1:
        yield found.some(~first)


def _elsewhere(found: Frames, known: tuple[Sighting, ...]) -> Frames:
    """Return the frames whose middle lies in no symbol that is known."""
    middles = found.middles() + 0.5
    keep = np.ones(len(middles), np.bool_)
    for seen in known:
        keep &= np.hypot(*(middles - seen.centre).T) > seen.side / 2
    return found.some(keep)


def _reading(labels: Fitted, decoded: Homographies, grids: DeckGrids) -> DeckReading:
    trusted, probable = believed(labels, decoded), confidence(labels)
    best: dict[str, Sighting] = {}
    for number in np.flatnonzero(trusted)[np.argsort(-labels.matched.margin[trusted])]:
        text, corners = grids.texts[labels.matched.best[number]], corners_of(labels.fit.homographies[number])
        best.setdefault(text, Sighting(text, corners, "matched", float(probable[number])))
    return DeckReading(tuple(best.values()), labels.fit.homographies[~trusted & (labels.fit.fits >= LEAST_UNKNOWN_FIT)])
