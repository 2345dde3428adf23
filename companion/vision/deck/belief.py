"""What a match must show to be believed; ``docs/reading.md`` says where the figures come from."""

import numpy as np
import numpy.typing as npt

from companion.vision.deck.candidates import Fitted
from companion.vision.deck.lie import FEWEST_FOR_HORIZON, lie_of
from companion.vision.label.place import Homographies, middles_of, sides_of
from companion.vision.label.shared_pattern import Floats

LEAST_CONFIDENCE = 0.97
LEAST_MARGIN = 0.5
LEAST_BELIEVED_FIT = 0.45
"""Whatever else speaks for it: what is hardly a label may look like any text."""

LEAST_LONE_FIT = 0.6
"""The fit of a label of which no others tell how it must look."""
STRANGEST = 0.06
"""The share by which a label may be larger, smaller or otherwise formed than the others on the table."""
NOISIEST = 1.7
"""How many times as noisy as the others a label may be: where it is not quite a label, much is left unexplained."""
ROOM = 1.0
"""Sides of a symbol that two middles are apart at least: labels do not overlap."""


def confidence(labels: Fitted) -> Floats:
    """Return how probably each label carries the text that it matches best, 0 to 1, n.

    A logistic curve over margin, fit and surprise, fitted to labels of simulated tables that had half of their cards
    taken out of the deck, and checked on others: ``docs/reading.md``.
    """
    surprise = np.log(np.maximum(labels.matched.surprise, _LEAST_SURPRISE))
    likely = _ALONE + _BY_MARGIN * labels.matched.margin + _BY_FIT * labels.fit.fits + _BY_SURPRISE * surprise
    return np.asarray(1 / (1 + np.exp(-likely)), np.float32)


_ALONE, _BY_MARGIN, _BY_FIT, _BY_SURPRISE = -8.1, 13.5, 4.0, -5.5
_LEAST_SURPRISE = 0.1


def sure(labels: Fitted) -> npt.NDArray[np.bool_]:
    """Return which labels match a text clearly, bool n, whatever the others look like."""
    possible = (labels.matched.margin >= LEAST_MARGIN) & (labels.fit.fits >= LEAST_BELIEVED_FIT)
    return np.asarray(possible & (confidence(labels) >= LEAST_CONFIDENCE), np.bool_)


def believed(labels: Fitted, decoded: Homographies) -> npt.NDArray[np.bool_]:
    """Return which labels are sure and look as the others do, those that a reader decoded among them.

    All lie on one table in one light, so their size, form and noise must agree; and where another label fits better,
    there is none.  Where too few are seen to tell, a label must look the part all the more.
    """
    clear = sure(labels) & ~overlapped(labels)
    witnesses = np.concatenate((decoded, labels.fit.homographies[clear]))
    if len(witnesses) < FEWEST_FOR_HORIZON:
        return np.asarray(clear & (labels.fit.fits >= LEAST_LONE_FIT), np.bool_)
    return np.asarray(clear & as_the_others_lie(labels.fit.homographies, witnesses) & _quiet(labels, clear), np.bool_)


def as_the_others_lie(labels: Homographies, witnesses: Homographies) -> npt.NDArray[np.bool_]:
    """Return which labels are formed as these witnesses are; all of them without any."""
    lie = lie_of(witnesses)
    return np.ones(len(labels), np.bool_) if lie is None else lie.strangeness(labels) <= STRANGEST


def _quiet(labels: Fitted, clear: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which labels are about as noisy as the usual clear one."""
    usual = float(np.median(labels.fit.noise[clear])) if clear.any() else np.inf
    return np.asarray(labels.fit.noise <= NOISIEST * usual, np.bool_)


def overlapped(labels: Fitted) -> npt.NDArray[np.bool_]:
    """Return which labels lie where another fits better."""
    middles, sides = middles_of(labels.fit.homographies), sides_of(labels.fit.homographies)
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    better = labels.fit.fits[None] > labels.fit.fits[:, None]
    another = labels.matched.best[None] != labels.matched.best[:, None]
    return np.asarray((better & another & (apart < ROOM * sides[None])).any(axis=1), np.bool_)
