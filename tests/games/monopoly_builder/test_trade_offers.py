"""Offers of trades, as far as whoever asks may know of them (rulings MO-D15, D48)."""

from typing import Any

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


def test_hidden_money_of_another_is_not_asked_for() -> None:
    town = Town("red", "green", rules={"money": "hidden"})

    fields = trades(town, "red")["green"]

    assert "money" in fields["give"]["parts"]
    assert "money" not in fields["get"]["parts"]


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
