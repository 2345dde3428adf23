"""Focus and exposure, judged for words."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration.fiducials import Points, find_markers, to_grey
from calibration.mat import read_mats
from calibration.picture_check import PictureLight, judge_light
from companion.resources import packaged_path
from companion.simulator.art import PlacedMat
from companion.simulator.optics import SEVERITIES, sample_optics
from companion.simulator.scene import Scene

Grey = npt.NDArray[np.uint8]


def table(severity: str, seed: int) -> tuple[Grey, list[Points]]:
    optics = sample_optics(SEVERITIES[severity], np.random.default_rng(seed))
    mat = PlacedMat(read_mats(packaged_path("games", "master_builder", "cards", "mats"))["a2"], 220.0, 80.0)
    grey = to_grey(Scene(optics, {}, seed, mat=mat).render([]))
    return grey, list(find_markers(grey).values())


@pytest.mark.parametrize(
    ("severity", "focus", "exposure"),
    [("mild", "sharp", "good"), ("medium", "soft", "good"), ("hard", "soft", "too_dark")],
)
def test_a_table_is_judged_as_it_is(severity: str, focus: str, exposure: str) -> None:
    for seed in (1, 2):
        light = judge_light(*table(severity, seed))

        assert (light.focus, light.exposure) == (focus, exposure)
        assert light.is_good == (exposure == "good")


def test_a_lens_out_of_focus_is_told() -> None:
    grey, places = table("mild", 3)

    light = judge_light(np.asarray(cv2.GaussianBlur(grey, (0, 0), 2.5), np.uint8), places)

    assert light == PictureLight("blurred", "good")
    assert not light.is_good


@pytest.mark.parametrize(
    ("changed", "exposure"),
    [(0.15, "too_dark"), (6.0, "too_bright")],
)
def test_too_little_and_too_much_light_are_told(changed: float, exposure: str) -> None:
    grey, places = table("mild", 3)

    lit = np.clip(grey * changed, 0, 255).astype(np.uint8)

    assert judge_light(lit, places).exposure == exposure


def test_a_lamp_that_mirrors_is_glare() -> None:
    grey, places = table("mild", 3)
    cv2.circle(grey, (300, 900), 170, 255, -1)

    assert judge_light(grey, places).exposure == "glare"


def test_without_anything_to_look_at_the_focus_is_not_judged() -> None:
    plain = np.full((200, 300), 128, np.uint8)
    outside = np.array([(-50.0, -50.0), (-10.0, -50.0), (-10.0, -10.0), (-50.0, -10.0)])

    assert judge_light(plain, []) == PictureLight(None, "good")
    assert judge_light(plain, [outside]) == PictureLight(None, "good")
    assert judge_light(plain, [np.array([(10.0, 10.0), (60.0, 10.0), (60.0, 60.0), (10.0, 60.0)])]).focus == "blurred"
