"""Stillness of a place: noise is no movement, a hand is."""

import numpy as np
import pytest

from companion.qr.sighting import Picture, Sighting
from companion.vision.tracking.tracker import bounding_box, is_still

BOX = (40, 40, 80, 90)


def picture(seed: int, colours: int | None = None) -> Picture:
    shape = (120, 160) if colours is None else (120, 160, colours)
    return np.clip(np.random.default_rng(seed).normal(120, 9, shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("colours", [None, 3])
def test_noise_is_no_movement_and_a_hand_is(colours: int | None) -> None:
    before, now = picture(1, colours), picture(2, colours)
    assert is_still(before, now, BOX)

    now[60:90, 50:80] = 170

    assert not is_still(before, now, BOX)
    assert is_still(before, now, (100, 10, 140, 30)), "elsewhere nothing moves"


def test_what_is_not_wholly_in_view_is_not_still() -> None:
    frame = picture(1)

    assert not is_still(frame, frame, (-1, 0, 20, 20))
    assert not is_still(frame, frame, (150, 0, 170, 20))
    assert not is_still(frame, frame[:100], BOX)


def test_the_place_of_a_symbol_is_the_box_round_it() -> None:
    assert bounding_box(Sighting("MB1W07", ((10.4, 5.0), (30.0, 7.2), (28.0, 27.9), (8.0, 25.0)))) == (8, 5, 31, 28)
