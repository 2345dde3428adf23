"""What a match must show to be believed; ``docs/reading.md`` says where the figures come from."""

import numpy as np
import numpy.typing as npt

from companion.vision.deck.candidates import Fitted
from companion.vision.label.place import middles_of, sides_of
from companion.vision.label.shared_pattern import Floats

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
