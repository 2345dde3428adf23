"""An event of a club is found without reading the plans of all others."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import psycopg

from companion.adapters.journal.postgres import _CLUB_EVENTS, PostgresJournal
from companion.adapters.journal.sqlite import SqliteJournal

ADD_TO_SQLITE = """
    WITH RECURSIVE numbers(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM numbers WHERE i < :last)
    INSERT INTO club_events (id, key, at, plan) SELECT printf('%06d', i), 'k' || i, '', '{}' FROM numbers
"""
ADD_TO_POSTGRES = """
    INSERT INTO club_events (id, key, at, plan)
    SELECT to_char(i, 'FM000000') || suffix, 'k' || i || suffix, '', '{}'
    FROM generate_series(1, 2000) AS i, unnest(ARRAY['', '.2']) AS suffix
"""


def count_steps(connection: sqlite3.Connection, act: Callable[[], object]) -> int:
    """Return how many steps of its virtual machine SQLite takes for something."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.set_progress_handler(count, 1)
    act()
    connection.set_progress_handler(None, 0)
    return steps


def test_sqlite_reads_one_event_and_a_page_of_them_however_many_there_are(tmp_path: Path) -> None:
    # given a journal of some events, and the steps that one event and a page of them take
    journal = SqliteJournal(tmp_path / "journal.sqlite")
    connection = journal._connection
    connection.execute(ADD_TO_SQLITE, {"first": 1, "last": 30})
    reads: list[Callable[[], object]] = [lambda: journal.club_event("000005"), lambda: journal.club_events(24)]
    few = [count_steps(connection, read) for read in reads]

    # when there are a hundred times as many
    connection.execute(ADD_TO_SQLITE, {"first": 31, "last": 3_000})

    # then both take as many steps
    assert [count_steps(connection, read) for read in reads] == few
    journal.close()


def test_postgresql_finds_the_plans_of_an_event_by_an_index(database: str) -> None:
    # given many events, each with a later plan
    journal = PostgresJournal(database, "1.0")
    with psycopg.connect(database) as connection:
        connection.execute(ADD_TO_POSTGRES.encode())
        connection.execute("ANALYZE club_events")

        # when a page of them is read
        explain = f"EXPLAIN (ANALYZE, TIMING OFF) {_CLUB_EVENTS} ORDER BY first.n DESC LIMIT 24"
        plan = "\n".join(row[0] for row in connection.execute(explain.encode()))

    # then the later plans are found by the index, for each event apart
    assert "club_events_by_id" in plan
    assert "Scan on club_events later" not in plan.replace("Bitmap Heap Scan", ""), plan
    journal.close()
