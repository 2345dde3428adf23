"""Tables of an event are opened by a program that is killed in the middle, again and again, and by two at a time."""

import os
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from tests.service.open_event import KEY, PLAN, TABLES, open_events, open_journal

ROOT = Path(__file__).resolve().parents[2]
CHILD = Path(__file__).with_name("open_event.py")


@pytest.fixture(params=["sqlite", "postgres"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return str(request.getfixturevalue("database") if request.param == "postgres" else tmp_path / "journal.sqlite")


def begin(where: str) -> subprocess.Popen[bytes]:
    paths = {"PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen([sys.executable, CHILD, where], stdout=subprocess.PIPE, env={**os.environ, **paths})


def open_until_killed(where: str, after: int) -> int:
    """Let a program open tables, and kill it some moment after so many; return how many it said were open."""
    with begin(where) as child:
        assert child.stdout is not None
        lines = list(islice(child.stdout, after))
        child.kill()
        lines += child.stdout.readlines()
    return int(lines[-1])


def check_all_open(where: str) -> None:
    """Finish what is left, and check that each table was opened once."""
    journal = open_journal(where)
    events = open_events(journal)
    event = events.keep(PLAN, KEY)
    while events.open_some(event, "program") < TABLES:
        pass
    now = events.tables(event)
    opened = [table_id for table_id, _ in journal.tables()]
    journal.close()
    assert sorted(opened) == sorted(table.id or "" for table in now)
    assert [table.name for table in now] == [f"{number}" for number in range(1, TABLES + 1)]


@pytest.mark.nightly
def test_what_was_killed_goes_on_and_no_table_is_opened_twice(where: str) -> None:
    moments, opened = random.Random(3), 0
    while opened < TABLES - 3:
        said = open_until_killed(where, moments.randint(1, 3))
        assert said > opened
        opened = said
    check_all_open(where)


@pytest.mark.nightly
def test_two_programs_over_one_database_open_each_table_once(database: str) -> None:
    with begin(database) as first, begin(database) as second:
        assert [first.wait(), second.wait()] == [0, 0]
    check_all_open(database)
