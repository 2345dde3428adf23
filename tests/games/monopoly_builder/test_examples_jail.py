"""Acceptance examples MO-21, MO-67 to MO-72: jail and the ways out of it."""

from dataclasses import replace
from typing import Any

import pytest

from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.evolve import evolve
from tests.games.monopoly_builder.town import (
    BARGAIN,
    GO_TO_JAIL,
    IN_JAIL,
    JAIL,
    PARDON,
    O,
    P,
    Town,
    third_failure,
)


def test_mo_21_leaving_jail_for_the_fee() -> None:
    town = Town(red=IN_JAIL)
    town.do("leave_jail", "red")
    town.roll("red", 3, 4)
    assert (town.cash("red"), town.player("red")["space"]) == (850, JAIL + 7)


def test_mo_67_going_to_jail_ends_the_turn_at_once() -> None:
    town = Town(red={"space": GO_TO_JAIL - 2})
    town.roll("red", 1, 1)
    red = town.player("red")
    assert (red["in_jail"], red["tries"], town.turn, town.position["doubles"]) == (True, 0, "green", 0)


def test_mo_68_the_fee_before_the_roll() -> None:
    poor = Town(red={**IN_JAIL, "cash": 45})
    assert poor.refuses("leave_jail", "red") == "cannot_pay"
    assert Town().refuses("leave_jail", "red") == "not_in_jail"


def test_mo_69_three_failures_in_three_turns() -> None:
    town = Town("red", "green", red=IN_JAIL)
    for tries in (1, 2):
        town.roll("red", 1, 2)
        assert (town.player("red")["tries"], town.phase) == (tries, "act")
        town.do("end_turn", "red")
        town.quiet("green")
    town.roll("red", 1, 2)
    assert (town.cash("red"), town.phase, town.player("red")["in_jail"]) == (850, "roll", False)
    town.roll("red", 2, 2)
    town.let_go()
    assert town.player("red")["space"] == JAIL + 4
    town.do("end_turn", "red")
    assert (town.turn, town.position["doubles"]) == ("red", 1)


def test_mo_69_some_tables_move_with_the_roll_that_failed() -> None:
    town = Town(rules={"third_failure": "move_with_it"}, red={**IN_JAIL, "tries": 2}, green={"deeds": [P]})
    town.roll("red", 3, 5)
    assert (town.player("red")["space"], town.chips("green")) == (JAIL + 8, {"red": 2})


def test_mo_70_a_fee_that_cannot_be_paid_is_a_debt() -> None:
    town = third_failure(cash=30, deeds=[P])
    assert (town.phase, town.waits) == ("debt", ["red"])
    assert town.position["debts"] == [{"debtor": "red", "creditor": "bank", "amount": 50}]
    assert town.player("red")["tries"] == 3
    town.do("mortgage", "red", deed=P)
    assert (town.cash("red"), town.phase, town.player("red")["in_jail"]) == (40, "roll", False)


@pytest.mark.parametrize(("rule", "turn", "doubles"), [("no_turn", "green", 0), ("extra_turn", "red", 1)])
def test_mo_71_a_double_out_of_jail(rule: str, turn: str, doubles: int) -> None:
    town = Town(rules={"jail_double": rule}, red=IN_JAIL)
    town.roll("red", 3, 3)
    assert town.player("red")["space"] == JAIL + 6
    town.let_go()
    town.do("end_turn", "red")
    assert (town.turn, town.position["doubles"]) == (turn, doubles)


def test_mo_72_in_jail_everything_but_building() -> None:
    chips = {"chips": {"red": 6}}
    town = Town(red={**IN_JAIL, **chips, "deeds": [P]}, green={"deeds": [O]})
    town.roll("red", 1, 2)
    assert town.position["expects"] == ["end_turn", "bank_trade"]
    assert town.refuses("build", "red", cell="A1", chips={"red": 2}) == "no_building_in_jail"
    town.do("bank_trade", "red", give="red", get="green")
    town.do("mortgage", "red", deed=P)
    town.do("trade", "red", with_="green", give={"money": 5}, get={})
    strict = Town(rules={"jail_bank_trade": False}, red={**IN_JAIL, **chips})
    strict.roll("red", 1, 2)
    assert strict.refuses("bank_trade", "red", give="red", get="green") == "not_in_jail_here"


def test_mo_68_who_has_the_fee_or_a_card_is_offered_to_leave() -> None:
    def ways(**red: Any) -> set[tuple[str, str]]:
        town = Town(red={**IN_JAIL, **red})
        return {(offer["do"], offer.get("card", "")) for offer in town.offers("red")}

    assert {("roll", ""), ("leave_jail", ""), ("play_chance", PARDON)} <= ways(cards=[PARDON, BARGAIN])
    assert ("play_chance", BARGAIN) not in ways(cards=[PARDON, BARGAIN])
    assert not {("leave_jail", ""), ("play_chance", PARDON)} & ways(cash=45)


def test_mo_71_a_row_of_doubles_ends_in_jail_however_somebody_came_there() -> None:
    # given red in an extra turn, whom the banker puts into jail
    town = Town(red={"space": 3})
    town.roll("red", 2, 2)
    town.do("end_turn", "red")
    assert town.position["doubles"] == 1
    town.do("correct_position", "red", space=JAIL, in_jail=True, reason="sent to jail")

    # then a double after the fee is the first of the row
    town.do("leave_jail", "red")
    town.roll("red", 3, 3)
    assert town.position["doubles"] == 1


def test_mo_99_a_row_of_doubles_is_not_taken_over_into_jail() -> None:
    jailed = {"space": JAIL, "in_jail": True}
    town = Town(taken={"doubles": 2}, red=jailed)
    town.do("leave_jail", "red")
    town.roll("red", 3, 3)

    assert (town.position["doubles"], town.player("red")["in_jail"]) == (1, False)
    assert Town(taken={"doubles": 2}, red={"space": 3}).position["doubles"] == 2


def test_a_row_of_doubles_that_was_stored_in_jail_is_empty_once_somebody_pays() -> None:
    town = Town(red={"space": JAIL, "in_jail": True})
    position = town.table.position
    assert position is not None
    stored = replace(position.state, doubles=2)

    assert evolve(stored, e.Freed("red", "fee", 50)).doubles == 0
    assert evolve(stored, e.Freed("red", "card")).doubles == 0
    assert evolve(replace(stored, doubles=1), e.Freed("red", "double")).doubles == 1, "jail_double = extra_turn"
