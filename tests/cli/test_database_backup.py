"""``companion backup`` and ``restore`` with a real database: a dump that is not sound changes nothing."""

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from companion.adapters.backup import dump
from companion.adapters.backup.archive import ArchiveError
from companion.adapters.journal.postgres import PostgresJournal
from companion.bootstrap import find_games, load_games, open_tables
from companion.cli.admin import _require_copied
from companion.service.table.table import Request
from tests.adapters.kept import entry
from tests.cli.conftest import Run
from tests.cli.running import START, only_line
from tests.postgres import find_programs

EVERYTHING = "SELECT table_id, seq, at, command::text, events::text, key, sum FROM entries ORDER BY table_id, seq"


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip where the server's tools are not there, as in the wheel that brings a server alone."""
    programs = find_programs()
    if programs is None or not (programs / "pg_dump").exists():
        pytest.skip("no pg_dump here: apt install postgresql")
    monkeypatch.setattr(dump, "TOOLS", programs.parents[1])


@pytest.fixture
def played(database: str) -> Iterator[str]:
    """A database with two tables, one of a game that is not installed."""
    journal = PostgresJournal(database, None)
    tables = open_tables(load_games(find_games(), None), journal)
    tables.start(Request(START, "banker", "tap", key="start"))
    journal.import_table("t", "nuts", [entry(1), entry(2, key="k")])
    journal.close()
    yield database
    with psycopg.connect(make_conninfo(database, dbname="postgres"), autocommit=True) as connection:
        names = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", (f"{name(database)}\\_%",))
        for (other,) in names.fetchall():
            connection.execute(f'DROP DATABASE "{other}"'.encode())


def name(database: str) -> str:
    return str(conninfo_to_dict(database)["dbname"])


def select(database: str, query: str = EVERYTHING) -> list[Any]:
    with psycopg.connect(database, autocommit=True) as connection:
        cursor = connection.execute(query.encode())
        return cursor.fetchall() if cursor.description else []


def test_a_backup_is_put_in_place_and_the_database_of_before_is_kept(played: str, tmp_path: Path, run: Run) -> None:
    # given a backup, after which somebody played on
    file = tmp_path / "hall.dump"
    before = select(played)
    ended = run("backup", file, "--database", played)
    assert (ended.code, ended.err) == (0, [f"2 tables in {file}"])
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "is there already" in only_line(run("backup", file, "--database", played))
    journal = PostgresJournal(played, None)
    journal.append("t", entry(3))
    journal.close()
    later = select(played)

    # when it is restored, then only as somebody insists
    line = only_line(run("restore", file, "--database", played))
    assert "--force" in line
    assert select(played) == later
    ended = run("restore", file, "--database", played, "--force")
    kept = f"{name(played)}_before_restore_1"
    assert (ended.code, ended.err) == (0, [f"2 tables restored; what was there is kept as {kept}"])

    # then every row is that of the backup, and may not be changed; what was there is kept
    assert select(played) == before
    assert select(make_conninfo(played, dbname=kept)) == later
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        select(played, "UPDATE entries SET at = ''")
    assert run("doctor", "--data", tmp_path / "data", "--database", played).code == 0

    # and into a database that is not there it goes without
    other = make_conninfo(played, dbname=f"{name(played)}_other")
    assert run("restore", file, "--database", other).err == ["2 tables restored"]
    assert select(other) == before


@pytest.mark.parametrize("fault", ["cut", "foreign"])
def test_a_backup_that_is_not_sound_changes_nothing(played: str, tmp_path: Path, run: Run, fault: str) -> None:
    file = tmp_path / "hall.dump"
    assert run("backup", file, "--database", played).code == 0
    data = file.read_bytes()
    file.write_bytes(b"PK" + data if fault == "foreign" else data[: len(data) * 3 // 4])
    before = select(played)

    line = only_line(run("restore", file, "--database", played, "--force"))

    assert any(why in line for why in ("pg_restore: ", "no backup of a database"))
    assert select(played) == before
    databases = select(played, "SELECT datname FROM pg_database")
    assert [other for (other,) in databases if other.startswith(f"{name(played)}_")] == []


def tamper(database: str, *, is_installed: bool) -> str:
    """Change an entry of a table whose game is installed, or not, past the program; return the table."""
    games = {game != "nuts": table for table, game in select(database, "SELECT id, game FROM tables")}
    select(database, "GRANT UPDATE ON entries TO CURRENT_USER")
    select(database, "ALTER TABLE entries DISABLE TRIGGER entries_append_only")
    select(database, f"UPDATE entries SET source = 'tip' WHERE table_id = '{games[is_installed]}'")  # noqa: S608
    return str(games[is_installed])


@pytest.mark.parametrize("is_installed", [True, False])
def test_one_damaged_table_is_named_and_keeps_no_others_from_being_backed_up_and_restored(
    played: str, tmp_path: Path, run: Run, *, is_installed: bool
) -> None:
    # given a hall of which one table is damaged
    file, table = tmp_path / "hall.dump", tamper(played, is_installed=is_installed)
    before = select(played)

    # when it is backed up, then all is there
    ended = run("backup", file, "--database", played)
    assert (ended.code, ended.err[-1]) == (0, f"2 tables in {file}")
    assert ended.err[0].startswith(f"table {table} is damaged there, and in the backup alike: ")

    # and it is restored where somebody insists
    other = make_conninfo(played, dbname=f"{name(played)}_other")
    refused = only_line(run("restore", file, "--database", other))
    assert f"not sound: table {table}: " in refused
    assert "--force restores all tables" in refused
    ended = run("restore", file, "--database", other, "--force")
    assert (ended.code, ended.err[-1]) == (0, "2 tables restored")
    assert ended.err[0].startswith(f"table {table} is damaged: ")
    assert select(other) == before


def test_a_copy_that_is_not_what_is_there_is_no_backup(played: str, tmp_path: Path, run: Run) -> None:
    file, other = tmp_path / "hall.dump", make_conninfo(played, dbname=f"{name(played)}_other")
    assert run("backup", file, "--database", played).code == 0
    assert run("restore", file, "--database", other).code == 0
    table = tamper(other, is_installed=True)
    with pytest.raises(ArchiveError, match=f"not sound: table {table}: "):
        _require_copied(played, other)


def test_a_database_whose_copies_would_have_its_own_name_is_refused_and_left_alone(
    played: str, tmp_path: Path, run: Run
) -> None:
    # given a name of as many bytes as a name may have, to which whatever is added is cut off
    long = f"{name(played)}_".ljust(63, "x")
    file, address = tmp_path / "hall.dump", make_conninfo(played, dbname=long)
    assert run("backup", file, "--database", played).code == 0
    select(played, f'CREATE DATABASE "{long}"')
    PostgresJournal(address, None).close()

    for words in (["backup", tmp_path / "other.dump"], ["restore", file, "--force"]):
        assert "name of the database is too long" in only_line(run(*words, "--database", address))
    assert select(address) == []
    assert not (tmp_path / "other.dump").exists()


def test_of_runs_at_once_none_drops_what_another_uses_and_only_copies_of_killed_ones_go(
    played: str, tmp_path: Path
) -> None:
    # given the copy of a run that was killed, one to which somebody is connected, and others that are no copies
    killed, watched = (f"{name(played)}_{purpose}_0123456789" for purpose in ("checking", "restoring"))
    others = [f"{name(played)}_{purpose}" for purpose in ("checking", "restoring_20261231")]
    for copy in (killed, watched, *others):
        select(played, f'CREATE DATABASE "{copy}"')

    # when another backup is written while one is being checked
    def check(address: str) -> int:
        assert dump.dump_database(played, tmp_path / "2.dump", lambda other: len(select(other))) == 3
        return len(select(address))

    with psycopg.connect(make_conninfo(played, dbname=watched)):
        assert dump.dump_database(played, tmp_path / "1.dump", check) == 3

    # then both are whole
    assert {file.name for file in tmp_path.iterdir()} >= {"1.dump", "2.dump"}
    databases = [database for (database,) in select(played, "SELECT datname FROM pg_database")]
    assert sorted(each for each in databases if each.startswith(f"{name(played)}_")) == sorted([watched, *others])


def test_what_is_being_served_is_not_replaced(played: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "hall.dump"
    assert run("backup", file, "--database", played).code == 0
    with psycopg.connect(played):
        assert "is in use: stop what serves it" in only_line(run("restore", file, "--database", played, "--force"))


def test_without_the_tools_one_line_says_how_to_have_them(
    played: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dump, "TOOLS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    line = only_line(run("backup", tmp_path / "hall.dump", "--database", played))
    assert line == "companion: pg_dump is missing: apt install postgresql-client"


@pytest.mark.parametrize("versions", [(17, 99), (99,)])
def test_tools_of_other_versions_beside_those_of_the_server_are_left_alone(
    played: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, versions: tuple[int, ...]
) -> None:
    # given the server's own tools, older and newer ones that do not get on with it
    programs = find_programs()
    assert programs is not None
    own = tmp_path / programs.parent.name
    own.symlink_to(programs.parent)
    for version in (9, *versions):
        folder = tmp_path / str(version) / "bin"
        for tool in ("pg_dump", "pg_restore") if version != int(own.name) else ():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / tool).write_text("#!/bin/sh\necho error: transaction_timeout >&2\nexit 1\n")
            (folder / tool).chmod(0o755)
    monkeypatch.setattr(dump, "TOOLS", tmp_path)

    # then a backup is made and restored, by its own, or by the next ones that do
    file, other = tmp_path / "hall.dump", make_conninfo(played, dbname=f"{name(played)}_other")
    if 17 in versions and int(own.name) < 16:
        own.rename(tmp_path / "16")
    assert run("backup", file, "--database", played).code == 0
    assert run("restore", file, "--database", other).code == 0
