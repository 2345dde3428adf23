"""A durable command beside a bare commit: the same disk, the same pragmas, rows of the same size, turn by turn."""

import sqlite3
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.engine.hammer import START, hammer_edition
from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.journal import Entry
from companion.service.runtime import SystemClock
from companion.service.table.table import Request, Table

ROUND = 110


def durable_table(path: Path) -> tuple[Table, SqliteJournal]:
    """Begin an auction that is kept on disk."""
    journal = SqliteJournal(path)
    table = Table("auction", hammer_edition(), journal, SystemClock())
    table.submit(Request(START, "banker", "tap"))
    return table, journal


class BareRows:
    """One table, one column of text, one row a commit."""

    def __init__(self, path: Path) -> None:
        """Create the file."""
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=FULL")
        self._connection.execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, line TEXT NOT NULL)")

    def append(self, line: str) -> None:
        """Insert and commit."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO rows (line) VALUES (?)", (line,))
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def beside_bare(folder: Path, commands: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Return the seconds of a command that is on disk, and of a bare commit: the lowest median of several rounds.

    Other programs write to the same disk: taking turns, and each going first every other time, lets them disturb
    both alike.
    """
    table, journal = durable_table(folder / "journal.sqlite")
    bare = BareRows(folder / "bare.sqlite")
    ours: list[float] = []
    theirs: list[float] = []
    line = _row(table.entries[-1])
    for number, command in enumerate(commands):
        turns = [(ours, partial(submit, table, command)), (theirs, partial(bare.append, line))]
        for spent, work in turns if number % 2 else reversed(turns):
            spent.append(_seconds(work))
        line = _row(table.entries[-1])
    bare.close()
    journal.close()
    return _lowest_median(ours), _lowest_median(theirs)


def _lowest_median(spent: Sequence[float]) -> float:
    return min(median(spent[start : start + ROUND]) for start in range(0, len(spent), ROUND))


def submit(table: Table, command: dict[str, Any]) -> None:
    """Submit a command as its player, who has seen the latest entry."""
    table.submit(Request(command, command["player"], "tap", table.version))


def _row(entry: Entry) -> str:
    """Return as many characters as the journal stores for an entry."""
    written = entry.as_json()
    return "".join(str(value) for value in written.values())


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start
