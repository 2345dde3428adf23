"""Acceptance examples MO-01 to MO-04, MO-29 to MO-34: the box, the set-up, amounts."""

from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.table.table import Request
from tests.games.monopoly_builder.town import (
    O_SPACE,
    O,
    Town,
    empty_table,
    house_board,
)

START: dict[str, Any] = {"game": "monopoly_builder", "first": "red", "players": [{"id": "red"}, {"id": "green"}]}


@pytest.mark.parametrize(("seats", "bank"), [(2, 11_900), (3, 11_000), (4, 10_100)])
def test_mo_01_02_money_chips_and_blocks_at_the_start(seats: int, bank: int) -> None:
    town = Town(*("red", "green", "yellow", "purple")[:seats])
    assert 20 * (5 + 10 + 20 + 50 + 100 + 500) == town.position["money_in_play"] == 13_700
    assert town.position["bank"] == bank
    for seat in town.seats:
        shown = town.player(seat)
        assert (shown["cash"], town.chips(seat), shown["blocks"], shown["space"]) == (900, {seat: 4}, 12, 0)


def test_mo_03_what_is_in_the_box() -> None:
    box = house_board()
    assert len({deed.colour for deed in box.deeds}) == 8
    assert (len(box.deeds), len(box.chances), len(box.floors)) == (16, 20, 5)


def test_mo_04_turns_go_round_clockwise() -> None:
    town = Town("green", "yellow", "red")
    for seat in town.seats:
        assert town.turn == seat
        town.quiet(seat)
    assert town.turn == "green"


def test_mo_29_dice_are_as_dice_are() -> None:
    totals = [first + other for first in range(1, 7) for other in range(1, 7)]
    assert [totals.count(total) for total in range(2, 13)] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert (totals.count(6), totals.count(11)) == (5, 2)


def test_mo_30_every_amount_is_a_multiple_of_five() -> None:
    town = Town()
    town.roll("red", 1, 3)
    town.do("decline", "red")
    assert town.refuses("bid", "red", amount=12) == "not_a_multiple"
    assert town.refuses("correct_money", from_="bank", to="red", amount=7, reason="x") == "not_a_multiple"
    bundle = {"money": 3}
    assert town.refuses("trade", "red", with_="green", give=bundle, get={}) == "not_a_multiple"
    town.do("bid", "red", amount=15)


def test_mo_31_four_of_the_own_kind_and_the_rest_in_the_tray() -> None:
    assert Town().position["tray"] == {"red": 16, "purple": 20, "green": 16, "yellow": 16}


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param({"players": [{"id": "red"}]}, id="one"),
        pytest.param({"players": [{"id": seat} for seat in ("red", "green", "yellow", "purple", "red")]}, id="five"),
        pytest.param({"players": [{"id": "red"}, {"id": "red"}]}, id="red twice"),
        pytest.param({"players": [{"id": "red"}, {"id": "blue"}]}, id="blue"),
        pytest.param({"first": "purple"}, id="first is absent"),
        pytest.param({"game": "chess"}, id="chess"),
        pytest.param({"rules": {"rent": "never"}}, id="MO-90 value"),
        pytest.param({"rules": {"speed": "high"}}, id="MO-90 rule"),
        pytest.param({"rules": {"decliner_bids": "true"}}, id="a word is not true"),
        pytest.param({"variants": ["x"]}, id="MO-90 variant"),
        pytest.param({"catalog": "mine"}, id="catalog"),
    ],
)
def test_mo_32_what_no_game_begins_with(wrong: dict[str, Any]) -> None:
    table = empty_table()
    with pytest.raises(Refused):
        table.submit(Request({"do": "start_game", **START, **wrong}, "banker", "test"))
    assert table.version == 0


def test_mo_32_variants_may_be_given_empty() -> None:
    table = empty_table()
    table.submit(Request({"do": "start_game", **START, "variants": []}, "banker", "test"))
    assert table.version == 1


def test_mo_33_shuffled_deeds_are_turned_up_and_stay() -> None:
    town = Town(rules={"deeds": "shuffled"})
    assert set(town.position["sites"].values()) == {None}
    town.roll("red", 1, 3)
    assert town.phase == "turn_deed"
    town.do("turn_deed", "red", deed=O)
    assert (town.phase, town.position["sites"][str(O_SPACE)]) == ("buy", O)
    town.do("buy", "red")
    assert town.cash("red") == 800
    town.do("end_turn", "red")
    town.roll("green", 2, 4)
    assert town.refuses("turn_deed", "green", deed=O) == "turned_up_already"


def test_mo_33_beside_their_spaces_no_deed_is_turned() -> None:
    town = Town()
    town.roll("red", 1, 3)
    assert town.refuses("turn_deed", "red", deed=O) == "not_now"


def test_mo_34_money_never_runs_out() -> None:
    town = Town()
    town.do("correct_money", from_="bank", to="red", amount=12_000, reason="counted")
    assert town.position["bank"] == -1_000
