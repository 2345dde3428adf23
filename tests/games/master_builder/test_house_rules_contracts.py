"""House rules of phase 2: after a refusal, premiums as money, the price without rivals, what nobody wants."""

from types import SimpleNamespace
from typing import Any

import pytest

from companion.game_api.stage import FigureAmount
from companion.games.master_builder import GAME
from companion.games.master_builder.ui.sheets import MasterBuilderCorrections
from companion.words import Words
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario

FREE: dict[str, Any] = {"wages": {"*": 0}}
COST_6 = deck(**FREE, contracts={"*": {"cost": 6_000}}, reveal={"*": (0, 1, 1)})


def choosing(*seats: str, **rules: Any) -> Scenario:
    """Round 2, with what nobody wanted in round 1 and one more contract on display."""
    catalog = deck(**FREE, contracts={"*": {"cost": 2_000}}, reveal={"*": (1, 1, 1)})
    given = Scenario(*seats, catalog=catalog, rules=rules)
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    given.reveal_some(1)
    assert len(given.position["display"]) == 2
    return given


def after_two_refusals_and_a_sale(rule: str) -> Scenario:
    given = choosing("blue", "yellow", "green", after_pass=rule)
    given.do("pass", player="yellow")
    if given.position["phase"] == "contracts":
        given.do("pass", player="green")
        given.do("open_auction", player="blue", contract=min(given.position["display"]), bid=2_000)
        given.pass_all_in_auction()
    return given


def test_a_refusal_moves_the_choice_to_the_left_for_good() -> None:
    given = after_two_refusals_and_a_sale("move_left")
    assert given.position["declined"] == ["yellow", "green"]
    assert given.asks()[0] == ["blue"]


def test_a_refusal_ends_the_phase() -> None:
    given = after_two_refusals_and_a_sale("end_phase")
    assert given.position["phase"] == "events"
    assert set(given.position["display"].values()) == {5_000}


def test_a_sale_returns_the_choice_to_the_start_player() -> None:
    given = after_two_refusals_and_a_sale("return_to_start")
    assert given.position["declined"] == []
    assert given.asks()[0] == ["yellow"]
    assert {"event": "ChoiceReturned"} in given.table.journal("banker")[-1]["events"]


def test_a_sale_after_no_refusal_has_nothing_to_return() -> None:
    rule = "return_to_start"
    given = choosing("blue", "yellow", after_pass=rule)
    given.sell(min(given.position["display"]), "yellow")
    assert {"event": "ChoiceReturned"} not in given.table.journal("banker")[-1]["events"]
    assert given.asks()[0] == ["yellow"]


def test_round_1_sees_that_all_get_a_contract_though_a_refusal_ends_the_phase() -> None:
    given = Scenario("blue", "yellow", rules={"after_pass": "end_phase"})
    given.to("contracts")
    given.reveal_some(3)
    given.do("pass", player="blue")
    assert given.asks() == (["blue"], ["open_auction"])
    given.idle()
    given.pass_all_in_auction()
    assert given.asks() == (["yellow"], ["open_auction"])
    given.idle()
    given.pass_all_in_auction()
    assert given.position["phase"] == "events"
    assert len(given.position["display"]) == 1


def before_a_premium(*, funds: bool, cash: int = 4_000) -> Scenario:
    """Three players, round 2: one contract of cost 6,000 bears 5,000; green and blue are poor, yellow chooses."""
    given = Scenario("blue", "yellow", "green", catalog=COST_6, rules={"premium_funds_bid": funds})
    given.to("contracts", 2)
    given.give_money("yellow", cash)
    given.give_money("blue", 3_000)
    given.give_money("green", 0)
    given.do("turn_economy", card="Y01")
    given.reveal_some(1)
    return given


def laden(given: Scenario) -> str:
    return str(next(card for card, money in given.position["display"].items() if money))


def test_what_lies_on_a_contract_is_no_cash_mb_38() -> None:
    given = before_a_premium(funds=False)
    assert given.position["phase"] == "events"  # nobody holds the lowest cost
    given = before_a_premium(funds=False, cash=6_000)
    assert given.refuses("open_auction", player="yellow", contract=laden(given), bid=7_000) == "cannot_pay"


def test_what_lies_on_a_contract_helps_to_pay_for_it_mb_38() -> None:
    given = before_a_premium(funds=True)
    card = laden(given)
    [other] = set(given.position["display"]) - {card}
    assert [offer["contract"] for offer in given.offers("yellow") if offer["do"] == "open_auction"] == [card]
    assert given.offer("open_auction")["fields"]["bid"]["most"] == 9_000
    assert given.refuses("open_auction", player="yellow", contract=other, bid=6_000) == "cannot_pay"
    given.do("open_auction", player="yellow", contract=card, bid=6_000)
    assert given.refuses("bid", player="blue", amount=9_000) == "cannot_pay"
    given.do("pass", player="blue")
    assert given.cash("yellow") == 3_000
    assert card in given.player("yellow")["contracts"]


def test_others_may_bid_with_what_lies_there_too() -> None:
    given = before_a_premium(funds=True)
    given.do("open_auction", player="yellow", contract=laden(given), bid=6_000)
    assert given.asks()[0] == ["blue"]  # green has nothing, and is out
    assert given.offer("bid")["fields"]["amount"] == {"kind": "amount", "least": 7_000, "most": 8_000, "step": 1_000}
    given.do("bid", player="blue", amount=8_000)
    given.do("pass", player="yellow")
    assert given.cash("blue") == 0


def cash_figure(given: Scenario, player: str) -> FigureAmount:
    """Return what the form that corrects a player's cash takes."""
    shown: Any = SimpleNamespace(
        catalog=given.table.catalog_json(),
        position=given.position,
        players=given.position["players"],
        names=dict.fromkeys(given.seats, ""),
        words=Words("en", GAME),
        waiting=[],
    )
    figures = MasterBuilderCorrections().figures(shown)
    amount = next(figure.amount for figure in figures if figure.key == f"cash:{player}")
    assert amount is not None
    return amount


@pytest.mark.parametrize(("funds", "kept"), [(False, 6_000), (True, 1_000)])
def test_a_leader_keeps_what_his_bid_needs_beyond_the_premium(*, funds: bool, kept: int) -> None:
    given = before_a_premium(funds=funds, cash=8_000)
    given.give_money("blue", 20_000)
    given.do("open_auction", player="yellow", contract=laden(given), bid=6_000)
    reason = {"reason": "too much paid"}
    too_much = 8_000 - kept + 1_000
    refusal = given.refusal("correct_money", from_="yellow", to="bank", amount=too_much, **reason)
    assert refusal.rule == "bound_by_bid"
    assert (refusal.details["bid"], refusal.details["kept"]) == (6_000, kept)
    assert cash_figure(given, "yellow").least == kept
    given.do("correct_money", from_="yellow", to="bank", amount=too_much - 1_000, **reason)


def test_a_leader_whose_bid_the_premium_pays_is_not_bound() -> None:
    cheap = deck(**FREE, contracts={"*": {"cost": 2_000}}, reveal={"*": (0, 0, 0)})
    given = Scenario("blue", "yellow", catalog=cheap, rules={"premium_funds_bid": True})
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    given.do("open_auction", player="yellow", contract=laden(given), bid=4_000)
    left = given.cash("yellow")
    given.do("correct_money", from_="yellow", to="bank", amount=left, reason="counted wrong")
    given.do("pass", player="blue")
    assert given.cash("yellow") == 1_000


@pytest.mark.parametrize(("rule", "paid"), [("bid", 9_000), ("printed", 2_000)])
def test_without_rivals_the_bid_or_the_printed_cost_is_paid(rule: str, paid: int) -> None:
    given = choosing("blue", "yellow", uncontested_price=rule)
    cash = given.cash("yellow")
    card = next(card for card, money in given.position["display"].items() if not money)
    given.do("open_auction", player="yellow", contract=card, bid=9_000)
    given.do("pass", player="blue")
    assert given.cash("yellow") == cash - paid


def test_against_rivals_the_bid_is_paid_though_costs_are_printed() -> None:
    given = choosing("blue", "yellow", uncontested_price="printed")
    cash = given.cash("yellow")
    card = next(card for card, money in given.position["display"].items() if not money)
    given.do("open_auction", player="yellow", contract=card, bid=3_000)
    given.do("bid", player="blue", amount=4_000)
    given.do("bid", player="yellow", amount=7_000)
    given.do("pass", player="blue")
    assert given.cash("yellow") == cash - 7_000


@pytest.mark.parametrize("rule", ["premium_then_remove", "keep_forever"])
def test_what_nobody_wants_twice_goes_or_stays_for_ever(rule: str) -> None:
    given = Scenario("blue", "yellow", catalog=deck(**FREE, reveal={"*": (0, 0, 0)}), rules={"unsold": rule})
    given.to("events")
    [card] = given.position["display"]
    for round_ in (1, 2, 3):
        given.to("events", round_)
        kept = round_ == 1 or rule == "keep_forever"
        assert given.position["display"] == ({card: 5_000} if kept else {})
        assert given.position["removed"] == ([] if kept else [card])


@pytest.mark.parametrize(("counts", "last"), [(True, 3), (False, 6)])
def test_a_removed_contract_counts_for_the_end_or_makes_six_rounds(*, counts: bool, last: int) -> None:
    rules = {"removed_counts_for_end": counts}
    given = Scenario("blue", "yellow", catalog=deck(**FREE, reveal={"*": (5, 5, 5)}), rules=rules)
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    given.reveal_some(5)
    left = [card for card, money in given.position["display"].items() if not money]
    for card in left:
        given.give_cards("yellow", card)
    given.to("events", 2)
    assert len(given.position["removed"]) == 1
    assert given.position["last_round"] == last


def test_without_a_removal_the_end_comes_all_the_same() -> None:
    rules = {"removed_counts_for_end": False}
    given = Scenario("blue", "yellow", catalog=deck(**FREE, reveal={"*": (5, 5, 5)}), rules=rules)
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    given.reveal_some(5)
    given.give_cards("yellow", *given.position["display"])
    assert given.position["last_round"] == 3
