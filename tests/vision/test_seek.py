"""The flattened table against the pattern of all labels."""

import cv2
import numpy as np
import pytest

from companion.vision.deck.flat_table import softened
from companion.vision.deck.lie import Lie, lie_of
from companion.vision.deck.seek import likeness, spread
from companion.vision.label.place import from_quads
from companion.vision.label.shared_pattern import HALF
from companion.vision.label.turning_pattern import pattern_parts
from tests.vision.small_tables import small_table


def test_the_spectra_of_the_pattern_give_the_same_as_its_samples() -> None:
    flat = np.random.default_rng(3).normal(0, 10, (150, 240)).astype(np.float32)
    even, cos, sin = (cv2.filter2D(flat, -1, part, borderType=cv2.BORDER_CONSTANT) for part in pattern_parts())

    like = likeness(flat)

    assert like == pytest.approx((even + 2 * np.hypot(cos, sin)) / spread(flat), abs=0.01)


def test_where_the_table_is_out_of_view_nothing_is_like_a_label() -> None:
    flat = np.zeros((150, 400), np.float32)
    flat[:, :60] = np.random.default_rng(3).normal(0, 10, (150, 60))

    assert not likeness(flat)[:, 130:].any()


@pytest.mark.parametrize(("scale", "reduced"), [(1.0, 1), (1.9, 1), (2.6, 2), (5.0, 4)])
def test_a_picture_is_reduced_as_far_as_samples_are_apart_and_its_pixels_are_found_again(
    scale: float, reduced: int
) -> None:
    part = np.zeros((90, 121), np.uint8)
    part[40:48, 64:72] = 255

    soft, onto = softened(part, scale)

    assert soft.shape == (90 // reduced, 121 // reduced)
    rows, columns = np.indices(soft.shape)
    middle = np.array([(soft * columns).sum(), (soft * rows).sum(), soft.sum()], np.float64) / soft.sum()
    assert (onto @ middle)[:2] == pytest.approx((67.5, 43.5), abs=0.6)


def table_of(*corners: np.ndarray) -> Lie:
    lie = lie_of(from_quads(np.array(corners, np.float32) - np.float32(0.5), HALF))
    assert lie is not None
    return lie


def test_lies_are_much_the_same_when_labels_that_lie_by_one_are_found_by_the_other() -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11")
    lie = table_of(*truth)

    assert lie.much_as(table_of(*truth[:2]), picture.shape)
    assert not lie.much_as(table_of(*(np.asarray(corners * 1.1) for corners in truth)), picture.shape)
    assert not lie.much_as(Lie(lie.to_table + np.array([(0, 0, 0), (0, 0, 0), (-1, 0, 0)])), picture.shape)
