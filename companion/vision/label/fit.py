"""Fits labels to a picture: corners to a fraction of a module, by what every label shows."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.qr.sighting import Grey
from companion.vision.label.pattern import (
    USUAL,
    Blur,
    Floats,
    Homographies,
    LabelModel,
    in_modules,
    sample,
    shapes_of,
    soft_pattern,
    within_reason,
)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Labels in a picture: n homographies, how well each fits (-1 to 1), and its contrast and noise in grey levels.

    The contrast is how much lighter paper is than ink; the noise is what neither label nor light explains.
    """

    homographies: Homographies
    fits: Floats
    contrast: Floats
    noise: Floats

    def __getitem__(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.intp] | slice) -> "Fit":
        """Return some of the labels."""
        return Fit(self.homographies[which], self.fits[which], self.contrast[which], self.noise[which])


def joined(*parts: Fit) -> Fit:
    """Return the labels of all parts."""
    columns = zip(*((part.homographies, part.fits, part.contrast, part.noise) for part in parts), strict=True)
    homographies, fits, contrast, noise = (np.concatenate(column) for column in columns)
    return Fit(homographies, fits, contrast, noise)


def fit(
    grey: Grey,
    homographies: Homographies,
    blur: Blur = USUAL,
    steps: int = 6,
    *,
    sparse: bool = False,
) -> Fit:
    """Move each label to where it fits best (Gauss-Newton) in a picture of that blur; never to where it fits worse.

    What all labels share counts, as far as it lies in the picture.  A ``sparse`` fit asks half as many places.
    """
    if not len(homographies):
        nothing = np.empty(0, np.float32)
        return Fit(homographies, nothing, nothing, nothing)
    pattern = soft_pattern(in_modules(blur, homographies), sparse=sparse)
    model = LabelModel.of(grey, homographies, pattern)
    shown = sample(grey, pattern.places, homographies)
    placed, before = homographies, Fit(homographies, *model.judge(shown))
    for _ in range(steps):
        placed = _moved(placed, model.moves(shown))
        shown = sample(grey, pattern.places, placed)
    after = Fit(placed, *model.judge(shown))
    astray = before.fits > after.fits
    for name in ("homographies", "fits", "contrast", "noise"):
        getattr(after, name)[astray] = getattr(before, name)[astray]
    return after


def blur_of(grey: Grey, found: Fit, blur: Blur = USUAL) -> Blur:
    """Return the blur under which these labels, fitted under another, fit best, all together."""
    placed = found.homographies
    pattern = soft_pattern(in_modules(blur, placed), bends=True)
    model = LabelModel.of(grey, placed, pattern)
    rest = model.residual(sample(grey, pattern.places, placed))
    back = np.linalg.inv(shapes_of(placed))
    columns = []
    for across, both, down in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        more = back @ np.array([[across, both], [both, down]], np.float64) @ back.transpose(0, 2, 1)
        weights = np.stack((more[:, 0, 0] / 2, more[:, 0, 1], more[:, 1, 1] / 2))[:, :, None].astype(np.float32)
        columns.append(model.unexplained((weights * pattern.bends).sum(axis=0)))
    column = np.stack(columns, axis=1)
    weighed = column * np.square(found.contrast / np.maximum(found.noise, 1))[:, None, None]
    squares = np.tensordot(weighed, column, ((0, 2), (0, 2)))
    products = np.tensordot(weighed, rest, ((0, 2), (0, 1)))
    across, both, down = np.linalg.solve(squares + 1e-3 * np.trace(squares) / 3 * np.eye(3), products)
    return within_reason(blur + np.array([[across, both], [both, down]]))


def _moved(placed: Homographies, moves: Floats) -> Homographies:
    change = np.zeros((len(moves), 3, 3))
    change.reshape(-1, 9)[:, : moves.shape[1]] = moves
    change += np.eye(3)
    after = placed @ np.linalg.inv(change)
    return np.asarray(after / after[:, 2:, 2:], np.float64)
