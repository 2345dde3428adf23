"""``companion move``: all tables from a data folder into a real database, and back."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest

from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.stores import guests_store, preferences_store
from companion.bootstrap import find_games, load_games, open_tables
from companion.engine.game import Refused
from companion.service.ports import Journal, KeptClubEvent, KeptRefusal
from companion.service.table.table import Request
from tests.adapters.kept import entry, tear
from tests.cli.conftest import Run
from tests.cli.running import ROOT, START, only_line
from tests.waiting import until

HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}
EVERY = {
    "tables": "SELECT id, game, opened_at FROM tables ORDER BY {order}",
    "entries": "SELECT table_id, seq, at, actor, source, command{text}, events{text}, key, {sum} FROM entries {sums}"
    " ORDER BY table_id, seq",
    "refusals": "SELECT table_id, key, request, rule, details{text}, at FROM refusals ORDER BY table_id, n",
    "club_events": "SELECT id, key, at, plan{text} FROM club_events ORDER BY n",
    "moves": "SELECT table_id, CAST(binned AS INTEGER), at FROM moves ORDER BY table_id, n",
}


def rows_of_file(data: Path) -> dict[str, list[Any]]:
    """Return every row of a data folder's journal."""
    parts = {"order": "rowid", "text": "", "sum": "sums.sum", "sums": "JOIN sums USING (table_id, seq)"}
    with closing(sqlite3.connect(data / "journal.sqlite")) as file:
        return {name: file.execute(query.format(**parts)).fetchall() for name, query in EVERY.items()}


def rows_of_database(database: str) -> dict[str, list[Any]]:
    """Return every row of a database's journal."""
    parts = {"order": "n", "text": "::text", "sum": "sum", "sums": ""}
    with psycopg.connect(database) as connection:
        return {name: connection.execute(query.format(**parts).encode()).fetchall() for name, query in EVERY.items()}


def play(journal: Journal, commands: int = 6) -> None:
    """Begin three tables, play on two of them, and put one into the bin and out and in again."""
    tables = open_tables(load_games(find_games(), None), journal)
    opened = [tables.start(Request(START, "banker", "tap", key=f"start {n}")) for n in range(3)]
    for table in opened[:2]:
        for number in range(commands):
            command = HIRE if number % 2 == 0 else {"do": "undo"}
            table.submit(Request(command, "banker", "tap", table.version, f"key {number}"))
        with pytest.raises(Refused):
            table.submit(Request({**HIRE, "worker": "W99"}, "banker", "tap", table.version, "refused"))
    journal.keep_club_event(KeptClubEvent("e", "plan", "2026-01-01T12:00:00+00:00", {"tables": 3, "name": "Ü"}))
    third = opened[2].id
    for binned in (True, False, True):
        journal.move(third, binned=binned, at="2026-01-01T12:00:00+00:00")
    journal.keep_refusal(
        third, "é", KeptRefusal("[1]", Refused("no", cards=("W1", "W2"), name="Zoë \U0001f600")), "2026"
    )
    journal.close()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three tables, from which each test has a copy."""
    folder = tmp_path_factory.mktemp("played")
    play(SqliteJournal(folder / "journal.sqlite"))
    return folder


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    """A data folder with three tables."""
    return shutil.copytree(played, tmp_path / "data")


def test_all_tables_move_into_a_database_and_back_row_by_row(
    data: Path, database: str, tmp_path: Path, run: Run
) -> None:
    # when
    there = run("move", "--from", data, "--to", database)

    # then each row is the same, and the first list needs to fold nothing
    assert (there.code, there.out) == (0, []), there
    assert there.err == ["3 tables with 15 entries are there, each row compared; 15 entries are new."]
    rows = rows_of_file(data)
    assert rows_of_database(database) == rows
    assert [len(rows[name]) for name in ("tables", "refusals", "moves", "club_events")] == [3, 3, 3, 1]
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT count(*) FROM heads WHERE described IS NOT NULL").fetchone() == (3,)

    # when it is said again, then nothing changes
    again = run("move", "--from", data, "--to", database, "--lang", "de")
    assert again.err == ["3 Tische mit 15 Einträgen sind dort, jede Zeile verglichen; 0 Einträge sind neu."]
    assert rows_of_database(database) == rows

    # and back into another folder, where doctor finds them
    back = tmp_path / "back"
    assert run("move", "--from", database, "--to", back).code == 0
    assert rows_of_file(back) == rows
    for place in (("--data", back), ("--data", tmp_path / "none", "--database", database)):
        findings = run("doctor", *place).out
        assert any(": 2 tables, " in line for line in findings), findings  # and one in the bin
        assert not any(" table " in line[:10] for line in findings), findings


def numbers_in(place: Path | str) -> dict[str, int]:
    """Return the numbers of tables, of which the letters of their sheets are made."""
    if isinstance(place, Path):
        with closing(sqlite3.connect(place / "journal.sqlite")) as file:
            return dict(file.execute("SELECT id, rowid FROM tables ORDER BY rowid"))
    with psycopg.connect(place) as connection:
        return dict(connection.execute("SELECT id, n FROM tables ORDER BY n").fetchall())


def test_tables_keep_their_numbers_both_ways_however_often_they_are_moved(
    data: Path, database: str, tmp_path: Path, run: Run
) -> None:
    # given tables that were moved twice, and one that is begun there afterwards
    for _ in range(2):
        assert run("move", "--from", data, "--to", database).code == 0
    journal = PostgresJournal(database, None)
    journal.import_table("later", "nuts", [entry(1)])
    journal.close()
    assert numbers_in(database) == {**numbers_in(data), "later": 4}

    # when they come back to where one table less is known, then every one has its number
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("SELECT setval('tables_n_seq', 9)")
    journal = PostgresJournal(database, None)
    journal.import_table("last", "nuts", [entry(1, key="last")])
    journal.close()
    assert run("move", "--from", database, "--to", tmp_path / "back").code == 0
    assert numbers_in(tmp_path / "back") == numbers_in(database)
    assert numbers_in(database)["last"] == 10


@pytest.mark.parametrize("back", [False, True])
def test_a_table_whose_number_another_one_has_gets_a_new_one_and_is_named(
    data: Path, database: str, run: Run, *, back: bool
) -> None:
    # given a target in which another table has the first number
    target = PostgresJournal(database, None)
    target.import_table("own", "nuts", [entry(1)])
    target.close()
    first, *others = numbers_in(data)
    source, into = (database, data) if back else (data, database)
    before = numbers_in(into)

    # when tables are moved there, then all but that one keep theirs, and it is named
    ended = run("move", "--from", source, "--to", into)
    after = numbers_in(into)
    renumbered = "own" if back else first
    said = f"Other tables had their numbers, so they have new letters; print their sheets again: {renumbered}."
    assert (ended.code, ended.err[1]) == (0, said)
    assert {table: after[table] for table in others} == {table: numbers_in(data)[table] for table in others}
    assert before.items() <= after.items()
    assert after[renumbered] == 4


def test_guests_and_preferences_go_along_where_there_are_none_yet(
    data: Path, database: str, tmp_path: Path, run: Run
) -> None:
    # given somebody who joined, and a choice that was made
    guests, chosen = guests_store(data / "guests.json"), preferences_store(data / "preferences.toml")
    guests.write(replace(guests.read(), out=("gone",), next={"a": "b"}))
    chosen.write(replace(chosen.read(), welcomed=True, layout="tap"))

    # when they are moved there and back, then both are there
    back = tmp_path / "back"
    assert run("move", "--from", data, "--to", database).code == 0
    assert run("move", "--from", database, "--to", back).code == 0
    assert guests_store(back / "guests.json").read() == guests.read()
    assert preferences_store(back / "preferences.toml").read() == chosen.read()

    # and what is there already stays
    chosen.write(replace(chosen.read(), layout="tray"))
    ended = run("move", "--from", data, "--to", database)
    assert "Its guests and preferences differ and were left alone." in ended.err


def test_what_was_played_since_is_taken_along_and_what_was_played_there_stays(
    data: Path, database: str, run: Run
) -> None:
    # given tables that were moved, of which one is played on here, and another one there
    first, second, _ = [row[0] for row in rows_of_file(data)["tables"]]
    assert run("move", "--from", data, "--to", database).code == 0
    journals: list[tuple[Callable[[], Journal], str]] = [
        (lambda: SqliteJournal(data / "journal.sqlite"), first),
        (lambda: PostgresJournal(database, None), second),
    ]
    for open_journal, table in journals:
        journal = open_journal()
        journal.append(table, entry(8, key="later"))
        journal.close()

    # when
    ended = run("move", "--from", data, "--to", database)

    # then
    assert ended.code == 0
    assert ended.err[0].endswith("1 entries are new.")
    assert f"Played on there since, and left as they are: {second}." in ended.err
    entries = rows_of_database(database)["entries"]
    assert {table: sum(row[0] == table for row in entries) for table in (first, second)} == {first: 8, second: 8}

    # and back again it goes on from there
    assert run("move", "--from", database, "--to", data).code == 0
    assert rows_of_file(data) == rows_of_database(database)


@pytest.mark.parametrize("other", ["entry", "bin"])
def test_another_history_under_an_id_is_refused_before_anything_is_moved(
    data: Path, database: str, run: Run, other: str
) -> None:
    # given a table that went on in two ways
    table = rows_of_file(data)["tables"][1][0]
    assert run("move", "--from", data, "--to", database).code == 0
    source, target = SqliteJournal(data / "journal.sqlite"), PostgresJournal(database, None)
    for journal, key in ((source, "a"), (target, "b")):
        if other == "entry":
            journal.append(table, entry(8, key=key))
        else:
            journal.move(table, binned=True, at=key)
    source.append(rows_of_file(data)["tables"][0][0], entry(8))
    source.close()
    target.close()
    before = rows_of_database(database)

    # when
    line = only_line(run("move", "--from", data, "--to", database))

    # then
    assert f"table {table} has another history there; nothing was moved" in line
    assert rows_of_database(database) == before


def test_a_damaged_table_stays_and_the_others_are_moved(data: Path, database: str, run: Run) -> None:
    tables = [row[0] for row in rows_of_file(data)["tables"]]
    tear(data / "journal.sqlite", ("UPDATE entries SET source = 'tip' WHERE table_id = ? AND seq = 3", (tables[0],)))
    ended = run("move", "--from", data, "--to", database, "--lang", "fr")
    assert ended.code == 1
    assert f"La table {tables[0]} n\u2019a pas été transférée\u202f: its entry 3 is damaged." in ended.err
    assert [row[0] for row in rows_of_database(database)["tables"]] == tables[1:]


def test_a_text_that_a_database_cannot_hold_leaves_one_table_behind(
    data: Path, database: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a key as only an earlier version stored it
    with monkeypatch.context() as earlier:
        earlier.setattr("companion.adapters.journal.sqlite.require_storable", lambda *_: None)
        journal = SqliteJournal(data / "journal.sqlite")
        journal.open_table("nul", "nuts", entry(1, key="a\0b"))
        journal.close()
    ended = run("move", "--from", data, "--to", database)
    assert ended.code == 1
    assert ended.err[-1].startswith("Table nul was not moved: ")
    assert len(rows_of_database(database)["tables"]) == 3


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--from", "a", "--to", "b"), "one of --from and --to is the address of a database"),
        (("--from", "{tmp}/none", "--to", "{database}"), "none: holds no tables"),
        (("--from", "postgresql://nobody@127.0.0.1:9/none", "--to", "{tmp}/x"), "the database cannot be used"),
        (("--from", "a"), "Missing option '--to'"),
    ],
)
def test_what_cannot_be_moved_is_one_line(
    arguments: tuple[str, ...], why: str, database: str, tmp_path: Path, run: Run
) -> None:
    words = (word.format(tmp=tmp_path, database=database) for word in arguments)
    assert why in only_line(run("move", *words))


@pytest.mark.nightly
@pytest.mark.parametrize("back", [False, True])
def test_a_move_that_is_killed_anywhere_goes_on(tmp_path: Path, database: str, run: Run, back: bool) -> None:
    # given three hundred tables
    source: str | Path = database if back else tmp_path / "data"
    target: str | Path = tmp_path / "data" if back else database
    if not back:
        (tmp_path / "data").mkdir()
    journal: Journal = PostgresJournal(database, None) if back else SqliteJournal(tmp_path / "data" / "journal.sqlite")
    for number in range(300):
        journal.import_table(f"t{number}", "nuts", [entry(seq, key=f"{number}.{seq}") for seq in range(1, 21)])
    journal.close()

    def moved() -> int:
        try:
            return len((rows_of_file(tmp_path / "data") if back else rows_of_database(database))["entries"])
        except (sqlite3.Error, psycopg.Error):
            return 0

    # when it is killed again and again as soon as it has moved some more
    program = [sys.executable, "-m", "companion", "move", "--from", str(source), "--to", str(target)]
    for _ in range(6):
        before = moved()
        with subprocess.Popen(program, env={**os.environ, "PYTHONPATH": str(ROOT)}) as process:
            until(lambda: moved() > before or process.poll() is not None, moved)  # noqa: B023 - waited for here
            process.kill()

    # then the same command completes it
    ended = run("move", "--from", source, "--to", target)
    assert ended.code == 0
    assert any(line.startswith("300 tables with 6000 entries are there, each row compared; ") for line in ended.err)
    assert rows_of_file(tmp_path / "data") == rows_of_database(database)
