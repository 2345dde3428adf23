"""Commands and questions that a card laid under the camera leads to."""

from typing import Any, Literal

import pytest

from companion.engine.game import Placement, Question
from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, empty_table


def laid(given: Scenario, card: str, event: Literal["place", "move", "remove"] = "place", zone: str = "tray") -> Any:
    reading = given.table.read(Placement(event, f"MB1{card}", card, zone, 1.0))
    return (reading.card, reading.rule) if isinstance(reading, Question) else reading


def test_in_round_1_a_worker_is_hired() -> None:
    given = Scenario("blue", "yellow")
    assert laid(given, "W07") == {"do": "hire_worker", "player": "blue", "worker": "W07"}
    assert laid(given, "W07", "move") == {"do": "hire_worker", "player": "blue", "worker": "W07"}
    assert laid(given, "W07", "remove") is None
    given.do("hire_worker", player="blue", worker="W07")
    assert laid(given, "W07") == ("W07", "worker_taken")


def test_later_the_own_worker_is_fired_and_another_hired() -> None:
    given = Scenario("blue", "yellow")
    given.hire(yellow=("W01", "W02", "W03", "W04", "W05"))
    given.to("hire", 2)
    assert laid(given, "W01") == {"do": "fire_worker", "player": "yellow", "worker": "W01"}
    assert laid(given, "W28") == {"do": "hire_worker", "player": "yellow", "worker": "W28"}
    assert laid(given, "W99") == ("W99", "unknown_worker")


def test_the_zone_says_who_hires() -> None:
    given = Scenario("blue", "yellow")

    assert laid(given, "W07", zone="blue") == {"do": "hire_worker", "player": "blue", "worker": "W07"}
    assert laid(given, "W07", zone="yellow") == ("W07", "not_your_turn")
    given.do("hire_worker", player="blue", worker="W07")
    assert laid(given, "W07", zone="blue") is None, "he lies where he belongs"
    assert laid(given, "W07", zone="yellow") == ("W07", "worker_taken")


def test_the_zone_of_a_seat_where_nobody_sits_says_nothing() -> None:
    given = Scenario("blue", "yellow")

    assert laid(given, "W07", zone="green") == {"do": "hire_worker", "player": "blue", "worker": "W07"}


def test_back_at_the_market_a_worker_is_fired() -> None:
    given = Scenario("blue", "yellow")
    given.hire(yellow=("W01", "W02", "W03", "W04", "W05"), blue=("W06", "W07", "W08", "W09", "W10"))

    assert laid(given, "W01", zone="market") is None, "only in the phase for it"
    given.to("hire", 2)
    assert laid(given, "W01", zone="market") == {"do": "fire_worker", "player": "yellow", "worker": "W01"}
    assert laid(given, "W06", zone="market") == ("W06", "not_your_turn")
    assert laid(given, "W28", zone="market") is None, "he was never hired"
    assert laid(given, "W01", zone="yellow") is None


def test_a_contract_comes_up_among_the_contracts_and_goes_to_whoever_opens() -> None:
    given = Scenario("blue", "yellow")
    given.hire()

    assert laid(given, "C01", zone="contracts") == {"do": "reveal_contracts", "contracts": ["C01"]}
    given.reveal("C01", "C02", "C03")
    assert laid(given, "C01", zone="contracts") is None, "it lies there"
    opened = {"do": "open_auction", "player": "blue", "contract": "C01", "bid": 2_000}
    assert laid(given, "C01", zone="blue") == opened
    assert laid(given, "C01", zone="yellow") == ("C01", "not_your_turn")
    given.do("open_auction", player="blue", contract="C01", bid=2_000)
    given.do("pass", player="yellow")
    assert laid(given, "C01", zone="blue") is None, "it is his"


def test_contracts_come_up_then_the_chooser_opens_at_the_cost() -> None:
    given = Scenario("blue", "yellow")
    given.hire()
    assert laid(given, "C01") == {"do": "reveal_contracts", "contracts": ["C01"]}
    given.reveal("C01")
    assert laid(given, "C01") is None  # it lies there
    given.reveal("C02", "C03")
    assert laid(given, "C01") == {"do": "open_auction", "player": "blue", "contract": "C01", "bid": 2_000}
    assert laid(given, "C08") == ("C08", "not_on_display")
    assert laid(given, "C13") == ("C13", "unknown_contract")
    given.do("open_auction", player="blue", contract="C01", bid=2_000)
    assert laid(given, "C02") == ("C02", "auction_running")
    assert laid(given, "C01") is None, "it is under the hammer"


def test_a_contract_of_another_phase_is_told_when_contracts_come() -> None:
    given = Scenario("blue", "yellow")
    assert laid(given, "C01") == ("C01", "no_contracts_now")
    assert laid(given, "C01", zone="blue") == ("C01", "no_contracts_now")

    given.hire()
    given.reveal("C01", "C02", "C03")
    given.do("open_auction", player="blue", contract="C01", bid=2_000)
    given.do("pass", player="yellow")
    given.to("build")

    assert laid(given, "C04") == ("C04", "no_contracts_now")
    assert laid(given, "C01") is None, "a contract that somebody has may lie anywhere"
    assert laid(given, "C01", zone="yellow") is None


def test_a_free_worker_in_another_phase_is_told_when_workers_are_hired() -> None:
    given = Scenario("blue", "yellow")
    given.hire(blue=("W01", "W28", "W29", "W09", "W10"))
    given.to("build")

    assert laid(given, "W02") == ("W02", "no_hiring_now")
    assert laid(given, "W02", zone="blue") == ("W02", "no_hiring_now")
    assert laid(given, "W02", zone="market") is None, "the worker lies where it belongs"
    assert laid(given, "W01") is None, "a worker who is planned is moved about"


def test_an_economic_situation_and_an_event_are_turned() -> None:
    given = Scenario("blue", "yellow")
    given.to("events")
    assert laid(given, "E05") == {"do": "turn_event", "card": "E05"}
    assert laid(given, "Y05") == ("Y05", "not_in_this_phase")
    given.do("turn_event", card="E05")
    assert laid(given, "E05") is None
    assert laid(given, "W01") == ("W01", "no_hiring_now")
    given.to("contracts", 2)
    assert laid(given, "Y05") == {"do": "turn_economy", "card": "Y05"}
    assert laid(given, "C12") == ("C12", "economy_first")
    given.do("turn_economy", card="Y05")
    assert laid(given, "Y05") is None
    assert laid(given, "X01") is None


@pytest.mark.parametrize(("card", "allowed"), [("W28", True), ("W01", False)])
def test_an_owner_lays_the_worker_whom_the_event_hits(card: str, allowed: bool) -> None:
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": [Effect("unavailable", type=("A",), count=1)]}))
    given.hire(blue=("W01", "W28", "W29", "W09", "W10"))
    given.to("events")
    assert laid(given, "W28") is None
    given.do("turn_event", card="E05")
    chosen = {"do": "choose_workers", "player": "blue", "workers": [card]}
    assert laid(given, card) == (chosen if allowed else (card, "worker_not_among_them"))


def test_before_the_start_and_after_the_end_cards_only_lie_there() -> None:
    assert empty_table().read(Placement("place", "MB1W07", "W07", "table", 1.0)) is None
    given = Scenario("blue", "yellow")
    given.to("finished", 6)
    assert laid(given, "W07") is None


def test_where_nobody_is_waited_for_by_name_a_worker_has_an_answer_too() -> None:
    given = Scenario("blue", "yellow")
    given.to("build")
    assert laid(given, "W07") == ("W07", "no_hiring_now")


def test_a_building_that_was_paid_for_lies_with_its_owner() -> None:
    given = Scenario("blue", "yellow", catalog=deck(contracts={"*": {"sections": {"*": ["A"]}}}))
    given.to("build")
    given.give_cards("blue", "C03", *(f"W{number}" for number in range(28, 41)))
    given.give_money("blue", 90_000)
    given.raise_("blue", C03="wall-1 wall-2 gable-1 gable-2 roof-1 roof-2")
    given.to("hire", 2)
    assert given.player("blue")["completed"] == ["C03"]

    for zone in ("blue", "tray"):
        assert laid(given, "C03", zone=zone) is None
    given.to("contracts", 2)
    assert laid(given, "C03", zone="blue") is None
