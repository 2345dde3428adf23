"""Acceptance examples MO-15, MO-17, MO-55 to MO-59: rents, claimed and lapsed."""

from typing import Any

import pytest

from tests.games.monopoly_builder.town import (
    O_SPACE,
    O,
    P,
    Town,
)


def test_mo_15_a_set_doubles_the_rent() -> None:
    for deeds, rent in (([O], 50), ([O, P], 100)):
        town = Town(red={"space": 1}, green={"deeds": deeds})
        town.roll("red", 1, 2)
        assert town.position["claims"][0]["amount"] == rent


def test_mo_17_rent_that_is_not_claimed_is_lost() -> None:
    town = Town(red={"space": 1}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    town.do("end_turn", "red")
    assert town.position["claims"]
    town.roll("green", 1, 2)
    assert town.position["claims"] == []


def landed(rules: dict[str, str | bool] | None = None, dice: tuple[int, int] = (1, 2), **players: Any) -> Town:
    town = Town(rules=rules, **{"red": {"space": O_SPACE - sum(dice)}, "green": {"deeds": [O]}, **players})
    town.roll("red", *dice)
    return town


def test_mo_55_rent_is_claimed_by_the_owner_and_once() -> None:
    town = landed()
    assert town.refuses("claim_rent", "yellow", deed=O) == "no_such_claim"
    town.do("claim_rent", "green", deed=O)
    assert (town.cash("red"), town.cash("green")) == (850, 950)
    assert town.refuses("claim_rent", "green", deed=O) == "no_such_claim"


def test_mo_55_in_an_extra_turn_it_still_stands() -> None:
    town = landed(dice=(1, 1))
    town.do("end_turn", "red")
    town.roll("red", 3, 4)
    town.do("claim_rent", "green", deed=O)


@pytest.mark.parametrize("change", ["set", "mortgage", "sale"])
def test_mo_56_a_claim_is_that_of_its_moment(change: str) -> None:
    town = landed(yellow={"deeds": [P]})
    match change:
        case "set":
            town.do("trade", "yellow", with_="green", give={"deeds": [P]}, get={})
        case "mortgage":
            town.do("mortgage", "green", deed=O)
        case _:
            town.do("trade", "green", with_="yellow", give={"deeds": [O]}, get={})
    before = town.cash("green")
    town.do("claim_rent", "green", deed=O)
    assert (town.cash("green") - before, town.cash("red")) == (50, 850)


def test_mo_57_some_tables_claim_on_landing() -> None:
    town = landed({"rent": "auto"})
    assert (town.cash("red"), town.cash("green"), town.position["claims"]) == (850, 950, [])


def test_mo_58_not_in_an_auction_and_not_in_a_debt() -> None:
    town = landed(dice=(1, 1))
    town.do("end_turn", "red")
    town.roll("red", 1, 3)
    town.do("decline", "red")
    assert town.refuses("claim_rent", "green", deed=O) == "not_in_an_auction"
    town.do("hammer")
    town.do("claim_rent", "green", deed=O)
    debt = landed(red={"space": 1, "cash": 30}, yellow={"deeds": ["D16"]})
    debt.do("claim_rent", "green", deed=O)
    assert debt.phase == "debt"
    assert debt.refuses("claim_rent", "green", deed=O) == "debt_open"


@pytest.mark.parametrize(("mortgaged", "rent"), [([], 100), ([P], 100), ([O], None)])
def test_mo_59_the_rent_of_a_set(mortgaged: list[str], rent: int | None) -> None:
    town = landed(green={"deeds": [O, P], "mortgaged": mortgaged})
    claims = town.position["claims"]
    assert (claims[0]["amount"] if claims else None) == rent
