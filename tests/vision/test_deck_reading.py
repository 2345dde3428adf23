"""Labels that no reader decodes, told apart by the deck they belong to."""

import cv2
import numpy as np
import pytest

from companion.vision.burst import averaged, offset_between
from companion.vision.deck_grids import grids_of
from companion.vision.deck_read import confidence_of, corners_of, flattened, read_deck
from companion.vision.fit import best_turn, fit, from_quads
from companion.vision.label import STANDARD_LABEL, draw_label
from companion.vision.label_frames import dark_parts, quads_in
from companion.vision.lie import lie_of
from companion.vision.match import match
from companion.vision.read import read_codes
from companion.vision.seek import likely_places, seek
from companion.vision.shared_pattern import HALF, data_mask, shared_pattern
from companion.vision.sighting import Grey
from companion.vision.tag import Deck

CARDS = [f"W{number:02}" for number in range(1, 41)] + [f"C{number:02}" for number in range(1, 13)]
DECK = Deck("MB", frozenset(CARDS))
RUNS = frozenset({1})
PIXELS_A_MM = 1.85


def small_table(*texts: str, blur: float = 0.9, noise: float = 4, seed: int = 0) -> tuple[Grey, list[np.ndarray]]:
    """Labels on a grey table at 1.85 pixels a millimetre, each turned otherwise; and the corners of their symbols."""
    random = np.random.default_rng(seed)
    table = np.full((120, 110 * max(1, len(texts))), 120, np.float32)
    truth = []
    for number, text in enumerate(texts):
        label = draw_label(text, text[3:], 20.0).astype(np.float32) * 0.7 + 20
        angle = 25 + 67 * number
        turn = cv2.getRotationMatrix2D((250, 250), angle, PIXELS_A_MM / 20)
        turn[:, 2] += np.array([55 + 110 * number, 60]) - 250
        place = (table.shape[1], table.shape[0])
        fine = cv2.GaussianBlur(label, (0, 0), 4)
        shown = cv2.warpAffine(fine, turn, place)
        cover = cv2.warpAffine(np.ones_like(label), turn, place)
        table = table * (1 - cover) + shown * cover
        x, y, side = (measure * 20 for measure in STANDARD_LABEL.symbol_mm)
        corners = np.array([(x, y), (x + side, y), (x + side, y + side), (x, y + side)]) - 0.5
        truth.append(corners @ turn[:, :2].T + turn[:, 2] + 0.5)
    soft = cv2.GaussianBlur(table, (0, 0), blur) + random.normal(0, noise, table.shape)
    return np.clip(soft, 0, 255).astype(np.uint8), truth


def test_blurred_labels_are_matched_where_they_lie_and_the_right_way_round() -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11")

    seen = {sighting.text: sighting for sighting in read_deck(picture, DECK, RUNS).sightings}

    assert set(seen) == {"MB1W07", "MB1W08", "MB1C11"}
    for text, corners in zip(("MB1W07", "MB1W08", "MB1C11"), truth, strict=True):
        assert np.abs(np.array(seen[text].corners) - corners).max() < 0.8
        assert seen[text].how == "matched"
        assert seen[text].confidence > 0.9


@pytest.mark.parametrize("seed", range(4))
def test_a_card_that_is_not_in_the_deck_is_never_taken_for_another(seed: int) -> None:
    picture, _ = small_table("MB1W07", "MB2C05", "XY1W01", blur=0.7 + 0.2 * seed, noise=3 + seed, seed=seed)
    without = Deck("MB", DECK.cards - {"W07"})

    assert read_deck(picture, without, RUNS).sightings == ()


def test_noise_and_stripes_hold_no_label() -> None:
    random = np.random.default_rng(1)
    noise = random.integers(0, 255, (300, 400)).astype(np.uint8)
    stripes = np.tile((np.arange(400) // 5 % 2 * 200).astype(np.uint8), (300, 1))
    squares = np.kron(random.integers(0, 2, (30, 40)), np.ones((10, 10))).astype(np.uint8) * 200

    for picture in (noise, stripes, squares, np.zeros((300, 400), np.uint8)):
        assert read_deck(np.ascontiguousarray(picture), DECK, RUNS).sightings == ()


def test_a_label_of_another_print_run_is_decoded_once_it_is_flattened() -> None:
    picture, _ = small_table("MB3W07", blur=0.4, noise=2)

    assert [seen.text for seen in read_codes(picture, "frame", DECK)] == ["MB3W07"]
    unknown = read_deck(picture, DECK, RUNS).unknown[0]
    assert [seen.text for seen in read_codes(flattened(picture, unknown))] == ["MB3W07"]


def test_a_frame_is_found_by_its_inner_edge() -> None:
    picture, (corners,) = small_table("MB1W07")

    quads = quads_in(dark_parts(picture))

    middles = quads.mean(axis=1) + 0.5
    assert np.abs(middles - corners.mean(axis=0)).max(axis=1).min() < 1


def test_corners_that_are_a_pixel_off_are_put_right() -> None:
    picture, (corners,) = small_table("MB1W07")
    off = corners - 0.5 + np.array([(1, -1), (-1, 0.5), (0, 1), (1, 1)])

    placed, fits = fit(picture, from_quads(off.astype(np.float32)[None], HALF))

    assert np.abs(np.array(corners_of(placed[0])) - corners).max() < 0.6
    assert fits[0] > 0.85


@pytest.mark.parametrize("quarter", range(4))
def test_finder_patterns_tell_which_way_up_a_label_lies(quarter: int) -> None:
    picture, (corners,) = small_table("MB1W07")
    turned = np.roll(corners - 0.5, quarter, axis=0).astype(np.float32)

    (placed,), _ = best_turn(picture, from_quads(turned[None], HALF))

    assert np.abs(np.array(corners_of(placed)) - corners).max() < 0.1


def test_a_fitted_label_looks_most_like_its_own_text() -> None:
    picture, (corners,) = small_table("MB1W07")
    grids = grids_of(DECK, RUNS)

    matched = match(picture, from_quads((corners - 0.5).astype(np.float32)[None], HALF), grids)

    assert grids.texts[matched.best[0]] == "MB1W07"
    assert matched.score[0] > 0.9
    assert matched.margin[0] > 0.3


def test_labels_that_are_known_tell_where_another_lies() -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11")
    known = from_quads(np.array(truth[:2], np.float32) - 0.5, HALF)
    lie = lie_of(known)
    assert lie is not None

    places = likely_places(picture, lie, known[:, :2, 2], 5)
    found, likeness = seek(picture, places, lie)

    assert np.abs(found[:, :2, 2] + 0.5 - truth[2].mean(axis=0)).max(axis=1).min() < 2
    assert likeness.max() > 0.5


def test_without_labels_nothing_is_known_of_the_table() -> None:
    assert lie_of(np.empty((0, 3, 3))) is None


def test_what_all_labels_share_leaves_the_data_out() -> None:
    assert data_mask().sum() == 239
    assert shared_pattern().light.shape == (len(shared_pattern().places),)


def test_confidence_grows_with_the_margin() -> None:
    assert 0 < confidence_of(0.05) < 0.1
    assert 0.9 < confidence_of(0.2) < confidence_of(0.4) <= 1


def test_frames_are_laid_on_each_other_before_they_are_averaged() -> None:
    still, _ = small_table("MB1W07", "MB1W08", noise=0)
    moved = np.roll(still, (3, -2), (0, 1))
    random = np.random.default_rng(2)
    first, last = (np.clip(one + random.normal(0, 12, one.shape), 0, 255).astype(np.uint8) for one in (moved, still))

    assert offset_between(last, first) == pytest.approx((-2, 3), abs=0.8)
    mean = averaged([first, last])
    inner = (slice(10, -10), slice(10, -10))
    assert np.abs(mean[inner].astype(float) - still[inner]).std() < 10


def test_a_frame_of_another_size_is_left_out_and_no_frames_have_no_mean() -> None:
    one = np.full((100, 120), 90, np.uint8)

    assert (averaged([np.zeros((50, 50), np.uint8), one]) == one).all()
    with pytest.raises(ValueError, match="no frames"):
        averaged([])
