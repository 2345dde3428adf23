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
        apprentices = [apprentice for apprentice in apprentices if apprentice != worker]
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
    """Remove every contract from the deck."""
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
    assert given.refuses("pass", player="blue") == "must_borrow_for_wages"
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
