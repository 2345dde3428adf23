"""A game that is taken in is kept whole or not at all, whatever happens in its midst."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.table.play_files import take_in
from tests.adapters.kept import opened
from tests.adapters.take_in_games import ENTRIES
from tests.extent import of_all
from tests.fakes import readable_tables
from tests.service.house_tables import NUTS, all_tables

CHILD = Path(__file__).parent / "take_in_games.py"
ROOT = Path(__file__).resolve().parents[2]
ROUNDS = of_all(2, 5)


def saved(entries: int) -> bytes:
    gift = {"do": "give", "from": "bank", "to": "ben", "amount": 0}
    return "\n".join(map(json.dumps, [NUTS, *[gift] * (entries - 1)])).encode()


def test_a_disk_that_is_full_at_the_sixth_entry_leaves_no_torn_table(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    with opened(path) as journal:
        tables = all_tables(journal)
        journal._connection.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON main.entries WHEN NEW.seq = 6"
            " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
        with pytest.raises(sqlite3.Error, match="full"):
            take_in(tables, saved(9), actor="banker")
        assert (tables.all(), journal.tables()) == ([], [])
    with opened(path) as journal:
        tables = all_tables(journal)
        assert (tables.all(), tables.torn) == ([], {})
        assert take_in(tables, saved(9), actor="banker").version == 9


def test_a_program_that_is_killed_while_it_takes_games_in_leaves_only_whole_ones(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    moments = random.Random(5)
    said: list[str] = []
    for number in range(ROUNDS):
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(CHILD), str(path), f"r{number}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True) as child:
            assert child.stdout is not None
            said += islice(child.stdout, 1 + number % 2)
            try:
                child.wait(moments.random() / 4)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
            said += [line for line in child.stdout if line.endswith("\n")]
        journal = SqliteJournal(path)
        tables = all_tables(journal)
        assert tables.torn == {}
        assert {table.version for table in readable_tables(tables)} == {ENTRIES}
        assert {line.strip() for line in said} <= {table.id for table in readable_tables(tables)}
        journal.close()
