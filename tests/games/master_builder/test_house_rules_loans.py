"""House rules on loans: when, how many, at what price, and for what an event takes."""

from typing import Any

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario

TOLL = Effect("pay", amount=18_000)


def wage_day(loans: str, cash: int) -> Scenario:
    """Phase 5 of round 1 has come: blue holds ``cash`` and owes 5,000 in wages, yellow likewise 5,000."""
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 1_000}), rules={"loans": loans})
    given.to("build")
    given.give_money("blue", cash)
    while given.position["phase"] == "build":
        given.idle()
    return given


def test_wages_alone_make_a_loan() -> None:
    given = wage_day("wages_only", 9_000)
    assert given.position["phase"] == "hire"  # all could pay
    assert given.refuses("borrow", player="yellow", loan="small") == "not_in_this_phase"
    given = wage_day("wages_only", 4_000)
    assert given.asks() == (["blue"], ["borrow"])
    given.do("borrow", player="blue", loan="small")
    assert (given.position["phase"], given.cash("blue")) == ("hire", 9_000)


def test_in_phase_5_whoever_pays_may_borrow_until_he_passes() -> None:
    given = wage_day("voluntary_phase5", 4_000)
    assert given.asks() == (["blue"], ["borrow"])
    refusal = given.refusal("pass", player="blue")
    assert (refusal.rule, dict(refusal.details)) == ("must_borrow_for_wages", {"player": "blue", "missing": 1_000})
    given.do("borrow", player="blue", loan="small")
    assert given.asks() == (["blue"], ["borrow", "pass"])
    assert given.refuses("borrow", player="yellow", loan="small") == "not_your_turn"
    assert given.refuses("pass", player="blue", rest=True) == "rest_only_when_hiring"
    assert [offer["do"] for offer in given.offers("blue") if offer["urgency"] == "due"] == ["borrow", "pass"]
    given.do("borrow", player="blue", loan="large")
    assert given.cash("blue") == 44_000
    given.do("pass", player="blue")
    assert (given.asks(), given.cash("blue")) == ((["yellow"], ["borrow", "pass"]), 39_000)
    given.do("pass", player="yellow")
    assert given.position["phase"] == "hire"
    assert given.refuses("borrow", player="yellow", loan="small") == "not_in_this_phase"


def test_what_is_missing_for_wages_is_not_told_where_money_is_hidden() -> None:
    given = Scenario("blue", "yellow", catalog=deck(wages={"*": 1_000}), rules={"money": "hidden"})
    given.to("build")
    given.give_money("blue", 4_000)
    given.to("income")
    refusal = given.refusal("pass", player="blue")
    assert (refusal.rule, dict(refusal.details)) == ("cannot_pay", {"player": "blue", "amount": 5_000})


def test_at_any_time_but_phase_2_anybody_may_borrow() -> None:
    given = Scenario("blue", "yellow", rules={"loans": "voluntary_anytime_but_phase2"})
    for phase in ("hire", "events", "build"):
        given.to(phase)
        cash = given.cash("yellow")
        assert "borrow" in [offer["do"] for offer in given.offers("yellow") if offer["urgency"] == "possible"]
        given.do("borrow", player="yellow", loan="small")
        assert given.cash("yellow") == cash + 10_000
    assert given.refuses("borrow", player="red", loan="small") == "unknown_player"
    given.to("contracts", 2)
    assert given.refuses("borrow", player="blue", loan="small") == "cards_first"
    while given.asks()[1] != ["open_auction", "pass"]:
        given.idle()
    assert given.refuses("borrow", player="blue", loan="small") == "not_your_turn"
    assert given.refuses("borrow", player="yellow", loan="small") == "no_loans_for_bids"
    assert "borrow" not in [offer["do"] for offer in given.offers("yellow")]
    given.to("finished", 6)
    assert given.refuses("borrow", player="blue", loan="small") == "game_over"
    assert "borrow" not in [offer["do"] for offer in given.offers("yellow")]


def test_phase_5_does_not_stop_for_who_may_borrow_at_any_time() -> None:
    given = wage_day("voluntary_anytime_but_phase2", 9_000)
    assert given.position["phase"] == "hire"
    given = wage_day("voluntary_anytime_but_phase2", 4_000)
    assert given.asks() == (["blue"], ["borrow"])
    assert [offer["do"] for offer in given.offers("blue")] == ["borrow"]  # due, and not offered twice
    given.do("borrow", player="yellow", loan="small")  # while it waits for somebody else
    given.do("borrow", player="blue", loan="small")
    assert given.position["phase"] == "hire"


def lent_out(rule: str, small: int, large: int) -> Scenario:
    """So many loans lent, over both players, in a game in which all may borrow."""
    rules = {"loans": "voluntary_anytime_but_phase2", "iou_supply": rule}
    given = Scenario("blue", "yellow", rules=rules)
    for number in range(small):
        given.do("borrow", player=("blue", "yellow")[number % 2], loan="small")
    for number in range(large):
        given.do("borrow", player=("blue", "yellow")[number % 2], loan="large")
    return given


def to_be_had(given: Scenario) -> list[str]:
    [kinds] = [offer["fields"]["loan"]["values"] for offer in given.offers("blue") if offer["do"] == "borrow"]
    return list(kinds)


@pytest.mark.parametrize(
    ("rule", "small", "large", "left"),
    [
        ("unlimited", 12, 6, ["small", "large"]),
        ("limited", 11, 5, ["small", "large"]),
        ("limited", 12, 5, ["large"]),
        ("limited", 11, 6, ["small"]),
        ("limited", 12, 6, ["small"]),
    ],
)
def test_the_loans_of_the_box_may_be_all_there_are(rule: str, small: int, large: int, left: list[str]) -> None:
    given = lent_out(rule, small, large)
    assert to_be_had(given) == left
    for kind in {"small", "large"} - set(left):
        assert given.refuses("borrow", player="yellow", loan=kind) == "loan_sold_out"
    given.do("borrow", player="yellow", loan=left[0])


def test_a_loan_paid_back_can_be_lent_again() -> None:
    given = lent_out("limited", 12, 6)
    given.do("repay", player="yellow", loan="large")
    assert to_be_had(given) == ["large"]


def last_contract(rule: str) -> Scenario:
    """Round 2, blue with a loan; the last contracts of the deck come up."""
    catalog = deck(wages={"*": 0}, reveal={"*": (5, 5, 5)})
    rules = {"late_when": rule, "loans": "voluntary_anytime_but_phase2"}
    given = Scenario("blue", "yellow", catalog=catalog, rules=rules)
    given.do("borrow", player="blue", loan="small")
    given.to("contracts", 2)
    given.do("turn_economy", card="Y01")
    assert given.player("blue")["owes"] == 13_000
    given.reveal_some(5)
    return given


@pytest.mark.parametrize(("rule", "owes"), [("deck_empty", 15_000), ("deck_and_display_empty", 13_000)])
def test_late_is_when_the_deck_or_the_display_too_is_empty(rule: str, owes: int) -> None:
    given = last_contract(rule)
    assert given.player("blue")["owes"] == owes
    assert given.position["loans_late"] is (owes == 15_000)
    given.give_cards("blue", *given.position["display"])
    assert given.player("blue")["owes"] == 15_000


@pytest.mark.parametrize(("rule", "owes"), [("as_usual", 13_000), ("always_late", 15_000)])
def test_the_end_reckons_as_usual_or_always_late(rule: str, owes: int) -> None:
    catalog = deck(wages={"*": 0}, reveal={"*": (0, 0, 0)})
    rules = {"final_rate": rule, "loans": "voluntary_anytime_but_phase2"}
    given = Scenario("blue", "yellow", catalog=catalog, rules=rules)
    given.do("borrow", player="blue", loan="small")
    given.to("build", 6)
    assert given.player("blue")["owes"] == 13_000
    given.to("finished", 6)
    assert given.player("blue")["owes"] == owes
    [line] = [line for line in given.position["standings"] if line["player"] == "blue"]
    assert line["loans"] == owes


def taxed(rule: str, *effects: Effect, **rules: Any) -> Scenario:
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": effects}), rules={"event_debt": rule, **rules})
    given.to("events")
    given.give_money("blue", 3_000)
    given.do("turn_event", card="E05")
    return given


def test_an_event_takes_no_more_than_there_is() -> None:
    given = taxed("cap", TOLL)
    assert (given.position["phase"], given.cash("blue")) == ("build", 0)


def test_an_event_may_have_to_be_paid_with_loans() -> None:
    given = taxed("loan", TOLL, Effect("receive", amount=1_000))
    assert given.asks() == (["blue"], ["borrow"])
    assert [offer["do"] for offer in given.offers("blue")] == ["borrow"]
    assert given.refuses("borrow", player="yellow", loan="small") == "not_your_turn"
    assert given.refuses("choose_workers", player="blue", workers=[]) == "no_workers_to_choose"
    given.do("borrow", player="blue", loan="small")
    assert given.asks() == (["blue"], ["borrow"])
    given.do("borrow", player="blue", loan="small")
    assert (given.position["phase"], given.cash("blue")) == ("build", 3_000 + 20_000 - 18_000 + 1_000)
    assert given.player("yellow")["loans"] == {"small": 0, "large": 0}


def test_before_a_card_is_turned_nobody_owes_it_anything() -> None:
    given = Scenario("blue", "yellow", rules={"event_debt": "loan"})
    given.to("events")
    assert given.refuses("borrow", player="blue", loan="small") == "not_in_this_phase"
