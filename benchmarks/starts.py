"""How long a server takes to start over a journal with many tables, and how much memory it then holds.

    python -m benchmarks.starts [TABLES]     # some minutes for 1,000

A game of bots (Master Builder, four players) is kept so many times; the table played last is not over.  Beside it, in
the same run, the same program starts over an empty folder.
"""

import http.client
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from benchmarks.arguments import parse_arguments
from benchmarks.commands import Connection
from benchmarks.engine.bot_games import played_by_bots
from benchmarks.screens.screen import HOST
from benchmarks.serving import serving
from benchmarks.soak.machine import taken
from companion.adapters.journal.sqlite import SqliteJournal
from companion.config import DataFolder
from companion.engine.journal import Entry

TABLES, GAME, LEFT_OUT = 1_000, "master_builder", 5
"""How many tables, of which game, and how many of its last entries the latest table lacks."""
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


class Start(NamedTuple):
    """Seconds and megabytes (resident) of one start, then of what people ask first."""

    until_ready: float
    memory_ready: float
    lobby: float
    lobby_again: float
    listing: float
    memory_after: float


def keep_tables(folder: Path, number: int) -> int:
    """Fill a journal with so many tables, a day apart; return how many entries each has."""
    entries = played_by_bots(GAME).entries
    journal = SqliteJournal(DataFolder(folder).journal)
    for table in range(number):
        length = len(entries) - LEFT_OUT if table == number - 1 else len(entries)
        journal.import_table(f"{table:08x}", GAME, list(_on_day(entries[:length], table)))
    journal.close()
    return len(entries)


def _on_day(entries: Iterator[Entry] | tuple[Entry, ...], day: int) -> Iterator[Entry]:
    begun = FIRST + timedelta(days=day)
    for entry in entries:
        at = (begun + timedelta(seconds=30 * entry.seq)).strftime("%Y-%m-%dT%H:%M:%SZ")
        yield replace(entry, at=at, key=None)


def start(folder: Path) -> Start:
    """Start over a folder, and ask for the lobby and for the list of all tables."""
    begun = time.perf_counter()
    with serving("--camera", "none", "--new-journal", folder=folder) as (process, port, pin):
        until_ready, memory_ready = time.perf_counter() - begun, taken(process.pid).memory_mb
        token = str(Connection(port).post("/api/v1/logins", {"pin": pin})["token"])
        lobby, lobby_again = seconds_of(port, "/", token), seconds_of(port, "/", token)
        listing = seconds_of(port, "/api/v1/tables", token)
        return Start(until_ready, memory_ready, lobby, lobby_again, listing, taken(process.pid).memory_mb)


def seconds_of(port: int, path: str, token: str) -> float:
    """Return how long an answer takes."""
    begun = time.perf_counter()
    connection = http.client.HTTPConnection(HOST, port)
    connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    answer.read()
    if answer.status >= http.client.BAD_REQUEST:
        message = f"{path}: {answer.status}"
        raise RuntimeError(message)
    return time.perf_counter() - begun


def main() -> None:
    """Measure both starts and print them."""
    number: int = parse_arguments(__doc__, tables=TABLES).tables
    with tempfile.TemporaryDirectory() as full, tempfile.TemporaryDirectory() as empty:
        entries = keep_tables(Path(full), number)
        for what, folder in (
            ("empty folder", empty),
            (f"{number:,} tables of {entries} entries", full),
            ("the same, once more", full),
        ):
            figures = start(Path(folder))
            lobby = f"lobby {figures.lobby:6.2f} s, again {figures.lobby_again:6.2f} s"
            memory = f"memory {figures.memory_ready:4.0f} MB, then {figures.memory_after:4.0f} MB"
            print(f"{what:32} ready {figures.until_ready:6.1f} s   {lobby}   list {figures.listing:6.2f} s   {memory}")


if __name__ == "__main__":
    main()
