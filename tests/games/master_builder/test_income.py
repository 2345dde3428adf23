"""Phase 5: prices, wages and loans."""

from typing import Any

import pytest

from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

SIX = "wall-1 wall-2 gable-1 gable-2 roof-1 roof-2"
EASY = {"sections": {"*": ["A"]}, "cost": 2_000, "price": 50_000}


def planning(blue: int, wages: int, **figures: Any) -> Scenario:
    """Phase 4: blue holds ``blue`` dollars and owes ``wages`` in wages; yellow works for nothing and is rich."""
    given = Scenario("blue", "yellow", catalog=deck(**{"contracts": {"*": EASY}, "wages": {"T": 0}, **figures}))
    masters, foremen, apprentices = workers_of("MC"), workers_of("F"), workers_of("A")
    given.hire(blue=apprentices[:5], yellow=workers_of("T")[:5])
    given.to("build")
    given.give_cards("blue", "C03")
    need = wages - 5_000
    while need:
        [worker] = [(masters, foremen, apprentices[5:])[0 if need >= 5_000 else 1 if need == 4_000 else 2].pop(0)]
        apprentices = [one for one in apprentices if one != worker]
        given.give_cards("blue", worker)
        need -= 5_000 if need >= 5_000 else 4_000 if need == 4_000 else 1_000
    assert given.player("blue")["wages"] == wages
    given.give_money("blue", blue)
    return given


def test_a_finished_building_pays_once_in_its_round_mb_51() -> None:
    given = planning(40_000, 14_000)
    given.do("plan", player="yellow", work={})
    events = given.raise_("blue", C03=SIX)
    assert {"event": "PricePaid", "player": "blue", "contract": "C03", "price": 50_000} in events
    assert given.cash("blue") == 40_000 + 50_000 - 14_000
    assert given.player("blue")["completed"] == ["C03"]
    assert "C03" not in given.player("blue")["contracts"]
    given.to("hire", 3)
    assert given.cash("blue") == 40_000 + 50_000 - 2 * 14_000


def test_who_finished_nothing_gets_nothing_and_pays_all_the_same_mb_51_mb_52() -> None:
    given = planning(40_000, 14_000)
    given.raise_("blue", C03="wall-1 wall-2 gable-1 gable-2 roof-1")
    given.do("plan", player="yellow", work={})
    assert given.cash("blue") == 40_000 - 14_000


@pytest.mark.parametrize(
    ("loan", "lent", "early", "late"),
    [
        pytest.param("small", 10_000, 13_000, 15_000, id="MB-53 small"),
        pytest.param("large", 30_000, 38_000, 40_000, id="MB-53 large"),
    ],
)
def test_the_loan_table(loan: str, lent: int, early: int, late: int) -> None:
    given = planning(0, 5_000)
    given.to("income")
    given.do("borrow", player="blue", loan=loan)
    assert given.cash("blue") == lent - 5_000
    assert given.player("blue")["owes"] == early
    empty_the_deck(given)
    assert given.player("blue")["owes"] == late
    given.give_money("blue", late)
    given.do("repay", player="blue", loan=loan)
    assert (given.cash("blue"), given.player("blue")["owes"]) == (0, 0)


def empty_the_deck(given: Scenario) -> None:
    """Take every contract out of the deck."""
    assert given.table.position is not None
    seen = given.table.position.state.seen
    unseen = [f"C{number:02}" for number in range(1, 13) if f"C{number:02}" not in seen]
    for card in unseen[: given.position["deck"]["contracts"]]:
        given.do("correct_card", card=card, to="removed", reason="aside")


@pytest.mark.parametrize(
    ("loan", "left"),
    [pytest.param("small", 4_000, id="MB-54 small"), pytest.param("large", 24_000, id="MB-54 large")],
)
def test_who_cannot_pay_14_with_8_must_borrow(loan: str, left: int) -> None:
    given = planning(8_000, 14_000)
    given.to("income")
    assert given.asks() == (["blue"], ["borrow"])
    assert [offer["do"] for offer in given.offers("blue")] == ["borrow"]
    assert given.refuses("pass", player="blue") == "must_borrow_first"
    assert given.refuses("borrow", player="yellow", loan=loan) == "not_your_turn"
    given.do("borrow", player="blue", loan=loan)
    assert given.cash("blue") == left
    assert given.player("blue")["loans"][loan] == 1
    assert given.position["phase"] == "hire"


def test_one_small_loan_is_not_enough_for_17_mb_55() -> None:
    given = planning(3_000, 20_000)
    given.to("income")
    given.do("borrow", player="blue", loan="small")
    assert given.cash("blue") == 13_000
    assert given.asks() == (["blue"], ["borrow"])
    given.do("borrow", player="blue", loan="small")
    assert given.cash("blue") == 3_000
    assert given.position["phase"] == "hire"
    assert given.refuses("borrow", player="blue", loan="small") == "not_in_this_phase"
    given = planning(3_000, 20_000)
    given.to("income")
    given.do("borrow", player="blue", loan="large")
    assert given.cash("blue") == 13_000
    assert given.position["phase"] == "hire"


@pytest.mark.parametrize(
    ("gap", "smalls", "cheaper_early", "cheaper_late"),
    [
        pytest.param(1, 1, "small", "small", id="MB-56 1"),
        pytest.param(10, 1, "small", "small", id="MB-56 10"),
        pytest.param(11, 2, "small", "either", id="MB-56 11"),
        pytest.param(20, 2, "small", "either", id="MB-56 20"),
        pytest.param(21, 3, "large", "large", id="MB-56 21"),
        pytest.param(30, 3, "large", "large", id="MB-56 30"),
    ],
)
def test_what_covers_a_gap_most_cheaply(gap: int, smalls: int, cheaper_early: str, cheaper_late: str) -> None:
    by_small, by_large = interest(gap, "small", smalls), interest(gap, "large", 1)
    assert by_small == (3_000 * smalls, 5_000 * smalls)
    assert by_large == (8_000, 10_000)
    assert [cheaper(*both) for both in zip(by_small, by_large, strict=True)] == [cheaper_early, cheaper_late]


def interest(gap: int, loan: str, number: int) -> tuple[int, int]:
    """Let blue cover a gap (in thousands) by as many of these loans as it takes: what they cost early, and late."""
    given = planning(30_000 - gap * 1_000, 30_000)
    given.to("income")
    for _ in range(number):
        assert given.asks() == (["blue"], ["borrow"])
        given.do("borrow", player="blue", loan=loan)
    assert given.position["phase"] == "hire"
    lent = {"small": 10_000, "large": 30_000}[loan] * number
    assert given.cash("blue") == lent - gap * 1_000
    early = given.player("blue")["owes"] - lent
    empty_the_deck(given)
    return early, given.player("blue")["owes"] - lent


def cheaper(small: int, large: int) -> str:
    return "either" if small == large else "small" if small < large else "large"


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
    given.do("repay", player="blue", loan="small")  # he is outbid
    assert given.cash("blue") == 17_000
    assert given.position["auction"] is None  # and with 17,000 he could not raise


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


def test_income_comes_before_wages_mb_59() -> None:
    given = planning(0, 14_000)
    given.do("plan", player="yellow", work={})
    given.raise_("blue", C03=SIX)
    assert given.position["phase"] == "hire"
    assert given.cash("blue") == 36_000
    assert given.player("blue")["loans"] == {"small": 0, "large": 0}


def test_wages_are_paid_in_turn_order_once_the_one_before_has_borrowed_d38() -> None:
    given = planning(0, 14_000)
    given.to("income")
    assert given.position["settlement"] == {"earned": [], "paid": {}}
    assert given.asks()[0] == ["blue"]
    events = given.do("borrow", player="blue", loan="large")
    assert [event["player"] for event in events if event["event"] == "WagesPaid"] == ["blue", "yellow"]


def test_a_gift_of_the_banker_lets_wages_be_paid() -> None:
    given = planning(0, 14_000)
    given.to("income")
    given.give_money("blue", 14_000)
    assert given.position["phase"] == "hire"
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
