"""The automation dial: what a card under the camera does by itself."""

from dataclasses import replace

import pytest

from companion.engine.game import Placement
from companion.service.camera.proposal_service import ProposalService, may_be_automatic
from companion.service.camera.proposals import (
    AutomationLevel,
    AutomationSettings,
    CardSource,
    Crop,
    InMemoryKeepsakes,
    automated_kinds,
    kind_of_card,
)
from companion.service.ports import UnknownProposal
from tests.fakes import FakeClock
from tests.scenario import Scenario
from tests.service.house_tables import house_game

SOURCE = CardSource("camera")


def laid(card: str) -> Placement:
    return Placement("place", f"MB1{card}", card, "supply", 1.0)


def worker(given: Scenario) -> str:
    return str(given.offer("hire_worker")["fields"]["worker"]["values"][0])


@pytest.mark.parametrize(("dial", "waits", "hired"), [("ledger", 0, 0), ("suggest", 1, 0), ("automatic", 0, 1)])
def test_a_worker_who_is_laid_down(dial: AutomationLevel, waits: int, hired: int) -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    proposals.set_level(given.table, dial)

    changed = proposals.on_placement(given.table, laid(worker(given)), b"jpeg", SOURCE)

    assert changed == (dial != "ledger")
    assert len(proposals.pending(given.table.id)) == waits
    assert given.table.version == 1 + hired
    assert proposals.keepsakes.crop(given.table.id, 2) == (Crop(b"jpeg", "banker") if hired else None)


def test_a_table_asks_unless_somebody_turned_its_dial() -> None:
    assert ProposalService(FakeClock()).settings(Scenario("blue", "yellow").table) == AutomationSettings("suggest")


def test_a_kind_that_was_turned_stands_apart_until_the_whole_dial_is_turned() -> None:
    # given a table that asks, but hires by itself
    setting = AutomationSettings().with_level("automatic", "worker")
    kinds = automated_kinds(house_game())
    assert kinds == ("worker", "contract", "event", "economy", "command")
    assert {kind: setting.level_of(kind) for kind in kinds} == {
        **dict.fromkeys(kinds, "suggest"),
        "worker": "automatic",
    }

    # when the kind is turned back, nothing stands apart
    assert setting.with_level("suggest", "worker").level_by_kind == {}

    # when the whole dial is turned, every kind follows it again
    assert setting.with_level("ledger") == AutomationSettings("ledger")


def test_command_cards_act_by_themselves_only_where_they_were_turned_so() -> None:
    assert AutomationSettings("automatic").level_of("command") == "suggest"
    assert AutomationSettings("automatic").with_level("automatic", "command").level_of("command") == "automatic"
    assert AutomationSettings("ledger").level_of("command") == "ledger"
    assert AutomationSettings("automatic").level_of(None) == "automatic"
    assert [kind_of_card(house_game(), card) for card in ("Z01", "W07", "X04")] == [None, "worker", "command"]


@pytest.mark.parametrize(("kind", "waits"), [("worker", 0), ("contract", 1)])
def test_books_only_for_one_kind_leaves_the_others_asking(kind: str, waits: int) -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    proposals.on_placement(given.table, laid(worker(given)), b"", SOURCE)

    proposals.set_level(given.table, "ledger", kind)

    assert len(proposals.pending(given.table.id)) == waits
    proposals.on_placement(given.table, laid(given.offer("hire_worker")["fields"]["worker"]["values"][1]), b"", SOURCE)
    assert len(proposals.pending(given.table.id)) == 2 * waits


def test_a_dial_is_found_as_it_was_left() -> None:
    given, keepsakes = Scenario("blue", "yellow"), InMemoryKeepsakes()
    before = ProposalService(FakeClock(), keepsakes)
    before.set_level(given.table, "ledger")
    before.set_level(given.table, "automatic", "event")

    assert ProposalService(FakeClock(), keepsakes).settings(given.table) == AutomationSettings(
        "ledger", {"event": "automatic"}
    )


def test_the_card_undo_asks_and_a_yes_takes_the_last_act_back() -> None:
    # given a worker who was hired
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    given.idle()

    # when UNDO is laid down
    assert proposals.on_placement(given.table, laid("X04"), b"", SOURCE)

    # then it asks, and YES takes them back
    assert [proposal["command"] for proposal in proposals.pending(given.table.id)] == [{"do": "undo"}]
    assert given.table.version == 2
    proposals.on_placement(given.table, laid("X01"), b"", SOURCE)
    assert given.table.entries[-1].command == {"do": "undo"}
    assert proposals.pending(given.table.id) == []


def test_an_undo_that_asks_goes_when_the_table_moves_on() -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    assert not proposals.on_placement(given.table, laid("X04"), b"", SOURCE), "there is nothing to take back"
    given.idle()
    proposals.on_placement(given.table, laid("X04"), b"", SOURCE)
    number = proposals.pending(given.table.id)[0]["id"]
    proposals.refresh(given.table)
    assert len(proposals.pending(given.table.id)) == 1

    given.idle()

    assert proposals.pending(given.table.id) == []
    with pytest.raises(UnknownProposal):
        proposals.answer(given.table.id, number, "yes", actor="banker")
    assert given.table.version == 3


def test_the_card_undo_acts_by_itself_where_command_cards_were_turned_so() -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    proposals.set_level(given.table, "automatic", "command")
    given.idle()

    proposals.on_placement(given.table, laid("X04"), b"", SOURCE)

    assert given.table.entries[-1].command == {"do": "undo"}


def test_command_cards_lead_to_nothing_where_they_are_for_the_books_only() -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    proposals.set_level(given.table, "ledger", "command")
    proposals.on_placement(given.table, laid(worker(given)), b"", SOURCE)

    assert not proposals.on_placement(given.table, laid("X01"), b"", SOURCE)

    assert len(proposals.pending(given.table.id)) == 1


def test_a_card_that_leads_to_a_question_waits_even_so() -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    proposals.set_level(given.table, "automatic")
    first = worker(given)
    proposals.on_placement(given.table, laid(first), b"", SOURCE)
    before = given.table.version

    proposals.on_placement(given.table, laid(first), b"", SOURCE)

    assert given.table.version == before


def test_a_card_that_is_moved_back_to_where_it_belongs_takes_its_question_along() -> None:
    # given a worker of the market who was laid before a player, so that the hire is asked
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    first = worker(given)
    proposals.on_placement(given.table, replace(laid(first), zone="blue"), b"", SOURCE)
    assert len(proposals.pending(given.table.id)) == 1

    # when somebody else's camera sees the card at the market, then it is asked still
    at_market = replace(laid(first), event="move", zone="market")
    proposals.on_placement(given.table, at_market, b"", CardSource("phone", viewer="yellow"))
    assert len(proposals.pending(given.table.id)) == 1

    # when the card has gone back there, then nothing is asked, and pages hear of it
    heard = given.table.signal.count
    assert not proposals.on_placement(given.table, at_market, b"", SOURCE)
    assert proposals.pending(given.table.id) == []
    assert given.table.signal.count == heard + 1


def test_turning_to_books_only_withdraws_what_waits() -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    proposals.on_placement(given.table, laid(worker(given)), b"", SOURCE)

    proposals.set_level(given.table, "ledger")

    assert proposals.pending(given.table.id) == []


def test_what_moves_money_leaves_a_choice_or_is_refused_is_not_plain() -> None:
    given = Scenario("blue", "yellow")
    assert not may_be_automatic(given.table, {"do": "hire_worker", "player": "blue", "worker": "W99"})
    given.to("contracts")
    while not any(offer["do"] == "open_auction" for offer in given.table.show("banker")["offers"]):
        given.idle()
    offer = given.offer("open_auction")
    bid = {"do": "open_auction", "player": offer["player"], "contract": offer["contract"], "bid": 5_000}
    assert not may_be_automatic(given.table, bid)
    assert not may_be_automatic(given.table, {"do": "borrow", "player": "blue", "loan": "small"})


def test_each_card_that_leads_to_anything_is_counted_for_whom_it_concerns() -> None:
    given, proposals = Scenario("blue", "yellow"), ProposalService(FakeClock())
    assert proposals.read_card_count(given.table.id, "banker") == 0
    proposals.on_placement(given.table, laid(worker(given)), b"", SOURCE)
    proposals.on_placement(given.table, laid("E01"), b"", SOURCE)
    proposals.on_placement(given.table, laid("X01"), b"", SOURCE)
    proposals.on_placement(given.table, laid("X04"), b"", SOURCE)
    player = given.table.show("banker")["position"]["waiting_for"][0]
    proposals.on_placement(given.table, laid(worker(given)), b"", CardSource("phone", viewer=player))

    heard = {viewer: proposals.read_card_count(given.table.id, viewer) for viewer in ("banker", "spectator", player)}
    assert heard == {"banker": 4, "spectator": 4, player: 5}
