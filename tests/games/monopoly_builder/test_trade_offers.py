"""Offers of trades, as far as whoever asks may know of them (rulings MO-D15, D48)."""

from typing import Any

import pytest

from tests.games.monopoly_builder.town import O, Town


def trades(town: Town, player: str) -> dict[str, dict[str, Any]]:
    """Return the parts that a player may trade with each other player, for both sides."""
    return {offer["with"]: offer["fields"] for offer in town.offers(player) if offer["do"] == "trade"}


def test_each_other_player_is_offered_with_what_both_sides_hold() -> None:
    town = Town("red", "green", "yellow", red={"deeds": [O], "chips": {"red": 2}, "cash": 700})

    offers = trades(town, "red")

    assert set(offers) == {"green", "yellow"}
    give = offers["green"]["give"]["parts"]
    assert give["money"] == {"kind": "amount", "least": 0, "most": 700, "step": 5}
    assert give["chips"]["kinds"] == {"red": 2}
    assert give["deeds"]["values"] == [O]
    assert "cards" not in give


@pytest.mark.parametrize("cash", [0, 5, 900])
def test_hidden_money_is_asked_for_up_to_all_that_there_is_whatever_the_other_one_holds(cash: int) -> None:
    # given green, who has something or nothing
    town = Town("red", "green", rules={"money": "hidden"}, green={"cash": cash})

    # then the offer is the same
    fields = trades(town, "red")["green"]
    assert fields["give"]["parts"]["money"] == {"kind": "amount", "least": 0, "most": 900, "step": 5}
    assert fields["get"]["parts"]["money"] == {"kind": "amount", "least": 0, "most": 13_700, "step": 5}


def test_what_the_other_one_cannot_pay_is_refused_once_both_agree() -> None:
    town = Town("red", "green", rules={"money": "hidden"}, red={"deeds": [O]}, green={"cash": 100})

    assert town.refuses("trade", "red", with_="green", give={"deeds": [O]}, get={"money": 105}) == "cannot_pay"
    town.do("trade", "red", with_="green", give={"deeds": [O]}, get={"money": 100})

    assert (town.cash("red"), town.cash("green")) == (1000, 0)


def test_two_who_hold_nothing_have_nothing_to_trade() -> None:
    nothing = {"cash": 0, "chips": {}}
    town = Town("red", "green", "yellow", red=nothing, green=nothing)

    assert set(trades(town, "red")) == {"yellow"}


def test_where_only_jail_cards_may_be_traded_others_are_not_offered() -> None:
    hand = {"cards": ["C01", "C02"]}
    every = trades(Town("red", "green", red=hand), "red")["green"]["give"]["parts"]["cards"]["values"]
    jail = trades(Town("red", "green", red=hand, rules={"trade_cards": "jail_only"}), "red")["green"]["give"]["parts"]

    assert every == ["C01", "C02"]
    assert jail["cards"]["values"] == ["C01"]
