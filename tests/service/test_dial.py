"""The automation dial: what a card under the camera does by itself."""

import pytest

from companion.engine.placement import Placement
from companion.service.asking import Asking
from companion.service.dial import Dial, is_plain
from companion.service.proposals import Eye
from tests.fakes import FakeClock
from tests.scenario import Scenario

EYE = Eye("camera")


def laid(card: str) -> Placement:
    return Placement("place", f"MB1{card}", card, "supply", 1.0)


def worker(given: Scenario) -> str:
    return str(given.offer("hire_worker")["fields"]["worker"]["values"][0])


@pytest.mark.parametrize(("dial", "waits", "hired"), [("ledger", 0, 0), ("suggest", 1, 0), ("automatic", 0, 1)])
def test_a_worker_who_is_laid_down(dial: Dial, waits: int, hired: int) -> None:
    given, asking = Scenario("blue", "yellow"), Asking(FakeClock())
    asking.turn_dial(given.table, dial)

    changed = asking.lay(given.table, laid(worker(given)), b"jpeg", EYE)

    assert changed == (dial != "ledger")
    assert len(asking.waiting(given.table.id)) == waits
    assert given.table.version == 1 + hired
    assert asking.crops.picture(given.table.id, 2) == (b"jpeg" if hired else None)


def test_a_table_asks_unless_somebody_turned_its_dial() -> None:
    assert Asking(FakeClock()).dial(Scenario("blue", "yellow").table) == "suggest"


def test_a_card_that_leads_to_a_question_waits_even_so() -> None:
    given, asking = Scenario("blue", "yellow"), Asking(FakeClock())
    asking.turn_dial(given.table, "automatic")
    first = worker(given)
    asking.lay(given.table, laid(first), b"", EYE)
    before = given.table.version

    asking.lay(given.table, laid(first), b"", EYE)

    assert given.table.version == before


def test_turning_to_books_only_withdraws_what_waits() -> None:
    given, asking = Scenario("blue", "yellow"), Asking(FakeClock())
    asking.lay(given.table, laid(worker(given)), b"", EYE)

    asking.turn_dial(given.table, "ledger")

    assert asking.waiting(given.table.id) == []


def test_what_moves_money_leaves_a_choice_or_is_refused_is_not_plain() -> None:
    given = Scenario("blue", "yellow")
    assert not is_plain(given.table, {"do": "hire_worker", "player": "blue", "worker": "W99"})
    given.to("contracts")
    while not any(offer["do"] == "open_auction" for offer in given.table.show("banker")["offers"]):
        given.idle()
    offer = given.offer("open_auction")
    bid = {"do": "open_auction", "player": offer["player"], "contract": offer["contract"], "bid": 5_000}
    assert not is_plain(given.table, bid)
    assert not is_plain(given.table, {"do": "borrow", "player": "blue", "loan": "small"})
