"""What labels look like about where they are thought to be, and how that changes when they are moved a little."""

from dataclasses import dataclass

import numpy as np

from companion.vision.label.place import Homographies, in_view
from companion.vision.label.shared_pattern import HALF, Floats
from companion.vision.label.sighting import Grey
from companion.vision.label.soft_pattern import SoftPattern

LARGEST_STEP = 0.12
"""In units of ``HALF``: no corner moves further at once."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelModel:
    """What n labels may look like: light, its changes by eight moves, and slow changes of the light; m samples.

    ``seen``: 1 where a sample lies in the picture.  ``slow``: n x 3 x m, orthonormal where seen (1 x 3 x m where all
    are seen whole); ``light``: n x m, free of these; ``changes``: n x 9 x m, how samples change with the moves
    (times contrast) and the contrast; ``squares``: n x 9 x 9, the inverse of their products.
    """

    seen: Floats
    slow: Floats
    light: Floats
    changes: Floats
    squares: Floats

    @staticmethod
    def of(grey: Grey, homographies: Homographies, pattern: SoftPattern) -> "LabelModel":
        """Return the model of labels about where they are in a picture; what is out of view does not count."""
        seen = in_view(grey, pattern.places, homographies)
        x, y = (pattern.places / HALF).T
        alike = seen[:1] if seen.all() else seen
        slow = _orthonormal(np.stack((np.ones_like(x), x, y))[None] * alike[:, None])
        across, down = pattern.across * HALF, pattern.down * HALF
        both = across * x + down * y
        columns = (across * x, across * y, across, down * x, down * y, down, -both * x, -both * y)
        own = np.stack((*columns, pattern.light), axis=1) * seen[:, None]
        own -= (own @ slow.transpose(0, 2, 1)) @ slow
        squares = own @ own.transpose(0, 2, 1)
        size = np.trace(squares, axis1=1, axis2=2)[:, None, None] / len(squares[0])
        squares += np.eye(own.shape[1], dtype=np.float32) * (1e-5 * size + 1e-6)
        return LabelModel(seen, slow, own[:, -1], own, np.linalg.inv(squares))

    def moves(self, shown: Floats) -> Floats:
        """Return by how much each label is off, n x 8; never so much that it would be lost."""
        parts = (self.squares @ (self.changes @ shown[:, :, None]))[:, :, 0]
        moves = parts[:, :-1] / np.maximum(parts[:, -1:], _LEAST_CONTRAST)
        farthest = np.maximum(np.abs(moves).max(axis=1, keepdims=True), 1e-9)
        return np.asarray(moves * np.minimum(1, LARGEST_STEP / farthest), np.float32)

    def without_light(self, shown: Floats) -> Floats:
        """Return samples where they are seen, without the slow changes of light."""
        own = shown * self.seen
        return np.asarray(own - ((self.slow @ own[:, :, None]).transpose(0, 2, 1) @ self.slow)[:, 0], np.float32)

    def unexplained(self, shown: Floats) -> Floats:
        """Return samples without the slow changes of light and without what the label itself explains."""
        own = self.without_light(shown)
        return np.asarray(own - ((own * self.light).sum(axis=1) / self._power)[:, None] * self.light, np.float32)

    def residual(self, shown: Floats) -> Floats:
        """Return what the label does not explain of samples, in units of its contrast."""
        own = self.without_light(shown)
        contrast = np.maximum((own * self.light).sum(axis=1) / self._power, _LEAST_CONTRAST)
        return np.asarray(own / contrast[:, None] - self.light, np.float32)

    def judge(self, shown: Floats) -> tuple[Floats, Floats, Floats]:
        """Return how well each label fits (correlation), its contrast and its noise, in the units of ``shown``."""
        own = self.without_light(shown)
        product = (own * self.light).sum(axis=1)
        length = np.maximum((own * own).sum(axis=1), 1e-6)
        left = np.maximum(length - product**2 / self._power, 0)
        noise = np.sqrt(left / np.maximum(self.seen.sum(axis=1), 1))
        return product / np.sqrt(self._power * length), product / self._power, np.asarray(noise, np.float32)

    @property
    def _power(self) -> Floats:
        return np.asarray(np.maximum((self.light * self.light).sum(axis=1), 1e-6), np.float32)


_LEAST_CONTRAST = 1.0
"""Grey levels: where paper is no lighter than ink, nothing is to be learnt."""


def _orthonormal(rows: Floats) -> Floats:
    """Return rows (n x k x m) made orthonormal, each against those before it."""
    made = rows.copy()
    for number in range(rows.shape[1]):
        for before in range(number):
            made[:, number] -= (made[:, number] * made[:, before]).sum(axis=1, keepdims=True) * made[:, before]
        made[:, number] /= np.maximum(np.linalg.norm(made[:, number], axis=1, keepdims=True), 1e-6)
    return made
