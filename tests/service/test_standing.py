"""What stands of a journal: told by its entries alone."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion.engine.journal import Entry
from companion.service.journal_listing import listed
from companion.service.standing import AMENDED, REDONE, UNDONE, last_moment, moments, standing
from tests.engine.tiny_game import NutEdition
from tests.service.seated import OPEN, PASS, REDO, UNDO, nut_table


def journal(*told: tuple[str, Any]) -> list[Entry]:
    """Entries of one event each: ``(kind, entry)``; an amend takes ``(entry, left out, decided)``."""
    entries = []
    for seq, (kind, about) in enumerate(told, start=1):
        event: dict[str, Any] = {"event": kind, "entry": about}
        if kind == AMENDED:
            entry, left_out, decided = about
            event = {"event": kind, "entry": entry, "left_out": left_out, "decided": decided}
        entries.append(Entry(seq, f"at {seq}", "banker", "tap", {"do": kind, "n": seq}, (event,)))
    return entries


def again(entry: int, word: str) -> dict[str, Any]:
    return {"entry": entry, "command": {"do": word}, "events": [{"event": word}]}


def undone(entries: Sequence[Entry]) -> set[int]:
    return {entry["seq"] for entry in listed(NutEdition(), entries, "banker") if entry["undone"]}


def numbers(entries: list[Entry]) -> list[int]:
    return [one.seq for one in standing(entries)]


ACT: tuple[str, Any] = ("Acted", None)


def test_before_the_first_entry_nothing_stands() -> None:
    assert standing([]) == ()
    assert last_moment([]).taken() == frozenset()


def test_an_entry_stands_as_it_was_given() -> None:
    table = nut_table(None, OPEN, PASS)
    told = standing(table.entries)
    assert [(one.seq, one.command, one.events, one.amended) for one in told] == [
        (entry.seq, entry.command, entry.events, None) for entry in table.entries
    ]
    assert [(one.at, one.actor, one.source) for one in told] == [
        (entry.at, entry.actor, entry.source) for entry in table.entries
    ]


def test_undo_takes_away_and_redo_brings_back() -> None:
    table = nut_table(None, OPEN, PASS, UNDO, UNDO, REDO)
    assert [one.seq for one in standing(table.entries)] == [1, 2]
    assert undone(table.entries) == {3}


def test_a_new_entry_ends_what_a_redo_would_bring_back() -> None:
    entries = journal(ACT, ACT, (UNDONE, 2), ACT)
    assert numbers(entries) == [1, 4]
    assert undone(entries) == {2}


def test_an_amend_leaves_entries_out_and_lets_others_stand_with_other_events() -> None:
    entries = journal(ACT, ACT, ACT, ACT, (AMENDED, (2, [2], [again(4, "Other")])), ACT)
    told = standing(entries)
    assert [one.seq for one in told] == [1, 3, 4, 6]
    assert (told[2].command, told[2].events, told[2].amended) == ({"do": "Other"}, ({"event": "Other"},), 5)
    assert told[1].amended is None
    assert told[2].at == "at 4"
    assert undone(entries) == {2}


def test_an_undo_of_an_amend_restores_what_stood_and_a_redo_amends_again() -> None:
    entries = journal(ACT, ACT, ACT, (AMENDED, (2, [2], [again(3, "Other")])), (UNDONE, 4), (REDONE, 4))
    found = [[(one.seq, one.amended) for one in moment.standing()] for _, moment in moments(entries)]
    assert found[4] == found[2] == [(1, None), (2, None), (3, None)]
    assert found[5] == found[3] == [(1, None), (3, 4)]
    assert undone(entries[:5]) == {4}
    assert undone(entries) == {2}


def test_an_amend_may_follow_an_amend() -> None:
    entries = journal(ACT, ACT, ACT, (AMENDED, (2, [], [again(2, "B")])), (AMENDED, (1, [3], [again(2, "C")])))
    assert [(one.seq, one.command["do"], one.amended) for one in standing(entries)] == [
        (1, "Acted", None),
        (2, "C", 5),
    ]


@given(st.lists(st.sampled_from(["act", "undo", "redo"]), max_size=40))
def test_undo_and_redo_leave_what_a_list_with_a_cursor_holds(acts: list[str]) -> None:
    told: list[tuple[str, Any]] = [ACT]
    kept, cursor = [1], 1
    for act in acts:
        if act == "act":
            kept, cursor = [*kept[:cursor], len(told) + 1], cursor + 1
            told.append(ACT)
        elif act == "undo" and cursor > 1:
            cursor -= 1
            told.append((UNDONE, kept[cursor]))
        elif act == "redo" and cursor < len(kept):
            cursor += 1
            told.append((REDONE, kept[cursor - 1]))
    entries = journal(*told)
    assert numbers(entries) == kept[:cursor]
    acted = {entry.seq for entry in entries if entry.events[0]["event"] == "Acted"}
    assert undone(entries) == acted - set(kept[:cursor])


def test_a_long_game_costs_no_more_than_its_length() -> None:
    entries = journal(*[ACT] * 5_000, *[(UNDONE, seq) for seq in range(5_000, 1, -1)])
    assert numbers(entries) == [1]
