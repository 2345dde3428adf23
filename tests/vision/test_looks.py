"""Where labels may be: small ones and large ones, looked at until it is clear where their corners are."""

import cv2
import numpy as np
import pytest

from companion.qr.sighting import Corners, GreyPicture, Sighting
from companion.vision.deck.finder import MANY, locate_labels, measure_displacement, outside_known
from tests.vision.small_tables import small_table

SMALL = [f"MB1W{number:02}" for number in range(1, MANY + 3)]


def with_one(times: float) -> tuple[GreyPicture, list[np.ndarray]]:
    """Many small labels, and below them one so many times as large; the corners of all, that one's last."""
    above, truth = small_table(*SMALL)
    label, (corners,) = small_table("MB1C11")
    large = np.asarray(cv2.resize(label, None, fx=times, fy=times, interpolation=cv2.INTER_CUBIC), np.uint8)
    below = np.full((len(large), above.shape[1]), 120, np.uint8)
    below[:, : large.shape[1]] = large
    return np.vstack((above, below)), [*truth, corners * times + (0, len(above))]


def is_each_located(picture: GreyPicture, truth: list[np.ndarray]) -> list[bool]:
    """Return for each label whether some place has all of its corners, to a tenth of its side."""
    quads, likely, _ = locate_labels(picture, (0, 0, picture.shape[1], picture.shape[0]))
    sure = quads[likely > 0.5] + 0.5
    return [any(measure_displacement(quad[None], candidate[None])[0] < 0.1 for candidate in sure) for quad in truth]


@pytest.mark.parametrize("times", [1.0, 1.5, 2.0])
def test_a_label_up_to_twice_as_large_as_many_others_is_found_among_them(times: float) -> None:
    picture, truth = with_one(times)

    assert all(is_each_located(picture, truth))


def test_a_label_that_is_several_times_larger_is_found_where_few_others_are() -> None:
    label, (corners,) = small_table("MB1C11")
    large = np.asarray(cv2.resize(label, None, fx=5, fy=5, interpolation=cv2.INTER_CUBIC), np.uint8)

    assert is_each_located(large, [corners * 5]) == [True]


def test_how_far_corners_have_moved_does_not_depend_on_which_comes_first() -> None:
    square = np.array([[(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)]])

    for turn in range(4):
        assert measure_displacement(square, np.roll(square, turn, axis=1)) == pytest.approx([0])
        assert measure_displacement(square, np.roll(square + np.array([3, 4]), turn, axis=1)) == pytest.approx([5 / 40])


def test_where_a_label_is_known_none_is_looked_for_but_beside_it_one_is() -> None:
    picture, truth = small_table(*SMALL)
    sightings = [Sighting("known", corners_of_quad(quad)) for quad in truth[:3]]
    everywhere = (0, 0, picture.shape[1], picture.shape[0])

    quads, _, _ = locate_labels(picture, everywhere, sightings)

    mask = outside_known(quads, sightings)
    assert mask.all()
    assert is_each_located(picture, truth) == [True] * len(truth)
    sought = [
        any(measure_displacement(quad[None], candidate[None] + 0.5)[0] < 0.1 for candidate in quads) for quad in truth
    ]
    assert sought == [False] * 3 + [True] * (len(truth) - 3)


def corners_of_quad(quad: np.ndarray) -> Corners:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return a, b, c, d
