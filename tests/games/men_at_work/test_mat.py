"""Pile and discard on the game's own mat, seen by the simulated camera: backs are levels, fronts are events."""

from collections.abc import Iterator
from typing import Any

import pytest

from calibration.mat import MatTracker
from companion import bootstrap
from companion.adapters.label_readers import read_frame
from companion.adapters.pictures import decode_posted_picture, encode_jpeg
from companion.bootstrap import cameras
from companion.bootstrap.cameras import load_mats
from companion.engine.game import Placement, Refused
from companion.games.men_at_work import COMMAND_WORDS, FIRST_COMMAND_CARD, GAME
from companion.service.camera.devices import Devices, PictureTools
from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, PlacedMat, label_centre_mm
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.games.men_at_work.building_site import Site, house_deck
from tests.games.men_at_work.test_examples_foreman import foreman
from tests.opened import installed_games

LYING = PlacedMat(load_mats(games=installed_games())["site"], 350.0, 150.0)
TEXTS = {**bootstrap.label_texts(GAME, house_deck()), **bootstrap.command_card_texts(GAME)}
BLACK, ACCIDENT = (f"X{FIRST_COMMAND_CARD + COMMAND_WORDS.index(word):02}" for word in ("black", "accident"))


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    """Two of each back, for a pile of which two cards are in sight."""
    texts = {**TEXTS, **{f"{card} too": text for card, text in TEXTS.items() if len(card) == len("GOW")}}
    return SimulatedCamera(SimulatedTable(1, texts), frame_ms=250, mat=LYING)


class OnMat:
    """A game of two, and the camera over the mat."""

    def __init__(self, camera: SimulatedCamera, dial: str, **begun: Any) -> None:
        self.site = Site("blue", "grey", **begun)
        self.simulated_table = camera.table
        self.simulated_table.clear()
        self.scanner = cameras.create_scanner(camera, MatTracker([LYING.mat]))
        self.scanner.attach(self.site.table)
        self.scanner.proposals.set_level(self.site.table, dial)  # type: ignore[arg-type]

    def lay(self, card: str, zone: str, frames: int = 12) -> None:
        """Lay a card with the middle of its label in the middle of a zone."""
        corners = next(area for area in LYING.mat.zones.zones if area.name == zone).corners_mm
        x, y = ((corners[0][axis] + corners[2][axis]) / 2 for axis in (0, 1))
        across, down = (a - b / 2 for a, b in zip(label_centre_mm(), (CARD_WIDTH_MM, CARD_HEIGHT_MM), strict=True))
        left, top = LYING.to_table(x, y)
        self.simulated_table.lay(card, left - across, top - down)
        self.process_frames(frames)

    def lay_beside(self, card: str) -> None:
        """Lay a card on the table, left of the mat."""
        self.simulated_table.lay(card, 120.0, 300.0)
        self.process_frames()

    def process_frames(self, frames: int = 12) -> None:
        """Let the camera take frames."""
        for _ in range(frames):
            assert self.scanner.process_next_frame()

    def asked(self) -> list[dict[str, Any]]:
        return self.scanner.proposals.pending(self.site.table.id)

    def answer(self, answer: Any) -> dict[str, Any]:
        [asked] = self.asked()
        entry = self.scanner.proposals.answer(self.site.table.id, asked["id"], answer, actor="banker")
        return dict((entry or {})["command"])

    @property
    def commands(self) -> list[dict[str, Any]]:
        return [dict(entry.command) for entry in self.site.table.entries[1:]]


@pytest.fixture
def automatic(camera: SimulatedCamera) -> Iterator[OnMat]:
    yield OnMat(camera, "automatic")
    camera.table.clear()


def with_back(back: str, *, but: str = "") -> str:
    return next(card.id for card in house_deck().cards if card.back == back and card.id != but)


def test_a_turned_card_and_the_next_back_are_one_command(automatic: OnMat) -> None:
    card = with_back("GOW")
    automatic.lay("GOW", "pile")
    automatic.simulated_table.take_away("GOW")
    automatic.lay("GPB", "pile", frames=1)
    automatic.lay(card, "discard")

    assert automatic.commands == [{"do": "turn_card", "card": card, "back": "GPB"}]


def test_the_next_card_is_told_though_its_back_looks_as_the_one_before_did(automatic: OnMat) -> None:
    card = with_back("GOW")
    automatic.lay("GOW", "pile")
    automatic.lay(card, "discard")

    assert automatic.commands == [{"do": "turn_card", "card": card, "back": "GOW"}]


def test_a_pile_that_does_not_read_is_asked_for_and_told_once_it_does(automatic: OnMat) -> None:
    card = with_back("GOW")
    automatic.lay(card, "discard")
    assert automatic.site.position["phase"] == "back"

    automatic.lay("GOB", "pile")

    assert automatic.commands == [{"do": "turn_card", "card": card}, {"do": "show_back", "back": "GOB"}]


def test_two_equal_backs_of_a_slipped_pile_are_one_back(automatic: OnMat) -> None:
    card = with_back("GOW")
    automatic.lay("GOW", "pile", frames=1)
    x, y = LYING.to_table(60, 60)
    automatic.simulated_table.lay("GOW too", x, y - 40)
    automatic.lay(card, "discard")

    assert automatic.commands == [{"do": "turn_card", "card": card, "back": "GOW"}]


def test_a_back_on_the_discard_lies_the_wrong_way_up(automatic: OnMat) -> None:
    automatic.lay("GOW", "discard")

    assert [proposal["question"]["rule"] for proposal in automatic.asked()] == ["wrong_way_up"]
    assert automatic.commands == []


def test_a_front_whose_back_is_not_the_one_last_seen_is_a_question_whatever_the_dial(automatic: OnMat) -> None:
    automatic.lay("GOW", "pile")
    automatic.lay(with_back("GOW"), "discard")
    assert automatic.site.position["back"] == "GOW"
    automatic.site.do("done", player="blue", colour="orange")
    automatic.simulated_table.take_away(with_back("GOW"))
    assert automatic.site.position["phase"] == "turn"

    other = with_back("GPB")
    automatic.lay(other, "discard")

    assert [proposal["question"]["rule"] for proposal in automatic.asked()] == ["unlike_back"]
    assert automatic.answer("yes") == {"do": "turn_card", "card": other, "back": "GOW"}


def test_a_card_that_says_a_word_is_obeyed_beside_the_mat(automatic: OnMat) -> None:
    # given an action in two colours
    automatic.lay("GBW", "pile")
    automatic.lay(with_back("GBW"), "discard")
    assert automatic.site.position["phase"] == "place"

    # when the colour is laid where no zone is, then it is done with it
    automatic.lay_beside(BLACK)
    assert automatic.commands[-1] == {"do": "done", "player": "blue", "colour": "black"}


def test_a_word_that_lay_there_when_the_program_stopped_is_not_said_again(automatic: OnMat) -> None:
    # given an accident that a card has told
    automatic.lay("GBW", "pile")
    automatic.lay(with_back("GBW"), "discard")
    automatic.lay_beside(ACCIDENT)
    already_given = automatic.commands
    assert already_given[-1]["do"] == "accident"

    # when the program starts again, and the card still lies there, then nothing more happens
    automatic.scanner.attach(automatic.site.table, resumed=True)
    automatic.process_frames()
    assert automatic.commands == already_given

    # but it does once the card is laid anew
    automatic.site.do("say_colour", colour="black")
    automatic.simulated_table.take_away(ACCIDENT)
    automatic.process_frames()
    automatic.lay_beside(ACCIDENT)
    assert [command["do"] for command in automatic.commands[len(already_given) :]] == ["say_colour", "accident"]


def test_a_hand_scanner_asks_what_the_camera_would_ask(automatic: OnMat) -> None:
    # given a back that was seen, and the turn of a card that has another one
    automatic.lay("GOW", "pile")
    automatic.lay(with_back("GOW"), "discard")
    automatic.site.do("done", player="blue", colour="orange")
    other = with_back("GPB")

    # when that card is scanned by hand, then it is asked, and *Yes* turns it
    tools = PictureTools(decode_posted_picture, read_frame, encode_jpeg)
    devices = Devices(automatic.scanner.proposals, tools, lambda: 0)
    asked = devices.scan(automatic.site.table, "banker", other)["proposal"]
    assert asked["question"]["rule"] == "unlike_back"
    assert automatic.answer("yes") == {"do": "turn_card", "card": other}

    # and once it lies there, it is refused
    with pytest.raises(Refused, match="card_means_nothing"):
        devices.scan(automatic.site.table, "banker", other)


def read(site: Site, card: str, zone: str) -> Any:
    return site.table.read(Placement("place", f"MW1{card}", card, zone, 1.0))


def test_a_front_on_the_pile_is_nothing_where_nobody_has_a_hand() -> None:
    assert read(Site("blue", "grey"), with_back("GOW"), "pile") is None


def test_what_lies_on_the_discard_already_is_nothing_when_the_camera_comes_back() -> None:
    site = Site("blue", "grey")
    turned = with_back("GOW")
    site.do("turn_card", card=turned, back="GOP")

    assert read(site, turned, "discard") is None
    assert read(site, turned, "tray").rule == "card_means_nothing"


def test_on_a_tray_a_card_of_the_discard_that_comes_back_into_sight_is_nothing_where_another_is_due() -> None:
    # given a card that was turned by a player, the next one of whom turns the next card
    site = Site("blue", "grey")
    turned = with_back("GOW")
    site.do("turn_card", card=turned, back="GPB")
    site.do("done", colour="purple")
    assert site.position["phase"] == "turn"

    # when a hand has covered it for a moment, then nothing is asked
    assert read(site, turned, "tray") is None

    # and the next card, which lies beside it there, is read as ever
    following = with_back("GPB")
    assert read(site, following, "tray") == {"do": "turn_card", "card": following}


@pytest.mark.parametrize("zone", ["discard", "tray"])
def test_a_boss_on_duty_who_comes_back_into_sight_is_nothing(zone: str) -> None:
    # given a boss who lies where the camera sees her, and a pile that shows another back than hers
    site = Site("blue", "grey")
    site.boss("GOP")

    # then she is not turned again
    assert read(site, "BOSS", zone) is None


def test_on_a_tray_it_is_tapped_where_a_foreman_card_lies() -> None:
    site = Site("blue", "grey", variants=["foreman"])
    site.turn("balance", "GOP")
    assert site.position["phase"] == "place"

    asked = read(site, with_back("GPB"), "tray")

    assert (asked.rule, asked.yes, asked.no) == ("foreman_card_where", None, None)


def test_a_no_to_the_foreman_card_turns_it_where_a_card_is_due_too() -> None:
    site = foreman({"supports": 0})
    site.turn("touch_support", "GOP")
    assert site.position["expects"][:2] == ["turn_card", "use_foreman_card"]

    asked = read(site, with_back("GOP"), "discard")

    assert asked.rule == "foreman_card"
    assert (asked.yes["do"], asked.yes["on"], asked.no["do"]) == ("use_foreman_card", "discard", "turn_card")


def test_a_card_that_nobody_has_seen_is_asked_for_as_a_foreman_card(camera: SimulatedCamera) -> None:
    given = OnMat(camera, "automatic", variants=["foreman"])
    given.lay("GOW", "pile")
    first = with_back("GOW")
    given.lay(first, "discard")
    assert given.site.position["phase"] in {"place", "turn"}

    played = with_back("GPB")
    given.lay(played, "pile")

    assert [proposal["question"]["rule"] for proposal in given.asked()] == ["foreman_card"]
    assert given.answer("yes") == {"do": "use_foreman_card", "player": "blue", "card": played, "on": "deck"}
    camera.table.clear()
