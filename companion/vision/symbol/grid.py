"""The N x N modules of a symbol as places to be looked at."""

import numpy as np

from companion.vision.symbol.mesh import Aim, Floats

WITHIN = np.array([(-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25)])
"""Where in a module it is looked at, in modules from its middle."""
LEAST_WEIGHT = 0.02
"""What counts less is not looked at."""
LEAST_CONTRAST = 4.0
"""Grey levels: where there is less, it is noise."""


def places(side: int) -> Floats:
    """Return where the middles of N x N modules lie, -1 to 1, column and row, row by row."""
    ticks = (np.arange(side) + 0.5) / side * 2 - 1
    across, down = np.meshgrid(ticks, ticks)
    return np.column_stack((across.ravel(), down.ravel()))


def place(row: Floats | float, column: Floats | float, side: int) -> Floats:
    """Return where modules lie, -1 to 1, column and row: n x 2."""
    return (np.column_stack((column, row)) + 0.5) / side * 2 - 1


def aim(tones: Floats, contrast: Floats, weights: Floats) -> Aim:
    """Return what is looked for, each N x N, at four places of each module; nothing where it has no weight."""
    side = len(tones)
    counts = weights.ravel() > LEAST_WEIGHT
    spots = (places(side)[counts][:, None] + WITHIN * 2 / side).reshape(-1, 2)
    told = (own.ravel()[counts] for own in (tones, np.maximum(contrast, LEAST_CONTRAST), weights))
    return Aim(spots, *(np.repeat(own, len(WITHIN)) for own in told))
