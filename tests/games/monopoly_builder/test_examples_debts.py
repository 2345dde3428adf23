"""Acceptance examples MO-22, MO-23, MO-73 to MO-80: mortgages, debts, bankruptcy."""

from typing import Any

from companion.games.monopoly_builder.rules.catalog import Effect
from tests.games.monopoly_builder.town import (
    PARDON,
    O,
    P,
    Town,
    built,
    drawing,
    finish,
    standing,
    third_failure,
)
from tests.games.played_table import Json


def test_mo_22_mortgaged_it_brings_nothing_but_the_partner_keeps_the_set() -> None:
    town = Town(taken={"turn": "green"}, red={"deeds": [O, P]})
    town.do("mortgage", "red", deed=O)
    assert town.cash("red") == 1_000
    town.do("unmortgage", "red", deed=O)
    assert town.cash("red") == 900


def test_mo_73_mortgages_at_any_moment() -> None:
    town = Town(taken={"turn": "green"}, red={"deeds": [O]}, yellow={"deeds": [P]})
    town.do("mortgage", "red", deed=O)
    assert town.cash("red") == 1_000
    assert town.refuses("mortgage", "red", deed=O) == "mortgaged_already"
    assert town.refuses("mortgage", "red", deed=P) == "not_your_deed"


def test_mo_73_or_in_ones_own_debt_only() -> None:
    rules: dict[str, str | bool] = {"mortgage": "in_debt", "rent": "auto"}
    free = Town(rules=rules, red={"deeds": [P]})
    assert free.refuses("mortgage", "red", deed=P) == "owes_nothing"
    town = Town(rules=rules, red={"space": 1, "cash": 30, "deeds": [P]}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    town.do("mortgage", "red", deed=P)
    assert (town.cash("red"), town.phase) == (40, "act")


def test_mo_74_lifting_a_mortgage() -> None:
    town = Town(red={"deeds": [O, P], "mortgaged": [O]})
    town.do("trade", "red", with_="green", give={"deeds": [O]}, get={})
    town.do("unmortgage", "green", deed=O)
    assert town.cash("green") == 800
    assert town.refuses("unmortgage", "green", deed=O) == "not_mortgaged"
    debtor = owing(30, deeds=[P], mortgaged=[P])
    assert debtor.refuses("unmortgage", "red", deed=P) == "debts_first"


def owing(cash: int, **red: Any) -> Town:
    """Red owes green the rent of O."""
    town = Town(red={"space": 1, "cash": cash, **red}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    town.do("claim_rent", "green", deed=O)
    assert town.phase == "debt"
    return town


def test_mo_75_a_debt_waits_for_the_debtor_and_goes_on_where_it_was() -> None:
    town = owing(30)
    assert (town.waits, town.position["expects"]) == (["red"], ["mortgage", "trade", "declare_bankrupt"])
    for verb, fields in (("end_turn", {}), ("roll", {"dice": [1, 2]}), ("build", {"cell": "A1", "chips": {"red": 2}})):
        assert town.refuses(verb, "red", **fields) == "debt_open"
    town.do("trade", "red", with_="yellow", give={}, get={"money": 20})
    assert (town.cash("red"), town.cash("green"), town.phase) == (0, 950, "act")


def test_mo_76_bankrupt_is_who_cannot_mortgage_any_more() -> None:
    town = owing(5, deeds=["D01"])
    assert town.refuses("declare_bankrupt", "red") == "can_still_mortgage"
    assert town.refuses("declare_bankrupt", "green") == "owes_nothing"
    town.do("mortgage", "red", deed="D01")
    assert town.phase == "debt"
    town.do("declare_bankrupt", "red")
    assert town.player("red")["bankrupt"]


def test_mo_23_77_bankrupt_to_a_player() -> None:
    deeds: Json = {"deeds": [P], "mortgaged": [P], "chips": {"red": 3}, "cards": [PARDON]}
    town = owing(30, **deeds)
    town.do("declare_bankrupt", "red")
    green = town.player("green")
    assert (green["cash"], green["deeds"], green["mortgaged"], green["cards"]) == (930, [O, P], [P], [PARDON])
    assert (town.chips("green"), town.turn) == ({"red": 3}, "green")


def test_mo_78_bankrupt_to_the_bank() -> None:
    mine: Json = {"deeds": [O], "mortgaged": [O], "chips": {"red": 3}, "cards": [PARDON], "cash": 30}
    town = third_failure(**mine)
    bank = town.position["bank"]
    town.do("declare_bankrupt", "red")
    assert (town.position["bank"], town.position["deck"]["chance"]) == (bank + 30, 20)
    assert (O in town.position["unsold"], town.position["tray"]["red"]) == (True, 20)


def test_mo_79_owing_several_it_goes_to_the_oldest_that_is_open() -> None:
    town = drawing(Effect("pay", amount=50, players=True), red={"cash": 60, "chips": {"red": 1}})
    assert (town.cash("green"), town.cash("red")) == (950, 10)
    assert town.position["debts"] == [{"debtor": "red", "creditor": "yellow", "amount": 50}]
    town.do("declare_bankrupt", "red")
    assert (town.cash("yellow"), town.chips("yellow")) == (910, {"red": 1})


def test_mo_80_a_bankrupt_plays_no_more_but_his_floors_score() -> None:
    town = Town(
        red={"space": 1, "cash": 5}, green={"deeds": [O]}, taken=built(A1=("red", 3)), yellow={"space": STEAL_BEFORE}
    )
    town.roll("red", 1, 2)
    town.do("claim_rent", "green", deed=O)
    town.do("declare_bankrupt", "red")
    assert (town.turn, town.position["board"]["A1"]["owner"]) == ("green", "red")
    town.roll("green", 1, 5)
    assert (town.chips("red"), town.chips("green")) == ({}, {"green": 2})
    assert town.refuses("trade", "red", with_="green", give={}, get={"money": 5}) == "bankrupt"
    assert town.refuses("roll", "red", dice=[1, 2]) == "bankrupt"
    town.let_go()
    town.do("end_turn", "green")
    town.roll("yellow", 1, 2)
    assert town.refuses("steal", "yellow", from_="red", kind="red") == "bankrupt"
    town.do("steal", "yellow", from_="green", kind="green")
    finish(town)
    assert standing(town, "red")["buildings"] == 6


STEAL_BEFORE = 16


def test_mo_80_the_rest_of_a_card_goes_on_without_him() -> None:
    town = drawing(Effect("pay", amount=50, who="all"), Effect("receive", amount=20, who="all"), green={"cash": 10})
    town.do("declare_bankrupt", "green")
    assert [town.cash(seat) for seat in town.seats] == [870, 0, 870]
