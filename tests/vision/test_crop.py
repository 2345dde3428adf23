"""Parts of pictures, and pictures made to fit."""

import numpy as np

from companion.vision.label.label import limit_size


def test_a_large_picture_is_made_to_fit_and_a_small_one_left_alone() -> None:
    large, small = np.full((3000, 4000, 3), 90, np.uint8), np.full((20, 30), 90, np.uint8)

    assert limit_size(large, 1920).shape == (1440, 1920, 3)
    assert limit_size(small, 1920) is small
