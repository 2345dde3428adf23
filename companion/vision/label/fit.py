"""Fit labels to a picture: their corners to a fraction of a module, and the blur of the picture."""

from dataclasses import dataclass

import numpy as np

from companion.qr.arrays import F32, GreyPicture, Indices, Mask
from companion.vision.label.pattern import (
    USUAL_BLUR,
    Blur,
    Homographies,
    LabelModel,
    blur_in_modules,
    clip_blur,
    jacobians_of,
    render_blurred_pattern,
    sample_labels,
)


@dataclass(frozen=True, slots=True, eq=False)
class LabelFits:
    """n labels fitted to a picture.

    ``homographies``: n x 3 x 3. ``correlations``: with the pattern that all labels share, -1 to 1. ``contrast``: grey
    levels by which paper is lighter than ink. ``noise``: grey levels that neither pattern nor illumination explains.
    """

    homographies: Homographies
    correlations: F32
    contrast: F32
    noise: F32

    def __getitem__(self, selected: Mask | Indices | slice) -> "LabelFits":
        """Return some of the labels."""
        return LabelFits(
            self.homographies[selected], self.correlations[selected], self.contrast[selected], self.noise[selected]
        )


def concatenate_fits(*parts: LabelFits) -> LabelFits:
    """Return the labels of all parts."""
    columns = zip(*((part.homographies, part.correlations, part.contrast, part.noise) for part in parts), strict=True)
    homographies, correlations, contrast, noise = (np.concatenate(column) for column in columns)
    return LabelFits(homographies, correlations, contrast, noise)


def fit_labels(
    grey: GreyPicture,
    homographies: Homographies,
    blur: Blur = USUAL_BLUR,
    steps: int = 6,
    *,
    sparse: bool = False,
) -> LabelFits:
    """Move each label to where it fits best (Gauss-Newton); it stays where it was if it fits no better there.

    Args:
        grey: the picture.
        homographies: where the labels are thought to be, n x 3 x 3.
        blur: of the picture.
        steps: number of Gauss-Newton steps.
        sparse: compare at half as many points.

    """
    if not len(homographies):
        nothing = np.empty(0, np.float32)
        return LabelFits(homographies, nothing, nothing, nothing)
    pattern = render_blurred_pattern(blur_in_modules(blur, homographies), sparse=sparse)
    model = LabelModel.of(grey, homographies, pattern)
    samples = sample_labels(grey, pattern.points, homographies)
    moved, before = homographies, LabelFits(homographies, *model.score(samples))
    for _ in range(steps):
        moved = _apply_moves(moved, model.estimate_moves(samples))
        samples = sample_labels(grey, pattern.points, moved)
    after = LabelFits(moved, *model.score(samples))
    worse = before.correlations > after.correlations
    for name in ("homographies", "correlations", "contrast", "noise"):
        getattr(after, name)[worse] = getattr(before, name)[worse]
    return after


def estimate_blur(grey: GreyPicture, fits: LabelFits, blur: Blur = USUAL_BLUR) -> Blur:
    """Return the blur under which these labels, fitted under ``blur``, fit best together (one Gauss-Newton step)."""
    homographies = fits.homographies
    pattern = render_blurred_pattern(blur_in_modules(blur, homographies), second_derivatives=True)
    model = LabelModel.of(grey, homographies, pattern)
    residual = model.residual(sample_labels(grey, pattern.points, homographies))
    inverse = np.linalg.inv(jacobians_of(homographies))
    columns = []
    for across, both, down in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        change = inverse @ np.array([[across, both], [both, down]], np.float64) @ inverse.transpose(0, 2, 1)
        weights = np.stack((change[:, 0, 0] / 2, change[:, 0, 1], change[:, 1, 1] / 2))[:, :, None].astype(np.float32)
        columns.append(model.remove_pattern((weights * pattern.second).sum(axis=0)))
    jacobian = np.stack(columns, axis=1)
    weighted = jacobian * np.square(fits.contrast / np.maximum(fits.noise, 1))[:, None, None]
    normal = np.tensordot(weighted, jacobian, ((0, 2), (0, 2)))
    products = np.tensordot(weighted, residual, ((0, 2), (0, 1)))
    across, both, down = np.linalg.solve(normal + 1e-3 * np.trace(normal) / 3 * np.eye(3), products)
    return clip_blur(blur + np.array([[across, both], [both, down]]))


def _apply_moves(homographies: Homographies, moves: F32) -> Homographies:
    change = np.zeros((len(moves), 3, 3))
    change.reshape(-1, 9)[:, : moves.shape[1]] = moves
    change += np.eye(3)
    moved = homographies @ np.linalg.inv(change)
    return np.asarray(moved / moved[:, 2:, 2:], np.float64)
