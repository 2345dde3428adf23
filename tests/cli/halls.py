"""A hall at work: ``companion serve --workers``, its processes by name, and pages that follow a table."""

import http.client
import json
import os
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.proxy import find_haproxy
from tests.cli.running import START, Serving, serving
from tests.waiting import PATIENCE_S, until

GIFT = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 1000}


@dataclass(frozen=True)
class Process:
    """One process of a hall; ``socket``: where the proxy reaches a worker."""

    pid: int
    socket: str = ""

    def signal(self, number: int) -> None:
        os.kill(self.pid, number)


@dataclass
class Hall:
    """A hall, and somebody who is logged in there as banker."""

    serving: Serving

    @property
    def processes(self) -> dict[str, Process]:
        """The processes that run now, by name."""
        named: dict[str, Process] = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                words = (folder / "cmdline").read_bytes().decode().split("\0")
            except (OSError, ValueError):  # it has ended meanwhile
                continue
            if parent != self.serving.process.pid or len(words) < 2:
                continue
            path = words[words.index("--socket") + 1] if "--socket" in words else ""
            name = words[words.index("companion.cli.workers") + 1] if "companion.cli.workers" in words else "haproxy"
            named[name] = Process(int(folder.name), path)
        return named

    def begin_table(self) -> str:
        return str(self.serving.ask("/api/v1/tables", START)["id"])

    def give(self, table: str, seen: int, key: str) -> int:
        """Send a command to a table; return its number."""
        headers = {"If_Match": str(seen), "Idempotency_Key": key}
        answer = self.serving.ask(f"/api/v1/tables/{table}/commands", {**GIFT, "reason": key}, **headers)
        return int(answer["seq"])

    def ask_worker(self, name: str, path: str) -> Any:
        """Ask one worker, past the proxy."""
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE_S)
            line.connect(self.processes[name].socket)
            connection = http.client.HTTPConnection("localhost")
            connection.sock = line
            connection.request("GET", path, headers={"Authorization": f"Bearer {self.serving.token}"})
            with connection.getresponse() as answer:
                return json.load(answer)

    def measure(self, process: str, name: str) -> float:
        """Return a figure of a process."""
        address = f"http://127.0.0.1:{self.serving.port}/metrics?process={process}"
        with urllib.request.urlopen(address, timeout=PATIENCE_S) as answer:
            lines = answer.read().decode().splitlines()
        return float(next(line.split()[-1] for line in lines if line.startswith(f"companion_{name} ")))


@contextmanager
def running_hall(folder: Path, database: str, workers: int = 2) -> Iterator[Hall]:
    """Run a hall; skip the test where this machine has no proxy."""
    if find_haproxy() is None:
        pytest.skip("no haproxy here: apt install haproxy")
    options = ("--database", database, "--workers", str(workers))
    with serving(folder, *options, patience_s=3 * PATIENCE_S) as started:  # several programs start at once
        hall = Hall(started)
        started.log_in()
        try:
            yield hall
        finally:
            if started.process.poll() is None:
                started.stop()


CALL_S, EVERY_S, POLLS = 4.0, 3.0, 10
"""As in ``line.js``: a call once a stream was lost; from one question to the next where none comes; their number."""


@dataclass
class Page:
    """A page that follows a table as ``line.js`` does: it comes back when its stream ends, or asks where none comes."""

    serving: Serving
    table: str
    versions: list[int] = field(default_factory=list[int])
    stirred: int = 0
    streams: int = 0
    refusals: list[int] = field(default_factory=list[int])
    over: threading.Event = field(default_factory=threading.Event)
    line: socket.socket | None = None

    @property
    def version(self) -> int:
        return self.versions[-1] if self.versions else 0

    def follow(self) -> None:
        """Follow until it is told to end."""
        while not self.over.is_set():
            came = self.streams
            with suppress(OSError, http.client.HTTPException, ValueError):
                self._read("data=version")
            for _ in range(POLLS if came == self.streams and self.streams else 0):
                with suppress(OSError, http.client.HTTPException, ValueError):
                    self._read("data=version&once=1")
                if self.over.wait(EVERY_S):
                    break
            self.over.wait(0.2)

    def _read(self, query: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.serving.port, timeout=CALL_S)
        try:
            headers = {"Authorization": f"Bearer {self.serving.token}"}
            if self.versions:
                headers["Last-Event-ID"] = str(self.version)
            connection.request("GET", f"/api/v1/tables/{self.table}/stream?{query}", headers=headers)
            self.line = connection.sock
            answer = connection.getresponse()
            if answer.status != 200:
                self.refusals.append(answer.status)
                return
            self.streams += "once" not in query
            if self.line is not None:
                self.line.settimeout(PATIENCE_S)
            for line in answer:
                if line.startswith(b"id: "):
                    self.versions.append(int(line[4:]))
                self.stirred += line.startswith(b"event: stirred")
                if self.over.is_set():
                    return
        finally:
            connection.close()


@contextmanager
def following(serving: Serving, *tables: str) -> Iterator[list[Page]]:
    """Open pages that follow tables."""
    pages = [Page(serving, table) for table in tables]
    threads = [threading.Thread(target=page.follow) for page in pages]
    for thread in threads:
        thread.start()
    try:
        until(lambda: all(page.versions for page in pages), lambda: str([page.refusals for page in pages]))
        yield pages
    finally:
        for page in pages:
            page.over.set()
            with suppress(OSError):  # it may have ended at this moment
                if page.line is not None:
                    page.line.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join()
