"""Pictures of fifteen megapixels take little memory and time, whatever they show and whatever is looked for in them."""

import pytest

from tests.resource_use import measure, needs_peak_memory

MOST_MEGABYTES = 150
"""The promise of docs/reliability.md; bursts and outlines come nearest, at 131 and 129 here."""
PREPARATION = """
import cv2
import numpy as np
from calibration.fiducials import Board, detect_board
from calibration.fiducials import find_markers
from calibration.picture_check import check_picture
from calibration.printer_sheet import PrinterSheetError, measure_printed_sheet
from companion.adapters.label_readers import FrameReader, prepare_deck, read_burst, read_frame, read_picture
from companion.adapters.pictures import decode_grey_picture, decode_posted_grey_picture, decode_posted_picture
from companion.service.camera.camera import Frame
from companion.service.camera.preview import NoCard, card_in
from companion.vision.card_art.outline import find_outlines, match_illumination
from tests.vision.small_tables import DECK

height, width = 3420, 4560


def draw(pattern):
    random = np.random.default_rng(1)
    if pattern == "noise":
        return random.integers(0, 256, (height, width), np.uint8)
    if pattern == "colours":
        return random.integers(0, 256, (height, width, 3), np.uint8)
    if pattern == "checks":
        tile = np.kron(np.array([[0, 255], [255, 0]], np.uint8), np.ones((4, 4), np.uint8))
    elif pattern.startswith("finder"):
        tile = np.full((8, 8), 255, np.uint8)
        tile[:7, :7], tile[1:6, 1:6], tile[2:5, 2:5] = 0, 255, 0
        side = int(pattern[-1])
        tile = np.kron(tile, np.ones((side, side), np.uint8))
    elif pattern == "dots":
        tile = cv2.circle(np.full((8, 8), 235, np.uint8), (4, 4), 2, 20, -1)
    elif pattern == "rings":
        tile = cv2.circle(np.full((24, 24), 235, np.uint8), (12, 12), 10, 20, 2)
        tile = cv2.circle(tile, (12, 12), 4, 20, -1)
    else:
        tile = cv2.putText(np.full((18, 120), 235, np.uint8), "oo8Bg%Q@o:;", (0, 12), 0, 0.5, 20, 1)
    return np.tile(tile, (height // len(tile) + 1, width // tile.shape[1] + 1))[:height, :width]


def show_frames(number):
    reader = FrameReader()
    for at in range(number):
        assert reader.read(Frame(decode_posted_picture(picture), 500 * at, at), DECK) == ()


def cut_card():
    try:
        card_in(decode_posted_picture(picture))
    except NoCard:
        pass


def find_cards():
    seen = decode_posted_picture(picture)
    find_outlines(match_illumination(ground, seen), seen)


def measure_printer():
    try:
        measure_printed_sheet(decode_posted_grey_picture(picture))
    except PrinterSheetError:
        pass


def search_board():
    seen = decode_grey_picture(picture)
    assert detect_board(seen, Board()) is None
    find_markers(seen)


picture = cv2.imencode(".png" if sys.argv[1] != "colours" else ".jpg", draw(sys.argv[1]))[1].tobytes()
ground = np.full((height, width, 3), 100, np.uint8)
small = np.full((400, 400), 120, np.uint8)
prepare_deck(DECK)
read_burst([("small", cv2.imencode(".png", small)[1].tobytes())], DECK)
FrameReader().read(Frame(small, 0, 0), DECK)
detect_board(small, Board())
find_markers(small)
"""
ACTIONS = {
    "read": 'assert read_picture("large", picture)["tags"] == []',
    "read labels": 'assert read_picture("large", picture, DECK)["tags"] == []',
    "read a burst": 'assert read_burst([(name, picture) for name in "abc"], DECK)[0]["tags"] == []',
    "read a stream": "show_frames(8)",
    "read a phone's frame": "assert read_frame(Frame(decode_posted_picture(picture), 0, 0), DECK) == ()",
    "judge": "check_picture(decode_grey_picture(picture), (), 10.0)",
    "search a board": "search_board()",
    "measure a printer": "measure_printer()",
    "cut out a card": "cut_card()",
    "find cards": "find_cards()",
}


@needs_peak_memory
@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "pattern"),
    [
        ("find cards", "colours"),
        *(
            pytest.param(*case, marks=pytest.mark.nightly)
            for case in (
                ("read", "noise"),
                ("read a burst", "colours"),
                ("search a board", "noise"),
                ("read", "checks"),
                ("read", "dots"),
                ("read", "finder1"),
                ("read", "rings"),
                ("read", "colours"),
                ("read labels", "colours"),
                ("read a stream", "colours"),
                ("read a phone's frame", "colours"),
                ("judge", "text"),
                ("judge", "noise"),
                ("search a board", "checks"),
                ("measure a printer", "colours"),
                ("cut out a card", "colours"),
            )
        ),
    ],
    ids=str,
)
def test_fifteen_megapixels_take_little_memory_and_time(action: str, pattern: str) -> None:
    use = measure(PREPARATION, ACTIONS[action], pattern)

    assert use.megabytes < MOST_MEGABYTES
    assert use.seconds < 10  # a free core takes half; it was a minute
