"""Pictures in other lights and sizes, and which of them are worth their price."""

import cv2
import numpy as np
import pytest

from companion.qr.reader import BUDGET, read_qr_codes
from companion.qr.sighting import GreyPicture
from companion.qr.zxing import (
    CASCADE,
    SMALL,
    Rendering,
    binarise,
    equalise_contrast,
    make_gamma_filter,
    normalise_illumination,
    remove_grain,
)
from tests.qr.conftest import Symbol


@pytest.mark.parametrize("rendering", CASCADE)
def test_every_rendering_shows_a_code_where_it_is(symbol: Symbol, rendering: Rendering) -> None:
    picture, _ = symbol("MB1W07", 20, module=12)

    rendered = rendering.render(picture)

    assert rendered.dtype == np.uint8
    assert rendered.size == pytest.approx(rendering.cost(picture), rel=0.02)
    assert rendered.shape[0] / picture.shape[0] == pytest.approx(rendering.scale(picture), rel=0.02)


def test_a_small_picture_is_not_made_smaller_to_be_small() -> None:
    small, large = np.zeros((300, 400), np.uint8), np.zeros((3000, 4000), np.uint8)

    assert Rendering(size=None).scale(small) == 1
    assert Rendering(size=None).cost(large) == pytest.approx(SMALL)


def test_tones_keep_black_and_white() -> None:
    ends = np.array([[0, 255]], np.uint8)

    for gamma in (0.25, 0.5, 2.2):
        assert (make_gamma_filter(gamma)(ends) == ends).all()


def test_shadows_go_and_grain_goes() -> None:
    shadow = np.repeat(np.linspace(60, 220, 400)[None], 300, axis=0).astype(np.uint8)
    grain = shadow.copy()
    grain[::7, ::9] = 255

    assert np.ptp(normalise_illumination(shadow)[:, 40:-40]) < 12
    assert np.abs(remove_grain(grain).astype(int) - shadow).max() < 6
    assert set(np.unique(binarise(grain))) <= {0, 255}
    assert equalise_contrast(shadow).shape == shadow.shape


def dim(picture: GreyPicture, share: float, noise: float) -> GreyPicture:
    random = np.random.default_rng(3)
    return np.clip(picture * share + random.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def test_codes_in_a_hard_shadow_or_out_of_focus_are_read(symbol: Symbol) -> None:
    picture, _ = symbol("HTTPS://EXAMPLE.ORG/TABLE/7", 12, version=4, module=8)
    shadow = np.where(np.add.outer(np.arange(len(picture)), np.arange(len(picture))) > len(picture), 0.22, 1.0)
    shaded = dim(np.asarray(picture * cv2.GaussianBlur(shadow, (0, 0), 3), np.uint8), 0.8, 4)
    unfocused = dim(np.asarray(cv2.GaussianBlur(picture, (0, 0), 4.6), np.uint8), 0.9, 2)

    for spoiled in (shaded, unfocused):
        assert [seen.text for seen in read_qr_codes(spoiled)] == ["HTTPS://EXAMPLE.ORG/TABLE/7"]


def test_a_picture_that_shows_nothing_costs_no_more_than_the_budget() -> None:
    large = np.full((2000, 3000), 128, np.uint8)
    within = [0.0]
    for rendering in CASCADE:
        within.append(within[-1] + rendering.cost(large))

    assert read_qr_codes(large) == ()
    assert within[-1] > BUDGET > within[5]
