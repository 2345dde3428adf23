"""Taking back and restoring whatever was played."""

import pytest

from companion.games.master_builder.rules.catalog import Effect
from tests.games.master_builder.decks import deck
from tests.opened import house_deck
from tests.scenario import Scenario, workers_of


def test_the_start_cannot_be_taken_back() -> None:
    given = Scenario("blue", "yellow")
    assert given.refuses("undo") == "nothing_to_undo"
    assert given.refuses("redo") == "nothing_to_redo"


def test_every_entry_of_a_game_can_be_taken_back_and_restored() -> None:
    given = Scenario("blue", "yellow", "green", catalog=house_deck())
    positions = [given.position]
    while not given.position["finished"]:
        if given.position["phase"] == "income":
            given.do("count_cash", player="blue", amount=1_000)
            positions.append(given.position)
            given.do("correct_money", from_="bank", to="blue", amount=1_000, reason="why")
            positions.append(given.position)
        given.idle()
        positions.append(given.position)
    for position in positions[-2::-1]:
        given.do("undo")
        assert given.position == position
    assert given.refuses("undo") == "nothing_to_undo"
    for position in positions[1:]:
        given.do("redo")
        assert given.position == position
    assert given.refuses("redo") == "nothing_to_redo"


def test_undo_takes_back_what_followed_too() -> None:
    given = Scenario("blue", "yellow", catalog=deck(events={"E05": [Effect("unavailable")]}))
    given.to("events")
    before = given.position
    given.do("turn_event", card="E05")  # nobody can build, wages are paid, round 2 begins
    assert given.position["round"] == 2
    given.do("undo")
    assert given.position == before
    assert given.asks() == (["blue"], ["turn_event"])


def test_a_new_entry_ends_what_could_be_redone() -> None:
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W01")
    given.do("undo")
    given.do("hire_worker", player="blue", worker="W02")
    assert given.refuses("redo") == "nothing_to_redo"


def test_a_refusal_leaves_what_can_be_redone() -> None:
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W01")
    given.do("undo")
    assert given.refuses("hire_worker", player="yellow", worker="W01") == "not_your_turn"
    given.do("redo")
    assert given.player("blue")["workers"] == ["W01"]


def test_undo_and_redo_are_entries_with_numbers() -> None:
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W01")
    assert given.do("undo") == [{"event": "EntryUndone", "entry": 2}]
    assert given.do("redo") == [{"event": "EntryRedone", "entry": 2}]
    assert [entry.seq for entry in given.table.entries] == [1, 2, 3, 4]
    assert [entry["undone"] for entry in given.table.journal("banker")] == [False] * 4


@pytest.mark.parametrize("field", ["player", "seq", "confirm"])
def test_undo_takes_no_fields(field: str) -> None:
    given = Scenario("blue", "yellow")
    given.do("hire_worker", player="blue", worker="W01")
    assert given.refuses("undo", **{field: 1}) == "unknown_field"


def test_a_plan_and_a_correction_are_taken_back_alike() -> None:
    given = Scenario("blue", "yellow")
    given.hire(blue=workers_of("A")[:5])
    given.to("build")
    given.do("plan", player="blue", work={})
    given.do("correct_card", card="W01", to="blue", reason="why")
    given.do("undo")
    given.do("undo")
    assert given.asks() == (["blue", "yellow"], ["plan"])
    given.do("redo")
    given.do("redo")
    assert "W01" in given.player("blue")["workers"]
    assert given.asks() == (["yellow"], ["plan"])
