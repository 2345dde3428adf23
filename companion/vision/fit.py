"""Fits labels to a picture: corners to a fraction of a module, by what every label shows."""

import cv2
import numpy as np
import numpy.typing as npt

from companion.vision.shared_pattern import HALF, WHITE_HALF, Floats, SharedPattern, pattern_of, shared_pattern
from companion.vision.sighting import Grey

Homographies = npt.NDArray[np.float64]
"""float64, n x 3 x 3: units of ``HALF`` modules from the symbol's middle, to pixels; (0, 0) is the first's middle."""

LARGEST_STEP = 0.12
"""In units of ``HALF``: no corner moves further at once."""


def from_quads(quads: npt.NDArray[np.float32], half: float = WHITE_HALF) -> Homographies:
    """Return the homographies under which a square of ``half`` modules becomes each quadrilateral."""
    reach = half / HALF
    square = np.array([(-reach, -reach), (reach, -reach), (reach, reach), (-reach, reach)], np.float32)
    found = [cv2.getPerspectiveTransform(square, quad) for quad in quads]
    return np.array(found, np.float64).reshape(-1, 3, 3)


def sample(grey: Grey, places: Floats, homographies: Homographies) -> Floats:
    """Return what the picture shows at places (n x 2, modules) of each of m labels: float32 m x n."""
    flat = np.column_stack((places / HALF, np.ones(len(places)))).T.astype(np.float32)
    where = homographies.astype(np.float32) @ flat
    x, y = where[:, 0] / where[:, 2], where[:, 1] / where[:, 2]
    if not len(x):
        return np.empty((0, len(places)), np.float32)
    shown = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(shown, np.float32).reshape(x.shape)


def normalised(shown: Floats, basis: Floats) -> Floats:
    """Return samples without the slow changes of light, each row of length 1 (or 0 where nothing is left)."""
    rest = shown - (shown @ basis) @ basis.T
    length = np.linalg.norm(rest, axis=1, keepdims=True)
    return np.asarray(rest / np.maximum(length, 1e-6), np.float32)


_QUARTER = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
TURNS: Homographies = np.array([np.linalg.matrix_power(_QUARTER, turn) for turn in range(4)])
"""The four ways a label may be turned."""


def best_turn(grey: Grey, homographies: Homographies) -> tuple[Homographies, Floats]:
    """Turn each homography so that the finder patterns lie where they should; and how well that fits, -1 to 1."""
    pattern = shared_pattern()
    turned = homographies[:, None] @ TURNS[None]
    shown = sample(grey, pattern.places, turned.reshape(-1, 3, 3))
    scores = (normalised(shown, pattern.basis) @ pattern.light).reshape(-1, 4)
    best = scores.argmax(axis=1) if len(scores) else np.empty(0, np.intp)
    rows = np.arange(len(scores))
    return turned[rows, best], scores[rows, best]


def fit(grey: Grey, homographies: Homographies, steps: int = 6, text: str | None = None) -> tuple[Homographies, Floats]:
    """Move each label to where it fits best (Gauss-Newton); and how well it fits then, -1 to 1.

    With a text the whole symbol counts, without one what all labels share.
    """
    pattern = pattern_of(text)
    placed = homographies
    scores = np.empty(0, np.float32)
    for _ in range(steps):
        shown = sample(grey, pattern.places, placed)
        placed = _step(placed, shown, pattern)
    shown = sample(grey, pattern.places, placed)
    scores = normalised(shown, pattern.basis) @ pattern.light
    return placed, scores


def _step(placed: Homographies, shown: Floats, pattern: SharedPattern) -> Homographies:
    flat = shown - (shown @ pattern.basis) @ pattern.basis.T
    contrast = np.maximum(flat @ pattern.light, 1e-3 * np.linalg.norm(flat, axis=1) + 1e-6)
    moves = (flat / contrast[:, None]) @ pattern.solve.T
    moves *= np.minimum(1, LARGEST_STEP / np.maximum(np.abs(moves).max(axis=1, keepdims=True), 1e-9))
    change = np.zeros((len(moves), 3, 3))
    change[:, 0], change[:, 1], change[:, 2, :2] = moves[:, 0:3], moves[:, 3:6], moves[:, 6:8]
    change += np.eye(3)
    after = placed @ np.linalg.inv(change)
    return np.asarray(after / after[:, 2:, 2:], np.float64)
