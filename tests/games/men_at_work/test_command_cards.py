"""A game of Men at Work played without a touch: fronts, backs and command cards before a camera, nothing else."""

import random
from typing import Any

import pytest

from companion.adapters.label_readers import read_frame
from companion.adapters.pictures import decode_posted_picture, encode_jpeg
from companion.games.men_at_work import COMMAND_WORDS, FIRST_COMMAND_CARD
from companion.games.men_at_work.rules.catalog import BOSS
from companion.service.camera.devices import Devices, PictureTools
from companion.service.camera.proposal_service import ProposalService
from tests.fakes import FakeClock
from tests.games.men_at_work.building_site import Site, house_deck
from tests.service.hands import picture_of

CARDS = {"yes": "X01", "no": "X02", "pass": "X03", "undo": "X04"} | {
    word: f"X{number:02}" for number, word in enumerate(COMMAND_WORDS, FIRST_COMMAND_CARD)
}


class Camera:
    """A table that is only looked at; what was laid is taken away again."""

    def __init__(self, site: Site, dial: str = "automatic") -> None:
        self.site = site
        self.proposals = ProposalService(FakeClock())
        self.proposals.set_level(site.table, dial)  # type: ignore[arg-type]
        self.now = 0
        self.devices = Devices(
            self.proposals, PictureTools(decode_posted_picture, read_frame, encode_jpeg), lambda: self.now
        )

    def lay(self, code: str) -> None:
        """Lay one card, and take it away again."""
        for shown, frames in (((f"MW1{code}",), 3), ((), 6)):
            for _ in range(frames):
                self.devices.process_picture(self.site.table, "banker", "tablet", picture_of(*shown))
                self.now += 300

    def say(self, word: str) -> dict[str, Any]:
        """Lay a command card, and give the latest command."""
        self.lay(CARDS[word])
        return dict(self.site.table.entries[-1].command)

    @property
    def position(self) -> dict[str, Any]:
        return self.site.position


def pile(lots: random.Random) -> list[str]:
    """A shuffled pile with the boss somewhere in it."""
    cards = [card.id for card in house_deck().cards]
    lots.shuffle(cards)
    cards.insert(9, BOSS)
    return cards


def back_of(card: str) -> str:
    return house_deck().boss.back if card == BOSS else house_deck().back_of(card)


def test_a_front_and_a_back_are_scanned_without_a_tap() -> None:
    # given a table whose cards are read automatically, and a hand scanner
    camera = Camera(Site("blue", "grey"))
    table = camera.site.table

    # when the front of the first card and the back below it are scanned
    answers = [camera.devices.scan(table, "banker", label) for label in ("MW1I03", "MW1GPB")]

    # then both have done what they mean, and nothing is asked
    assert [answer["entry"]["command"]["do"] for answer in answers] == ["turn_card", "show_back"]
    assert camera.proposals.pending(table.id) == []
    assert camera.position["back"] == "GPB"


@pytest.mark.nightly
@pytest.mark.slow
def test_a_whole_game_is_played_by_cards_alone() -> None:
    # given a table that nobody touches
    lots = random.Random(11)
    camera = Camera(Site("blue", "grey", "red"))
    table, left, turned = camera.site.table, pile(lots), list[str]()
    said: set[str] = set()

    # when fronts, backs and command cards are laid, whatever the moment asks for
    for _ in range(400):
        position = camera.position
        version = table.version
        match position["phase"]:
            case "finished":
                break
            case "turn":
                turned.append(left.pop(0))
                camera.lay(turned[-1])
            case "back":
                camera.lay(back_of(left[0]))
            case "reshuffle":
                left, turned = [card for card in turned[:-1] if card != BOSS], turned[-1:]
                lots.shuffle(left)
                camera.lay(back_of(left[0]))
            case phase:
                word = answer(lots, phase, position)
                said.add(word)
                camera.say(word)
        assert table.version == version + 1, (position["phase"], table.entries[-1].command)

    # then the game has come to an end, and many words were heard
    assert camera.position["finished"]
    assert {"done", "yes", "no", "accident"} <= said


def answer(lots: random.Random, phase: str, position: dict[str, Any]) -> str:
    if phase == "place":
        if lots.random() < 0.06:
            return "accident"
        colours = position["action"]["colours"]
        one_of_several = position["action"]["piece"] == "girder" and len(colours) > 1
        return lots.choice(colours) if one_of_several and lots.random() < 0.5 else "done"
    return {"colour": lots.choice(("yes", "no")), "highest": lots.choice(("yes", "no")), "clean": "done"}[phase]


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("done", {"do": "done", "player": "blue"}),
        ("orange", {"do": "done", "player": "blue", "colour": "orange"}),
        ("support", {"do": "fallen", "player": "blue", "pieces": {"supports": 1}}),
        ("accident", {"do": "accident", "player": "blue"}),
    ],
)
def test_while_a_girder_is_placed_a_card_says(word: str, command: dict[str, Any]) -> None:
    site = Site()
    site.turn("balance", "GOP")
    camera = Camera(site)

    done = camera.say(word)

    assert {key: value for key, value in done.items() if value is not None} == command


@pytest.mark.parametrize("word", ["black", "white", "yes", "no", "pass", "impossible", "exhausted", "beam", "worker"])
def test_what_means_nothing_then_changes_nothing(word: str) -> None:
    site = Site()
    site.turn("balance", "GOP")
    version = site.table.version

    Camera(site).say(word)

    assert site.table.version == version


def test_with_the_boss_on_duty_highest_ends_the_action_and_takes_the_award() -> None:
    site = Site()
    site.do("turn_card", card=BOSS, back="GOP")
    site.turn("balance", "GOP")

    camera = Camera(site)
    assert camera.say("highest")["highest"] is True
    assert camera.say("orange")["do"] == "say_colour"
    assert site.position["players"]["blue"]["awards"] == 1


def test_a_no_answers_the_game_though_a_message_of_a_wrong_card_is_shown() -> None:
    # given somebody who is asked for the highest piece, and a card that means nothing then
    site = Site("blue", "grey")
    site.do("turn_card", card=BOSS, back="GOP")
    site.turn("balance", "GOP")
    site.do("done", colour="orange")
    camera = Camera(site)
    assert site.position["phase"] == "highest"
    camera.say("brick")
    [message] = camera.proposals.pending(site.table.id)
    assert (message["command"], message["question"]["rule"]) == (None, "card_means_nothing")

    # when NO is laid, then it answers the game, and the message is gone with it
    assert camera.say("no") == {"do": "nobody", "player": "blue"}
    assert camera.proposals.pending(site.table.id) == []


def test_without_counts_the_players_say_impossible_and_exhausted() -> None:
    site = Site(rules={"counts": False})
    site.turn("balance", "GOP")
    assert Camera(site).say("impossible")["do"] == "impossible"
    site.turn("same_colour", "GOB")
    assert Camera(site).say("exhausted")["do"] == "exhausted"
    assert site.position["finished"]


def test_after_an_accident_the_pieces_are_laid_one_by_one_and_done_ends_it() -> None:
    site = Site()
    site.turn("balance", "GOP")
    camera = Camera(site)
    camera.say("accident")
    camera.say("yes")

    assert camera.say("orange")["pieces"] == {"orange": 1}
    assert camera.say("support")["pieces"] == {"supports": 1}
    assert camera.say("done")["do"] == "cleaned"


@pytest.mark.parametrize(("answer", "floor"), [("yes", 1), ("no", 0)])
def test_in_the_box_it_is_asked_where_a_fallen_worker_lies(answer: str, floor: int) -> None:
    site = Site(variants=["skyscraper"])
    site.turn("balance", "GOP")
    camera = Camera(site)
    camera.say("accident")
    camera.say("yes")
    version = site.table.version

    camera.say("worker")
    assert site.table.version == version
    [asked] = camera.proposals.pending(site.table.id)
    assert asked["question"]["rule"] == "fell_to_the_floor"
    assert camera.proposals.picture(site.table.id, asked["id"]).startswith(b"\xff\xd8")

    assert camera.say(answer)["pieces"] == {"workers": 1}
    assert camera.site.position["floor"]["workers"] == floor


def test_undo_by_a_card_is_asked_first() -> None:
    site = Site()
    site.turn("balance", "GOP")
    camera = Camera(site, "suggest")
    version = site.table.version

    camera.say("undo")
    assert site.table.version == version
    camera.say("yes")

    assert site.table.entries[-1].command["do"] == "undo"


def test_command_cards_are_printed_with_what_they_say() -> None:
    from companion.bootstrap.printing import create_command_specs

    site = Site()
    said = {spec.card: spec.read for spec in create_command_specs(site.table.game.manifest, "de")}

    assert said["X06"] == "FERTIG"
    assert said["X01"] == "JA"
    assert len(said) == 5 + len(COMMAND_WORDS)
