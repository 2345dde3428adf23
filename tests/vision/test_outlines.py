"""Light patches that dark ones enclose: which are quadrilaterals, and where their sides run."""

import cv2
import numpy as np
import pytest

from companion.vision.deck.outlines import outlines_in
from companion.vision.label.sighting import Grey

SQUARE = np.array([(60.3, 41.2), (98.1, 52.4), (87.7, 89.9), (49.6, 79.0)], np.float32)


def dark_round(*shapes: np.ndarray) -> Grey:
    """A dark picture with light shapes in it, each within a light ground round its dark frame."""
    large = np.zeros((150 * 8, 200 * 8), np.uint8)
    for shape in shapes:
        cv2.fillPoly(large, [np.rint((shape + 0.5) * 8).astype(np.int32)], 255)
    light = cv2.resize(large, (200, 150), interpolation=cv2.INTER_AREA) > 127
    return np.where(light, 0, 255).astype(np.uint8)


def test_the_sides_of_a_square_are_told_to_a_fraction_of_a_pixel_and_run_clockwise() -> None:
    (outline,) = outlines_in(dark_round(SQUARE))

    quad = outline.quad()

    first = int(np.hypot(*(quad - SQUARE[0]).T).argmin())
    assert np.abs(np.roll(quad, -first, axis=0) - SQUARE).max() < 0.6


def test_dark_specks_within_a_square_change_nothing() -> None:
    dark = dark_round(SQUARE)
    dark[60:70, 68:76] = 255

    assert len(outlines_in(dark)) == 1


@pytest.mark.parametrize(
    "shape",
    [
        np.array([(20, 20), (30, 20), (30, 30), (20, 30)]),
        np.array([(20, 20), (190, 20), (190, 140), (20, 140)]),
        np.array([(20, 20), (120, 20), (120, 40), (20, 40)]),
        np.array([(20, 20), (80, 20), (50, 80)]),
        np.array([(20, 20), (80, 20), (80, 80), (70, 80), (70, 30), (30, 30), (30, 80), (20, 80)]),
    ],
    ids=["small", "large", "long", "triangle", "arch"],
)
def test_what_is_no_square_of_a_likely_size_is_left_out(shape: np.ndarray) -> None:
    found = outlines_in(dark_round(shape.astype(np.float32)))

    assert not found


def test_in_a_reduced_picture_smaller_squares_count() -> None:
    small = (SQUARE - SQUARE.mean(axis=0)) * 0.3 + 50

    assert not outlines_in(dark_round(small))
    assert len(outlines_in(dark_round(small), reduced=2)) == 1


def test_a_picture_without_anything_light_has_no_outlines() -> None:
    assert outlines_in(np.full((40, 50), 255, np.uint8)) == []
