"""Labels that no reader decodes, told apart by the deck they belong to."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.qr.sighting import Sighting
from companion.vision.label.match import MAX_RIVAL_NUMBER, LabelFits, Matches, build_grids, rival_cards
from companion.vision.label.pattern import corners_of, data_mask, homographies_from_sightings, rectify_label
from companion.vision.label.tag import Deck
from companion.vision.read import MatchedLabels, compute_confidence, is_certain, prepare_deck, read_codes, read_deck
from companion.vision.tracking.reader import MAX_SUMMED, FrameSum, average_frames, estimate_offset
from tests.vision.small_tables import DECK, RUNS, small_table


def test_blurred_labels_are_matched_where_they_lie_and_the_right_way_round() -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11")

    seen = {sighting.text: sighting for sighting in read_deck(picture, DECK, RUNS).sightings}

    assert set(seen) == {"MB1W07", "MB1W08", "MB1C11"}
    for text, corners in zip(("MB1W07", "MB1W08", "MB1C11"), truth, strict=True):
        assert np.abs(np.array(seen[text].corners) - corners).max() < 0.8
        assert seen[text].method == "matched"
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
    checkerboard = np.kron(random.integers(0, 2, (30, 40)), np.ones((10, 10))).astype(np.uint8) * 200

    for picture in (noise, stripes, checkerboard, np.zeros((300, 400), np.uint8)):
        assert read_deck(np.ascontiguousarray(picture), DECK, RUNS).sightings == ()


def test_a_label_of_another_print_run_is_decoded_once_it_is_rectified() -> None:
    picture, _ = small_table("MB3W07", blur=0.4, noise=2)

    assert [seen.text for seen in read_codes(picture, "frame", DECK)] == ["MB3W07"]
    unknown = read_deck(picture, DECK, RUNS).unknown[0]
    assert [seen.text for seen in read_codes(rectify_label(picture, unknown))] == ["MB3W07"]


def test_symbols_that_a_reader_decoded_tell_where_they_are() -> None:
    _, (corners,) = small_table("MB1W07")
    a, b, c, d = ((float(x), float(y)) for x, y in corners)

    (homography,) = homographies_from_sightings((Sighting("MB1W07", (a, b, c, d)),))

    assert np.array(corners_of(homography)) == pytest.approx(corners, abs=1e-3)


def test_a_deck_is_prepared_once() -> None:
    deck = Deck("MB", frozenset({"W01", "C01"}))

    prepare_deck(deck)
    before = build_grids.cache_info().misses
    prepare_deck(deck)

    grids = build_grids(deck, RUNS)
    assert [text for text, own in zip(grids.texts, grids.in_deck, strict=True) if own] == ["MB1C01", "MB1W01"]
    assert build_grids.cache_info().misses == before


def test_cards_of_the_same_game_that_the_deck_lacks_are_its_rivals() -> None:
    cards = frozenset({"W01", "W12", "C03", "X01", "odd", "A007"})

    rivals = rival_cards(cards)

    assert {"W02", "W11", "C01", "C12", "X05", "A001", "A012"} <= rivals
    assert not rivals & (cards | {"W00", "W13", "C13", "A01", "odd"})
    assert rival_cards(()) == rival_cards({"odd"}) == frozenset()
    assert len(rival_cards({"W99", "W01"})) == MAX_RIVAL_NUMBER - 1


def test_a_label_that_the_deck_lacks_is_known_for_its_rival_and_never_believed() -> None:
    # given a deck of which half is missing, and labels of both halves
    half = Deck("MB", frozenset(sorted(DECK.cards)[::2]))
    own, lacking = sorted(half.cards)[:6], sorted(DECK.cards - half.cards)[:6]
    for number, (own_card, there) in enumerate(zip(own, lacking, strict=True)):
        picture, _ = small_table(f"MB1{own_card}", f"MB1{there}", blur=1.2, noise=4, seed=number)

        # then what it has is read, and of the others nothing is told
        assert [seen.text for seen in read_codes(picture, "frame", half)] == [f"MB1{own_card}"]


def test_what_all_labels_share_leaves_the_data_out() -> None:
    assert data_mask().sum() == 239


def labels_that_show(
    *,
    margin: float = 0.9,
    correlation: float = 0.8,
    residual_ratio: float = 1.0,
    margin_sigma: float = 9.0,
    z_score: float = 3.6,
    energy: float = 1.0,
) -> MatchedLabels:
    """Return one label that was fitted and matched so well."""
    unit = np.ones(1, np.float32)
    fits = LabelFits(np.eye(3)[None] * 20, unit * np.float32(correlation), unit * 50, unit * 4)
    figures = {
        "margin": margin,
        "amplitude": 1.0,
        "residual_ratio": residual_ratio,
        "margin_sigma": margin_sigma,
        "z_score": z_score,
        "energy": energy,
    }
    columns = {name: unit * np.float32(value) for name, value in figures.items()}
    matches = Matches(best=np.zeros(1, np.intp), in_deck=np.ones(1, np.bool_), **columns)
    return MatchedLabels(fits, matches, unit * np.float32(0.99))


def confidence_of(label: MatchedLabels) -> float:
    return float(compute_confidence(label)[0])


def test_confidence_grows_with_the_lead_and_falls_with_what_is_left_unexplained() -> None:
    clear, doubtful = (confidence_of(labels_that_show(margin_sigma=lead, correlation=0.5)) for lead in (15, 4))
    another = confidence_of(labels_that_show(margin_sigma=2, residual_ratio=4, z_score=2.5))

    assert clear > 0.99 > doubtful > 0.5
    assert another < 0.1


def test_what_any_text_looks_like_and_what_looks_like_anything_is_believed_less() -> None:
    plain, with_low_z_score, with_high_energy = (
        confidence_of(labels_that_show(margin_sigma=5, correlation=0.5, **other))
        for other in ({}, {"z_score": 2.6}, {"energy": 1.7})
    )

    assert plain > with_low_z_score + 0.2
    assert plain > with_high_energy + 0.2


def test_what_hardly_looked_like_a_label_at_a_closer_look_is_believed_less() -> None:
    seen = labels_that_show(margin_sigma=5, correlation=0.5)
    hardly = MatchedLabels(seen.fits, seen.matches, np.full(1, 0.1, np.float32))

    assert confidence_of(seen) > confidence_of(hardly) + 0.02


@pytest.mark.parametrize(
    "label",
    [
        labels_that_show(margin=0.2, correlation=1.0, residual_ratio=0.1, margin_sigma=30, z_score=5),
        labels_that_show(margin=1.4, correlation=0.3, residual_ratio=0.1, margin_sigma=30, z_score=5),
        labels_that_show(margin=1.4, correlation=1.0, residual_ratio=0.1, margin_sigma=2.9, z_score=5),
    ],
)
def test_a_lead_too_small_or_what_is_hardly_a_label_is_never_accepted(label: MatchedLabels) -> None:
    assert confidence_of(label) > 0.99
    assert not is_certain(label)[0]


def test_a_rival_is_never_accepted_however_clear() -> None:
    clear = labels_that_show(margin_sigma=30, z_score=5)
    rival = MatchedLabels(clear.fits, replace(clear.matches, in_deck=np.zeros(1, np.bool_)), clear.presence)

    assert is_certain(clear)[0]
    assert not is_certain(rival)[0]


def test_frames_are_laid_on_each_other_before_they_are_averaged() -> None:
    still, _ = small_table("MB1W07", "MB1W08", noise=0)
    moved = np.roll(still, (3, -2), (0, 1))
    random = np.random.default_rng(2)
    first, last = (
        np.clip(frame + random.normal(0, 12, frame.shape), 0, 255).astype(np.uint8) for frame in (moved, still)
    )

    assert estimate_offset(last, first) == pytest.approx((-2, 3), abs=0.8)
    mean = average_frames(last, [first])
    inner = (slice(10, -10), slice(10, -10))
    assert np.abs(mean[inner].astype(float) - still[inner]).std() < 10


def test_a_frame_of_another_size_is_left_out_of_the_mean() -> None:
    frame = np.full((100, 120), 90, np.uint8)

    assert (average_frames(frame, [np.zeros((50, 50), np.uint8)]) == frame).all()


def test_the_mean_of_any_number_of_frames_is_rounded_as_that_of_their_sum() -> None:
    frames = np.random.default_rng(3).integers(0, 256, (300, 30, 40), np.uint8)

    total = FrameSum(frames[0])
    means = [total.compute_mean()]
    for frame in frames[1:]:
        total.add(frame)
        means.append(total.compute_mean())

    assert all((means[number - 1] == np.rint(frames[:number].mean(axis=0))).all() for number in (1, 2, 7, 257))
    assert (means[-1] == means[MAX_SUMMED - 1]).all()
