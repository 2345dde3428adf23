"""Acceptance examples MO-05 to MO-12, MO-35 to MO-43: steps of a turn, chips, doubles, moving."""

from dataclasses import replace

import pytest

from companion.games.monopoly_builder.rules.catalog import Effect
from tests.games.monopoly_builder.town import (
    CHANCE,
    JAIL,
    P_SPACE,
    O,
    P,
    Town,
    board,
    house_board,
    spaces,
    with_card,
)


def test_mo_05_chips_above_six_are_discarded_when_a_turn_begins() -> None:
    town = Town(taken={"phase": "discard"}, red={"chips": {"red": 5, "purple": 3}, "space": 3})
    assert (town.phase, town.position["due"]) == ("discard", 2)
    town.do("discard", "red", chips={"purple": 2})
    assert (town.phase, town.position["spaces"]) == ("roll", {"3": {"purple": 2}})


@pytest.mark.parametrize(("count", "due"), [(6, 0), (7, 1)])
def test_mo_05_six_are_not_too_many(count: int, due: int) -> None:
    town = Town(taken={"phase": "discard"}, red={"chips": {"red": count}})
    assert (town.phase == "discard", town.position["due"]) == (due > 0, due)


def test_mo_06_a_deed_with_the_total_gives_its_owner_two_chips() -> None:
    town = Town(green={"deeds": [O]}, red={"space": 20})
    town.roll("red", 5, 6)
    assert town.chips("green") == {"green": 2}


def test_mo_07_a_six_gives_everybody_two_of_the_own_kind() -> None:
    town = Town()
    town.roll("red", 1, 5)
    assert [town.chips(seat) for seat in town.seats] == [{seat: 6} for seat in town.seats]


def test_mo_08_chips_on_the_way_are_picked_up() -> None:
    town = Town(taken=spaces(3, purple=2))
    town.roll("red", 1, 4)
    assert (town.player("red")["space"], town.chips("red")) == (5, {"purple": 2})


def test_mo_09_a_third_double_leads_to_jail() -> None:
    town = Town(taken={"doubles": 2})
    town.roll("red", 4, 4)
    assert (town.player("red")["in_jail"], town.turn) == (True, "green")


def test_mo_10_four_of_a_kind_buy_one_of_another() -> None:
    town = Town(taken={"phase": "act"}, red={"chips": {"green": 4, "red": 1}})
    town.do("bank_trade", "red", give="green", get="purple")
    assert town.chips("red") == {"red": 1, "purple": 1}
    assert town.refuses("bank_trade", "red", give="red", get="purple") == "not_so_many_chips"


def test_mo_11_12_a_tower_costs_sixteen_chips_and_scores_sixteen() -> None:
    costs = [sum(count for _, count in floor) for floor in house_board().floors]
    assert costs == [2, 3, 3, 3, 5]
    assert sum(costs) == 16
    town = Town(taken={"phase": "act", "board": {"A1": {"owner": "red", "height": 4}}}, red={"chips": FIVE})
    town.do("build", "red", cell="A1", chips=FIVE)
    assert town.position["standings"][0]["buildings"] == 16


FIVE = {"red": 1, "purple": 2, "green": 1, "yellow": 1}


def test_mo_35_the_steps_of_a_turn() -> None:
    chips = {"red": 2, "green": 4, "purple": 4}
    town = Town(red={"chips": chips, "space": 20})
    for verb, fields in (
        ("end_turn", {}),
        ("build", {"cell": "A1", "chips": {"red": 2}}),
        ("bank_trade", {"give": "green", "get": "purple"}),
    ):
        assert town.refuses(verb, "red", **fields) == "not_now"
    assert town.refuses("roll", "green", dice=[1, 2]) == "not_your_turn"
    town.roll("red", 1, 2)
    town.let_go()
    town.do("build", "red", cell="A1", chips={"red": 2})
    town.do("bank_trade", "red", give="green", get="purple")
    town.do("build", "red", cell="A2", chips={"purple": 2})


def test_mo_36_exactly_the_surplus_is_discarded() -> None:
    town = Town(taken={"phase": "discard"}, red={"chips": {"red": 7, "purple": 1}})
    assert town.refuses("discard", "red", chips={"red": 1}) == "not_as_many_as_due"
    assert town.refuses("discard", "red", chips={"red": 3}) == "not_as_many_as_due"
    assert town.refuses("discard", "red", chips={"purple": 2}) == "not_so_many_chips"
    town.do("discard", "red", chips={"red": 2})
    assert town.position["spaces"] == {"0": {"red": 2}}


def test_mo_36_who_trades_down_to_six_discards_nothing() -> None:
    town = Town(taken={"phase": "discard"}, red={"chips": {"red": 8}})
    town.do("trade", "red", with_="green", give={"chips": {"red": 2}}, get={})
    assert town.phase == "roll"


@pytest.mark.parametrize("dice", [(1, 5), (2, 4), (3, 3)])
def test_mo_37_a_total_of_six_it_is(dice: tuple[int, int]) -> None:
    town = Town()
    town.roll("red", *dice)
    assert town.chips("green") == {"green": 6}


def test_mo_37_a_six_on_one_die_is_none() -> None:
    town = Town()
    town.roll("red", 6, 1)
    assert town.chips("green") == {"green": 4}


def test_mo_38_every_roll_of_a_turn_gathers_but_not_that_for_resources() -> None:
    jailed = Town(red={"space": JAIL, "in_jail": True}, green={"deeds": [O]})
    jailed.roll("red", 5, 6)
    assert jailed.chips("green") == {"green": 2}
    town = Town(red={"space": 9}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    assert town.phase == "resources"
    town.do("roll_for_resources", "red", dice=[5, 6])
    assert town.chips("green") == {}


@pytest.mark.parametrize(
    ("rules", "mortgaged", "chips"),
    [
        ({}, [], 2),
        ({"set_doubles_chips": True}, [], 4),
        ({"set_doubles_chips": True}, [P], 4),
        ({"set_doubles_chips": True}, [O], 0),
    ],
)
def test_mo_39_a_set_may_double_chips(rules: dict[str, str | bool], mortgaged: list[str], chips: int) -> None:
    town = Town(rules=rules, red={"space": 20}, green={"deeds": [O, P], "mortgaged": mortgaged})
    town.roll("red", 5, 6)
    assert town.chips("green").get("green", 0) == chips


@pytest.mark.parametrize(
    ("deeds", "rules", "red", "green"),
    [
        ([], {}, 2, 0),
        (["D08"], {}, 2, 1),
        (["D08"], {"shortage": "nobody"}, 0, 0),
    ],
)
def test_mo_40_a_kind_runs_short(deeds: list[str], rules: dict[str, str | bool], red: int, green: int) -> None:
    box = board()
    gives = tuple(replace(deed, kind="red", numbers=(6,)) if deed.id == "D08" else deed for deed in box.deeds)
    box = replace(box, deeds=gives)
    town = Town(
        catalog=box,
        rules=rules,
        taken={"turn": "yellow", "spaces": {"20": {"red": 17}}},
        green={"deeds": deeds},
    )
    town.roll("yellow", 1, 5)
    assert (town.chips("red").get("red", 0), town.chips("green").get("red", 0)) == (red, green)


def test_mo_41_a_double_gives_another_whole_turn() -> None:
    town = Town()
    town.roll("red", 2, 2)
    town.let_go()
    town.do("end_turn", "red")
    assert (town.turn, town.position["doubles"], town.phase) == ("red", 1, "roll")


@pytest.mark.parametrize(("rule", "chips"), [("nothing", {}), ("gathers", {"red": 2})])
def test_mo_41_the_third_in_a_row(rule: str, chips: dict[str, int]) -> None:
    town = Town(rules={"third_double": rule}, taken={"doubles": 2}, red={"space": 26}, green={"deeds": [P]})
    town.roll("red", 4, 4)
    assert (town.chips("green"), town.cash("red"), town.turn) == (chips, 900, "green")
    assert (town.player("red")["space"], town.position["doubles"]) == (JAIL, 0)


def test_mo_42_chips_are_taken_from_every_space_entered_and_no_other() -> None:
    town = Town(taken=spaces(5, green=1))
    town.roll("red", 1, 4)
    assert town.chips("red") == {"green": 1}
    leaving = Town(taken=spaces(P_SPACE, green=1), red={"space": P_SPACE})
    leaving.roll("red", 1, 2)
    assert leaving.chips("red") == {}
    jail = Town(taken={**spaces(JAIL, green=1), "doubles": 2})
    jail.roll("red", 1, 1)
    assert (jail.chips("red"), jail.position["spaces"]) == ({}, {str(JAIL): {"green": 1}})


def test_mo_42_backwards_too() -> None:
    box = with_card("C13", Effect("move", by=-2))
    town = Town(catalog=box, taken=spaces(CHANCE - 1, yellow=1), red={"space": 2})
    town.roll("red", 1, 2)
    town.do("draw_chance", "red", card="C13")
    assert town.chips("red").get("yellow") == 1


@pytest.mark.parametrize(("space", "dice", "money"), [(26, (1, 1), 200), (26, (1, 4), 200), (1, (1, 2), 0)])
def test_mo_43_go_pays_for_passing_and_landing(space: int, dice: tuple[int, int], money: int) -> None:
    town = Town(red={"space": space})
    town.roll("red", *dice)
    assert town.cash("red") == 900 + money


@pytest.mark.parametrize(("by", "money"), [(-3, 200), (-4, 0)])
def test_mo_43_backwards_only_for_landing(by: int, money: int) -> None:
    box = with_card("C13", Effect("move", by=by))
    spaces_ = list(box.spaces)
    spaces_[3], spaces_[CHANCE] = spaces_[CHANCE], spaces_[3]
    town = Town(catalog=replace(box, spaces=tuple(spaces_)))
    town.roll("red", 1, 2)
    town.do("draw_chance", "red", card="C13")
    assert town.cash("red") == 900 + money


def test_mo_43_not_on_the_way_to_jail() -> None:
    town = Town(red={"space": 18})
    town.roll("red", 1, 2)
    assert (town.player("red")["in_jail"], town.cash("red"), town.turn) == (True, 900, "green")
