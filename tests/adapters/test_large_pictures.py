"""Large pictures full of fine patterns take little memory and time, whatever is looked for in them."""

import pytest

from tests.resource_use import measure, needs_peak_memory

MOST_MEGABYTES = 150
PREPARATION = """
import cv2
import numpy as np
from calibration.picture_check import check_picture
from companion.adapters.label_readers import read_picture
from companion.adapters.pictures import decode_picture

height, width = 3420, 4560


def draw(pattern):
    if pattern == "checks":
        tile = np.kron(np.array([[0, 255], [255, 0]], np.uint8), np.ones((4, 4), np.uint8))
    elif pattern.startswith("finder"):
        tile = np.full((8, 8), 255, np.uint8)
        tile[:7, :7], tile[1:6, 1:6], tile[2:5, 2:5] = 0, 255, 0
        side = int(pattern[-1])
        tile = np.kron(tile, np.ones((side, side), np.uint8))
    elif pattern == "dots":
        tile = cv2.circle(np.full((8, 8), 235, np.uint8), (4, 4), 2, 20, -1)
    else:
        tile = cv2.putText(np.full((18, 120), 235, np.uint8), "oo8Bg%Q@o:;", (0, 12), 0, 0.5, 20, 1)
    return np.tile(tile, (height // len(tile) + 1, width // tile.shape[1] + 1))[:height, :width]


picture = cv2.imencode(".png", draw(sys.argv[1]))[1].tobytes()
read_picture("small", cv2.imencode(".png", np.full((40, 40), 120, np.uint8))[1].tobytes())
"""
ACTIONS = {
    "read": 'assert read_picture("large", picture)["tags"] == []',
    "judge": "check_picture(decode_picture(picture), (), 10.0)",
}


@needs_peak_memory
@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "pattern"), [("read", "checks"), ("read", "dots"), ("read", "finder1"), ("judge", "text")], ids=str
)
def test_fifteen_megapixels_of_fine_patterns_take_little_memory_and_time(action: str, pattern: str) -> None:
    use = measure(PREPARATION, ACTIONS[action], pattern)

    assert use.megabytes < MOST_MEGABYTES
    assert use.seconds < 5  # a busy machine counts more; it was a minute
