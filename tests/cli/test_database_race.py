"""Writers and phones at one table, two processes over one database, and all of them are killed meanwhile."""

import http.client
import json
import random
import signal
import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.cli.running import START, Serving, serving
from tests.postgres import Cluster, running_cluster
from tests.waiting import PATIENCE_S, until

PAUSE_S = 0.05
"""Between two attempts at one request, as a page waits too."""
MOST_INSIDE, SHARE_THAT_STAYS = 6, 0.3
PASSING = {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.CONFLICT, HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT}
"""The last two are those of a proxy whose process was killed while it answered."""


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


class Writable(Protocol):
    """Addresses of one installation, and a table of it (``/api/v1/tables/...``)."""

    @property
    def processes(self) -> Sequence[Serving]: ...

    @property
    def table(self) -> str: ...


@dataclass
class Writer:
    """A client that sends commands to any of these addresses, each with a key, and again until it is answered."""

    hall: Writable
    name: int
    over: threading.Event
    acknowledged: dict[str, int] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def run(self) -> None:
        chance, seen = random.Random(self.name), 1
        while not self.over.is_set():
            key = f"{self.name}-{len(self.acknowledged)}"
            while key not in self.acknowledged and not self.faults:
                seen = self._attempt(chance.choice(self.hall.processes), key, seen)

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
            problem.close()
            if problem.code == HTTPStatus.CONFLICT:
                return int(problem.headers["ETag"].strip('"'))
        except (OSError, http.client.HTTPException, ValueError):  # the process is not there, or ended while it answered
            pass
        self.over.wait(PAUSE_S)
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


@dataclass
class Phone:
    """Devices that join by one process, go to the other, and are logged out again, each answered before the next."""

    hall: Hall
    name: int
    over: threading.Event
    inside: list[str] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def run(self) -> None:
        chance = random.Random(self.name)
        while not self.over.is_set() and not self.faults:
            first = chance.randrange(2)
            invitation = self._send(first, "POST", f"{self.hall.table}/invitations", {"spectator": True})
            joined = self._send(1 - first, "POST", "/api/v1/logins", {"join": (invitation or {}).get("token", "")}, "")
            if joined is None:
                continue
            token = joined["token"]
            if self._send(first, "GET", self.hall.table, None, token) is None and not self.over.is_set():
                self.faults.append("a guest who had joined was not let in by the other process")
            if len(self.inside) < MOST_INSIDE and chance.random() < SHARE_THAT_STAYS:
                self.inside.append(token)
                continue
            self._send(first, "DELETE", "/api/v1/logins", None, token)
            self.out.append(token)

    def _send(self, number: int, method: str, path: str, body: object, token: str | None = None) -> Any:
        """Return the JSON of an answer, asking again while nobody is there; ``None`` for a login that has ended."""
        while not self.over.is_set():
            process = self.hall.processes[number]
            data = None if body is None else json.dumps(body).encode()
            request = urllib.request.Request(f"http://127.0.0.1:{process.port}{path}", data, method=method)
            if token != "":
                request.add_header("Authorization", f"Bearer {token or process.token}")
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                    return json.loads(answer.read() or b"{}")
            except urllib.error.HTTPError as problem:
                with problem:
                    if problem.code == HTTPStatus.UNAUTHORIZED:
                        return None
                    if problem.code not in PASSING:
                        self.faults.append(f"{problem.code} {problem.read()!r}")
                        return None
            except (OSError, http.client.HTTPException, ValueError):  # the process is not there, or is just ending
                pass
            self.over.wait(PAUSE_S)
        return None


def lets_in(process: Serving, path: str, token: str) -> bool:
    request = urllib.request.Request(f"http://127.0.0.1:{process.port}{path}")
    request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S):
            return True
    except urllib.error.HTTPError as problem:
        problem.close()
        if problem.code != HTTPStatus.UNAUTHORIZED:
            raise
        return False


@pytest.mark.nightly
def test_whoever_is_in_or_out_is_so_everywhere_while_processes_and_database_are_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given phones that come and go by two processes with one key
    monkeypatch.setenv("COMPANION_SECRET_FILE", str(tmp_path / "secret.toml"))
    over = threading.Event()
    with running_cluster() as cluster, ExitStack() as stack:
        hall = Hall(cluster, tmp_path, stack)
        hall.begin()
        phones = [Phone(hall, name, over) for name in range(4)]
        threads = [threading.Thread(target=phone.run) for phone in phones]
        for thread in threads:
            thread.start()

        def progress() -> None:
            wanted = sum(len(phone.out) for phone in phones) + 12
            until(lambda: sum(len(phone.out) for phone in phones) >= wanted or any(phone.faults for phone in phones))

        # when everything is killed in turn
        try:
            for act in (hall.restart_database, lambda: hall.kill(0), hall.restart_database, lambda: hall.kill(1)):
                progress()
                act()
            progress()
        finally:
            over.set()
            for thread in threads:
                thread.join()

        # then whoever was told that they are in is let in by both, and whoever left is not
        assert [phone.faults for phone in phones] == [[]] * 4
        for process in hall.processes:
            for phone in phones:
                assert all(lets_in(process, hall.table, token) for token in phone.inside)
                # the last logout of each may have been cut off when all was over
                assert not any(lets_in(process, hall.table, token) for token in phone.out[:-1])
        assert sum(len(phone.inside) for phone in phones) > 0
