"""Labels that no reader decodes, told apart by the deck they belong to."""

import cv2
import numpy as np
import pytest

from companion.vision.belief import confidence, sure
from companion.vision.blur import USUAL
from companion.vision.burst import averaged, offset_between
from companion.vision.candidates import Fitted
from companion.vision.deck_grids import grids_of
from companion.vision.deck_read import read_deck
from companion.vision.fit import Fit, blur_of, fit
from companion.vision.label import STANDARD_LABEL, draw_label
from companion.vision.label_frames import CLEAR, QUICK, Darkness, frames_in
from companion.vision.label_model import AFFINE, ANY, RIGID
from companion.vision.lie import lie_of
from companion.vision.match import Match, match
from companion.vision.place import best_turn, corners_of, flattened, from_quads, from_sightings
from companion.vision.prepare import prepare
from companion.vision.read import read_codes
from companion.vision.seek import likely_places
from companion.vision.shared_pattern import HALF, data_mask, shared_pattern
from companion.vision.sighting import Grey, Sighting
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


@pytest.mark.parametrize("left_of_the_middle", [2, 5, 11])
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


@pytest.mark.parametrize("darkness", [CLEAR, QUICK])
def test_a_frame_is_found_by_its_inner_edge(darkness: Darkness) -> None:
    picture, (corners,) = small_table("MB1W07")

    quads = frames_in(picture, darkness)

    middles = quads.mean(axis=1) + 0.5
    assert np.abs(middles - corners.mean(axis=0)).max(axis=1).min() < 1.5


@pytest.mark.parametrize("freedom", [AFFINE, ANY])
def test_corners_that_are_a_pixel_off_are_put_right(freedom: int) -> None:
    picture, (corners,) = small_table("MB1W07")
    off = corners - 0.5 + np.array([(1, -1), (-1, 0.5), (0, 1), (1, 1)])

    found = fit(picture, from_quads(off.astype(np.float32)[None], HALF), freedom=freedom)

    assert np.abs(np.array(corners_of(found.homographies[0])) - corners).max() < 0.8
    assert found.fits[0] > 0.85


def test_a_label_that_is_moved_and_turned_is_put_right_without_changing_its_form() -> None:
    picture, (corners,) = small_table("MB1W07")
    true = from_quads((corners - 0.5).astype(np.float32)[None], HALF)
    angle = np.radians(4)
    off = np.array([(np.cos(angle), -np.sin(angle), 0.05), (np.sin(angle), np.cos(angle), -0.04), (0, 0, 1)])

    found = fit(picture, true @ (off * np.array([(1.05,), (1.05,), (1,)])), freedom=RIGID)

    assert np.abs(np.array(corners_of(found.homographies[0])) - corners).max() < 0.5
    assert found.fits[0] > 0.85


def test_a_fit_tells_contrast_and_noise() -> None:
    picture, (corners,) = small_table("MB1W07", noise=6)

    found = fit(picture, from_quads((corners - 0.5).astype(np.float32)[None], HALF))

    assert found.contrast[0] == pytest.approx(0.7 * 255, rel=0.1)
    assert 3 < found.noise[0] < 12


def test_a_label_cut_by_the_edge_is_fitted_by_what_is_seen_of_it() -> None:
    whole, (corners,) = small_table("MB1W07")
    cut = int(corners.mean(axis=0)[0]) - 3
    true = (corners - 0.5 - (cut, 0)).astype(np.float32)
    start = from_quads(np.asarray(true[None] + np.float32(0.6), np.float32), HALF)

    found = fit(np.ascontiguousarray(whole[:, cut:]), start)

    assert np.abs(np.array(corners_of(found.homographies[0])) - 0.5 - true).max() < 1
    assert found.fits[0] > 0.85


@pytest.mark.parametrize("blur", [0.7, 1.3])
def test_labels_tell_how_soft_a_picture_is(blur: float) -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11", blur=blur, noise=2)
    found = fit(picture, from_quads(np.array(truth, np.float32) - 0.5, HALF))

    told = blur_of(picture, found, blur_of(picture, found, USUAL))

    itself = (4 / 20 * PIXELS_A_MM) ** 2  # how the label was drawn, and the pixels it is seen through
    assert np.diag(told) == pytest.approx(blur**2 + itself + 1 / 6, rel=0.25)
    assert abs(told[0, 1]) < 0.25


@pytest.mark.parametrize("quarter", range(4))
def test_finder_patterns_tell_which_way_up_a_label_lies(quarter: int) -> None:
    picture, (corners,) = small_table("MB1W07")
    turned = np.roll(corners - 0.5, quarter, axis=0).astype(np.float32)

    (placed,), _ = best_turn(picture, from_quads(turned[None], HALF))

    assert np.abs(np.array(corners_of(placed)) - corners).max() < 0.1


@pytest.mark.parametrize("blur", [0.6, 1.4])
def test_a_fitted_label_looks_most_like_its_own_text(blur: float) -> None:
    picture, (corners,) = small_table("MB1W07", blur=blur, noise=2)
    grids = grids_of(DECK, RUNS)
    found = fit(picture, from_quads((corners - 0.5).astype(np.float32)[None], HALF))
    softness = blur_of(picture, found, blur_of(picture, found))

    matched = match(picture, found, grids, softness)

    assert grids.texts[matched.best[0]] == "MB1W07"
    assert 0.75 < matched.margin[0] < 1.5
    assert 0.75 < matched.share[0] < 1.5
    assert matched.surprise[0] < 2


def test_a_text_that_is_not_in_the_deck_leads_by_little_and_leaves_much_unexplained() -> None:
    picture, (corners,) = small_table("MB1W07", noise=2)
    found = fit(picture, from_quads((corners - 0.5).astype(np.float32)[None], HALF))
    without = grids_of(Deck("MB", DECK.cards - {"W07"}), RUNS)

    matched = match(picture, found, without, blur_of(picture, found))

    assert matched.margin[0] < 0.5
    assert matched.surprise[0] > 3


def test_with_one_card_in_the_deck_there_is_no_next_best() -> None:
    picture, (corners,) = small_table("MB1W07", noise=2)
    found = fit(picture, from_quads((corners - 0.5).astype(np.float32)[None], HALF))

    one, other = (
        match(picture, found, grids_of(Deck("MB", frozenset({card})), RUNS), USUAL) for card in ("W07", "C11")
    )

    assert one.margin[0] == one.share[0] > 0.8
    assert other.margin[0] < 0.5
    assert match(picture, found, grids_of(Deck("MB", frozenset()), RUNS), USUAL).margin[0] == 0


def test_labels_that_are_known_tell_where_another_lies_and_how_it_is_turned() -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11")
    known = from_quads(np.array(truth[:2], np.float32) - 0.5, HALF)
    lie = lie_of(known)
    assert lie is not None

    places = likely_places(picture, lie, known[:, :2, 2], 5)

    found = fit(picture, best_turn(picture, places)[0], freedom=AFFINE)
    best = found.homographies[found.fits.argmax()]
    assert np.abs(np.array(corners_of(best)) - truth[2]).max() < 1
    assert lie.strangeness(best[None])[0] < 0.06


def test_what_is_too_large_or_leans_otherwise_is_strange_on_a_table() -> None:
    _, truth = small_table("MB1W07", "MB1W08", "MB1C11")
    known = from_quads(np.array(truth, np.float32) - 0.5, HALF)
    lie = lie_of(known)
    assert lie is not None
    larger = known @ np.diag([1.3, 1.3, 1.0])
    narrower = known @ np.diag([0.8, 1.0, 1.0])

    assert lie.strangeness(known).max() < 0.02
    assert lie.strangeness(larger).min() > 0.2
    assert lie.strangeness(narrower).min() > 0.2


def test_where_the_lie_cannot_be_nothing_is_sought() -> None:
    picture, truth = small_table("MB1W07")
    square = np.array(truth, np.float32) - np.float32(0.5)
    tiny, large = (lie_of(from_quads(np.asarray(square * size, np.float32), HALF)) for size in (1 / 40, 40))
    assert tiny is not None
    assert large is not None
    horizon = type(large)(large.to_table + np.array([(0, 0, 0), (0, 0, 0), (-1, 0, 0)]))

    for lie in (tiny, large, horizon):
        assert not len(likely_places(picture, lie, np.empty((0, 2)), 5))


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


def test_without_labels_nothing_is_known_of_the_table() -> None:
    assert lie_of(np.empty((0, 3, 3))) is None


def test_what_all_labels_share_leaves_the_data_out() -> None:
    assert data_mask().sum() == 239
    assert shared_pattern().light.shape == (len(shared_pattern().places),)


def labels_that_show(margin: float, fit: float, surprise: float) -> Fitted:
    """One label that was fitted and matched so well."""
    one = np.ones(1, np.float32)
    found = Fit(np.eye(3)[None] * 20, one * np.float32(fit), one * 50, one * 4)
    return Fitted(found, Match(np.zeros(1, np.intp), one * np.float32(margin), one, one * np.float32(surprise)))


def test_confidence_grows_with_the_lead_and_falls_with_what_is_left_unexplained() -> None:
    clear, doubtful, another, strange = (
        float(confidence(labels_that_show(*shown))[0])
        for shown in ((1.0, 0.95, 1.0), (0.6, 0.7, 1.1), (0.3, 0.9, 4.0), (0.9, 0.9, 9.0))
    )

    assert clear > 0.999 > doubtful > 0.9
    assert another < 0.01
    assert strange < 0.8


@pytest.mark.parametrize("shown", [(0.45, 1.0, 0.1), (1.4, 0.35, 1.0)])
def test_a_lead_too_small_or_what_is_hardly_a_label_is_never_believed(shown: tuple[float, float, float]) -> None:
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
