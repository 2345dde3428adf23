"""Stillness of a place: noise is no movement, a hand is."""

import cv2
import numpy as np
import pytest

from companion.qr.sighting import Picture, Sighting
from companion.vision.label.label import draw_label
from companion.vision.tracking.tracker import Ground, bounding_box, is_still

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


DRAWN = draw_label("MB1W07", "W07", 4.0)
LABEL = cv2.resize(DRAWN, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
PLACE = (88, 88, 88 + LABEL.shape[1], 88 + LABEL.shape[0])


def table(level: int, *, label: bool, blur: int = 1, seed: int = 1) -> Picture:
    """A table of that grey level, with a label on it or not, seen out of focus by so many pixels."""
    picture = np.full((240, 320), 120, np.float32)
    picture += np.random.default_rng(7).normal(0, 20, picture.shape)
    if label:
        picture[88 : 88 + LABEL.shape[0], 88 : 88 + LABEL.shape[1]] = LABEL
    picture = cv2.blur(picture, (blur, blur)) * (level / 120)
    return np.clip(picture + np.random.default_rng(seed).normal(0, 3, picture.shape), 0, 255).astype(np.uint8)


def seen(*pictures: Picture) -> Ground:
    """Remember these pictures, each of which is seen for a second and a half."""
    ground = Ground()
    for number in range(15 * len(pictures)):
        ground.observe(number * 100, pictures[number // 15])
    return ground


def test_a_place_was_bare_before_a_label_was_laid_there() -> None:
    ground = seen(table(120, label=False), table(120, label=True, seed=2))

    assert ground.was_bare(PLACE)
    assert not ground.was_bare((200, 88, 240, 128)), "nothing was laid there"


def test_a_label_that_lay_there_is_told_from_one_that_was_laid_though_it_can_be_read_later_only() -> None:
    # given a camera that begins dark, then out of focus, or in other light
    for first in (table(1, label=True), table(120, label=True, blur=7), table(105, label=True), table(60, label=True)):
        ground = seen(first, table(120, label=True, seed=2))
        assert not ground.was_bare(PLACE)


def test_what_a_hand_moves_over_is_not_seen_bare() -> None:
    ground = Ground()
    for number in range(20):
        hand = table(120, label=True)
        hand[60:180, 60:180] = 40 + 60 * (number % 2)
        ground.observe(number * 100, hand)

    ground.observe(2000, table(120, label=True))

    assert not ground.was_bare(PLACE)


def test_what_was_seen_before_a_new_start_does_not_count() -> None:
    ground = seen(table(120, label=False), table(120, label=True))

    ground.restart()

    assert not ground.was_bare(PLACE)
