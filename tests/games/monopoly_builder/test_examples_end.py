"""Acceptance examples MO-24 to MO-28, MO-81 to MO-87: the end, points, hidden money."""

from dataclasses import replace

import pytest

from companion.games.monopoly_builder.rules.catalog import Foundation
from tests.games.monopoly_builder.town import (
    O,
    P,
    Town,
    board,
    built,
    finish,
    standing,
)
from tests.games.played_table import Json

ACT: Json = {"phase": "act"}


def test_mo_24_the_penthouse_ends_the_game() -> None:
    five = {"red": 1, "purple": 2, "green": 1, "yellow": 1}
    town = Town("purple", "red", taken={**ACT, **built(B2=("purple", 4))}, purple={"chips": five})
    town.do("build", "purple", cell="B2", chips=five)
    assert (town.phase, town.position["finished"]) == ("finished", True)


def test_mo_25_points_of_buildings() -> None:
    cells = built(A1=("red", 1), A4=("red", 2), B3=("red", 3), D1=("red", 4))
    town = finish(Town(taken={**ACT, **cells}))
    assert (standing(town, "red")["buildings"], town.player("red")["blocks"]) == (20, 2)


def test_mo_26_points_of_sets() -> None:
    assert sum(points for _, points in board().sets) == 28
    town = finish(Town(taken=ACT, red={"deeds": [O, P]}))
    assert standing(town, "red")["sets"] == 2


def test_mo_27_the_two_bonuses() -> None:
    cells = built(A1=("red", 1), A2=("red", 1), D1=("green", 1), D2=("green", 1), D3=("green", 1))
    town = finish(Town(taken={**ACT, **cells}, yellow={"cash": 905}))
    bonus = [(seat, standing(town, seat)["billionaire"], standing(town, seat)["community"]) for seat in town.seats]
    assert bonus == [("red", 0, 0), ("green", 0, 5), ("yellow", 3, 0)]


def test_mo_28_most_points_win() -> None:
    town = finish(Town(taken={**ACT, **built(A1=("green", 2))}, yellow={"cash": 905}))
    assert [(line["player"], line["points"], line["rank"]) for line in town.position["standings"]] == [
        ("yellow", 3, 1),
        ("green", 3, 2),
        ("red", 0, 3),
    ]


def test_mo_81_the_end_is_at_once() -> None:
    five = {"red": 2, "purple": 1, "green": 1, "yellow": 1}
    town = Town(red={"space": 1, "chips": five}, green={"deeds": [O]}, taken=built(A1=("red", 4)))
    town.roll("red", 1, 2)
    town.do("build", "red", cell="A1", chips=five)
    assert town.refuses("claim_rent", "green", deed=O) == "game_over"
    assert town.refuses("roll", "green", dice=[1, 2]) == "game_over"
    town.do("correct_money", from_="bank", to="green", amount=100, reason="counted")
    assert standing(town, "green")["cash"] == 1_000


@pytest.mark.parametrize(("rule", "phase"), [("ends", "finished"), ("plays_on", "roll")])
def test_mo_82_one_solvent_player_ends_the_game_or_plays_on(rule: str, phase: str) -> None:
    town = Town("red", "green", rules={"last_solvent": rule}, red={"space": 1, "cash": 30}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    town.do("claim_rent", "green", deed=O)
    town.do("declare_bankrupt", "red")
    assert town.phase == phase
    if phase == "roll":
        town.quiet("green")
        town.quiet("green")


@pytest.mark.parametrize(("scores", "points"), [(True, 2), (False, 0)])
def test_mo_83_a_mortgaged_set(*, scores: bool, points: int) -> None:
    town = Town(rules={"mortgaged_set_scores": scores}, taken=ACT, red={"deeds": [O, P], "mortgaged": [O]})
    assert standing(finish(town), "red")["sets"] == points


@pytest.mark.parametrize(("ties", "each"), [("all", 3), ("nobody", 0)])
def test_mo_84_a_shared_bonus(ties: str, each: int) -> None:
    players: Json = {"red": {"cash": 500}, "green": {"cash": 500}, "yellow": {"cash": 200}}
    town = finish(Town(rules={"bonus_ties": ties}, taken=ACT, **players))
    assert [standing(town, seat)["billionaire"] for seat in town.seats] == [each, each, 0]


def test_mo_84_a_group_is_two_at_least() -> None:
    single = finish(Town(taken={**ACT, **built(A1=("red", 1), D5=("green", 1))}))
    assert [standing(single, seat)["community"] for seat in single.seats] == [0, 0, 0]
    pairs = built(A1=("red", 1), A2=("red", 1), D4=("green", 1), D5=("green", 3))
    both = finish(Town(taken={**ACT, **pairs}))
    assert [standing(both, seat)["community"] for seat in both.seats] == [5, 5, 0]


@pytest.mark.parametrize(
    ("apart", "joined", "cells", "community"),
    [
        ((), (), ("A1", "A2", "B3"), 5),
        ((), (), ("A2", "A4"), 0),
        ((), (("A2", "A4"),), ("A2", "A4"), 5),
        ((("A1", "A2"),), (), ("A1", "A2"), 0),
    ],
)
def test_mo_85_neighbours(
    apart: tuple[tuple[str, str], ...], joined: tuple[tuple[str, str], ...], cells: tuple[str, ...], community: int
) -> None:
    box = replace(board(), foundation=Foundation(board().foundation.rows, apart, joined))
    town = Town(catalog=box, taken={**ACT, **built(**dict.fromkeys(cells, ("red", 1)))})
    assert standing(finish(town), "red")["community"] == community


def test_mo_86_equal_points_and_equal_money() -> None:
    cells = built(A1=("red", 4), D5=("green", 4), B3=("yellow", 1))
    cash: Json = {"red": {"cash": 400}, "green": {"cash": 395}, "yellow": {"cash": 900}}
    town = finish(Town(taken={**ACT, **cells}, **cash))
    assert [(line["player"], line["rank"]) for line in town.position["standings"]][:2] == [("red", 1), ("green", 2)]
    same = finish(Town(taken={**ACT, **cells}, **{**cash, "green": {"cash": 400}}))
    assert [line["rank"] for line in same.position["standings"]] == [1, 1, 3]


def test_mo_87_hidden_money() -> None:
    town = Town(rules={"money": "hidden"}, taken=ACT)
    seen = town.table.position_json("green")
    assert seen is not None
    assert (seen["players"]["red"]["cash"], seen["players"]["green"]["cash"], seen["bank"]) == (None, 900, None)
    town.do("count_cash", "red", amount=885)
    assert "885" not in str(town.table.journal("green"))
    finish(town)
    after = town.table.position_json("green")
    assert after is not None
    assert after["players"]["red"]["cash"] == 900
