"""Pictures judged for words, on simulated tables: dark, bright, blurred, mirrored, far and near."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.fiducials import Points, to_grey
from calibration.mat import MatTracker, read_mats
from calibration.picture_check import check_picture, find_glare, judge_focus
from companion.adapters.label_readers import read_frame
from companion.resources import packaged_path
from companion.service.camera.camera import Frame
from companion.simulator.art import PlacedMat
from companion.simulator.optics import MILD, sample_optics
from companion.simulator.scene import Scene
from companion.simulator.table import SimulatedTable
from companion.vision.label.label import STANDARD_LABEL
from tests.opened import house_labels, house_texts

Grey = npt.NDArray[np.uint8]
SYMBOL_MM = STANDARD_LABEL.symbol_mm[2]


@cache
def looked(blur: float | None) -> tuple[Grey, list[Points]]:
    optics = sample_optics(MILD, np.random.default_rng(5))
    table = SimulatedTable(5, house_texts())
    for card in ("W07", "C03", "E05"):
        table.lay_on_tray(card)
    picture = Scene(optics if blur is None else replace(optics, blur_pixels=blur), table.texts, 5).render(table.cards)
    read = read_frame(Frame(picture, 0, 0), house_labels())
    return to_grey(picture), [np.array(sighting.corners) for sighting in read]


def seen(blur: float | None = None) -> tuple[Grey, list[Points]]:
    """Look at three cards on a simulated table; give the picture, and the codes that were read in it."""
    grey, read = looked(blur)
    return grey.copy(), read


def test_a_good_picture_is_good_and_its_measure_known() -> None:
    grey, symbols = seen()

    check = check_picture(grey, symbols, SYMBOL_MM)

    assert check.is_good
    assert (check.light, check.focus, check.glare, check.distance) == ("good", "sharp", (), "good")
    assert check.pixels_a_mm == pytest.approx(1.85, rel=0.1)


def test_a_picture_out_of_focus_is_told_though_no_label_is_read_in_it() -> None:
    grey, symbols = seen(blur=3.5)

    check = check_picture(grey, symbols, SYMBOL_MM)

    assert symbols == []
    assert (check.focus, check.distance, check.pixels_a_mm) == ("blurred", None, None)
    assert not check.is_good


@pytest.mark.parametrize(("blur", "focus"), [(0.5, "sharp"), (1.7, "soft"), (3.5, "blurred")])
def test_edges_anywhere_tell_of_the_focus(blur: float, focus: str) -> None:
    assert judge_focus(seen(blur=blur)[0]) == focus


def test_a_table_without_edges_tells_nothing_of_the_focus() -> None:
    assert judge_focus(np.full((300, 400), 128, np.uint8)) is None


@pytest.mark.parametrize(("brightness", "light"), [(0.2, "too_dark"), (0.85, "good"), (6.0, "too_bright")])
def test_too_little_and_too_much_light_are_told_apart(brightness: float, light: str) -> None:
    grey, symbols = seen()
    lit = np.clip(grey * brightness / 0.85, 0, 255).astype(np.uint8)

    check = check_picture(lit, symbols, SYMBOL_MM)

    assert check.light == light
    assert check.glare == ()


def test_where_a_lamp_mirrors_is_told() -> None:
    grey, symbols = seen()
    cv2.circle(grey, (1500, 300), 120, 255, -1)
    cv2.circle(grey, (200, 900), 60, 255, -1)
    cv2.circle(grey, (900, 900), 8, 255, -1)

    check = check_picture(grey, symbols, SYMBOL_MM)

    assert not check.is_good
    assert [round(x + width / 2, -2) for x, _, width, _ in check.glare] == [1500, 200]
    assert all(abs(width - height) < 20 for _, _, width, height in check.glare)
    assert find_glare(np.full((20, 20), 120, np.uint8)) == ()


@pytest.mark.parametrize(("pixels_a_mm", "distance"), [(1.25, "far"), (1.85, "good"), (9.5, "near")])
def test_the_distance_is_judged_by_the_labels(pixels_a_mm: float, distance: str) -> None:
    side = SYMBOL_MM * pixels_a_mm
    symbol = np.array([(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)]) + 50

    check = check_picture(seen()[0], [symbol], SYMBOL_MM)

    assert (check.distance, check.is_good) == (distance, distance == "good")


def test_without_a_label_the_mat_tells_the_distance() -> None:
    optics = sample_optics(MILD, np.random.default_rng(5))
    mat = read_mats(packaged_path("games", "master_builder", "cards", "mats"))["a2"]
    picture = Scene(optics, {}, 5, mat=PlacedMat(mat, 220.0, 80.0)).render([])

    check = check_picture(to_grey(picture), [], SYMBOL_MM, MatTracker([mat]).observe(0, picture))

    assert (check.focus, check.distance) == ("sharp", "good")
    assert check.pixels_a_mm == pytest.approx(1.85, rel=0.1)
