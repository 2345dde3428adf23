"""Reports of ``companion read`` on pictures."""

import json

import cv2
import numpy as np

from companion.adapters.label_readers import read_burst, read_frame, read_picture
from companion.service.camera.camera import Frame
from companion.vision.label.label import draw_label
from companion.vision.label.tag import Deck

DECK = Deck("MB", frozenset({"W07", "W08"}))


def table(*labels: tuple[str, int]) -> np.ndarray:
    """A white table with labels at columns."""
    picture = np.full((260, 900), 255, np.uint8)
    for text, column in labels:
        label = draw_label(text, "", 8.0)
        picture[30:230, column : column + 200] = label
    return picture


def png(picture: np.ndarray) -> bytes:
    return bytes(cv2.imencode(".png", picture)[1].tobytes())


def test_without_a_deck_every_code_is_told_and_none_is_a_card() -> None:
    report = read_picture("a.png", png(table(("MB1W07", 10), ("XY1W01", 400))))

    assert "tags" in report
    assert (report["image"], report["width"], report["height"]) == ("a.png", 900, 260)
    assert sorted(tag["text"] for tag in report["tags"]) == ["MB1W07", "XY1W01"]
    assert {tag["card"] for tag in report["tags"]} == {None}
    assert report["ms"] > 0
    assert json.loads(json.dumps(report)) == report


def test_with_a_deck_only_its_labels_are_told_whatever_their_print_run() -> None:
    report = read_picture("a.png", png(table(("MB1W07", 10), ("MB2W08", 220), ("XY1W01", 430), ("MB1W99", 640))), DECK)

    assert "tags" in report
    assert sorted((tag["text"], tag["card"]) for tag in report["tags"]) == [("MB1W07", "W07"), ("MB2W08", "W08")]
    assert {tag["how"] for tag in report["tags"]} == {"decoded"}


def test_a_file_that_is_no_picture_is_told_so() -> None:
    assert read_picture("notes.txt", b"") == {"image": "notes.txt", "error": "the file is empty"}


def test_a_burst_gives_one_answer_with_the_latest_corners() -> None:
    frames = [
        ("1.png", png(table(("MB1W07", 10)))),
        ("broken.png", b"oh"),
        ("2.png", png(table(("MB1W07", 210), ("MB1W08", 500)))),
        ("3.png", png(table())),
    ]

    report, faults = read_burst(frames, DECK)

    assert report is not None
    assert report["image"] == "3.png"
    assert {tag["card"]: tag["corners"][0][0] > 200 for tag in report["tags"]} == {"W07": True, "W08": True}
    assert [fault["image"] for fault in faults] == ["broken.png"]


def test_a_burst_without_pictures_has_no_answer() -> None:
    report, faults = read_burst([("x", b"")])

    assert report is None
    assert len(faults) == 1


def test_a_frame_of_a_camera_shows_the_decks_labels() -> None:
    seen = read_frame(Frame(table(("MB1W07", 10), ("XY1W01", 430)), 0, 0), DECK)

    assert [sighting.text for sighting in seen] == ["MB1W07"]
