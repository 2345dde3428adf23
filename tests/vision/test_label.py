"""The sticker and its symbol."""

import numpy as np
import pytest

from companion.vision.label.label import MODULES, STANDARD_LABEL, LabelLayout, draw_label, symbol_of
from companion.vision.read import read_codes


def test_every_text_of_ten_characters_fits_the_smallest_symbol() -> None:
    assert symbol_of("MB9ABCDEFG").shape == (MODULES, MODULES)


@pytest.mark.parametrize("text", ["MB9ABCDEFGH", "mb1w07", ""])
def test_texts_that_fit_no_label_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="label"):
        symbol_of(text)


def test_a_symbol_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        symbol_of("MB1W07")[0, 0] = False


@pytest.mark.parametrize("layout", [STANDARD_LABEL, LabelLayout(20.0, 4.0, 2.0), LabelLayout(40.0, 2.5, 3.0)])
@pytest.mark.parametrize("pixels_a_mm", [6.0, 11.3, 24.0])
def test_the_symbol_lies_where_the_layout_says(layout: LabelLayout, pixels_a_mm: float) -> None:
    label = draw_label("MB1W07", "W07", pixels_a_mm, layout)

    (seen,) = read_codes(label)
    x, y, side = (measure * pixels_a_mm for measure in layout.symbol_mm)
    expected = [(x, y), (x + side, y), (x + side, y + side), (x, y + side)]
    assert label.shape == (round(layout.side_mm * pixels_a_mm),) * 2
    assert np.abs(np.array(seen.corners) - expected).max() < max(2, 0.25 * layout.module_mm * pixels_a_mm)


def test_nothing_but_white_lies_round_the_symbol() -> None:
    label = draw_label("MB1W07", "W07", 24.0)
    x, y, side = STANDARD_LABEL.symbol_mm
    quiet = STANDARD_LABEL.quiet_modules * STANDARD_LABEL.module_mm
    top, left = round((y - quiet) * 24), round((x - quiet) * 24)
    around = label[top : round((y + side + quiet) * 24), left : round((x + side + quiet) * 24)].copy()
    edge = round(quiet * 24) - 1
    around[edge:-edge, edge:-edge] = 255
    around = around[2:-2, 2:-2]  # the frame's inner edge may fall within a pixel

    assert around.min() == 255


def test_a_label_without_code_still_says_its_card() -> None:
    label = draw_label(None, "W07", 24.0)

    assert read_codes(label) == ()
    assert label.min() == 0


def test_a_label_too_coarse_to_scan_is_refused() -> None:
    with pytest.raises(ValueError, match="pixels a millimetre"):
        draw_label("MB1W07", "W07", 3.0)


def test_a_heavy_black_frame_closes_the_white_square_in() -> None:
    label = draw_label("MB1W07", "W07", 20.0)
    left, top, right, foot = (round(edge * 20) for edge in STANDARD_LABEL.white_mm)

    assert right - left == pytest.approx(foot - top, abs=1)
    outside = label.copy()
    outside[top - 1 : foot + 1, left - 1 : right + 1] = 0
    words = outside[foot + 1 :].copy()
    outside[foot + 1 :] = 0
    assert outside.max() == 0
    assert words.max() == 255
    assert label[top + 2, left + 2] == label[foot - 3, right - 3] == 255


@pytest.mark.parametrize("layout", [LabelLayout(frame_mm=0), LabelLayout(arms=0.3), LabelLayout(margin_mm=0.8)])
def test_other_forms_can_be_drawn_and_read(layout: LabelLayout) -> None:
    (seen,) = read_codes(draw_label("MB1W07", "W07", 12.0, layout))

    assert seen.text == "MB1W07"
