"""Effective entries of a table's history, read off the one timeline that folds it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.game import Refused
from companion.service.table.history import History
from companion.service.table.table import Table
from tests.service.house_tables import OPEN, PASS, REDO, UNDO, give, nut_table

PONDER = {"do": "ponder"}


def gift(amount: int) -> dict[str, Any]:
    return {"do": "give", "from": "bank", "to": "ada", "amount": amount}


def amend(seq: int, instead: dict[str, Any] | None) -> dict[str, Any]:
    return {"do": "amend", "seq": seq, "with": instead, "confirm": True}


def numbers(table: Table) -> list[int]:
    return [entry.seq for entry in table.history.effective_entries()]


def undone(table: Table) -> set[int]:
    return {entry["seq"] for entry in table.journal("banker") if entry["undone"]}


def test_before_the_first_entry_nothing_stands() -> None:
    assert History().effective_entries() == ()
    assert History().effective_numbers() == frozenset()


def test_an_entry_stands_as_it_was_given_between_the_positions_that_the_table_holds() -> None:
    table = nut_table(None, OPEN, PASS)
    entries = table.history.effective_entries()
    assert [(entry.seq, entry.command, entry.events, entry.amended) for entry in entries] == [
        (entry.seq, entry.command, entry.events, None) for entry in table.entries
    ]
    assert [(entry.at, entry.actor, entry.source) for entry in entries] == [
        (entry.at, entry.actor, entry.source) for entry in table.entries
    ]
    assert entries[0].before is None
    assert entries[1].before is entries[0].after
    assert entries[2].after is table.position


def test_undo_takes_away_and_redo_brings_back() -> None:
    table = nut_table(None, OPEN, PASS, UNDO, UNDO, REDO)
    assert numbers(table) == [1, 2]
    assert undone(table) == {3}


def test_a_new_entry_ends_what_a_redo_would_bring_back() -> None:
    table = nut_table(None, gift(1), UNDO, gift(2))
    assert numbers(table) == [1, 4]
    assert undone(table) == {2}
    with pytest.raises(Refused, match="nothing_to_redo"):
        give(table, REDO)


def test_an_amend_leaves_entries_out_and_lets_others_stand_with_other_events() -> None:
    table = nut_table(None, gift(1), gift(2), amend(2, None), gift(3))
    entries = table.history.effective_entries()
    assert [(entry.seq, entry.amended) for entry in entries] == [(1, None), (3, None), (5, None)]
    give(table, amend(3, gift(4)))
    second = table.history.effective_entries()[1]
    assert (second.command, second.events[0]["amount"], second.amended) == (gift(4), 4, 6)
    assert second.at == table.entries[2].at
    assert undone(table) == {2}


def test_an_undo_of_an_amend_restores_what_stood_and_a_redo_amends_again() -> None:
    table = nut_table(None, gift(1), gift(2), amend(2, gift(5)), UNDO, REDO)
    history = table.history
    moments = [[(entry.seq, entry.amended) for entry in history.entries_after(step)] for _, step in history.moments()]
    assert moments[4] == moments[2] == [(1, None), (2, None), (3, None)]
    assert moments[5] == moments[3] == [(1, None), (2, 4), (3, None)]


def test_an_amend_may_follow_an_amend() -> None:
    table = nut_table(None, gift(1), gift(2), amend(2, gift(5)), amend(2, gift(6)), amend(3, None))
    assert [(entry.seq, entry.command, entry.amended) for entry in table.history.effective_entries()[1:]] == [
        (2, gift(6), 5)
    ]


def test_who_holds_a_history_is_not_disturbed_by_what_happens_after() -> None:
    table = nut_table(None, gift(1))
    history = table.history
    give(table, gift(2), UNDO)
    assert (history.version, len(history.entries), len(history.steps), history.timeline.version) == (2, 2, 2, 2)
    assert [entry.seq for entry in history.effective_entries()] == [1, 2]


@given(st.lists(st.sampled_from(["act", "undo", "redo"]), max_size=40))
def test_undo_and_redo_leave_what_a_list_with_a_cursor_holds(acts: list[str]) -> None:
    table = nut_table()
    kept, cursor = [1], 1
    for act in acts:
        if act == "act":
            kept, cursor = [*kept[:cursor], table.version + 1], cursor + 1
            give(table, gift(1))
        elif act == "undo" and cursor > 1:
            cursor -= 1
            give(table, UNDO)
        elif act == "redo" and cursor < len(kept):
            cursor += 1
            give(table, REDO)
    assert numbers(table) == kept[:cursor]
    acted = {entry.seq for entry in table.entries if entry.command["do"] in ("give", "start_game")}
    assert undone(table) == acted - set(kept[:cursor])
    loaded = Table("u", table.game, table._journal, table._clock)
    loaded.load(tuple(table.entries))
    assert numbers(loaded) == numbers(table)


def test_a_long_game_costs_no_more_than_its_length() -> None:
    table = nut_table(None, *[PONDER] * 2_000, *[UNDO] * 2_000)
    assert numbers(table) == [1]
