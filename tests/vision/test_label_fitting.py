"""Corners, softness and match of single labels."""

import numpy as np
import pytest

from companion.vision.label.match import build_grids, estimate_blur, fit_labels, match_labels
from companion.vision.label.pattern import (
    HALF,
    STEP,
    USUAL_BLUR,
    corners_of,
    homographies_from_quads,
    render_blurred_pattern,
)
from companion.vision.label.tag import Deck
from tests.vision.small_tables import DECK, PIXELS_A_MM, RUNS, small_table


def test_corners_that_are_a_pixel_off_are_put_right() -> None:
    picture, (corners,) = small_table("MB1W07")
    off = corners - 0.5 + np.array([(1, -1), (-1, 0.5), (0, 1), (1, 1)])

    fits = fit_labels(picture, homographies_from_quads(off.astype(np.float32)[None], HALF))

    assert np.abs(np.array(corners_of(fits.homographies[0])) - corners).max() < 0.8
    assert fits.correlations[0] > 0.85


def test_a_fit_tells_contrast_and_noise() -> None:
    picture, (corners,) = small_table("MB1W07", noise=6)

    fits = fit_labels(picture, homographies_from_quads((corners - 0.5).astype(np.float32)[None], HALF))

    assert fits.contrast[0] == pytest.approx(0.7 * 255, rel=0.1)
    assert 3 < fits.noise[0] < 12


def test_a_label_cut_by_the_edge_is_fitted_by_what_is_seen_of_it() -> None:
    whole, (corners,) = small_table("MB1W07")
    cut = int(corners.mean(axis=0)[0]) - 3
    true = (corners - 0.5 - (cut, 0)).astype(np.float32)
    start = homographies_from_quads(np.asarray(true[None] + np.float32(0.6), np.float32), HALF)

    fits = fit_labels(np.ascontiguousarray(whole[:, cut:]), start)

    assert np.abs(np.array(corners_of(fits.homographies[0])) - 0.5 - true).max() < 1
    assert fits.correlations[0] > 0.85


@pytest.mark.parametrize("blur", [0.7, 1.3])
def test_labels_tell_how_soft_a_picture_is(blur: float) -> None:
    picture, truth = small_table("MB1W07", "MB1W08", "MB1C11", blur=blur, noise=2)
    fits = fit_labels(picture, homographies_from_quads(np.array(truth, np.float32) - 0.5, HALF))

    estimate = estimate_blur(picture, fits, estimate_blur(picture, fits, USUAL_BLUR))

    itself = (4 / 20 * PIXELS_A_MM) ** 2  # how the label was drawn, and the pixels it is seen through
    assert np.diag(estimate) == pytest.approx(blur**2 + itself + 1 / 6, rel=0.25)
    assert abs(estimate[0, 1]) < 0.25


@pytest.mark.parametrize("blur", [0.6, 1.4])
def test_a_fitted_label_looks_most_like_its_own_text(blur: float) -> None:
    picture, (corners,) = small_table("MB1W07", blur=blur, noise=2)
    grids = build_grids(DECK, RUNS)
    fits = fit_labels(picture, homographies_from_quads((corners - 0.5).astype(np.float32)[None], HALF))
    softness = estimate_blur(picture, fits, estimate_blur(picture, fits))

    matched = match_labels(picture, fits, grids, softness)

    assert grids.texts[matched.best[0]] == "MB1W07"
    assert 0.75 < matched.margin[0] < 1.5
    assert 0.75 < matched.amplitude[0] < 1.5
    assert matched.residual_ratio[0] < 2
    assert matched.margin_sigma[0] > 5


def test_a_text_of_another_game_leads_by_little_and_leaves_much_unexplained() -> None:
    picture, (corners,) = small_table("QX4Z88", noise=2)
    fits = fit_labels(picture, homographies_from_quads((corners - 0.5).astype(np.float32)[None], HALF))

    matched = match_labels(picture, fits, build_grids(DECK, RUNS), estimate_blur(picture, fits))

    assert matched.margin[0] < 0.5
    assert matched.residual_ratio[0] > 3
    assert matched.margin_sigma[0] < 2


def test_a_card_that_the_deck_lacks_is_known_for_a_rival() -> None:
    picture, (corners,) = small_table("MB1W07", noise=2)
    fits = fit_labels(picture, homographies_from_quads((corners - 0.5).astype(np.float32)[None], HALF))
    without = build_grids(Deck("MB", DECK.cards - {"W07"}), RUNS)

    matched = match_labels(picture, fits, without, estimate_blur(picture, fits))

    assert without.texts[matched.best[0]] == "MB1W07"
    assert not matched.in_deck[0]
    assert match_labels(picture, fits, build_grids(DECK, RUNS), estimate_blur(picture, fits)).in_deck[0]


def test_with_one_card_in_the_deck_it_still_has_to_look_more_like_it_than_like_a_stranger() -> None:
    picture, (corners,) = small_table("MB1W01", noise=2)
    fits = fit_labels(picture, homographies_from_quads((corners - 0.5).astype(np.float32)[None], HALF))

    own, other = (
        match_labels(picture, fits, build_grids(Deck("MB", frozenset({card})), RUNS), USUAL_BLUR)
        for card in ("W01", "C01")
    )

    assert own.margin[0] > 0.8
    assert own.in_deck[0]
    assert other.margin[0] < 0.5
    assert match_labels(picture, fits, build_grids(Deck("MB", frozenset()), RUNS), USUAL_BLUR).margin[0] == 0


def test_a_fit_never_ends_where_the_label_fits_worse() -> None:
    # given places that are off by so much that no fit finds back
    picture, quads = small_table("MB1W07", "MB1C11", "MB1W21", blur=1.4, noise=6)
    random = np.random.default_rng(4)
    off = np.array([quad - 0.5 + random.normal(0, 4, (4, 2)) for quad in quads for _ in range(8)], np.float32)
    placed = homographies_from_quads(off, HALF)

    moved, stayed = fit_labels(picture, placed, USUAL_BLUR, 4), fit_labels(picture, placed, USUAL_BLUR, 0)

    assert (moved.correlations >= stayed.correlations).all()
    assert (moved.correlations > stayed.correlations + 0.1).any()


def test_slopes_of_a_pattern_are_as_its_spectrum_has_them_and_half_its_places_will_do() -> None:
    blur = np.array([[[1.0, 0.3], [0.3, 0.8]]])
    whole, half = render_blurred_pattern(blur), render_blurred_pattern(blur, sparse=True)
    near, step = whole.points[:, None] - whole.points[None], STEP

    assert len(half.points) == pytest.approx(len(whole.points) / 2, rel=0.05)
    pairs = np.argwhere((np.abs(near[:, :, 0] - 2 * step) < 0.01) & (np.abs(near[:, :, 1]) < 0.01))
    rises = (whole.tones[0, pairs[:, 0]] - whole.tones[0, pairs[:, 1]]) / (2 * step)
    slopes = (whole.across[0, pairs[:, 0]] + whole.across[0, pairs[:, 1]]) / 2
    assert np.corrcoef(rises, slopes)[0, 1] > 0.97
    assert rises.std() == pytest.approx(slopes.std(), rel=0.15)
