"""The banker puts the books right: money, counted cash, names."""

from typing import Any

import pytest

from tests.scenario import PHASES, Scenario, waiting_in


def moment(given: Scenario) -> tuple[Any, ...]:
    return given.position["phase"], given.position["round"], *given.asks()


@pytest.mark.parametrize("phase", PHASES)
def test_money_is_corrected_in_every_phase(phase: str) -> None:
    given = waiting_in(phase)
    before, blue, bank = moment(given), given.cash("blue"), given.position["bank"]
    given.do("correct_money", from_="bank", to="blue", amount=5_000, reason="paid twice")
    assert (given.cash("blue"), given.position["bank"]) == (blue + 5_000, bank - 5_000)
    assert moment(given) == before
    events = given.do("correct_money", from_="blue", to="yellow", amount=1_000, reason="a debt of honour")
    assert events[0] == {
        "event": "MoneyCorrected",
        "from": "blue",
        "to": "yellow",
        "amount": 1_000,
        "reason": "a debt of honour",
    }
    assert given.cash("blue") == blue + 4_000


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"from_": "blue", "to": "bank", "amount": 41_000}, "cannot_pay"),
        ({"from_": "blue", "to": "blue", "amount": 1_000}, "same_account"),
        ({"from_": "bank", "to": "bank", "amount": 1_000}, "same_account"),
        ({"from_": "green", "to": "bank", "amount": 1_000}, "unknown_player"),
        ({"from_": "bank", "to": "C01", "amount": 1_000}, "unknown_player"),
        ({"from_": "bank", "to": "box", "amount": 1_000}, "unknown_player"),
        ({"from_": "bank", "to": "blue", "amount": 0}, "nothing_to_move"),
        ({"from_": "bank", "to": "blue", "amount": -1_000}, "not_whole_thousands"),
        ({"from_": "bank", "to": "blue", "amount": 1_500}, "not_whole_thousands"),
        ({"from_": "bank", "to": "blue", "amount": 1_000.0}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": True}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": "1000"}, "wrong_type"),
        ({"from_": "bank", "to": None, "amount": 1_000}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": ""}, "reason_missing"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": " \n"}, "reason_missing"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": None}, "wrong_type"),
        ({"from_": "bank", "to": "blue", "amount": 1_000, "reason": 7}, "wrong_type"),
        ({"to": "blue", "amount": 1_000}, "missing_field"),
    ],
)
def test_money_that_cannot_be_corrected_is_refused(fields: dict[str, Any], rule: str) -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("correct_money", **{"reason": "why", **fields}) == rule


def test_a_correction_needs_a_reason() -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("correct_money", from_="bank", to="blue", amount=1_000) == "missing_field"
    assert given.refuses("correct_card", card="W01", to="blue") == "missing_field"
    assert given.refuses("correct_card", card="W01", to="blue", reason="  ") == "reason_missing"


def test_the_bank_may_fall_below_nothing() -> None:
    given = Scenario("blue", "yellow")
    given.do("correct_money", from_="bank", to="blue", amount=700_000, reason="a rich uncle")
    assert given.position["bank"] == -85_000
    assert given.position["money_in_play"] == 695_000


@pytest.mark.parametrize("phase", PHASES)
def test_cash_is_counted_in_every_phase_and_moves_nothing(phase: str) -> None:
    given = waiting_in(phase)
    before, booked = given.position, given.cash("blue")
    [event] = given.do("count_cash", player="blue", amount=booked + 3_000)
    assert event == {
        "event": "CashCounted",
        "player": "blue",
        "counted": booked + 3_000,
        "booked": booked,
        "difference": 3_000,
    }
    [agreed] = given.do("count_cash", player="blue", amount=booked)
    assert agreed["difference"] == 0
    assert given.position == before
    assert given.refuses("count_cash", player="blue", amount=booked + 1) == "not_whole_thousands"
    assert given.refuses("count_cash", player="blue", amount=-1_000) == "not_whole_thousands"
    assert given.refuses("count_cash", player="red", amount=0) == "unknown_player"


def test_the_high_bidder_is_protected_and_a_poorer_rival_is_out() -> None:
    given = Scenario("blue", "yellow", "green")
    given.hire()
    given.reveal("C01", "C02", "C03", "C04")
    given.do("open_auction", player="blue", contract="C01", bid=20_000)
    assert given.refuses("correct_money", from_="blue", to="bank", amount=21_000, reason="why") == "bound_by_bid"
    given.do("correct_money", from_="blue", to="bank", amount=20_000, reason="why")
    events = given.do("correct_money", from_="yellow", to="green", amount=20_000, reason="why")
    assert events[-1] == {"event": "BidderLeft", "player": "yellow", "forced": True}
    assert given.asks()[0] == ["green"]


@pytest.mark.parametrize("phase", PHASES)
def test_a_player_is_renamed_at_any_moment(phase: str) -> None:
    given = waiting_in(phase)
    given.do("rename_player", player="blue", name=" Eve ")
    assert given.player("blue")["name"] == "Eve"
    assert given.refuses("rename_player", player="blue", name="") == "name_length"
    assert given.refuses("rename_player", player="red", name="Eve") == "unknown_player"


@pytest.mark.parametrize("phase", PHASES)
def test_somebody_else_plays_on_in_a_seat_at_any_moment(phase: str) -> None:
    given = waiting_in(phase)
    before = given.position
    [event] = given.do("replace_player", player="blue", name=" Eve ")
    assert event == {"event": "PlayerReplaced", "player": "blue", "name": "Eve", "former": "Blue"}
    assert given.position["players"]["blue"] == {**before["players"]["blue"], "name": "Eve"}
    assert given.table.seat_generation("blue") == 1
    assert given.refuses("replace_player", player="red", name="Eve") == "unknown_player"
    assert given.refuses("replace_player", player="blue", name=" ") == "name_length"
    given.do("undo")
    assert given.position == before
    assert given.table.seat_generation("blue") == 0
