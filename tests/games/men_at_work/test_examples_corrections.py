"""Acceptance examples MW-45 to MW-51, MW-53: refusals, corrections, undo, take-over."""

from typing import Any

import pytest

from companion.engine.game import Refused
from tests.games.men_at_work.building_site import SITE, Site, discarded

ON_DUTY: dict[str, Any] = {"boss": {"on_duty": True}}


def test_mw_45_a_card_of_the_discard_cannot_be_turned() -> None:
    site = Site(taken={"discard": ["I04"]})
    assert site.refuses("turn_card", card="I04") == "in_the_discard"
    assert site.refuses("turn_card", card="I99") == "unknown_card"


def test_mw_45_the_one_card_left_is_the_boss() -> None:
    site = Site(taken={"discard": discarded(36)})
    assert site.position["deck"] == 1
    assert site.refuses("turn_card", card="I04") == "in_the_discard"
    site.boss()
    assert site.phase == "reshuffle"


def test_mw_45_an_instruction_held_in_a_hand_cannot_be_turned_where_the_boss_alone_is_left() -> None:
    # given a pile of one card, and four instructions in the hands
    site = Site(variants=["foreman"], taken={"discard": discarded(32)})
    assert site.position["deck"] == 1

    # then no card that was never seen lies there
    assert site.refuses("turn_card", card="I36") == "must_be_the_boss"
    site.boss()
    assert site.phase == "reshuffle"


def test_mw_46_only_what_stands_there_falls() -> None:
    site = Site(taken={"clean": True})
    assert site.refuses("fallen", pieces={"workers": 2}) == "not_so_many"
    assert site.refuses("fallen", pieces={}) == "no_pieces"
    assert site.refuses("fallen", pieces={"cranes": 1}) == "unknown_piece"
    assert site.refuses("fallen", pieces={"workers": 1}, to="floor") == "no_floor"
    site.do("cleaned")
    site.turn("become_highest", "GOP")
    assert site.refuses("fallen", pieces={"orange": 1}) == "only_supports_now"
    site.do("done")
    assert site.phase == "colour"
    assert site.refuses("fallen", pieces={"supports": 1}) == "not_now"


def test_mw_47_what_a_player_cannot_have() -> None:
    site = Site("blue", "red", "grey", experts=["blue"])
    assert site.refuses("correct_player", player="blue", certificates=3, reason="x") == "certificates_cannot_be"
    assert site.refuses("correct_player", player="blue", awards=14, reason="x") == "awards_cannot_be"
    assert site.refuses("correct_player", player="blue", awards=-1, reason="x") == "awards_cannot_be"
    assert site.refuses("correct_player", player="blue", hand=1, reason="x") == "no_hands"
    assert site.refuses("correct_player", player="blue", certificates=2, reason="x") == "nothing_would_change"
    assert site.refuses("correct_player", player="blue", certificates=1, reason=" ") == "reason_missing"


def test_mw_47_out_and_in_again() -> None:
    site = Site("blue", "red", "grey")
    site.turn("become_highest", "GOP")
    site.do("correct_player", player="blue", certificates=0, reason="he has none")
    assert (site.player("blue")["out"], site.active, site.phase, site.on_site("orange")) == (True, "red", "turn", 1)
    site.do("correct_player", player="blue", certificates=1, reason="it lay under the box")
    assert site.player("blue")["out"] is False
    site.do("correct_player", player="blue", awards=4, reason="counted")
    assert (site.position["ended_by"], site.position["winner"]) == ("awards", "blue")


def test_mw_48_a_card_put_beneath_the_others_and_back() -> None:
    site = Site(taken={"discard": ["I03"]})
    deck = site.position["deck"]
    site.do("correct_card", card="I09", to="discard", reason="nobody saw it")
    assert (site.position["deck"], site.position["discard"]) == (deck - 1, ["I09", "I03"])
    assert site.refuses("correct_card", card="I09", to="discard", reason="again") == "lies_there_already"
    assert site.refuses("correct_card", card="I03", to="deck", reason="the top") == "top_of_the_discard"
    site.do("correct_card", card="I09", to="deck", reason="no")
    assert (site.position["deck"], site.position["discard"]) == (deck, ["I03"])


def test_mw_48_the_boss_put_right() -> None:
    site = Site()
    site.do("correct_boss", on_duty=True, reason="she lies there")
    assert (site.position["deck"], site.position["boss"]["on_duty"]) == (36, True)
    site.turn("near_end", "HOP")
    site.do("done")
    assert site.phase == "highest"
    assert site.refuses("correct_boss", on_duty=True, reason="again") == "nothing_would_change"
    site.do("correct_boss", on_duty=False, reason="no")
    assert (site.position["deck"], site.active, site.phase) == (36, "grey", "turn")


@pytest.mark.parametrize(
    ("duty", "correction"),
    [
        ({}, {"verb": "correct_boss", "on_duty": True}),
        (ON_DUTY, {"verb": "correct_card", "card": "I36", "to": "discard"}),
    ],
    ids=["boss", "card"],
)
@pytest.mark.parametrize("ends", ["say_colour", "accident"])
def test_mw_48_a_pile_put_right_to_nothing_leaves_the_question_for_the_colour(
    duty: dict[str, Any], correction: dict[str, Any], ends: str
) -> None:
    # given a girder whose colour is asked, and one card that is still in the pile
    turned = "I35" if duty else "I36"
    there = {**SITE, "orange": 3, "purple": 3, "supports": 3, "workers": 2}
    site = Site(taken={**duty, "discard": [card for card in discarded(35) if card != turned], "site": there})
    site.do("turn_card", card=turned, back="GOP")
    site.do("done")
    action = site.action
    assert (site.phase, site.position["deck"], action["piece"]) == ("colour", 1, "girder")
    orange = site.on_site("orange")

    # when that card proves not to be there
    site.do(**correction, reason="looked again")

    # then the action and both of its colours stand as before
    assert (site.phase, site.position["deck"], site.action) == ("colour", 0, action)
    offered = site.table.show(site.active)["offers"]
    assert [offer["fields"]["colour"]["values"] for offer in offered if offer["do"] == "say_colour"] == [
        action["colours"]
    ]

    # and the answer places the girder, whether it fell or not
    site.do(ends, colour="orange")
    assert site.on_site("orange") == orange + 1
    assert site.phase in ("clean", "highest", "reshuffle")


def test_mw_49_the_hook_to_another() -> None:
    players = {"red": {"certificates": 0}}
    site = Site("blue", "red", "grey", taken={"players": players, "turn": 7, "clean": True})
    assert site.refuses("correct_turn", player="red", reason="his") == "player_is_out"
    site.do("correct_turn", player="grey", reason="it is hers")
    assert (site.position["turn"], site.active, site.phase) == (8, "grey", "clean")
    site.do("correct_turn", player="blue", clean=False, reason="it is his")
    assert (site.position["turn"], site.phase) == (9, "turn")


def test_mw_50_the_accident_that_ended_the_game_is_taken_back() -> None:
    site = Site(taken={"players": {"blue": {"certificates": 1}}})
    site.turn("become_highest", "GOP")
    before = site.position
    site.do("accident")
    assert site.position["finished"]
    site.do("undo")
    assert site.position == before


def test_mw_50_after_the_end_the_winner_and_the_reason_stay() -> None:
    site = Site(taken={**ON_DUTY, "players": {"blue": {"awards": 4, "certificates": 2}}})
    site.turn("near_end", "HOP")
    site.do("done", highest=True)
    assert site.position["standings"][0]["total"] == 7
    assert site.refuses("done", player="blue") == "game_over"
    assert site.refuses("correct_turn", player="blue", reason="x") == "game_over"
    site.do("correct_player", player="blue", awards=4, reason="one too many")
    position = site.position
    assert (position["standings"][0]["total"], position["winner"], position["ended_by"]) == (6, "blue", "awards")
    site.do("rename_player", player="blue", name="Eve")
    assert site.player("blue")["name"] == "Eve"


def test_mw_51_awards_without_the_boss_cannot_be() -> None:
    with pytest.raises(Refused, match="awards_cannot_be"):
        Site(taken={"players": {"blue": {"awards": 1}}})


def test_mw_51_the_pile_follows_from_what_lies_there() -> None:
    site = Site(taken={**ON_DUTY, "discard": discarded(5)})
    assert site.position["deck"] == 31


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"players": {"blue": {"certificates": 4}}}, id="certificates"),
        pytest.param({"players": {"blue": {"certificates": 0}, "grey": {}}}, id="one left"),
        pytest.param({**ON_DUTY, "players": {"blue": {"awards": 5}}}, id="won already"),
        pytest.param({"players": {"blue": {"hand": 1}}}, id="hand"),
        pytest.param({"discard": ["I01", "I01"]}, id="card twice"),
        pytest.param({"discard": ["BOSS"]}, id="boss in the discard"),
        pytest.param({"turn": 0}, id="turn"),
        pytest.param({"turn": True}, id="true is no number"),
        pytest.param({"site": {**SITE, "orange": 8}}, id="more than the box"),
        pytest.param({"site": {"cranes": 1}}, id="unknown piece"),
        pytest.param({"floor": {"workers": 1}}, id="no floor"),
        pytest.param({"rules": {"counts": False}, "site": SITE}, id="nothing is counted"),
        pytest.param({"active": "red"}, id="nobody"),
        pytest.param({"colour": "red"}, id="unknown field"),
    ],
)
def test_mw_51_positions_that_cannot_be(wrong: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        Site(taken=wrong)


def test_mw_51_what_a_game_shows_can_be_taken_over_as_it_is() -> None:
    site = Site("blue", "red", "grey", variants=["foreman", "skyscraper"])
    site.boss()
    site.turn("near_end", "HOP")
    site.do("done", highest=True)
    shown = site.position
    other = Site(*site.seats, taken=shown)
    for key in ("players", "deck", "discard", "site", "reserve", "active", "turn", "boss", "awards_left", "rules"):
        assert other.position[key] == shown[key], key


def test_mw_53_colours_and_the_highest_where_they_do_not_fit() -> None:
    site = Site()
    site.turn("become_highest", "GOP")
    assert site.refuses("done", colour="black") == "colour_does_not_fit"
    assert site.refuses("done", colour="orange", highest=True) == "boss_not_on_duty"
    assert site.refuses("done", colour="orange", highest=False) == "boss_not_on_duty"
    helmet = Site()
    helmet.turn("near_end", "HOP")
    assert helmet.refuses("done", colour="orange") == "no_colour_here"


def test_mw_53_without_an_award_left_nobody_can_claim_one() -> None:
    awards = {"blue": 3, "red": 3, "grey": 3, "green": 3}
    site = Site(*awards, taken={**ON_DUTY, "players": {seat: {"awards": count} for seat, count in awards.items()}})
    site.do("correct_player", player="red", certificates=0, reason="out")
    site.do("correct_player", player="red", awards=4, reason="more than he can use")
    assert site.position["awards_left"] == 0
    site.turn("near_end", "HOP")
    assert site.refuses("done", highest=True) == "no_award_left"
    site.do("done")
    assert site.refuses("claim_highest") == "no_award_left"
    site.do("nobody")
    assert site.active == "grey"


def test_mw_47_a_hand_put_right() -> None:
    site = Site("blue", "red", "grey", variants=["foreman"])
    hand, deck = site.player("blue")["hand"], site.position["deck"]
    assert site.refuses("correct_player", player="blue", hand=9, reason="x") == "hand_cannot_be"
    assert site.refuses("correct_player", player="blue", hand=-1, reason="x") == "hand_cannot_be"
    site.do("correct_player", player="blue", hand=hand - 1, reason="one lies on the pile again")
    assert (site.player("blue")["hand"], site.position["deck"]) == (hand - 1, deck + 1)
