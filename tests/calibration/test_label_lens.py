"""A lens is learnt from labels that lie there: nobody holds a board."""

import cv2
import numpy as np
import pytest

from calibration.fiducials import Points
from calibration.lens import MIN_LABELS, learn_lens, make_radial_lens
from tests.extent import by_night

WIDTH, HEIGHT = 1920, 1080
PIXELS_A_MM, SYMBOL_MM = 1.85, 18.0
CORNER = (60.0, 60.0)
"""Where lenses bend most."""


def labels(bends: float, count: int, seed: int, *, uneven: float = 0.01, span: float = 1.0) -> list[Points]:
    """Symbols on a table under a leaning camera, a quarter of a pixel off; each a little larger or smaller."""
    random = np.random.default_rng(seed)
    lens = make_radial_lens(bends, WIDTH, HEIGHT)
    axis = random.uniform(0, 2 * np.pi)
    lean = cv2.Rodrigues(np.array([np.cos(axis), np.sin(axis), 0]) * np.radians(random.uniform(0, 35)))[0]
    quads: list[Points] = []
    while len(quads) < count:
        turn = random.uniform(0, 2 * np.pi)
        side = SYMBOL_MM * (1 + random.normal(0, uneven)) / 2
        square = np.array([(-side, -side), (side, -side), (side, side), (-side, side)])
        square = square @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        square += random.uniform((-650 * span, -400 * span), (650 * span, 400 * span))
        deep = np.column_stack((square, np.zeros(4))) @ lean.T + (0, 0, WIDTH / PIXELS_A_MM)
        straight = deep[:, :2] / deep[:, 2:] * WIDTH + (WIDTH / 2, HEIGHT / 2)
        quad = np.array([lens.distort_point(*point) for point in straight]) + random.normal(0, 0.25, (4, 2))
        if quad.min() > 20 and quad[:, 0].max() < WIDTH - 20 and quad[:, 1].max() < HEIGHT - 20:
            quads.append(quad)
    return quads


@pytest.mark.parametrize("bends", [-0.15, -0.46, 0.1, *by_night(-0.1, -0.3)])
@pytest.mark.parametrize("count", [12, 24])
def test_labels_on_a_flat_table_tell_what_the_lens_bends(bends: float, count: int) -> None:
    for seed in range(6):
        lens = learn_lens(labels(bends, count, seed), WIDTH, HEIGHT)

        assert lens is not None
        true = make_radial_lens(bends, WIDTH, HEIGHT)
        assert np.hypot(*np.subtract(lens.undistort_point(*CORNER), true.undistort_point(*CORNER))) < 20


def test_a_lens_that_bends_nothing_is_not_told_to_bend() -> None:
    for seed in range(12):
        lens = learn_lens(labels(0.0, 16, seed), WIDTH, HEIGHT)
        assert lens is None or abs(lens.distortion[0]) < 0.03


def test_cards_that_lean_or_lie_on_a_stack_mislead_little() -> None:
    # given labels of which every sixth is seen a fifth larger, as on a high stack
    for seed in range(6):
        quads = labels(-0.15, 18, seed)
        raised = [
            quad if number % 6 else (quad - quad.mean(0)) * 1.2 + quad.mean(0) for number, quad in enumerate(quads)
        ]

        lens = learn_lens(raised, WIDTH, HEIGHT)

        assert lens is not None
        assert lens.distortion[0] == pytest.approx(-0.15, abs=0.04)


def test_few_labels_and_labels_in_the_middle_tell_nothing() -> None:
    assert learn_lens(labels(-0.3, MIN_LABELS - 1, 0), WIDTH, HEIGHT) is None
    assert learn_lens(labels(-0.3, 20, 0, span=0.3), WIDTH, HEIGHT) is None
