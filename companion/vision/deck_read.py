"""Reads the labels of a known deck where no reader that must understand any code can: by comparing.

Frames are found, corners fitted to what all labels share, and the rectified symbols compared with the deck's.  The
labels read that way tell how the table lies, and so where and how large the others must be.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.deck_grids import DeckGrids, grids_of
from companion.vision.fit import Homographies, best_turn, fit, from_quads
from companion.vision.label_frames import NOISY, Quads, dark_parts, quads_in
from companion.vision.lie import FEWEST_FOR_HORIZON, lie_of
from companion.vision.match import Match, match
from companion.vision.seek import likely_places, seek
from companion.vision.shared_pattern import HALF
from companion.vision.sighting import Corners, Grey, Sighting
from companion.vision.tag import Deck

LEAST_SCORE = 0.5
LEAST_MARGIN = 0.3
LEAST_BELIEVED_FIT = 0.5
"""What a match must reach to be believed; ``docs/reading.md`` says where they come from."""

LEAST_TURN_FIT = 0.12
LEAST_FIT = 0.33
"""What is less like a label, before its corners are fitted and after, is none."""

HOPELESS, SURE = 0.04, 0.3
"""Margins between which a second fit may still change the answer."""

EASY = 0.5
"""The share of labels that a reader decodes from which on a picture is not searched for frames that were not found."""

CLEAR_FIT = 0.93
"""The median fit below which frames are sought once more, less strictly."""

ROUNDS = 3
WORTH_ANOTHER = 2
"""The table is searched again, with what is known then, when a search has found so many labels."""

MOST_SOUGHT = 30
"""Places on the table that are looked at for labels whose frame was not found."""
LEAST_SOUGHT = 0.3
"""Likeness of a place on the table to a label at which it is fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Labels fitted to a picture: n homographies, how well each fits what all labels share, and what it matches."""

    homographies: Homographies
    fits: npt.NDArray[np.float32]
    matched: Match

    @property
    def believed(self) -> npt.NDArray[np.bool_]:
        """Return which matches reach the thresholds, bool n."""
        sure = (self.matched.margin >= LEAST_MARGIN) & (self.matched.score >= LEAST_SCORE)
        return np.asarray(sure & (self.fits >= LEAST_BELIEVED_FIT), np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class DeckReading:
    """What was matched, and the labels that were found but match no text of the deck (homographies)."""

    sightings: tuple[Sighting, ...]
    unknown: Homographies


def read_deck(grey: Grey, deck: Deck, print_runs: frozenset[int], known: tuple[Sighting, ...] = ()) -> DeckReading:
    """Match the framed labels in a picture with a deck's labels of some print runs; those that are known are left out.

    No text is told twice: there is one card of a kind, and of two labels the surer is taken.
    """
    grids = grids_of(deck, print_runs)
    parts = [fitted(grey, from_quads(_elsewhere(quads_in(dark_parts(grey)), known)), grids)]
    believed = parts[0].homographies[parts[0].believed]
    if len(known) >= EASY * (len(known) + len(believed)) > 0:
        return _reading(parts, grids)
    if len(believed) < FEWEST_FOR_HORIZON or float(np.median(parts[0].fits[parts[0].believed])) < CLEAR_FIT:
        parts.append(fitted(grey, from_quads(_elsewhere(quads_in(dark_parts(grey, NOISY)), known)), grids))
    for _ in range(ROUNDS):
        believed = np.concatenate([part.homographies[part.believed] for part in parts])
        lie = lie_of(believed)
        if lie is None:
            break
        places = likely_places(grey, lie, believed[:, :2, 2], MOST_SOUGHT)
        sought, likeness = seek(grey, places, lie)
        parts.append(fitted(grey, sought[likeness >= LEAST_SOUGHT], grids))
        if parts[-1].believed.sum() < WORTH_ANOTHER:
            break
    return _reading(parts, grids)


def _elsewhere(quads: Quads, known: tuple[Sighting, ...]) -> Quads:
    """Return the quadrilaterals whose middle lies in no symbol that is known."""
    middles = quads.mean(axis=1) + 0.5
    keep = np.ones(len(quads), np.bool_)
    for seen in known:
        keep &= np.hypot(*(middles - seen.centre).T) > seen.side / 2
    return quads[keep]


def fitted(grey: Grey, rough: Homographies, grids: DeckGrids) -> Fitted:
    """Turn rough labels the right way round, fit their corners, and compare them with the deck."""
    turned, likeness = best_turn(grey, rough)
    placed, fits = fit(grey, turned[likeness >= LEAST_TURN_FIT])
    like_labels = fits >= LEAST_FIT
    placed, fits = placed[like_labels], fits[like_labels]
    return mended(grey, Fitted(placed, fits, match(grey, placed, grids)), grids)


def mended(grey: Grey, labels: Fitted, grids: DeckGrids) -> Fitted:
    """Fit labels that are not sure to the whole symbol that they look most like, and compare again.

    The right text gains by it; a wrong one hardly.
    """
    placed, matched = labels.homographies.copy(), labels.matched
    score, margin = matched.score.copy(), matched.margin.copy()
    for number in np.flatnonzero((margin >= HOPELESS) & (margin < SURE)):
        best = matched.best[number]
        closer, _ = fit(grey, placed[number : number + 1], 3, grids.texts[best])
        again = match(grey, closer, grids)
        if again.best[0] == best:
            placed[number], score[number], margin[number] = closer[0], again.score[0], again.margin[0]
    return Fitted(placed, labels.fits, Match(matched.best, score, margin))


def _reading(parts: list[Fitted], grids: DeckGrids) -> DeckReading:
    best: dict[str, tuple[float, Sighting]] = {}
    unknown = []
    for part in parts:
        unknown.append(part.homographies[~part.believed & (part.fits >= 2 * LEAST_FIT)])
        for number in np.flatnonzero(part.believed):
            text, margin = grids.texts[part.matched.best[number]], float(part.matched.margin[number])
            if text not in best or margin > best[text][0]:
                corners = corners_of(part.homographies[number])
                best[text] = margin, Sighting(text, corners, "matched", confidence_of(margin))
    sightings = tuple(seen for _, seen in sorted(best.values(), key=lambda one: -one[0]))
    return DeckReading(sightings, np.concatenate(unknown))


def confidence_of(margin: float) -> float:
    """Return how far a match is to be trusted, 0 to 1, from its margin: a half halfway between chance and threshold."""
    return float(1 / (1 + np.exp(-(margin - CHANCE) * 60)))


CHANCE = 0.13
"""The margin that the best of hundreds of wrong matches has; see ``docs/reading.md``."""


def corners_of(homography: npt.NDArray[np.float64]) -> Corners:
    """Return the corners of a symbol in pixels, clockwise from its own top left."""
    square = np.array([[(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]])
    a, b, c, d = ((float(x) + 0.5, float(y) + 0.5) for x, y in cv2.perspectiveTransform(square, homography)[0])
    return a, b, c, d


def flattened(grey: Grey, homography: npt.NDArray[np.float64], pixels_a_module: int = 6, quiet: int = 2) -> Grey:
    """Return a symbol with its quiet zone as from straight above."""
    size = int((2 * HALF + 2 * quiet) * pixels_a_module)
    scale = HALF * pixels_a_module
    from_flat = homography @ np.array([[1 / scale, 0, -size / 2 / scale], [0, 1 / scale, -size / 2 / scale], [0, 0, 1]])
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    flat = cv2.warpPerspective(grey, from_flat, (size, size), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)
