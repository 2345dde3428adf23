import os
import random
import signal
import subprocess
import sys
from itertools import islice
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from tests.service.house_tables import all_tables

ROOT = Path(__file__).resolve().parents[2]
CHILD = Path(__file__).with_name("keep_writing.py")
ROUNDS = 4


def acknowledged_until_killed(path: Path, after: int) -> list[int]:
    """Let a child give commands and kill it, as a pulled plug would, some moment after so many answers."""
    paths = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen([sys.executable, CHILD, path], stdout=subprocess.PIPE, env={**os.environ, **paths}) as child:
        assert child.stdout is not None
        said = list(islice(child.stdout, after))
        child.send_signal(signal.SIGKILL)
        said += child.stdout.readlines()
    assert child.returncode == -signal.SIGKILL
    return [int(line) for line in said if line.endswith(b"\n")]


def test_a_program_that_is_killed_loses_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    moments = random.Random(7)
    acknowledged: list[int] = []
    for _ in range(ROUNDS):
        said = acknowledged_until_killed(path, moments.randint(1, 60))
        assert said
        acknowledged += said
        journal = SqliteJournal(path)
        tables = all_tables(journal)
        assert tables.torn == {}
        table = tables.get("t")
        kept = [entry.seq for entry in table.entries]
        assert kept == list(range(1, len(kept) + 1))
        assert set(acknowledged) <= set(kept)
        assert table.version - max(acknowledged) <= 1
        assert {row["source"] for row in table.journal("banker")} == {"child"}
        journal.close()
    assert len(acknowledged) == len(set(acknowledged))
