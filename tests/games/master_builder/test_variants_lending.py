"""The variant in which workers are hired out for a phase."""

from typing import Any

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario

BLUE = ("W28", "W29", "W30", "W31", "W32")
YELLOW = ("W33", "W34", "W35", "W36", "W37")
EASY = {"sections": {"*": ["A"]}, "cost": 2_000, "price": 50_000}


def lending(*effects: Effect, **rules: Any) -> Scenario:
    """Phase 4 of round 1; blue and yellow have five apprentices each, yellow the house C03."""
    catalog = deck(contracts={"*": EASY}, events={"E05": effects or (Effect("manual"),)})
    given = Scenario("blue", "yellow", catalog=catalog, rules=rules, variants=["loaning_workers"])
    given.hire(blue=BLUE, yellow=YELLOW)
    given.to("events")
    given.give_cards("yellow", "C03")
    given.do("turn_event", card="E05")
    return given


def lend(given: Scenario, worker: str = "W28", price: int = 2_000) -> None:
    given.do("hire_out", owner="blue", worker=worker, borrower="yellow", price=price)


def refused(given: Scenario, **changes: Any) -> str:
    asked = {"owner": "blue", "worker": "W28", "borrower": "yellow", "price": 2_000, **changes}
    return given.refuses("hire_out", **asked)


def test_a_worker_hired_out_builds_there_and_is_back_afterwards_mb_69() -> None:
    given = lending()
    cash, wages = (given.cash("blue"), given.cash("yellow")), given.player("blue")["wages"]
    lend(given)
    assert (given.cash("blue"), given.cash("yellow")) == (cash[0] + 2_000, cash[1] - 2_000)
    assert given.player("blue")["wages"] == given.player("yellow")["wages"] == wages
    assert "W28" in given.player("blue")["workers"]
    assert given.position["lent"] == [{"worker": "W28", "owner": "blue", "borrower": "yellow"}]
    own = next(iter(given.player("blue")["contracts"]))
    assert given.refuses("plan", player="blue", work={own: {"wall-1": ["W28"]}}) == "worker_lent"
    six = ("wall-1", "wall-2", "gable-1", "gable-2", "roof-1", "roof-2")
    work = {section: [worker] for section, worker in zip(six, ("W28", *YELLOW), strict=True)}
    [plan] = [offer for offer in given.offers("yellow") if offer["do"] == "plan"]
    assert "W28" in plan["fields"]["work"]["workers"]
    given.do("plan", player="yellow", work={"C03": work})
    given.do("plan", player="blue", work={})
    assert given.player("yellow")["completed"] == ["C03"]
    given.to("build", 2)
    assert given.position["lent"] == []
    [plan] = [offer for offer in given.offers("blue") if offer["do"] == "plan"]
    assert "W28" in plan["fields"]["work"]["workers"]


def test_everybody_is_asked_for_a_plan_and_the_first_ends_the_lending_mb_69() -> None:
    given = lending()
    for card in given.player("blue")["contracts"]:
        given.do("correct_card", card=card, to="deck", reason="bought by mistake")
    assert given.asks() == (["blue", "yellow"], ["plan", "hire_out"])
    given.do("plan", player="yellow", work={})
    assert given.asks() == (["blue"], ["plan"])
    assert refused(given) == "too_late_to_lend"
    assert [offer["do"] for offer in given.offers("blue")] == ["plan"]
    given.do("correct_money", from_="bank", to="blue", amount=1_000, reason="a slip")
    given.do("plan", player="blue", work={})
    assert given.position["phase"] != "build"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"worker": "W33"}, "not_your_worker"),
        ({"worker": "W01"}, "not_your_worker"),
        ({"worker": "W99"}, "unknown_worker"),
        ({"worker": "C03"}, "unknown_worker"),
        ({"borrower": "blue"}, "not_to_oneself"),
        ({"borrower": "green"}, "unknown_player"),
        ({"owner": "green"}, "unknown_player"),
        ({"price": 1_500}, "not_whole_thousands"),
        ({"price": -1_000}, "not_whole_thousands"),
        ({"price": 90_000}, "cannot_pay"),
    ],
)
def test_who_cannot_be_hired_out(changes: dict[str, Any], rule: str) -> None:
    assert refused(lending(), **changes) == rule


def test_who_lies_face_down_or_is_away_is_not_hired_out_mb_69() -> None:
    given = lending(Effect("unavailable", count=1))
    given.do("choose_workers", player="blue", workers=["W28"])
    given.do("choose_workers", player="yellow", workers=["W33"])
    assert refused(given) == "worker_not_free"
    lend(given, "W29")
    assert refused(given, worker="W29") == "worker_not_free"
    assert refused(given, owner="yellow", worker="W29", borrower="blue") == "not_your_worker"
    [offer] = [offer for offer in given.offers("blue") if offer["do"] == "hire_out"]
    assert offer["fields"]["worker"]["values"] == ["W30", "W31", "W32"]
    assert (offer["by"], offer["owner"], offer["borrower"]) == ("blue", "blue", "yellow")
    assert offer["fields"]["price"]["most"] == given.cash("yellow")


def test_who_has_nobody_free_is_offered_no_lending() -> None:
    given = lending(Effect("unavailable"))
    assert [offer["do"] for offer in given.offers("blue")] == ["plan"]
    assert given.asks() == (["blue", "yellow"], ["plan", "hire_out"])


def test_a_worker_may_be_lent_for_nothing() -> None:
    given = lending()
    cash = given.cash("blue")
    lend(given, price=0)
    assert given.cash("blue") == cash


def test_a_worker_corrected_away_is_lent_no_more() -> None:
    given = lending()
    lend(given)
    given.do("plan", player="yellow", work={"C03": {"wall-1": ["W28"], "gable-1": ["W33"]}})
    events = given.do("correct_card", card="W28", to="supply", reason="he was never hired")
    assert {"event": "PlanVoided", "player": "yellow"} in events
    assert given.position["lent"] == []
    assert given.refuses("plan", player="yellow", work={"C03": {"wall-1": ["W28"]}}) == "not_your_worker"
    given.do("correct_card", card="W28", to="blue", reason="he was, after all")
    assert given.refuses("plan", player="yellow", work={"C03": {"wall-1": ["W28"]}}) == "not_your_worker"


def test_a_worker_corrected_to_his_borrower_is_his_own() -> None:
    given = lending()
    lend(given)
    given.do("correct_card", card="W28", to="yellow", reason="he was bought off")
    given.do("hire_out", owner="yellow", worker="W28", borrower="blue", price=0)
    assert given.position["lent"] == [{"worker": "W28", "owner": "yellow", "borrower": "blue"}]


def test_workers_are_lent_in_phase_4_of_the_variant_only() -> None:
    given = Scenario("blue", "yellow")
    given.to("build")
    worker = given.player("blue")["workers"][0]
    assert refused(given, worker=worker) == "variant_not_played"
    assert given.asks()[1] == ["plan"]
    given.to("hire", 2)
    assert refused(given, worker=worker) == "not_in_this_phase"


def test_open_plans_too_leave_time_to_lend() -> None:
    given = lending(plans="open")
    assert given.asks() == (["blue"], ["plan", "hire_out"])
    given.do("hire_out", owner="yellow", worker="W33", borrower="blue", price=1_000)
    assert [offer["do"] for offer in given.offers("yellow")] == ["hire_out"]
    given.do("plan", player="blue", work={})
    assert given.asks() == (["yellow"], ["plan"])
    assert given.offers("blue") == []


def test_lending_is_taken_back_with_its_price() -> None:
    given = lending()
    cash = given.cash("blue")
    lend(given)
    given.do("undo")
    assert given.cash("blue") == cash
    assert given.position["lent"] == []
