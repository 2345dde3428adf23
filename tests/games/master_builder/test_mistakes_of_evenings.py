"""Mistakes as they happen on real evenings, and how the banker puts them right."""

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario


def wage(given: Scenario, worker: str) -> int:
    return int(given.table.catalog_json()["workers"][worker]["wage"])


def test_a_worker_scanned_as_another_three_entries_ago_is_put_right_by_two_corrections() -> None:
    # given Blue laid W01, but the camera took it for W02; three more workers were hired since
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W02")
    for player, worker in (("yellow", "W20"), ("blue", "W30"), ("yellow", "W31")):
        given.do("hire_worker", player=player, worker=worker)
    asked = given.asks()

    # when the cards are put to where they lie
    given.do("correct_card", card="W02", to="supply", reason="it was W01")
    given.do("correct_card", card="W01", to="blue", reason="it was W01")

    # then they have the right one at its wage, nobody lost a turn, and the other one can be hired
    assert given.player("blue")["workers"] == ["W01", "W30"]
    assert given.player("blue")["wages"] == wage(given, "W01") + wage(given, "W30")
    assert given.asks() == asked
    assert "W02" in given.offer("hire_worker")["fields"]["worker"]["values"]


def test_an_event_resolved_wrongly_is_put_right_when_much_has_happened_since() -> None:
    # given an event that took 2,000 of everybody and dismissed one of Blue's, who named the wrong worker
    taken = (Effect("pay", amount=2_000), Effect("dismiss", count=1))
    given = Scenario("blue", "yellow", catalog=deck(events={"E01": taken}))
    given.to("events")
    given.do("turn_event", card="E01")
    wrong, right, *_ = given.player("blue")["workers"]
    given.do("choose_workers", player="blue", workers=[wrong])
    given.do("choose_workers", player="yellow", workers=given.player("yellow")["workers"][:1])
    given.to("hire", 2)
    before = given.position

    # when the banker puts money and workers right, one by one
    given.do("correct_card", card=wrong, to="blue", reason="the other one had to go")
    given.do("correct_card", card=right, to="supply", reason="the other one had to go")
    given.do("correct_money", from_="bank", to="blue", amount=2_000, reason="the card spares him")

    # then that is all that has changed
    after = given.position
    assert wrong in given.player("blue")["workers"]
    assert right not in given.player("blue")["workers"]
    assert given.cash("blue") == before["players"]["blue"]["cash"] + 2_000
    assert (after["phase"], after["round"], after["waiting_for"]) == (
        before["phase"],
        before["round"],
        before["waiting_for"],
    )
    assert after["players"]["yellow"] == before["players"]["yellow"]


def test_the_wrong_event_was_scanned_and_the_right_one_is_turned_instead() -> None:
    given = Scenario("blue", "yellow", catalog=deck(events={"E01": (Effect("dismiss", count=1),)}))
    given.to("events")
    given.do("turn_event", card="E01")
    given.do("correct_turn", phase="events", reason="it was the other card")
    given.do("turn_event", card="E07")
    assert given.position["turned"]["events"] == ["E07"]
    assert given.position["phase"] == "build"


def test_the_table_has_played_on_without_the_companion_and_it_catches_up() -> None:
    # given an auction on the tablet, while the table has long sold that contract and turned the event
    given = Scenario("blue", "yellow")
    given.hire()
    given.reveal("C01", "C02", "C03")
    given.do("open_auction", player="blue", contract="C02", bid=5_000)

    # when the banker tells what happened since
    given.do("correct_turn", phase="contracts", reason="we forgot the tablet")
    for card, player in (("C02", "yellow"), ("C01", "blue")):
        given.do("correct_card", card=card, to=player, reason="sold meanwhile")
    given.do("correct_money", from_="yellow", to="bank", amount=7_000, reason="he paid for it")
    given.do("correct_turn", phase="build", reason="we forgot the tablet")

    # then all go on building, with the money as it is on the table
    assert given.asks()[0] == ["blue", "yellow"]
    assert (given.cash("blue"), given.cash("yellow"), given.position["bank"]) == (40_000, 33_000, 622_000)
