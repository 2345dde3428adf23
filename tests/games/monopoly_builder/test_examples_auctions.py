"""Acceptance examples MO-16, MO-49 to MO-54: buying, declining, auctions in any order."""

from typing import Any

import pytest

from tests.games.monopoly_builder.town import (
    JAIL,
    O,
    P,
    Town,
)
from tests.games.played_table import Json


def test_mo_16_a_refused_deed_is_auctioned_from_ten() -> None:
    town = Town()
    town.roll("red", 1, 3)
    town.do("decline", "red")
    assert town.refuses("bid", "green", amount=5) == "bid_too_low"
    town.do("bid", "green", amount=10)
    town.do("hammer")
    assert (town.player("green")["deeds"], town.cash("green")) == ([O], 890)


def test_mo_49_a_deed_is_bought_with_what_one_has() -> None:
    town = Town(red={"space": 1, "cash": 95, "deeds": [P]})
    town.roll("red", 1, 2)
    assert town.refuses("buy", "red") == "cannot_pay"
    town.do("mortgage", "red", deed=P)
    town.do("buy", "red")
    assert (town.cash("red"), town.player("red")["deeds"]) == (55, [O, P])


@pytest.mark.parametrize("owner", ["red", "green"])
def test_mo_49_an_own_or_mortgaged_deed_asks_for_nothing(owner: str) -> None:
    deeds: Json = {"deeds": [O], "mortgaged": [] if owner == "red" else [O]}
    players: Json = {"red": {"space": 1}, "green": {}}
    town = Town(**{**players, owner: {**players[owner], **deeds}})
    town.roll("red", 1, 2)
    assert (town.phase, town.position["claims"]) == ("act", [])


def on_offer(rules: dict[str, str | bool] | None = None, **players: Any) -> Town:
    town = Town(rules=rules, **{"red": {"space": 1}, **players})
    town.roll("red", 1, 2)
    town.do("decline", "red")
    return town


def test_mo_50_everybody_may_bid() -> None:
    town = on_offer(green={"space": JAIL, "in_jail": True})
    town.do("bid", "green", amount=10)
    town.do("bid", "red", amount=15)
    assert town.position["auction"]["leader"] == "red"


def test_mo_50_the_decliner_where_the_table_lets_him() -> None:
    town = on_offer({"decliner_bids": False})
    assert town.refuses("bid", "red", amount=10) == "declined_already"
    assert town.waits == ["green", "yellow"]


def test_mo_51_an_auction_in_any_order() -> None:
    town = on_offer()
    assert town.refuses("bid", "yellow", amount=5) == "bid_too_low"
    town.do("bid", "yellow", amount=10)
    town.do("bid", "green", amount=15)
    assert town.refuses("bid", "yellow", amount=15) == "bid_too_low"
    assert town.refuses("bid", "yellow", amount=18) == "not_a_multiple"
    assert town.refuses("bid", "yellow", amount=10) == "bid_too_low"
    assert town.refuses("bid", "green", amount=20) == "leads_already"
    assert town.refuses("pass", "green") == "leads_already"
    town.do("pass", "red")
    assert town.refuses("pass", "red") == "passed_already"
    town.do("pass", "yellow")
    assert (town.cash("green"), town.player("green")["deeds"], town.phase) == (885, [O], "act")


def test_mo_51_who_has_passed_is_asked_again_after_a_bid() -> None:
    town = on_offer()
    town.do("bid", "yellow", amount=10)
    town.do("pass", "red")
    assert town.waits == ["green"]
    town.do("bid", "green", amount=15)
    assert town.waits == ["red", "yellow"]


def test_mo_52_nobody_bids() -> None:
    town = on_offer()
    for seat in town.seats:
        town.do("pass", seat)
    assert (town.phase, O in town.position["unsold"]) == ("act", True)


def test_mo_52_the_hammer() -> None:
    town = on_offer()
    town.do("bid", "green", amount=25)
    town.do("hammer")
    assert town.cash("green") == 875
    unsold = on_offer()
    unsold.do("hammer")
    assert O in unsold.position["unsold"]
    assert unsold.refuses("hammer") == "no_auction"


def test_mo_53_where_a_pass_is_final() -> None:
    town = on_offer({"auction_pass": "final"})
    town.do("pass", "red")
    town.do("bid", "green", amount=20)
    assert town.refuses("bid", "red", amount=25) == "passed_already"
    town.do("pass", "yellow")
    assert town.player("green")["deeds"] == [O]


def test_mo_54_a_leaders_bid_is_set_aside() -> None:
    town = on_offer(green={"cash": 100, "deeds": [P], "mortgaged": [P]})
    assert town.refuses("bid", "green", amount=105) == "cannot_pay"
    town.do("bid", "green", amount=100)
    assert town.refuses("trade", "green", with_="red", give={"money": 5}, get={}) == "cannot_pay"
    assert town.refuses("unmortgage", "green", deed=P) == "cannot_pay"
    assert town.refuses("correct_money", from_="green", to="bank", amount=5, reason="x") == "cannot_pay"
    town.do("bid", "red", amount=105)
    town.do("trade", "green", with_="red", give={"money": 5}, get={})


def test_mo_50_only_who_can_pay_the_least_bid_is_offered_one() -> None:
    town = on_offer(green={"cash": 5})
    bids = {seat: [offer for offer in town.offers(seat) if offer["do"] == "bid"] for seat in ("red", "green", "yellow")}
    assert bids["green"] == []
    assert bids["yellow"][0]["fields"]["amount"] == {"kind": "amount", "least": 10, "most": 900, "step": 5}
    assert bids["red"]
