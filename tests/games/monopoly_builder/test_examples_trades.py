"""Acceptance examples MO-13, MO-14, MO-44 to MO-48: trades with players and the bank, floors."""

from typing import Any

import pytest

from tests.games.monopoly_builder.town import (
    BARGAIN,
    JAIL,
    PARDON,
    O,
    P,
    Town,
    built,
)

ACT: dict[str, Any] = {"phase": "act"}


def test_mo_13_a_third_floor_with_a_wild_chip() -> None:
    town = Town(taken={**ACT, **built(B2=("red", 2))}, red={"chips": {"red": 2, "green": 1}})
    town.do("build", "red", cell="B2", chips={"red": 2, "green": 1})
    assert town.position["board"]["B2"] == {"owner": "red", "height": 3}


def test_mo_14_the_first_floor_needs_an_empty_cell() -> None:
    town = Town(taken={**ACT, **built(B2=("green", 1))}, red={"chips": {"red": 4}})
    assert town.refuses("build", "red", cell="B2", chips={"red": 3}) == "not_your_building"
    town.do("build", "red", cell="B1", chips={"red": 2})
    assert town.player("red")["blocks"] == 11


def trading() -> Town:
    return Town(
        taken={"turn": "green"},
        red={"deeds": [O], "chips": {"red": 4}},
        yellow={"chips": {"yellow": 4}, "cards": [PARDON]},
    )


def test_mo_44_a_trade_at_any_moment() -> None:
    town = trading()
    give, get = {"money": 50, "deeds": [O]}, {"chips": {"yellow": 3}, "cards": [PARDON]}
    town.do("trade", "red", with_="yellow", give=give, get=get)
    assert (town.cash("red"), town.cash("yellow"), town.chips("red")) == (850, 950, {"red": 4, "yellow": 3})
    assert (town.player("yellow")["deeds"], town.player("red")["cards"]) == ([O], [PARDON])
    town.do("trade", "red", with_="green", give={"money": 20}, get={})
    assert town.cash("green") == 920


@pytest.mark.parametrize(
    ("other", "give", "get", "rule"),
    [
        ("red", {"money": 5}, {}, "not_with_oneself"),
        ("yellow", {}, {}, "nothing_to_trade"),
        ("yellow", {"deeds": [P]}, {}, "not_held"),
        ("yellow", {}, {"deeds": [O]}, "not_held"),
        ("yellow", {"cards": [PARDON]}, {}, "not_held"),
        ("yellow", {"deeds": [O, O]}, {}, "not_held"),
        ("yellow", {"chips": {"red": 5}}, {}, "not_so_many_chips"),
        ("yellow", {"money": 905}, {}, "cannot_pay"),
        ("yellow", {"money": -5}, {}, "not_a_multiple"),
        ("yellow", {"deeds": ["D17"]}, {}, "unknown_deed"),
        ("purple", {"money": 5}, {}, "unknown_player"),
    ],
)
def test_mo_44_what_cannot_be_traded(other: str, give: dict[str, Any], get: dict[str, Any], rule: str) -> None:
    assert trading().refuses("trade", "red", with_=other, give=give, get=get) == rule


def test_mo_45_some_tables_trade_jail_cards_only() -> None:
    town = Town(rules={"trade_cards": "jail_only"}, red={"cards": [PARDON, BARGAIN]})
    assert town.refuses("trade", "red", with_="green", give={"cards": [BARGAIN]}, get={}) == "only_jail_cards"
    town.do("trade", "red", with_="green", give={"cards": [PARDON]}, get={})


def test_mo_46_four_for_one_of_the_bank() -> None:
    town = Town(taken=ACT, red={"chips": {"green": 8}}, green={"chips": {"yellow": 20}})
    town.do("bank_trade", "red", give="green", get="purple")
    assert town.chips("red") == {"green": 4, "purple": 1}
    assert town.refuses("bank_trade", "red", give="green", get="green") == "a_kind_that_is_given"
    assert town.refuses("bank_trade", "red", give="green", get="yellow") == "tray_is_short"
    assert town.refuses("bank_trade", "red", give="purple", get="red") == "not_so_many_chips"


def traded_with_bank(town: Town) -> list[str]:
    """Return the kinds that red is offered to give the bank."""
    return [offer["give"] for offer in town.offers("red") if offer["do"] == "bank_trade"]


def test_mo_46_before_the_roll_only_where_the_table_says_so() -> None:
    chips = {"chips": {"green": 4}}
    assert Town(red=chips).refuses("bank_trade", "red", give="green", get="red") == "not_now"
    town = Town(rules={"bank_trade": "whole_turn"}, red=chips, green=chips)
    assert town.refuses("bank_trade", "green", give="green", get="red") == "not_your_turn"
    assert "bank_trade" not in town.position["expects"]
    assert traded_with_bank(town) == ["green"]
    assert traded_with_bank(Town(red=chips)) == []
    town.do("bank_trade", "red", give="green", get="red")


def test_mo_46_trades_with_the_bank_are_offered_before_a_discard_and_in_jail_by_the_key() -> None:
    whole = {"bank_trade": "whole_turn"}
    surplus = Town(rules=whole, taken={"phase": "discard"}, red={"chips": {"green": 8}})
    assert (surplus.phase, traded_with_bank(surplus)) == ("discard", ["green"])

    jailed = {"space": JAIL, "in_jail": True, "chips": {"green": 5}}
    assert traded_with_bank(Town(rules=whole, red=jailed)) == ["green"]
    strict = Town(rules={**whole, "jail_bank_trade": False}, red=jailed)
    assert traded_with_bank(strict) == []
    assert strict.refuses("bank_trade", "red", give="green", get="red") == "not_in_jail_here"


@pytest.mark.parametrize(
    ("chips", "fits"),
    [
        ({"red": 2, "green": 1}, True),
        ({"red": 1, "green": 1, "yellow": 1}, True),
        ({"red": 2, "yellow": 1}, False),
        ({"red": 1, "green": 1}, False),
        ({"red": 1, "green": 1, "yellow": 2}, False),
    ],
)
def test_mo_47_wild_parts_of_a_cost(chips: dict[str, int], *, fits: bool) -> None:
    stock = {"red": 2, "green": 1, "yellow": 2}
    town = Town(taken={**ACT, **built(B2=("red", 2))}, red={"chips": stock})
    if fits:
        town.do("build", "red", cell="B2", chips=chips)
    else:
        assert town.refuses("build", "red", cell="B2", chips=chips) == "not_the_cost"


def test_mo_47_without_a_choice_the_chips_may_be_left_out() -> None:
    town = Town(taken={**ACT, **built(B2=("red", 3))}, red={"chips": {"purple": 1, "yellow": 3}})
    town.do("build", "red", cell="B2")
    assert town.chips("red") == {"yellow": 1}
    assert town.refuses("build", "red", cell="B1") == "say_the_chips"


def test_mo_48_where_nothing_is_built() -> None:
    town = Town(taken={**ACT, **built(B2=("green", 1))}, red={"chips": {"red": 6}})
    assert town.refuses("build", "red", cell="B2", chips={"red": 3}) == "not_your_building"
    assert town.refuses("build", "red", cell="Z9", chips={"red": 2}) == "unknown_cell"
    assert town.refuses("build", "red", cell="A3", chips={"red": 2}) == "unknown_cell"


def test_mo_48_without_a_block_only_the_penthouse() -> None:
    board = built(A1=("red", 4), A2=("red", 4), B1=("red", 4))
    town = Town(taken={**ACT, **board}, red={"chips": {"red": 2, "purple": 1, "green": 1, "yellow": 2}})
    assert town.refuses("build", "red", cell="B2", chips={"red": 2}) == "no_block_left"
    town.do("build", "red", cell="A1", chips={"red": 2, "purple": 1, "green": 1, "yellow": 1})
    assert town.phase == "finished"


def test_mo_48_four_floors_in_one_turn() -> None:
    town = Town(taken=ACT, red={"chips": {"red": 7, "green": 1, "purple": 1, "yellow": 2}})
    town.do("build", "red", cell="B2", chips={"red": 2})
    town.do("build", "red", cell="B2", chips={"red": 3})
    town.do("build", "red", cell="B2", chips={"red": 2, "green": 1})
    town.do("build", "red", cell="B2")
    assert town.player("red")["blocks"] == 8
