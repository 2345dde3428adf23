"""Words of calibration, in each language."""

import numpy as np
import pytest

from calibration.lens import Coverage
from calibration.mat import DetectedMat
from calibration.picture_check import Exposure, Focus, PictureLight
from calibration.plane import fit_plane
from calibration.steps import LensStep, TableStep
from companion.bootstrap.cameras import load_mats
from companion.web.pages.camera import board_words, distance_words, light_words, mat_words, missing_words
from companion.words import LANGUAGES, Words

GOOD = PictureLight("sharp", "good")
SOME = Coverage(9, 1, ("top left", "bottom"), 2)


def seen(corners: int, *, taken: bool, focus: Focus = "sharp", coverage: Coverage = SOME) -> LensStep:
    return LensStep(corners, taken, PictureLight(focus, "good"), coverage)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (seen(0, taken=False), "No board in view"),
        (seen(20, taken=True), "20 corners: taken."),
        (seen(20, taken=False), "20 corners, as before"),
        (seen(20, taken=False, focus="blurred"), "20 corners, but blurred"),
        (seen(20, taken=False, coverage=Coverage(10, 0, (), 0)), "enough pictures"),
    ],
)
def test_each_frame_of_the_board_is_told(step: LensStep, sentence: str) -> None:
    assert sentence in board_words(Words("en"), step)


def test_what_is_missing_is_told_in_each_language() -> None:
    assert missing_words(Words("en"), SOME) == [
        "1 more picture",
        "2 of them with the board tilted more",
        "the board at these places: top left and bottom",
    ]
    assert missing_words(Words("de"), SOME)[0] == "noch 1 Bild"
    assert missing_words(Words("fr"), Coverage(10, 0, (), 0)) == []


@pytest.mark.parametrize(
    ("exposure", "focus", "lines"), [("good", "sharp", 0), ("glare", "blurred", 2), ("too_dark", None, 1)]
)
def test_only_what_is_wrong_with_the_light_is_told(exposure: Exposure, focus: Focus | None, lines: int) -> None:
    assert len(light_words(Words("en"), PictureLight(focus, exposure))) == lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_too_far_away_says_what_labels_need_and_what_they_have(language: str) -> None:
    sentence = distance_words(Words(language), "far", 1.23)

    assert ("1.5" if language == "en" else "1,5") in sentence
    assert ("1.2" if language == "en" else "1,2") in sentence
    assert distance_words(Words(language), None, None) != distance_words(Words(language), "near", 9.0)


@pytest.mark.parametrize(("pixels_a_mm", "sentence"), [(1.0, "Too far away"), (2.0, "2.00 pixels/millimetre")])
def test_a_mat_is_told_with_what_is_hidden_of_it(pixels_a_mm: float, sentence: str) -> None:
    mat = load_mats()["a2"]
    corners = np.array([(0.0, 0.0), (500.0, 0.0), (500.0, 400.0), (0.0, 400.0)])
    plane = fit_plane([(x, y) for x, y in corners], [(x, y) for x, y in corners * pixels_a_mm])
    detected_mat = DetectedMat(mat, plane, 3, 0.4)

    lines = mat_words(Words("en"), TableStep(detected_mat, ("top left",), GOOD), 1)

    assert lines[:3] == [
        "Mat: Whole table, A2",
        "3 of 4 corner markers in view",
        "Hidden or out of view: the marker at the top left",
    ]
    assert sentence in lines[3]
    assert lines[-1] == "1 card read"
    assert len(mat_words(Words("en"), TableStep(None, (), GOOD), 0)) == 1
