"""Acceptance examples MW-01 to MW-08, MW-17 to MW-20, MW-39, MW-52, MW-56: the box, the set-up, cards turned."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.table.table import Request
from tests.games.men_at_work.building_site import SITE, Site, discarded, empty_table, house_deck, plain_boss

FIVE = ("blue", "yellow", "red", "green", "grey")


def test_mw_01_the_box_is_site_and_reserve() -> None:
    site = Site()
    assert site.position["site"] == SITE
    reserve = {
        "orange": 6,
        "purple": 6,
        "black": 6,
        "white": 6,
        "workers": 15,
        "supports": 5,
        "beams": 12,
        "bricks": 12,
    }
    assert site.position["reserve"] == reserve
    assert house_deck().box.pieces == {piece: SITE[piece] + reserve[piece] for piece in SITE}


def test_mw_02_an_expert_is_dealt_fewer_certificates() -> None:
    site = Site("blue", "grey", experts=["blue"])
    assert (site.certificates("blue"), site.certificates("grey")) == (2, 3)
    strict = Site("blue", "grey", experts=["blue"], rules={"expert_certificates": 1})
    assert (strict.certificates("blue"), strict.certificates("grey")) == (1, 3)


@pytest.mark.parametrize(("players", "needed"), [(2, 5), (3, 4), (4, 4), (5, 3)])
def test_mw_03_awards_needed(players: int, needed: int) -> None:
    assert Site(*FIVE[:players]).position["awards_needed"] == needed


@pytest.mark.parametrize(("players", "most"), [(2, 9), (3, 10), (4, 13), (5, 11)])
def test_mw_04_there_are_awards_enough(players: int, most: int) -> None:
    site = Site(*FIVE[:players])
    assert (site.position["awards_needed"] - 1) * players + 1 == most <= site.position["awards_left"] == 13


@pytest.mark.parametrize(("rule", "after"), [("quarter", 9), ("third", 12), ("half", 18)])
def test_mw_05_the_boss_goes_in_about_there(rule: str, after: int) -> None:
    site = Site(rules={"boss_at": rule})
    assert site.position["boss"] == {"on_duty": False, "about_after": after}
    assert site.position["deck"] == 37


@pytest.mark.parametrize(("rule", "after"), [("quarter", 6), ("third", 8), ("half", 13)])
def test_mw_05_with_hands_of_five_the_pile_is_smaller(rule: str, after: int) -> None:
    site = Site(*FIVE, rules={"boss_at": rule}, variants=["foreman"])
    assert site.position["boss"]["about_after"] == after


def test_mw_05_the_boss_is_on_duty_at_once_and_the_same_player_turns_again() -> None:
    site = Site()
    site.boss("GOP")
    position = site.position
    assert (position["deck"], position["discard"], position["phase"], position["active"]) == (36, [], "turn", "blue")
    assert position["boss"]["on_duty"]


def test_mw_05_no_award_before_the_boss() -> None:
    site = Site()
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange")
    assert (site.phase, site.active) == ("turn", "grey")


def test_mw_06_the_back_says_what_and_the_front_says_how() -> None:
    card = replace(house_deck().cards[0], girder="balance", worker="near_end")
    catalog = replace(house_deck(), cards=(card, *house_deck().cards[1:]))
    girder, worker = Site(catalog=catalog), Site(catalog=catalog)
    girder.do("turn_card", card=card.id, back="GOP")
    worker.do("turn_card", card=card.id, back="HOP")
    assert (girder.action["piece"], girder.action["how"], girder.action["colours"]) == (
        "girder",
        "balance",
        ["orange", "purple"],
    )
    assert (worker.action["piece"], worker.action["how"]) == ("worker", "near_end")
    assert worker.action["pieces"] == {"workers": 1}


def test_mw_07_the_last_card_stays_and_all_others_are_the_pile() -> None:
    site = Site(taken={"discard": discarded(35), "boss": {"on_duty": True}})
    assert site.position["deck"] == 1
    site.do("turn_card", card="I36")
    assert site.phase == "reshuffle"
    site.do("reshuffle", back="GOP")
    assert (site.position["deck"], site.position["discard"], site.phase) == (35, ["I36"], "place")


def test_mw_08_a_colour_that_is_sold_out_cannot_be_used() -> None:
    site = Site(taken={"site": {**SITE, "orange": 7}})
    site.turn("balance", "GOP")
    assert site.action["colours"] == ["purple"]


def test_mw_08_what_the_site_lacks_makes_the_next_card_due() -> None:
    site = Site(taken={"site": {**SITE, "supports": 0}})
    site.turn("touch_support", "GOP")
    assert (site.phase, site.active, site.action["status"]) == ("turn", "blue", "impossible")


def test_mw_17_twelve_kinds_for_a_girder_and_nine_for_a_worker() -> None:
    kinds = [instruction.kind for instruction in house_deck().instructions]
    assert (kinds.count("girder"), kinds.count("worker")) == (12, 9)


def test_mw_18_the_card_beneath_the_one_turned_counts() -> None:
    site = Site(taken={"discard": ["I01"]})
    site.turn("one_brick")
    site.do("show_back", back="GOP")
    site.do("accident", **({"colour": "orange"} if site.phase == "place" else {}))
    site.do("cleaned")
    site.turn("two_bricks", "HBW")
    assert (site.action["piece"], site.action["colours"]) == ("worker", ["black", "white"])


def test_mw_19_a_back_that_was_not_seen_is_asked_for() -> None:
    site = Site()
    site.turn("balance")
    assert (site.phase, site.position["expects"]) == ("back", ["show_back", "accident"])
    site.do("show_back", back="GOP")
    assert site.phase == "place"


def test_mw_20_a_plain_boss_on_top_is_turned_at_once() -> None:
    site = Site(catalog=plain_boss())
    site.turn("balance")
    assert site.position["expects"] == ["show_back", "turn_card", "accident"]
    assert site.refuses("turn_card", card="I36" if site.position["discard"] != ["I36"] else "I35")
    front = site.position["discard"][-1]
    site.boss()
    assert (site.phase, site.position["boss"]["on_duty"], site.position["discard"][-1]) == ("back", True, front)
    site.do("show_back", back="GOP")
    assert site.action["how"] == "balance"


def test_mw_20_a_boss_with_a_back_is_none_of_that() -> None:
    site = Site()
    site.turn("balance")
    assert site.refuses("turn_card", card="BOSS") == "not_now"


def test_mw_39_all_three_variants_together() -> None:
    site = Site(*FIVE, variants=["crane", "foreman", "skyscraper"])
    assert (site.position["deck"], site.reserve("supports")) == (27, 8)
    assert site.position["variants"] == ["crane", "foreman", "skyscraper"]


START: dict[str, Any] = {
    "game": "men_at_work",
    "first": "blue",
    "players": [{"id": "blue"}, {"id": "grey"}],
}


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"players": [{"id": "blue"}]}, id="one player"),
        pytest.param({"players": [{"id": seat} for seat in (*FIVE, "blue")]}, id="six"),
        pytest.param({"players": [{"id": "blue"}, {"id": "blue"}]}, id="one twice"),
        pytest.param({"players": [{"id": "blue", "level": "master"}, {"id": "grey"}]}, id="level"),
        pytest.param({"players": [{"id": "orange"}, {"id": "blue"}]}, id="a girder's colour"),
        pytest.param({"first": "red"}, id="first"),
        pytest.param({"rules": {"boss_at": "top"}}, id="value"),
        pytest.param({"rules": {"expert_certificates": True}}, id="true is no number"),
        pytest.param({"rules": {"counts": 1}}, id="a number is not true"),
        pytest.param({"rules": {"wind": "strong"}}, id="rule"),
        pytest.param({"variants": ["tower"]}, id="variant"),
        pytest.param({"variants": ["crane", "crane"]}, id="variant twice"),
        pytest.param({"catalog": "mine"}, id="catalog"),
        pytest.param({"game": "master_builder"}, id="other game"),
    ],
)
def test_mw_52_what_no_game_begins_with(wrong: dict[str, Any]) -> None:
    table = empty_table()
    with pytest.raises(Refused):
        table.submit(Request({"do": "start_game", **START, **wrong}, "banker", "test"))
    assert table.version == 0


def test_mw_52_a_game_begins_once() -> None:
    assert Site().refuses("start_game", **START) == "started_already"


def test_mw_56_who_is_named_first_begins() -> None:
    site = Site("grey", "blue")
    assert site.active == "grey"
    site.turn("become_highest", "GOP")
    site.do("done", colour="orange")
    assert site.active == "blue"
