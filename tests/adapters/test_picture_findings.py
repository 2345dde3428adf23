"""Doctor's findings about light and focus."""

import cv2
import numpy as np
import pytest

from companion.adapters.health import examine_picture
from companion.service.camera.camera import Frame
from companion.service.ports import Finding


def looked_at(image: np.ndarray) -> dict[str, Finding]:
    return {finding.name: finding for finding in examine_picture(Frame(image, 0, 1))}


def textured(level: float = 1.0) -> np.ndarray:
    """A picture with edges everywhere: a board of small squares on grey."""
    rows, columns = np.indices((720, 1280)) // 24
    board = np.where((rows + columns) % 2, 60, 190)
    return np.repeat((board * level)[:, :, None], 3, axis=2).astype(np.uint8)


def test_a_good_picture_is_well() -> None:
    result = looked_at(textured())

    assert result["light"].works
    assert result["focus"].works
    assert (result["light"].message, result["focus"].message) == ("good", "sharp")


@pytest.mark.parametrize(("level", "judgement"), [(0.05, "too dark"), (1.34, "too bright")])
def test_light_is_judged_and_says_what_to_do(level: float, judgement: str) -> None:
    result = looked_at(textured(level))["light"]

    assert result.message == judgement
    assert result.mend


def test_a_lens_out_of_focus_is_told() -> None:
    result = looked_at(cv2.GaussianBlur(textured(), (0, 0), 7))["focus"]

    assert (result.works, result.message) == (False, "blurred")
    assert "lens" in result.mend
