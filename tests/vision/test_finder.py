"""Labels are found, at any angle, before anybody knows what they say."""

import threading

import cv2
import numpy as np
import pytest

from companion.vision.deck.finder import decode_boxes, detect_candidates, encode_boxes, refine_candidates, side_lengths
from tests.vision.small_tables import small_table


def square(x: float, y: float, side: float, degrees: float, squeezed: float = 1.0) -> np.ndarray:
    """A quadrilateral about a place, turned, and squeezed across the picture."""
    angle = np.radians(degrees)
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side / 2
    return np.asarray(corners @ turn.T * (squeezed, 1) + (x, y))


@pytest.mark.parametrize("degrees", [0, 17, 44, 89, 133, 250])
@pytest.mark.parametrize("squeezed", [0.7, 1.0])
def test_a_shape_is_the_same_however_often_it_is_turned_by_a_quarter(degrees: float, squeezed: float) -> None:
    quads = np.array([square(30, 40, 36, degrees + 90 * quarter, squeezed) for quarter in range(4)])

    middles, shapes = encode_boxes(quads)
    again = decode_boxes(middles, shapes)

    assert np.abs(shapes - shapes[0]).max() < 1e-9
    assert np.abs(middles - (30, 40)).max() < 1e-9
    for quad in again:
        assert min(np.abs(np.roll(quad, turn, axis=0) - quads[0]).max() for turn in range(4)) < 1e-6
    assert side_lengths(again) == pytest.approx(36 * squeezed**0.5)


def test_labels_are_found_where_they_lie_and_the_right_way_up() -> None:
    picture, truth = small_table("MB1W07", "QX4Z88", "MB1C11", "MB1W21")

    candidates = detect_candidates(picture, 20, 0.3)
    quads, likely, _ = refine_candidates(picture, candidates.quads)

    assert (np.diff(candidates.probabilities) <= 0).all()
    for corners in truth:
        nearest = np.hypot(*(quads.mean(axis=1) + 0.5 - corners.mean(axis=0)).T).argmin()
        assert np.abs(quads[nearest] + 0.5 - corners).max() < 2.5
        assert likely[nearest] > 0.9


@pytest.mark.parametrize("quarter", range(4))
def test_a_second_look_mends_what_a_first_one_saw_amiss(quarter: int) -> None:
    picture, (corners,) = small_table("MB1W07", blur=0.6, noise=2)
    x, y = corners.mean(axis=0) - 0.5
    amiss = square(x + 2, y - 1.5, 38, 90 * quarter - 25 + 6)

    quads, likely, _ = refine_candidates(picture, refine_candidates(picture, amiss[None])[0])

    assert np.abs(quads[0] + 0.5 - corners).max() < 2
    assert likely[0] > 0.9


def test_no_more_places_are_told_than_were_asked_for_and_none_twice() -> None:
    picture, _ = small_table("MB1W07", "MB1W08", "MB1C11", "MB1W21")

    assert len(detect_candidates(picture, 2, 0.1).quads) == 2
    middles = detect_candidates(picture, 50, 0.05).quads.mean(axis=1)
    apart = np.hypot(*(middles[:, None] - middles).transpose(2, 0, 1)) + np.eye(len(middles)) * 99
    assert apart.min() > 15


def test_noise_an_even_table_and_nothing_at_all_hold_no_label() -> None:
    random = np.random.default_rng(1)
    noise = random.integers(0, 255, (300, 400)).astype(np.uint8)
    for picture in (noise, np.full((300, 400), 90, np.uint8), np.zeros((1, 1), np.uint8), np.zeros((40, 7), np.uint8)):
        assert not len(detect_candidates(picture, 20, 0.5).quads)
    quads, likely, _ = refine_candidates(noise, np.empty((0, 4, 2)))
    assert quads.shape == (0, 4, 2)
    assert likely.shape == (0,)


def test_a_strangers_code_is_no_label() -> None:
    picture, _ = small_table()
    stranger = np.kron(np.random.default_rng(3).integers(0, 2, (25, 25)), np.ones((2, 2))).astype(np.uint8) * 200
    large = np.asarray(cv2.copyMakeBorder(picture, 40, 0, 40, 40, cv2.BORDER_REPLICATE), np.uint8)
    large[50:100, 50:100] = stranger

    quads, likely, _ = refine_candidates(large, detect_candidates(large, 20, 0.05).quads)

    assert (likely < 0.5).all(), quads


def test_several_threads_may_look_at_once_and_see_the_same() -> None:
    picture, _ = small_table("MB1W07", "MB1W08", "MB1C11")
    alone = detect_candidates(picture, 20, 0.1).quads
    seen: list[np.ndarray] = []

    def detect() -> None:
        seen.extend(refine_candidates(picture, detect_candidates(picture, 20, 0.1).quads)[0] for _ in range(5))

    threads = [threading.Thread(target=detect) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    expected, _, _ = refine_candidates(picture, alone)
    assert len(seen) == 20
    assert all(result.shape == expected.shape and np.abs(result - expected).max() < 1e-3 for result in seen)
