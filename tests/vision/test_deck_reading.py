"""Labels that no reader decodes, told apart by the deck they belong to."""

import cv2
import numpy as np
import pytest

from companion.vision.deck.belief import confidence, sure
from companion.vision.deck.candidates import Fitted
from companion.vision.deck.deck_read import read_deck
from companion.vision.label.deck_grids import grids_of
from companion.vision.label.fit import Fit
from companion.vision.label.match import Match
from companion.vision.label.place import corners_of, flattened, from_sightings
from companion.vision.label.shared_pattern import data_mask
from companion.vision.label.sighting import Sighting
from companion.vision.label.tag import Deck
from companion.vision.open.burst import averaged, offset_between
from companion.vision.open.prepare import prepare
from companion.vision.open.read import read_codes
from tests.vision.small_tables import DECK, RUNS, small_table


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


@pytest.mark.parametrize("size", [2.2, 3.6, 5.0])
def test_a_large_label_is_read_too(size: float) -> None:
    picture, (corners, *_) = small_table("MB1W07", "XY1W01")
    large = np.asarray(cv2.resize(picture, None, fx=size, fy=size, interpolation=cv2.INTER_CUBIC), np.uint8)

    (seen,) = read_deck(large, DECK, RUNS).sightings

    assert seen.text == "MB1W07"
    assert np.abs(np.array(seen.corners) - corners * size).max() < size


@pytest.mark.parametrize("left_of_the_middle", [4, 8, 12])
def test_labels_in_a_row_are_read_and_one_cut_in_two_by_the_edge_with_them(left_of_the_middle: int) -> None:
    texts = ["MB1W07", "MB1W08", "MB1C11", "MB1W21", "MB1W30", "MB1C02"]
    picture, truth = small_table(*texts, noise=2)
    cut = int(truth[0].mean(axis=0)[0]) - left_of_the_middle

    seen = {sighting.text for sighting in read_deck(np.ascontiguousarray(picture[:, cut:]), DECK, RUNS).sightings}

    assert seen == set(texts)


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


def test_symbols_that_a_reader_decoded_tell_where_they_are() -> None:
    _, (corners,) = small_table("MB1W07")
    a, b, c, d = ((float(x), float(y)) for x, y in corners)

    (homography,) = from_sightings((Sighting("MB1W07", (a, b, c, d)),))

    assert np.array(corners_of(homography)) == pytest.approx(corners, abs=1e-3)


def test_a_deck_is_prepared_once() -> None:
    deck = Deck("MB", frozenset({"W01", "C01"}))

    prepare(deck)
    before = grids_of.cache_info().misses
    prepare(deck)

    assert grids_of(deck, RUNS).texts == ("MB1C01", "MB1W01")
    assert grids_of.cache_info().misses == before


def test_what_all_labels_share_leaves_the_data_out() -> None:
    assert data_mask().sum() == 239


def labels_that_show(margin: float, fit: float, surprise: float, lead: float = 12.0, likely: float = 0.99) -> Fitted:
    """One label that was fitted and matched so well."""
    one = np.ones(1, np.float32)
    found = Fit(np.eye(3)[None] * 20, one * np.float32(fit), one * 50, one * 4)
    matched = Match(np.zeros(1, np.intp), *(one * np.float32(value) for value in (margin, 1, surprise, lead)))
    return Fitted(found, matched, one * np.float32(likely))


def test_confidence_grows_with_the_lead_and_falls_with_what_is_left_unexplained() -> None:
    clear, doubtful, another, strange = (
        float(confidence(labels_that_show(*shown))[0])
        for shown in ((1.0, 0.95, 1.0, 15), (0.7, 0.75, 1.1, 6), (0.3, 0.9, 4.0, 2), (0.9, 0.9, 9.0, 4))
    )

    assert clear > 0.999 > doubtful > 0.9
    assert another < 0.1
    assert strange < 0.8


def test_what_hardly_looked_like_a_label_at_a_closer_look_is_believed_less() -> None:
    seen, hardly = (float(confidence(labels_that_show(0.7, 0.6, 1.1, 5.5, likely))[0]) for likely in (0.999, 0.1))
    assert seen > hardly + 0.02


@pytest.mark.parametrize("shown", [(0.2, 1.0, 0.1, 30), (1.4, 0.3, 0.1, 30)])
def test_a_lead_too_small_or_what_is_hardly_a_label_is_never_believed(shown: tuple[float, float, float, float]) -> None:
    label = labels_that_show(*shown)

    assert confidence(label)[0] > 0.99
    assert not sure(label)[0]


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
