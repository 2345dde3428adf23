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


MANY_PASSES = """
import cv2
import numpy as np
from companion.adapters.pictures import PictureError, decode_picture

flat = np.full((3950, 4000), 90, np.uint8)
progressive = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
begin, *passes = progressive.removesuffix(bytes([255, 217])).split(bytes([255, 196]))
one_pass = bytes([255, 196]) + passes[-1]
assert bytes([255, 218]) in one_pass
SIZE = 20_000_000
seen_as_pass = bytes([255, 254, 0, 122]) + bytes([255, 218]) * 60
header = bytes([255, 218, 0, 8, 1, 1, 0, 1, 63, 0])
kinds = {
    "passes": one_pass,
    "passes behind fill bytes": bytes([255] * 40) + one_pass,
    "passes without pixels": header,
    "passes behind notes": bytes([255, 254, 0, 2]) * 1000 + one_pass,
    "short notes": bytes([255, 254, 0, 4, 255, 218]),
    "long notes": bytes([255, 254, 255, 254]) + bytes([255, 218]) * 32_766,
    "fill bytes": seen_as_pass + one_pass + bytes([255]) * (SIZE - 100_000),
    "pixels": seen_as_pass + one_pass + bytes([255, 0]) * (SIZE // 2 - 50_000),
}


def filled(part):
    number = max(1, (SIZE - len(progressive)) // len(part))
    return progressive[:-2] + part * number + progressive[-2:]
"""
DECODE = """
for name, part in kinds.items():
    posted = filled(part)
    assert SIZE - 200_000 < len(posted) <= SIZE, name
    started = time.process_time()
    try:
        decode_picture(posted)
    except PictureError as fault:
        assert str(fault) == "a JPEG in more than 50 passes, which no camera makes", fault
        print(f"{time.process_time() - started:06.2f} refused {name}")
    else:
        print(f"{time.process_time() - started:06.2f} read {name}")
"""


@needs_peak_memory
@pytest.mark.slow
def test_a_jpeg_of_the_largest_size_full_of_passes_is_refused_before_it_is_decoded() -> None:
    # when 20 MB of passes over fifteen megapixels are sent, a millisecond each, or of what hides them
    use = measure(MANY_PASSES, DECODE)

    # then each is refused at once, and what only looks like passes is read
    said = {line.split(maxsplit=2)[2]: line.split()[1] for line in use.printed}
    assert {name for name, answer in said.items() if answer == "read"} == {"long notes", "fill bytes", "pixels"}
    assert len(said) == 8
    slowest = max(use.printed)
    assert float(slowest.split()[0]) < 2, slowest  # a free core takes a tenth; it was half an hour
