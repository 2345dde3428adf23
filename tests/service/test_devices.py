"""Frames from phones, hand scanners and command cards: all lead to the same proposals."""

import cv2
import numpy as np
import pytest

from companion.engine.game import Refused
from companion.service.camera.devices import MOST_DEVICES, SESSION_MS
from companion.service.ports import Forbidden, ForeignPicture, UnknownProposal, UnreadablePicture
from tests.service.hands import HIRE_W07, Hands
from tests.service.house_tables import give


@pytest.fixture
def hands() -> Hands:
    return Hands()


# --------------------------------------------------------------------------------------------- frames
def test_a_card_held_before_a_tablets_camera_is_asked_about_once_it_has_rested(hands: Hands) -> None:
    first = hands.show("MB1W07", frames=1)
    (tag,) = first["tags"]
    assert (tag["text"], tag["card"], tag["placed"], tag["command"], tag["refusal"]) == (
        "MB1W07",
        "W07",
        False,
        HIRE_W07,
        None,
    )
    assert (first["width"], first["height"]) == (260, 240)
    assert hands.asked() == []

    reading = hands.show("MB1W07")

    assert reading["tags"][0]["placed"]
    (asked,) = hands.asked()
    assert (asked["command"], asked["zone"], asked["source"]) == (HIRE_W07, "tray", "camera")
    assert hands.proposals.picture(hands.table.id, asked["id"]).startswith(b"\xff\xd8\xff")
    entry = hands.proposals.answer(hands.table.id, asked["id"], "yes", actor="banker")
    assert entry is not None
    assert entry["source"] == "camera"


def test_frames_in_quick_succession_are_no_rest(hands: Hands) -> None:
    for _ in range(10):
        hands.show("MB1W07", frames=1)
        hands.at_ms -= 290

    assert hands.asked() == []


def test_each_device_has_a_sight_of_its_own(hands: Hands) -> None:
    for device in ("left", "right") * 2:
        hands.show("MB1W07", device=device, frames=1)
        hands.at_ms -= 150

    assert hands.asked() == [], "neither has seen it rest for half a second"


def test_again_lets_the_device_ask_anew(hands: Hands) -> None:
    hands.show("MB1W07")

    hands.proposals.answer(hands.table.id, 1, "again", actor="banker")
    hands.show("MB1W07")

    assert [asked["id"] for asked in hands.asked()] == [2]


def test_a_card_that_is_shown_first_thing_after_the_sheet_was_opened_again_is_asked_about(hands: Hands) -> None:
    # given a card that was answered *No*, and that stays before the camera of a tablet
    hands.show("MB1W07")
    hands.proposals.answer(hands.table.id, 1, "no", actor="banker")
    hands.show("MB1W07")
    assert hands.asked() == []

    # when the sheet is closed for a while, and opened with the card before it
    hands.at_ms += SESSION_MS
    hands.show("MB1W07")

    # then it is asked about
    assert [asked["card"] for asked in hands.asked()] == ["W07"]


def test_again_of_a_device_that_was_forgotten_asks_nothing(hands: Hands) -> None:
    hands.show("MB1W07")
    for number in range(MOST_DEVICES):
        hands.show(device=str(number), frames=1)

    assert hands.proposals.answer(hands.table.id, 1, "again", actor="banker") is None


def test_what_a_player_shows_is_asked_of_him_and_of_the_banker(hands: Hands) -> None:
    hands.show("MB1W07", viewer="blue")

    (asked,) = hands.asked("blue")
    assert hands.asked() == [asked]
    assert hands.asked("yellow") == []
    with pytest.raises(Forbidden):
        hands.proposals.picture(hands.table.id, asked["id"], "yellow")
    with pytest.raises(Forbidden):
        hands.proposals.answer(hands.table.id, asked["id"], "yes", actor="yellow")
    entry = hands.proposals.answer(hands.table.id, asked["id"], "yes", actor="blue")
    assert entry is not None
    assert (entry["actor"], entry["command"]) == ("blue", HIRE_W07)


def test_a_player_whose_turn_it_is_not_learns_so_and_nothing_is_asked(hands: Hands) -> None:
    reading = hands.show("MB1W07", viewer="yellow")

    refused = reading["tags"][0]["refusal"]
    assert (refused.rule, refused.details["waiting"]) == ("not_your_turn", ("blue",))
    assert reading["tags"][0]["command"] is None
    assert hands.asked() == hands.asked("yellow") == []


def test_what_the_rules_refuse_is_told_with_the_sighting(hands: Hands) -> None:
    give(hands.table, HIRE_W07)

    reading = hands.show("MB1W07")

    assert reading["tags"][0]["refusal"].rule
    assert hands.asked()[0]["question"] is not None, "the banker is told on his tablet too"


def test_a_player_is_told_why_his_own_card_is_refused_and_nobody_is_asked(hands: Hands) -> None:
    give(hands.table, HIRE_W07)
    turn = hands.shown["waiting_for"][0]

    reading = hands.show("MB1W07", viewer=turn)

    assert reading["tags"][0]["refusal"].rule != "not_your_turn"
    assert hands.asked() == []


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"GIF89a and so on", ForeignPicture),
        (b"<html>", ForeignPicture),
        (b"\x89PNG\r\n\x1a\n torn", UnreadablePicture),
        (b"\xff\xd8\xff\xe0 no more", UnreadablePicture),
    ],
)
def test_what_is_no_frame_is_told_and_changes_nothing(hands: Hands, data: bytes, fault: type[Exception]) -> None:
    with pytest.raises(fault):
        hands.devices.process_picture(hands.table, "banker", "", data)


def test_a_small_file_that_unfolds_beyond_measure_is_not_unfolded(hands: Hands) -> None:
    _, bomb = cv2.imencode(".png", np.zeros((8000, 8000), np.uint8))
    assert bomb.size < 200_000

    with pytest.raises(UnreadablePicture, match="8000 x 8000 pixels are more than 16 million"):
        hands.devices.process_picture(hands.table, "banker", "", bomb.tobytes())


# ---------------------------------------------------------------------------------------------- scans
@pytest.mark.parametrize(
    "typed",
    ["MB1W07", "mb1w07", " MB2W07\n", "W07", "w7", "]Q1MB1W07", "]C0W07", "\x02MB1W07\x03", "\x1d]Q1MB1W07\r\n\x04"],
)
def test_a_hand_scanner_asks_as_the_camera_does_without_a_picture(hands: Hands, typed: str) -> None:
    answer = hands.scan(typed)

    assert (answer["card"], answer["proposal"]["command"], answer["proposal"]["source"]) == ("W07", HIRE_W07, "scanner")
    assert [answer["proposal"]] == hands.asked()
    with pytest.raises(UnknownProposal):
        hands.proposals.picture(hands.table.id, answer["proposal"]["id"])
    entry = hands.proposals.answer(hands.table.id, answer["proposal"]["id"], "yes", actor="banker")
    assert entry is not None
    assert entry["source"] == "scanner"


@pytest.mark.parametrize(
    ("typed", "keys", "card"),
    [("?B&Zàè", "MB1W07", "W07"), ("$A&?B&Zàè", "]Q1MB1W07", "W07"), ("MB1W08", "MB1W07", "W08")],
)
def test_the_keys_count_where_the_text_of_another_layout_names_no_card(
    hands: Hands, typed: str, keys: str, card: str
) -> None:
    assert hands.devices.scan(hands.table, "banker", typed, None, keys)["card"] == card


@pytest.mark.parametrize("typed", ["4006381333931", "XY1W07", "W99", "hello", "", "MB1", "W007x"])
def test_what_is_no_card_of_the_table_is_refused(hands: Hands, typed: str) -> None:
    with pytest.raises(Refused, match="unknown_card"):
        hands.scan(typed)


def test_a_scanned_card_that_reads_plainly_asks_nothing_at_the_level_automatic(hands: Hands) -> None:
    hands.proposals.set_level(hands.table, "automatic")

    answer = hands.devices.scan(hands.table, "banker", "W07", "the first scan")

    assert (answer["card"], answer["proposal"], answer["did"]) == ("W07", None, None)
    assert (answer["entry"]["command"], answer["entry"]["source"]) == (HIRE_W07, "scanner")
    assert hands.asked() == []

    # the same request again, as a page sends it whose answer was lost, does nothing more
    assert hands.devices.scan(hands.table, "banker", "W07", "the first scan") == answer
    assert hands.table.version == answer["entry"]["seq"]


def test_a_scan_that_leads_to_nothing_says_why(hands: Hands) -> None:
    give(hands.table, HIRE_W07)

    with pytest.raises(Refused) as taken:
        hands.scan("W07")
    with pytest.raises(Refused, match="no_contracts_now"):
        hands.scan("C03")
    assert taken.value.rule == "worker_taken"
    assert hands.asked() == []


def test_a_player_scans_for_himself_alone(hands: Hands) -> None:
    with pytest.raises(Refused, match="not_your_turn"):
        hands.scan("W07", "yellow")
    assert hands.scan("W07", "blue")["proposal"]["command"] == HIRE_W07


def test_a_card_that_a_player_showed_is_never_asked_of_another_player(hands: Hands) -> None:
    # given a card that somebody has shown in their turn
    hands.show("MB1W07", viewer="blue")
    assert len(hands.asked("blue")) == 1

    # when they hire another one by a tap, and the turn passes
    give(hands.table, {"do": "hire_worker", "player": "blue", "worker": "W01"})

    # then nobody is asked whether the next one hires it
    assert hands.asked("blue") == hands.asked() == hands.asked("yellow") == []
