"""Eight writers at one table, two processes over one database, and all of them are killed meanwhile."""

import random
import signal
import threading
import time
import urllib.error
from contextlib import ExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.cli.running import START, Serving, serving
from tests.postgres import Cluster, running_cluster
from tests.waiting import until

PAUSE_S = 0.05
"""Between two attempts at one command, as a page waits too."""
PASSING = {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.CONFLICT}


@dataclass
class Hall:
    """Two processes over one database; any of the three may be killed and started again."""

    cluster: Cluster
    folder: Path
    stack: ExitStack
    processes: list[Serving] = field(default_factory=list)
    table: str = ""

    def begin(self) -> None:
        for number in range(2):
            self.processes.append(self._serve(number))
            self.processes[number].log_in()
        self.table = f"/api/v1/tables/{self.processes[0].ask('/api/v1/tables', START)['id']}"

    def _serve(self, number: int) -> Serving:
        options = ("--camera", "none", "--database", self.cluster.address("postgres", "admin"))
        return self.stack.enter_context(serving(self.folder / str(number), *options))

    def kill(self, number: int) -> None:
        """Kill a process, and start another in its place; whoever was logged in still is."""
        token = self.processes[number].token
        self.processes[number].kill()
        started = self._serve(number)
        started.token = token
        self.processes[number] = started

    def restart_database(self) -> None:
        self.cluster.stop(signal.SIGQUIT)
        self.cluster.start()


@dataclass
class Writer:
    """A client that sends commands to either process, each with a key, and again until it is answered."""

    hall: Hall
    name: int
    over: threading.Event
    acknowledged: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def run(self) -> None:
        chance, seen = random.Random(self.name), 1
        while not self.over.is_set():
            key = f"{self.name}-{len(self.acknowledged)}"
            while key not in self.acknowledged and not self.faults:
                seen = self._attempt(self.hall.processes[chance.randrange(2)], key, seen)

    def _attempt(self, process: Serving, key: str, seen: int) -> int:
        """Send a command once; return the version to name with the next one."""
        body = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 1000, "reason": key}
        try:
            headers = {"If_Match": str(seen), "Idempotency_Key": key}
            self.acknowledged[key] = process.ask(f"{self.hall.table}/commands", body, **headers)["seq"]
            return max(seen, self.acknowledged[key])
        except urllib.error.HTTPError as problem:
            if problem.code not in PASSING:
                self.faults.append(f"{problem.code} {problem.read()!r}")
            if problem.code == HTTPStatus.CONFLICT:
                return int(problem.headers["ETag"].strip('"'))
        except OSError:  # the process is not there
            pass
        time.sleep(PAUSE_S)
        return seen


@pytest.mark.nightly
@pytest.mark.parametrize("times", [5])
def test_nothing_is_lost_or_stored_twice_while_processes_and_database_are_killed(times: int, tmp_path: Path) -> None:
    for number in range(times):
        _race(tmp_path / str(number))


def _race(folder: Path) -> None:
    # given eight writers that choose a process at random
    over = threading.Event()
    with running_cluster() as cluster, ExitStack() as stack:
        hall = Hall(cluster, folder, stack)
        hall.begin()
        writers = [Writer(hall, name, over) for name in range(8)]
        threads = [threading.Thread(target=writer.run) for writer in writers]
        for thread in threads:
            thread.start()

        def progress(more: int) -> None:
            """Wait until so many more commands were acknowledged."""
            wanted = sum(len(writer.acknowledged) for writer in writers) + more
            until(
                lambda: (
                    sum(len(writer.acknowledged) for writer in writers) >= wanted
                    or any(writer.faults for writer in writers)
                )
            )

        # when the database is restarted at once, twice, and each process is killed
        try:
            for act in (hall.restart_database, lambda: hall.kill(0), hall.restart_database, lambda: hall.kill(1)):
                progress(40)
                act()
            progress(40)
        finally:
            over.set()
            for thread in threads:
                thread.join()

        # then every acknowledged command is there, once, with the number that was told, and no number is missing
        assert [writer.faults for writer in writers] == [[]] * 8
        journals = [process.ask(f"{hall.table}/journal")["entries"] for process in hall.processes]
        entries = max(journals, key=len)
        assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
        stored = {entry["command"]["reason"]: entry["seq"] for entry in entries[1:]}
        assert len(stored) == len(entries) - 1
        assert stored == {key: seq for writer in writers for key, seq in writer.acknowledged.items()}

        # and both processes agree, whoever is asked for the latest version
        latest = str(len(entries))
        shown = [process.ask(hall.table, If_Match=latest) for process in hall.processes]
        assert shown[0] == shown[1]
        assert shown[0]["version"] == len(entries)
