"""A refusal names the figures that its sentence needs."""

from typing import Any

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, waiting_in, workers_of


def refusal_details(given: Scenario, verb: str, **fields: Any) -> dict[str, Any]:
    return dict(given.refusal(verb, **fields).details)


def test_a_start_says_what_may_be_chosen() -> None:
    given = Scenario("blue", "yellow")
    assert str(given.refusal("turn_event", card="E05")) == "not_in_this_phase (phase=hire)"
    assert str(given.refusal("undo")) == "nothing_to_undo"


def test_turns_and_workers_name_who_and_how_much() -> None:
    given = Scenario("blue", "yellow")
    assert refusal_details(given, "pass", player="yellow") == {"player": "yellow", "waiting": ("blue",)}
    given.hire(blue=workers_of("MC")[:5])
    given.to("hire", 2)
    assert refusal_details(given, "hire_worker", player="yellow", worker="W01") == {"card": "W01", "owner": "blue"}
    given.do("pass", player="yellow")
    given.do("hire_worker", player="blue", worker="W06")
    given.do("pass", player="yellow")
    assert refusal_details(given, "hire_worker", player="blue", worker="W07") == {
        "player": "blue",
        "wages": 35_000,
        "limit": 30_000,
    }


def test_bids_name_the_least_that_is_enough() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    assert refusal_details(given, "reveal_contracts", contracts=[]) == {"due": 3}
    given.reveal("C01", "C02", "C03")
    opening = {"player": "blue", "contract": "C02"}
    assert refusal_details(given, "open_auction", **opening, bid=1_000) == {"least": 3_000, "bid": 1_000}
    assert refusal_details(given, "open_auction", **opening, bid=50_000) == {
        "player": "blue",
        "amount": 50_000,
        "cash": 40_000,
    }
    given.do("open_auction", **opening, bid=20_000)
    assert refusal_details(given, "bid", player="yellow", amount=20_000) == {"least": 21_000, "bid": 20_000}
    assert refusal_details(given, "open_auction", player="yellow", contract="C01", bid=2_000) == {"card": "C02"}
    taken = refusal_details(given, "correct_money", from_="blue", to="bank", amount=21_000, reason="why")
    assert taken == {"player": "blue", "amount": 21_000, "cash": 40_000, "bid": 20_000, "kept": 20_000}


def test_choices_name_how_many_and_of_whom() -> None:
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": [Effect("dismiss", type=("A",), count=2)]}))
    given.hire(blue=workers_of("A")[:3] + workers_of("MC")[:2])
    given.to("events")
    given.do("turn_event", card="E05")
    assert refusal_details(given, "choose_workers", player="blue", workers=["W28"]) == {"count": 2}
    wrong = refusal_details(given, "choose_workers", player="blue", workers=["W01", "W02"])
    assert wrong == {"card": "W01", "choices": ("W28", "W29", "W30")}


def test_a_team_that_does_not_fit_names_code_and_team() -> None:
    figures = {"*": {"sections": {"*": ["F", "A"]}}}
    given = Scenario("blue", "yellow", catalog=deck(contracts=figures))
    given.hire(blue=workers_of("A")[:5])
    given.to("build")
    contract = next(iter(given.player("blue")["contracts"]))
    refused = refusal_details(given, "plan", player="blue", work={contract: {"wall-1": ["W28", "W29"]}})
    assert refused == {"card": contract, "section": "wall-1", "code": ("F", "A"), "team": ("A", "A")}


def test_a_loan_too_dear_names_price_and_cash() -> None:
    given = Scenario("blue", "yellow")
    given.to("build")
    given.give_money("blue", 0)
    given.to("income")
    given.do("borrow", player="blue", loan="small")
    given.give_money("blue", 12_000)
    assert refusal_details(given, "repay", player="blue", loan="small") == {
        "player": "blue",
        "amount": 13_000,
        "cash": 12_000,
    }
    assert refusal_details(given, "repay", player="blue", loan="large") == {"player": "blue", "loan": "large"}


@pytest.mark.parametrize(
    ("phase", "command"),
    [
        ("hire", {"verb": "turn_event", "card": "E01"}),
        ("events", {"verb": "plan", "player": "blue", "work": {}}),
        ("build", {"verb": "turn_event", "card": "E01"}),
        ("income", {"verb": "turn_event", "card": "E01"}),
    ],
)
def test_what_belongs_to_another_phase_is_refused_with_the_phase_that_is_on(
    phase: str, command: dict[str, Any]
) -> None:
    refused = waiting_in(phase).refusal(**command)

    assert (refused.rule, refused.details["phase"]) == ("not_in_this_phase", phase)
