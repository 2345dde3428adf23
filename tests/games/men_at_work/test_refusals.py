"""Refusals of Men at Work that no numbered example asks for, and what cards under the camera mean."""

from typing import Any

import pytest

from companion.engine.game import Placement, Position, Question, Refused
from companion.game_api.corrections import RenamePlayer
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.events import BackSeen
from companion.games.men_at_work.rules.evolve import evolve
from companion.games.men_at_work.rules.game import MenAtWork
from companion.service.table.table import Request
from tests.games.men_at_work.building_site import SITE, Site, discarded, empty_table, house_deck, plain_boss

WHY = {"reason": "looked again"}
ON_DUTY: dict[str, Any] = {"boss": {"on_duty": True}}


def test_before_the_start_nothing_is_done() -> None:
    with pytest.raises(Refused, match="not_started"):
        empty_table().submit(Request({"do": "turn_card", "card": "I01"}, "banker", "test"))
    with pytest.raises(ValueError, match="before the start"):
        evolve(None, BackSeen("GOP"))


def test_who_is_not_on_turn_and_who_is_not_here() -> None:
    site = Site()
    assert site.refuses("accident", player="grey") == "not_your_turn"
    assert site.refuses("accident", player="red") == "unknown_player"
    assert site.refuses("accident", colour="orange") == "no_colour_here"


def test_pieces_that_are_none() -> None:
    site = Site(taken={"clean": True})
    assert site.refuses("fallen", pieces={"orange": 0}) == "no_pieces"
    site.do("correct_player", player="blue", certificates=0, **WHY)
    assert site.refuses("fallen", player="grey", pieces={"orange": 1}) == "game_over"


def test_corrections_that_cannot_be() -> None:
    site = Site(variants=["foreman"])
    said = {"from_": "site", "to": "reserve", "pieces": {"orange": 1}, **WHY}
    assert site.refuses("correct_pieces", **{**said, "to": "site"}) == "same_place"
    assert site.refuses("correct_player", player="red", awards=1, **WHY) == "unknown_player"
    assert site.refuses("correct_player", player="blue", hand=3, **WHY) == "hand_cannot_be"
    assert site.refuses("correct_turn", player="red", **WHY) == "unknown_player"
    assert site.refuses("correct_card", card="I99", to="discard", **WHY) == "unknown_card"
    assert site.refuses("rename_player", player="blue", name=" ") == "name_length"
    site.turn("become_highest", "GOP")
    site.do("done")
    assert site.refuses("correct_pieces", **said) == "not_now"
    uncounted = Site(rules={"counts": False})
    assert uncounted.refuses("correct_pieces", **said) == "nothing_is_counted"


def test_pieces_are_put_to_the_floor_of_the_box_and_back() -> None:
    site = Site(variants=["skyscraper"])
    site.do("correct_pieces", from_="site", to="floor", pieces={"workers": 1}, **WHY)
    assert site.position["floor"]["workers"] == 1
    site.do("correct_pieces", from_="floor", to="reserve", pieces={"workers": 1}, **WHY)
    assert site.reserve("workers") == 16
    said = {"from_": "site", "to": "floor", "pieces": {"orange": 1}, **WHY}
    assert site.refuses("correct_pieces", **said) == "never_on_the_floor"


def test_cards_that_cannot_come_out_of_the_pile() -> None:
    hands = {seat: {"hand": 0} for seat in ("blue", "grey")}
    few = Site(variants=["foreman"], taken={"discard": discarded(36), "players": hands})
    assert few.refuses("correct_card", card="I36", to="discard", **WHY) == "top_of_the_discard"
    site = Site(variants=["foreman"], taken={"discard": discarded(32)})
    assert site.refuses("correct_card", card="I35", to="discard", **WHY) == "not_in_the_pile"
    assert site.refuses("turn_card", card="I35") == "must_be_the_boss"
    playing = Site(variants=["foreman"])
    playing.turn("near_end", "HOP")
    playing.do("use_foreman_card", card="I35", on="deck")
    assert playing.refuses("correct_card", card="I35", to="discard", **WHY) == "played_onto_the_pile"
    empty = Site(variants=["foreman"], taken={"discard": discarded(32), **ON_DUTY, "players": {"blue": {"hand": 1}}})
    assert empty.position["deck"] == 1
    empty.do("correct_boss", on_duty=False, **WHY)
    empty.do("correct_boss", on_duty=True, **WHY)
    empty.do("correct_card", card="I35", to="discard", **WHY)
    assert empty.refuses("correct_boss", on_duty=True, **WHY) == "nothing_would_change"


def test_the_boss_cannot_come_out_of_a_pile_without_her() -> None:
    site = Site(variants=["foreman"], taken={"discard": discarded(32)})
    site.do("turn_card", card="BOSS")
    site.do("reshuffle")
    site.do("turn_card", card="I01")
    assert site.refuses("turn_card", card="BOSS") in ("boss_on_duty", "not_now")


def test_backs_where_none_can_be_seen_or_another_is_known() -> None:
    last = Site(taken={"discard": discarded(35), **ON_DUTY})
    assert last.refuses("turn_card", card="BOSS") == "boss_on_duty"
    assert last.refuses("turn_card", card="I36", back="GOP") == "no_card_left_to_show"
    site = Site("blue", "red", "grey", variants=["foreman"], rules={"foreman_plays": "any"})
    site.turn("near_end", "HOP")
    first, second = _unseen(site, 2)
    site.do("use_foreman_card", card=first, on="deck")
    site.do("use_foreman_card", card=second, on="deck")
    site.do("accident", **({"colour": site.action["colours"][0]} if site.action["piece"] == "girder" else {}))
    site.do("cleaned")
    back = house_deck().back_of(first)
    other = "GOP" if back != "GOP" else "HBW"
    assert site.refuses("turn_card", card=second, back=other) == "known_back"
    site.do("turn_card", card=second)
    assert site.position["back"] == back


def _unseen(site: Site, number: int) -> list[str]:
    return [card.id for card in house_deck().cards if card.id not in site.position["discard"]][-number:]


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"seats": ["blue", "red"], "players": {"blue": {}, "grey": {}}}, id="seats differ"),
        pytest.param({"variants": ["foreman"], "players": {"blue": {"hand": 3}}}, id="hand"),
        pytest.param({"seats": ["blue", "red", "grey"], "players": {"blue": {"certificates": 0}}}, id="active is out"),
        pytest.param({"variants": ["foreman"], "discard": [f"I{n:02d}" for n in range(1, 37)]}, id="too many cards"),
        pytest.param({"site": {**SITE, "orange": -1}}, id="below nothing"),
    ],
)
def test_positions_that_cannot_be(wrong: dict[str, Any]) -> None:
    position: dict[str, Any] = {"game": "men_at_work", "seats": ["blue", "grey"], "active": "blue", **wrong}
    position["players"] = {seat: {} for seat in position["seats"]} | wrong.get("players", {})
    if wrong.get("seats") == ["blue", "red"]:
        position["players"] = wrong["players"]
    with pytest.raises(Refused):
        empty_table().submit(Request({"do": "take_over", "position": position}, "banker", "test"))


def lay(site: Site, card: str) -> Any:
    placement = Placement("place", f"MW1{card}", card, "tray", 1.0)
    position = site.table.position
    assert position is not None
    return site.table.game.rules.read(position, placement)


def test_what_a_card_that_is_laid_down_means() -> None:
    site = Site(catalog=plain_boss())
    assert lay(site, "I01") == c.TurnCard("I01")
    assert lay(site, "GOP") is None
    assert isinstance(lay(site, "I77"), Question)
    site.do("turn_card", card="I01")
    assert lay(site, "GOP") == c.ShowBack("GOP")
    assert lay(site, "BOSS") == c.TurnCard("BOSS")
    question = lay(site, "I02")
    assert isinstance(question, Question)
    assert question.rule == "card_means_nothing"


def test_a_back_on_a_pile_that_was_shuffled_again_and_nothing_after_the_end() -> None:
    site = Site(taken={"discard": discarded(36), **ON_DUTY})
    assert lay(site, "HBW") == c.Reshuffle("HBW")
    over = Site(taken={"players": {"blue": {"certificates": 1}}})
    over.do("accident")
    assert lay(over, "I01") is None


def test_nothing_is_secret_and_no_command_passes_another() -> None:
    game = MenAtWork({"house": _deck()})
    assert game.secret_of(BackSeen("GOP")) is None
    assert not game.overtakes(c.TurnCard("I01"), BackSeen("GOP"))
    assert game.account_for(BackSeen("GOP")) is None


def _deck() -> Catalog:
    return house_deck()


def test_who_may_give_which_command() -> None:
    site = Site()
    position: Position[Any] | None = site.table.position
    game = site.table.game.rules
    assert game.author(position, c.TurnCard("I01")) == "blue"
    assert game.author(position, c.Accident("grey")) == "grey"
    assert game.author(position, RenamePlayer("grey", "Eve")) is None
    assert game.author(None, c.Accident("grey")) is None
