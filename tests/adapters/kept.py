"""Journal files for tests: written through the journal, and torn from outside."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.journal import Entry
from companion.service.ports import NotStored
from companion.service.table.table import Request, Table
from tests.service.house_tables import OPEN

TRIGGERS = (
    "tables_no_update",
    "tables_no_delete",
    "tables_no_replace",
    "entries_no_update",
    "entries_no_delete",
    "entries_no_replace",
    "entries_in_order",
)


def entry(seq: int, words: str = "", key: str | None = None) -> Entry:
    return Entry(seq, "2026-01-01T12:00:00+00:00", "banker", "tap", {"do": "x", "words": words}, ({"event": "X"},), key)


def is_stored(table: Table, stored: list[int]) -> bool:
    """Send one request, again and again the same; where it is stored, its number is added to ``stored``."""
    try:
        stored.append(table.submit(Request(OPEN, "banker", "tap", 1, "k"))["seq"])
    except NotStored:
        return False
    return True


@contextmanager
def opened(path: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(path)
    try:
        yield journal
    finally:
        journal.close()


def write(path: Path, entries: int = 3, table_id: str = "t") -> Path:
    with opened(path) as journal:
        journal.open_table(table_id, "nuts", entry(1))
        for seq in range(2, entries + 1):
            journal.append(table_id, entry(seq))
    return path


def outside(path: Path, *statements: str | tuple[str, tuple[Any, ...]]) -> None:
    """Do something to the file as any other program might."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            sql, values = (statement, ()) if isinstance(statement, str) else statement
            connection.execute(sql, values)


def tear(path: Path, *statements: str | tuple[str, tuple[Any, ...]]) -> None:
    """Do what the journal's own triggers would refuse."""
    outside(path, *(f"DROP TRIGGER {name}" for name in TRIGGERS), *statements)
