"""Frames from phones, hand scanners and command cards: all lead to the same proposals."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest

from companion import bootstrap
from companion.adapters.jpeg import to_jpeg
from companion.adapters.posted_pictures import posted_picture
from companion.adapters.tag_readers import read_frame
from companion.engine.errors import Refused
from companion.service.asking import Asking
from companion.service.devices import MOST_DEVICES, Devices, Optics
from companion.service.errors import Forbidden, ForeignPicture, UnknownProposal, UnreadablePicture
from companion.vision.label import draw_label
from tests.fakes import FakeClock
from tests.service.seated import bot_command, give, house_table

HIRE_W07 = {"do": "hire_worker", "player": "blue", "worker": "W07"}


class Hands:
    """A table of three whose turn is blue's, what is asked there, and a clock that goes on as told."""

    def __init__(self) -> None:
        self.table, self.piles = house_table(3)
        self.asking = Asking(FakeClock())
        self.at_ms = 0
        self.devices = Devices(self.asking, Optics(posted_picture, read_frame, to_jpeg), lambda: self.at_ms)

    def show(self, *texts: str, viewer: str = "banker", device: str = "tablet", frames: int = 3) -> dict[str, Any]:
        """Hold labels before a device's camera for some frames, 300 ms apart."""
        told: dict[str, Any] = {}
        for _ in range(frames):
            told = self.devices.look(self.table, viewer, device, picture_of(*texts))
            self.at_ms += 300
        return told

    def asked(self, viewer: str = "banker") -> list[dict[str, Any]]:
        return self.asking.waiting(self.table.id, viewer)

    def scan(self, text: str, viewer: str = "banker") -> dict[str, Any]:
        return self.devices.scan(self.table, viewer, text)

    @property
    def shown(self) -> dict[str, Any]:
        shown = self.table.position_json("banker")
        assert shown is not None
        return shown


@pytest.fixture
def hands() -> Hands:
    return Hands()


def picture_of(*texts: str) -> bytes:
    """A JPEG of labels side by side on a grey table."""
    canvas = np.full((240, 60 + 200 * max(len(texts), 1), 3), 120, np.uint8)
    for number, text in enumerate(texts):
        label = draw_label(text, text[3:], 6.0)
        left = 30 + 200 * number
        canvas[40 : 40 + label.shape[0], left : left + label.shape[1]] = label[..., None]
    return to_jpeg(canvas)


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

    told = hands.show("MB1W07")

    assert told["tags"][0]["placed"]
    (asked,) = hands.asked()
    assert (asked["command"], asked["zone"], asked["source"]) == (HIRE_W07, "tray", "camera")
    assert hands.asking.picture(hands.table.id, asked["id"]).startswith(b"\xff\xd8\xff")
    entry = hands.asking.answer(hands.table.id, asked["id"], "yes", actor="banker")
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

    hands.asking.answer(hands.table.id, 1, "again", actor="banker")
    hands.show("MB1W07")

    assert [asked["id"] for asked in hands.asked()] == [2]


def test_again_of_a_device_that_was_forgotten_asks_nothing(hands: Hands) -> None:
    hands.show("MB1W07")
    for number in range(MOST_DEVICES):
        hands.show(device=str(number), frames=1)

    assert hands.asking.answer(hands.table.id, 1, "again", actor="banker") is None


def test_what_a_player_shows_is_asked_of_him_and_of_the_banker(hands: Hands) -> None:
    hands.show("MB1W07", viewer="blue")

    (asked,) = hands.asked("blue")
    assert hands.asked() == [asked]
    assert hands.asked("yellow") == []
    with pytest.raises(Forbidden):
        hands.asking.picture(hands.table.id, asked["id"], "yellow")
    with pytest.raises(Forbidden):
        hands.asking.answer(hands.table.id, asked["id"], "yes", actor="yellow")
    entry = hands.asking.answer(hands.table.id, asked["id"], "yes", actor="blue")
    assert entry is not None
    assert (entry["actor"], entry["command"]) == ("blue", HIRE_W07)


def test_a_player_whose_turn_it_is_not_learns_so_and_nothing_is_asked(hands: Hands) -> None:
    told = hands.show("MB1W07", viewer="yellow")

    refused = told["tags"][0]["refusal"]
    assert (refused.rule, refused.details["waiting"]) == ("not_your_turn", ("blue",))
    assert told["tags"][0]["command"] is None
    assert hands.asked() == hands.asked("yellow") == []


def test_what_the_rules_refuse_is_told_with_the_sighting(hands: Hands) -> None:
    give(hands.table, HIRE_W07)

    told = hands.show("MB1W07")

    assert told["tags"][0]["refusal"].rule
    assert hands.asked()[0]["question"] is not None, "the banker is told on his tablet too"


def test_a_player_is_told_why_his_own_card_is_refused_and_nobody_is_asked(hands: Hands) -> None:
    give(hands.table, HIRE_W07)
    turn = hands.shown["waiting_for"][0]

    told = hands.show("MB1W07", viewer=turn)

    assert told["tags"][0]["refusal"].rule != "not_your_turn"
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
        hands.devices.look(hands.table, "banker", "", data)


def test_a_small_file_that_unfolds_beyond_measure_is_not_unfolded(hands: Hands) -> None:
    _, bomb = cv2.imencode(".png", np.zeros((8000, 8000), np.uint8))
    assert bomb.size < 200_000

    with pytest.raises(UnreadablePicture, match="8000 x 8000 pixels are more than 16 million"):
        hands.devices.look(hands.table, "banker", "", bomb.tobytes())


# ---------------------------------------------------------------------------------------------- scans
@pytest.mark.parametrize("typed", ["MB1W07", "mb1w07", " MB2W07\n", "W07", "w7"])
def test_a_hand_scanner_asks_as_the_camera_does_without_a_picture(hands: Hands, typed: str) -> None:
    told = hands.scan(typed)

    assert (told["card"], told["proposal"]["command"], told["proposal"]["source"]) == ("W07", HIRE_W07, "scanner")
    assert [told["proposal"]] == hands.asked()
    with pytest.raises(UnknownProposal):
        hands.asking.picture(hands.table.id, told["proposal"]["id"])
    entry = hands.asking.answer(hands.table.id, told["proposal"]["id"], "yes", actor="banker")
    assert entry is not None
    assert entry["source"] == "scanner"


@pytest.mark.parametrize("typed", ["4006381333931", "XY1W07", "W99", "hello", "", "MB1", "W007x"])
def test_what_is_no_card_of_the_table_is_refused(hands: Hands, typed: str) -> None:
    with pytest.raises(Refused, match="unknown_card"):
        hands.scan(typed)


def test_a_scan_that_leads_to_nothing_says_why(hands: Hands) -> None:
    give(hands.table, HIRE_W07)

    with pytest.raises(Refused) as taken:
        hands.scan("W07")
    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan("C03")
    assert taken.value.rule != "card_means_nothing"
    assert hands.asked() == []


def test_a_player_scans_for_himself_alone(hands: Hands) -> None:
    with pytest.raises(Refused, match="not_your_turn"):
        hands.scan("W07", "yellow")
    assert hands.scan("W07", "blue")["proposal"]["command"] == HIRE_W07


# -------------------------------------------------------------------------------------- command cards
def test_command_cards_lie_in_the_deck_that_is_read() -> None:
    deck = bootstrap.deck_of(bootstrap.house_deck())

    assert {deck.card_of(text) for text in bootstrap.command_card_texts().values()} == {f"X0{n}" for n in range(1, 6)}


def test_yes_carries_out_the_oldest_question_and_no_waves_it_away(hands: Hands) -> None:
    hands.scan("W07")
    hands.show("MB1X02")
    assert hands.asked() == []

    hands.scan("W07")
    hands.show("MB1X01")

    assert hands.shown["players"]["blue"]["workers"] == ["W07"]
    assert hands.table.entries[-1].actor == "banker"


@pytest.mark.parametrize("card", ["X01", "X02", "X03", "X04", "X05"])
def test_a_command_card_does_nothing_where_it_is_not_offered(hands: Hands, card: str) -> None:
    hands.show(f"MB1{card}")
    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan(card)

    assert hands.table.version == 1
    assert hands.asked() == []


def test_a_yes_passes_over_a_card_that_only_says_why(hands: Hands) -> None:
    give(hands.table, HIRE_W07)
    hands.show("MB1W07")
    assert hands.asked()[0]["command"] is None

    hands.show("MB1X01")
    assert hands.table.version == 2
    assert hands.scan("X02")["did"] == "no"
    assert hands.asked() == []


def test_undo_takes_the_last_entry_back_and_lies_there_without_undoing_more(hands: Hands) -> None:
    for card in ("W07", "W08"):
        hands.scan(card)
        assert hands.scan("X01")["entry"]["command"]["worker"] == card

    hands.show("MB1X04", frames=12)

    assert [entry.command["do"] for entry in hands.table.entries][-1] == "undo"
    assert hands.table.version == 4


def test_a_players_undo_is_for_his_own_last_act(hands: Hands) -> None:
    hands.scan("W07", "blue")
    hands.scan("X01", "blue")

    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan("X04", "yellow")
    assert hands.scan("X04", "blue")["did"] == "undo"


def test_pass_is_for_the_one_whose_turn_it_is() -> None:
    hands = Hands()
    played_until(hands, lambda: any(offer["do"] == "pass" for offer in hands.table.show("banker")["offers"]))
    turn = hands.shown["waiting_for"][0]
    other = next(player for player in hands.shown["players"] if player != turn)

    with pytest.raises(Refused, match="card_means_nothing"):
        hands.scan("X03", other)
    assert hands.scan("X03", turn)["entry"]["command"] == {"do": "pass", "player": turn}


def test_suggest_is_told_to_the_screen_until_the_table_moves_on() -> None:
    hands = Hands()
    played_until(hands, lambda: hands.shown["phase"] == "build")
    first, second = hands.shown["waiting_for"][:2]

    assert hands.scan("X05") == {"card": "X05", "proposal": None, "did": "suggest", "entry": None}
    shown = hands.asking.suggested(hands.table.id, "banker")
    assert shown is not None
    assert shown["player"] == first
    assert hands.asking.suggested(hands.table.id, first) is None, "it was the banker who asked"
    hands.scan("X05", second)
    assert (hands.asking.suggested(hands.table.id, second) or {})["player"] == second
    give(hands.table, {"do": "plan", "player": first, "work": {}})
    assert hands.asking.suggested(hands.table.id, second) is None


def played_until(hands: Hands, done: Callable[[], bool]) -> None:
    """Let the bots play on."""
    while not done():
        command = bot_command(hands.table, hands.piles)
        assert command is not None
        give(hands.table, command)
