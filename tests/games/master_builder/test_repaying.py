"""Paying loans back: when, at what price, and what a high bidder must keep."""

from typing import Any

import pytest

from tests.games.master_builder.test_income import empty_the_deck, planning
from tests.scenario import Scenario


def in_debt(cash: int) -> Scenario:
    """Round 2, before the reveal that empties the deck: blue has a small loan and ``cash`` dollars."""
    given = planning(0, 5_000, reveal={"*": (1, 1, 1)})
    given.to("income")
    given.do("borrow", player="blue", loan="small")
    empty_the_deck(given)
    given.do("correct_card", card=given.position["removed"][-1], to="deck", reason="one is left")
    assert given.position["deck"]["contracts"] == 1
    given.give_money("blue", cash)
    given.to("contracts")
    given.do("turn_economy", card="Y01")
    assert given.asks()[1] == ["reveal_contracts"]
    return given


def test_repaying_before_the_last_card_comes_up_costs_13_mb_57() -> None:
    given = in_debt(20_000)
    assert given.offers("blue")[-1] == {
        "do": "repay",
        "player": "blue",
        "loan": "small",
        "urgency": "possible",
        "fields": {},
    }
    given.do("repay", player="blue", loan="small")
    assert given.cash("blue") == 7_000
    assert given.player("blue")["loans"] == {"small": 0, "large": 0}


def test_repaying_after_the_last_card_came_up_costs_15_mb_57() -> None:
    given = in_debt(20_000)
    given.reveal_some(1)
    given.do("repay", player="blue", loan="small")
    assert given.cash("blue") == 5_000


def leading(cash: int) -> Scenario:
    """Blue leads with 20,000 for the one contract on display, and has a small loan."""
    given = planning(0, 5_000, reveal={"*": (1, 1, 1)})
    given.to("income")
    given.do("borrow", player="blue", loan="small")
    given.give_money("blue", cash)
    given.to("contracts")
    given.do("turn_economy", card="Y01")
    [card] = given.reveal_some(1)
    given.give_money("yellow", 90_000)
    given.do("open_auction", player="yellow", contract=card, bid=2_000)
    given.do("bid", player="blue", amount=20_000)
    return given


def test_a_high_bidder_keeps_his_bid_mb_58() -> None:
    given = leading(30_000)
    assert given.refuses("repay", player="blue", loan="small") == "bound_by_bid"
    assert given.offers("blue") == []
    assert given.refuses("correct_money", from_="blue", to="bank", amount=11_000, reason="why") == "bound_by_bid"
    given.do("correct_money", from_="blue", to="bank", amount=10_000, reason="why")
    given.do("correct_money", from_="bank", to="blue", amount=10_000, reason="why")
    given.do("bid", player="yellow", amount=21_000)
    given.do("repay", player="blue", loan="small")  # they are outbid
    assert given.cash("blue") == 17_000
    assert given.position["auction"] is None  # and with 17,000 they could not raise


def test_who_has_paid_his_bid_may_repay_mb_58() -> None:
    given = leading(34_000)
    given.give_money("blue", 32_000)
    assert given.refuses("repay", player="blue", loan="small") == "bound_by_bid"
    given.do("pass", player="yellow")  # sold: 12 are left
    assert given.refuses("repay", player="blue", loan="small") == "cannot_pay"
    given.give_money("blue", 13_000)
    given.do("repay", player="blue", loan="small")
    assert given.player("blue")["loans"] == {"small": 0, "large": 0}


def test_a_high_bidder_with_enough_besides_may_repay_mb_58() -> None:
    given = leading(33_000)
    given.do("repay", player="blue", loan="small")
    assert given.cash("blue") == 20_000
    given.do("pass", player="yellow")
    assert given.cash("blue") == 0


@pytest.mark.parametrize(
    ("fields", "rule"),
    [
        ({"player": "blue", "loan": "large"}, "no_such_loan"),
        ({"player": "yellow", "loan": "small"}, "no_such_loan"),
        ({"player": "red", "loan": "small"}, "unknown_player"),
        ({"player": "blue", "loan": "medium"}, "wrong_type"),
        ({"player": "blue", "loan": "Small"}, "wrong_type"),
        ({"player": "blue"}, "missing_field"),
        ({"player": "blue", "loan": "small", "amount": 13_000}, "unknown_field"),
    ],
)
def test_what_cannot_be_repaid_is_refused(fields: dict[str, Any], rule: str) -> None:
    assert in_debt(40_000).refuses("repay", **fields) == rule


def test_a_whole_loan_is_repaid_or_none() -> None:
    given = in_debt(12_000)
    assert given.refuses("repay", player="blue", loan="small") == "cannot_pay"
    assert given.offers("blue") == []


@pytest.mark.parametrize("phase", ["hire", "contracts", "events", "build", "income"])
def test_a_loan_can_be_repaid_in_every_phase_out_of_turn(phase: str) -> None:
    given = in_debt(60_000)
    given.to("build")
    given.give_money("yellow", 0)
    given.give_cards("yellow", "W09")
    given.to(phase, 2 if phase in {"build", "income"} else 3)
    given.give_money("blue", 60_000)
    before = given.position
    given.do("repay", player="blue", loan="small")
    assert given.cash("blue") == 60_000 - (13_000 if given.position["deck"]["contracts"] else 15_000)
    assert (given.position["phase"], given.position["round"]) == (before["phase"], before["round"])
    assert given.asks() == (before["waiting_for"], before["expects"])


def test_a_large_loan_is_repaid_too() -> None:
    given = planning(0, 5_000)
    given.to("income")
    given.do("borrow", player="blue", loan="large")
    given.give_money("blue", 38_000)
    given.do("repay", player="blue", loan="large")
    assert given.cash("blue") == 0
    assert given.player("blue")["loans"] == {"small": 0, "large": 0}
