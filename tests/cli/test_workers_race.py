"""Eight writers and eight pages in a hall for half a minute, while its database and its processes are killed."""

import os
import random
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.halls import Hall, following, running_hall
from tests.cli.running import Serving
from tests.cli.test_database_race import Writer
from tests.postgres import running_cluster
from tests.waiting import until

SECONDS, PAGES_S = 30.0, 15.0
"""How long the writers write, and after how long no page may be behind."""


@dataclass(frozen=True)
class Written:
    """The one address of a hall, for writers."""

    processes: Sequence[Serving]
    table: str


TIMES = int(os.environ.get("COMPANION_RACES", "2"))
"""How often it is played through; each takes a minute."""


@pytest.mark.nightly
def test_nothing_is_lost_or_stored_twice_and_no_page_stays_behind(tmp_path: Path) -> None:
    for number in range(TIMES):
        play_through(tmp_path / str(number), number)


def play_through(folder: Path, seed: int) -> str:
    """Let writers write at four tables for half a minute; return the figures in a line."""
    chance, over = random.Random(seed), threading.Event()
    with running_cluster() as cluster, running_hall(folder, cluster.address("postgres", "admin")) as hall:
        tables = [hall.begin_table() for _ in range(4)]
        written = [Written([hall.serving], f"/api/v1/tables/{table}") for table in tables]
        writers = [Writer(written[number % 4], number, over) for number in range(8)]
        threads = [threading.Thread(target=writer.run) for writer in writers]
        with following(hall.serving, *tables, *tables) as pages:
            # when the database is restarted twice, and two processes are killed
            for thread in threads:
                thread.start()
            begun, acts = time.monotonic(), ["database", "database", "worker-1", chance.choice(["gateway", "worker-2"])]
            chance.shuffle(acts)
            try:
                for number, act in enumerate(acts, start=1):
                    until(lambda at=begun + SECONDS * number / 5: time.monotonic() >= at)  # type: ignore[misc]
                    if act == "database":
                        cluster.stop(signal.SIGQUIT)
                        cluster.start()
                    else:
                        _kill(hall, act)
                until(lambda: time.monotonic() >= begun + SECONDS)
            finally:
                over.set()
                for thread in threads:
                    thread.join()

            # then every acknowledged command is there, once, with the number that was told, and no number is missing
            assert [writer.faults for writer in writers] == [[]] * 8
            latest: dict[str, int] = {}
            for number, table in enumerate(tables):
                acknowledged = {key: seq for writer in writers[number::4] for key, seq in writer.acknowledged.items()}
                at = max(acknowledged.values())
                entries = hall.serving.ask(f"/api/v1/tables/{table}/journal?at={at}")["entries"]
                assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
                stored = {entry["command"]["reason"]: entry["seq"] for entry in entries[1:]}
                assert len(stored) == len(entries) - 1
                assert stored == acknowledged
                latest[table] = len(entries)

            # and no page is behind
            give_up = time.monotonic() + PAGES_S
            while any(page.version < latest[page.table] for page in pages):
                assert time.monotonic() < give_up, [(page.version, latest[page.table]) for page in pages]
                time.sleep(0.05)
            took = PAGES_S - (give_up - time.monotonic())
            streams = sum(page.streams for page in pages)
            count = sum(len(writer.acknowledged) for writer in writers)
            return f"{count} acknowledged; {', '.join(acts)}; pages there after {took:.1f} s with {streams} streams"


def _kill(hall: Hall, name: str) -> None:
    until(lambda: name in hall.processes)
    hall.processes[name].signal(signal.SIGKILL)
