"""How soft a picture is: what lens, movement and pixels make of a point, as one normal distribution.

All labels of a picture share it, so a few that are seen well tell how any other must look.  It is kept as a covariance
in square pixels, for a smear is longer in one direction; a label that lies turned or leaning sees it turned or leaning.
"""

import numpy as np
import numpy.typing as npt

from companion.vision.label.shared_pattern import HALF

Blur = npt.NDArray[np.float64]
"""float64 2 x 2: the covariance, in square pixels."""

USUAL: Blur = np.eye(2) * 1.2
"""What is taken for granted before a picture has told: about what a camera over a table has."""

LEAST, MOST = 0.15, 9.0
"""Square pixels: a pixel itself is no point, and what is softer than this no label."""


def shapes_of(homographies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return for each label the pixels that a module is long, at the label's middle: n x 2 x 2 derivatives."""
    middles = homographies[:, :2, 2] / homographies[:, 2:, 2]
    slopes = homographies[:, :2, :2] - middles[:, :, None] * homographies[:, 2:, :2]
    return np.asarray(slopes / homographies[:, 2:, 2:] / HALF, np.float64)


def in_modules(blur: Blur, homographies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the blur as each label sees it, n x 2 x 2, in square modules."""
    back = np.linalg.inv(shapes_of(homographies))
    return np.asarray(back @ blur @ back.transpose(0, 2, 1), np.float64)


def within_reason(blur: Blur) -> Blur:
    """Return the nearest blur that a camera may have."""
    sizes, directions = np.linalg.eigh((blur + blur.T) / 2)
    return np.asarray((directions * sizes.clip(LEAST, MOST)) @ directions.T, np.float64)
