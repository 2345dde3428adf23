"""Advice out of what everybody sees: chips short of a floor, what a deed is worth to whom, and who is shown it."""

from dataclasses import replace
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.games.monopoly_builder.rules.advice import missing_chips
from companion.games.monopoly_builder.ui.stage import MonopolyBuilderStage
from tests.games.monopoly_builder.scenes import scene
from tests.games.monopoly_builder.town import JAIL, O_SPACE, P_SPACE, PARDON, O, P, Town, built


def needs(town: Town, player: str, card: str | None = None) -> dict[str, Any]:
    return town.table.advice.needs(player, card)


def advice(town: Town, player: str, language: str = "en") -> tuple[str, ...]:
    seen = replace(scene(town, language), needs=town.table.advice.needs)
    return MonopolyBuilderStage().stage(seen).advice.get(player, ())


@pytest.mark.parametrize(
    ("price", "chips", "missing"),
    [
        ({"purple": 1, "yellow": 2}, {"purple": 2, "yellow": 1}, {"yellow": 1}),
        ({"any": 3}, {"red": 1}, {"any": 2}),
        ({"red": 1, "green": 1, "any": 1}, {"red": 2, "green": 1}, {}),
        ({"red": 1, "green": 1, "any": 1}, {"red": 2}, {"green": 1}),
        ({"red": 1, "green": 1, "any": 1}, {"green": 1}, {"red": 1, "any": 1}),
    ],
)
def test_what_is_short_is_named_kind_by_kind(
    price: dict[str, int], chips: dict[str, int], missing: dict[str, int]
) -> None:
    assert missing_chips(price, chips) == missing


def test_floors_are_listed_with_the_chips_short_of_them_the_nearest_first() -> None:
    # given a tower of three floors, and chips that lack a yellow one for the fourth
    tower = built(A1=("red", 3), C3=("green", 1))
    town = Town("red", "green", taken=tower, red={"chips": {"purple": 1, "yellow": 1}})

    floors = needs(town, "red")["floors"]

    assert [(floor["floor"], floor["short"]) for floor in floors] == [(1, 0), (4, 1)]
    assert floors[1] == {"floor": 4, "cells": ["A1"], "missing": {"yellow": 1}, "short": 1}
    assert "C3" not in floors[0]["cells"], "it is green's"
    assert advice(town, "red") == ("1 yellow short of floor 4 on A1.",)


def test_whoever_is_bankrupt_is_short_of_nothing() -> None:
    town = Town("red", "green", "purple", taken={}, purple={"bankrupt": True, "cash": 0})

    assert needs(town, "purple")["floors"] == []
    assert needs(town, "red")["floors"]


def test_without_blocks_only_the_penthouse_is_left() -> None:
    towers = built(A1=("red", 4), A2=("red", 4), B1=("red", 4))
    assert [floor["floor"] for floor in needs(Town("red", "green", taken=towers, red={}), "red")["floors"]] == [5]


def test_a_deed_on_offer_is_worth_a_set_to_one_and_less_to_others() -> None:
    # given green's deed of a set, beside whose partner red lands
    town = Town("red", "green", green={"deeds": [P]})
    town.roll("red", 1, 3)

    deed = needs(town, "red")["deed"]

    assert (deed["deed"], deed["kind"], deed["rolls"]) == (O, "green", 2)
    assert deed["worth"] == [
        {"player": "red", "rent": 50, "completes": False, "points": 0, "denies": ["green"]},
        {"player": "green", "rent": 100, "completes": True, "points": 2, "denies": []},
    ]
    assert advice(town, "red")[-2:] == (
        "Canal Row brings two green on 2 of 36 rolls.",
        "Canal Row completes green\u2019s set: rent 100\u00a0M, 2 points.",
    )


def test_a_set_scores_and_gives_chips_as_the_table_has_agreed() -> None:
    # given a table where sets double chips, and mortgaged ones score nothing, and red beside their mortgaged deed
    rules = {"set_doubles_chips": True, "mortgaged_set_scores": False}
    town = Town("red", "green", rules=rules, red={"deeds": [P], "mortgaged": [P]})
    town.roll("red", 1, 3)

    # then the set brings twice the chips, and no points
    assert needs(town, "red")["deed"]["worth"][0]["points"] == 0
    assert advice(town, "red")[-1] == (
        "Canal Row completes red\u2019s set: rent 100\u00a0M, twice the chips, 0 points."
    )


def test_a_deed_may_be_asked_for_and_one_that_is_none_is_refused() -> None:
    town = Town("red", "green")

    assert needs(town, "green", "D16")["deed"]["deed"] == "D16"
    with pytest.raises(Refused, match="unknown_deed"):
        needs(town, "green", "D99")
    with pytest.raises(Refused, match="unknown_player"):
        needs(town, "mauve")


def test_advice_is_the_same_however_much_hidden_money_anybody_holds() -> None:
    towns = [
        Town("red", "green", taken={"rules": {"money": "hidden"}}, red={}, green={"cash": purse}) for purse in (0, 900)
    ]

    assert needs(towns[0], "green") == needs(towns[1], "green")


@pytest.mark.parametrize(("language", "said"), [("fr", "Manque pour l\u2019étage 4 sur A1"), ("de", "Für Stockwerk 4")])
def test_advice_is_given_in_the_readers_language(language: str, said: str) -> None:
    town = Town("red", "green", taken=built(A1=("red", 3)), red={"chips": {"purple": 1, "yellow": 1}})

    assert advice(town, "red", language)[0].startswith(said)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "1 yellow short of the penthouse on A1 or B2."),
        ("fr", "Manque pour le penthouse sur A1 ou B2"),
        ("de", "Für das Penthouse auf A1 oder B2 fehlt: 1 gelb."),
    ],
)
def test_the_floor_that_ends_the_game_is_called_by_its_name(language: str, said: str) -> None:
    # given two towers of four floors, and chips that lack one of a penthouse
    chips = {"red": 2, "purple": 1, "green": 1}
    town = Town("red", "green", taken=built(A1=("red", 4), B2=("red", 4)), red={"chips": chips})

    assert advice(town, "red", language)[0].startswith(said)


def test_the_fee_of_the_jail_is_counted_once_when_it_is_owed() -> None:
    # given red after a third failure with 30
    town = Town("red", "green", red={"space": JAIL, "in_jail": True, "tries": 2, "cash": 30})
    assert town.table.advice.forecast("banker", "red")["due"] == 50
    town.roll("red", 1, 2)

    # then the fee is a debt, and nothing besides
    assert town.phase == "debt"
    assert town.table.advice.forecast("banker", "red")["due"] == 50


def rents(town: Town, player: str) -> list[tuple[str, int, int]]:
    return [
        (rent["deed"], rent["rent"], rent["rolls"]) for rent in town.table.advice.forecast("banker", player)["rents"]
    ]


@pytest.mark.parametrize(
    ("tries", "cards", "due"),
    [(0, [], 0), (1, [], 0), (2, [], 50), (2, [PARDON], 0)],
)
def test_the_fee_of_the_jail_is_to_be_paid_only_where_the_next_roll_may_cost_it(
    tries: int, cards: list[str], due: int
) -> None:
    # given green in jail, who bids
    green = {"space": JAIL, "in_jail": True, "tries": tries, "cards": cards, "cash": 100}
    town = Town("red", "green", green=green)
    town.roll("red", 1, 3)
    town.do("decline", "red")

    ahead = town.table.advice.forecast("banker", "green")

    assert (ahead["due"], ahead["safe"]) == (due, 100 - due)


def test_whoever_is_in_jail_comes_only_as_far_as_doubles_lead() -> None:
    # given red in jail, and green, who owns what lies four and nine spaces behind it
    first, last = (
        Town("red", "green", red={"space": JAIL, "in_jail": True, "tries": tries}, green={"deeds": ["D07", "D10"]})
        for tries in (0, 2)
    )

    # then a double leads to one of them, and the last try, which ends with a move in any case, to both
    assert [(deed, rolls) for deed, _, rolls in rents(first, "red")] == [("D07", 1)]
    assert sorted((deed, rolls) for deed, _, rolls in rents(last, "red")) == [("D07", 3), ("D10", 4)]


def test_a_third_double_in_a_row_leads_to_no_rent() -> None:
    # given red, who has rolled two doubles and stands two spaces before Canal Row, and green, who owns the set
    deeds = {"deeds": [O, P]}
    towns = [
        Town("red", "green", taken={"doubles": doubles}, red={"space": O_SPACE - 2}, green=deeds) for doubles in (1, 2)
    ]

    assert P_SPACE - O_SPACE == 2
    assert rents(towns[0], "red") == [(P, 120, 3), (O, 100, 1)]
    assert rents(towns[1], "red") == [(P, 120, 2)]
