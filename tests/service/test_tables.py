from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.cli.workers import agree_on_start
from companion.engine.game import Refused
from companion.engine.journal import Entry
from companion.service.ports import UnknownTable
from companion.service.table.table import Request, Table
from tests.fakes import FakeJournal, readable_tables
from tests.service.house_tables import (
    NUTS,
    OPEN,
    PASS,
    REDO,
    UNDO,
    all_tables,
    give,
    house_table,
    nut_table,
    play_until,
)


def entry(seq: int, *events: dict[str, Any], command: dict[str, Any] | None = None) -> Entry:
    return Entry(seq, "2026-01-01T12:00:00+00:00", "banker", "tap", command or {"do": "ponder"}, events)


def begun() -> Entry:
    return nut_table().entries[0]


def test_a_table_is_begun_found_and_described() -> None:
    tables = all_tables(FakeJournal())
    opened: list[Table] = []
    tables.when_opened(opened.append)
    first, second = (tables.start(Request(NUTS, "banker", "tap")) for _ in range(2))
    assert (tables.get("t1"), readable_tables(tables), opened) == (first, [first, second], [first, second])
    assert tables.all()[0] == {
        "id": "t1",
        "game": "nuts",
        "version": 1,
        "started_at": "2026-01-01T00:00:00+00:00",
        "changed_at": "2026-01-01T00:00:00+00:00",
        "round": None,
        "phase": "choice",
        "finished": False,
        "players": [{"id": "ada", "name": "ada"}, {"id": "ben", "name": "ben"}],
        "standings": [],
        "interrupted": False,
    }


def test_players_are_described_in_their_seating() -> None:
    table, piles = house_table(4)
    play_until(table, piles, "hire", round_=2)
    tables = all_tables(FakeJournal())
    tables.start(Request(dict(table.entries[0].command), "banker", "tap"))
    described = tables.all()[0]
    assert [player["id"] for player in described["players"]] == ["blue", "yellow", "red", "green"]
    assert (described["round"], described["phase"]) == (1, "hire")


def test_an_unknown_table_is_not_found() -> None:
    with pytest.raises(UnknownTable) as unknown:
        all_tables(FakeJournal()).get("t9")
    assert unknown.value.table_id == "t9"


@pytest.mark.parametrize(
    ("command", "rule"),
    [
        ({**NUTS, "game": "chess"}, "unknown_game"),
        ({**NUTS, "game": ["nuts"]}, "wrong_type"),
        ({name: value for name, value in NUTS.items() if name != "game"}, "missing_field"),
        ({"do": "start_game"}, "missing_field"),
        ({}, "no_command"),
        ({"do": ["start_game"]}, "no_command"),
        ({"do": "begin"}, "unknown_command"),
        (OPEN, "not_started"),
        ({"do": "undo"}, "not_started"),
        ({**NUTS, "do": "undo"}, "not_started"),
        ({**NUTS, "do": "open_auction"}, "not_started"),
        ({**NUTS, "players": "ada"}, "wrong_type"),
        ({**NUTS, "players": [1]}, "wrong_type"),
        ({**NUTS, "seats": 2}, "unknown_field"),
        ({"do": "start_game", "game": "nuts"}, "missing_field"),
    ],
)
def test_what_starts_no_game_leaves_no_table(command: dict[str, Any], rule: str) -> None:
    journal = FakeJournal()
    tables = all_tables(journal)
    with pytest.raises(Refused) as refused:
        tables.start(Request(command, "banker", "tap", key="k"))
    assert (refused.value.rule, readable_tables(tables), journal.tables()) == (rule, [], ())
    assert tables.start(Request(NUTS, "banker", "tap", key="k")).version == 1


def test_a_table_that_cannot_be_stored_has_not_begun() -> None:
    journal = FakeJournal()
    journal.full = True
    tables = all_tables(journal)
    with pytest.raises(OSError, match="no space left"):
        tables.start(Request(NUTS, "banker", "tap"))
    assert readable_tables(tables) == []


def test_a_process_of_a_hall_that_is_started_later_calls_the_same_tables_interrupted(tmp_path: Path) -> None:
    # given a hall that began with one table, and another one since
    journal = FakeJournal()
    all_tables(journal).start(Request(NUTS, "banker", "tap"))
    first = all_tables(journal, "u")
    first.start_at(partial(agree_on_start, tmp_path))
    first.start(Request(NUTS, "banker", "tap"))

    # when a process takes the place of another one
    later = all_tables(journal, "v")
    later.start_at(partial(agree_on_start, tmp_path))

    # then both say the same
    for tables in (first, later):
        assert {about["id"]: about["interrupted"] for about in tables.all()} == {"t1": True, "u1": False}
    assert later.over_here() == first.over_here()
    assert [file.name for file in tmp_path.iterdir()] == ["started-at"]


def test_a_restart_resumes_every_table_exactly(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    tables = all_tables(journal)
    nuts = tables.start(Request(NUTS, "banker", "tap"))
    give(nuts, OPEN, PASS, UNDO)
    played, piles = house_table(3, seed=2)
    play_until(played, piles, "income", round_=2)
    house = tables.start(Request(played.entries[0].command, "banker", "tap"))
    give(house, *(entry.command for entry in played.entries[1:]))
    listed = tables.all()
    journal.close()

    journal = SqliteJournal(tmp_path / "journal.sqlite")
    again = all_tables(journal, "u")
    assert [table.id for table in readable_tables(again)] == ["t1", "t2"]
    for before, after in ((nuts, again.get("t1")), (house, again.get("t2"))):
        assert (after.position, after.version, after.entries) == (before.position, before.version, before.entries)
        for viewer in ("banker", "blue", "spectator"):
            assert after.show(viewer) == before.show(viewer)
            assert after.journal(viewer) == before.journal(viewer)
    assert again.all() == [{**about, "interrupted": True} for about in listed]
    give(again.get("t1"), REDO)
    assert (again.get("t1").version, again.all()[0]["interrupted"]) == (5, False)
    assert again.start(Request(NUTS, "banker", "tap")).id == "u1"
    journal.close()


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ([], "it has no entries"),
        ([entry(2, {"event": "Spun"})], "entry 1 is missing, entry 2 follows instead"),
        ([begun(), entry(3, {"event": "Spun"})], "entry 2 is missing"),
        ([entry(1, {"event": "torn"})], "entry 1 cannot be read: no event is called 'torn'"),
        ([entry(1, {"event": "NutSold", "player": "ada", "nut": "hazel", "price": 1})], "before the start"),
        ([entry(1)], "entry 1 cannot be read: it leads to no position"),
        ([begun(), entry(2, {})], "entry 2 cannot be read"),
        ([begun(), entry(2, {"event": "Spun", "speed": 3})], "entry 2 cannot be read"),
        ([begun(), entry(2, {"event": "Given", "from": "bank", "to": "ada", "amount": "5"})], "entry 2 cannot be read"),
        ([begun(), entry(2, {"event": "BidderLeft", "player": 5})], "entry 2 cannot be read"),
        ([begun(), entry(2, {"event": "EntryUndone", "entry": 1})], "nothing_to_undo"),
        ([begun(), entry(2, {"event": "EntryRedone", "entry": 1})], "nothing_to_redo"),
        ([begun(), entry(2, {"event": "Spun"}), entry(3, {"event": "EntryUndone", "entry": 1})], "the turn of 2"),
        ([begun(), entry(2, {"event": "Spun"}), entry(3, {"event": "EntryUndone"})], "entry 3 cannot be read"),
    ],
)
def test_a_torn_table_is_told_and_left_and_the_others_run(
    entries: list[Entry], why: str, caplog: pytest.LogCaptureFixture
) -> None:
    journal = FakeJournal()
    journal.keep("torn", "nuts", entries)
    journal.keep("sound", "nuts", nut_table(None, OPEN).entries)
    tables = all_tables(journal)
    assert [table.id for table in readable_tables(tables)] == ["sound"]
    assert why in tables.torn["torn"]
    assert "\n" not in tables.torn["torn"]
    assert caplog.text.count("table torn: ") == 1
    with pytest.raises(UnknownTable):
        tables.get("torn")
    assert journal.entries("torn") == tuple(entries)


def test_a_table_of_a_game_that_is_not_known_here_is_told(caplog: pytest.LogCaptureFixture) -> None:
    journal = FakeJournal()
    journal.keep("t", "chess", [entry(1, {"event": "Spun"})])
    tables = all_tables(journal)
    assert (readable_tables(tables), tables.count_unplayable()) == ([], 1)
    described = {"id": "t", "game": "chess", "fault": "no game is called 'chess' here", "version": 1, "sound": 0}
    assert tables.unplayable(9) == [described]
    assert "no game is called 'chess' here" in caplog.text
