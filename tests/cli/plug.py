"""A whole installation whose plug is pulled again and again: the real program, over HTTP, ended with ``kill -9``."""

import http.client
import json
import random
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.running import START, Serving, serving
from tests.waiting import PATIENCE_S

HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}
UNDO = {"do": "undo"}
SAVED_ENTRIES = 121
SAVED = "\n".join(map(json.dumps, [START, *[HIRE, UNDO] * (SAVED_ENTRIES // 2)]))
SOONEST_S, LATEST_S = 0.001, 0.5
"""After how long a plug is pulled, counted from the first request."""

Ask = Callable[[Serving, str], None]


@dataclass
class Plug:
    """A data folder, and what its program has acknowledged.

    ``commands``: the number of the entry by key; ``games``: the table by key; ``restarts``: seconds from each start
    until it served; ``unanswered``: how often a plug was pulled while somebody waited for an answer.
    """

    data: Path
    lots: random.Random
    commands: dict[str, int] = field(default_factory=dict)
    games: dict[str, str] = field(default_factory=dict)
    restarts: list[float] = field(default_factory=list)
    unanswered: int = 0
    token: str = ""
    table: str = ""
    _asked: int = 0

    def begin(self) -> None:
        """Log in, and start the table at which commands are given."""
        with self._started() as running:
            running.log_in()
            self.token = running.token
            self.table = str(running.ask("/api/v1/tables", START)["id"])

    def pulled_during_commands(self, times: int) -> None:
        """Send commands one after the other; what was not answered is sent again after the start, with its key."""
        self._pulled(times, self._command)

    def pulled_during_imports(self, times: int) -> None:
        """Send whole games to be taken in, in the same way."""
        self._pulled(times, self._import)

    def pulled_during_restores(self, times: int, backup: Path) -> Iterator[list[str]]:
        """Kill a restore at any moment, serve what is there then, and give the tables that it has."""
        program = [sys.executable, "-m", "companion", "restore", str(backup), "--data", str(self.data)]
        for _ in range(times):
            with subprocess.Popen(program, stderr=subprocess.DEVNULL) as restoring:
                time.sleep(self.lots.uniform(0.2, 1.2))
                restoring.kill()
            with self._started() as running:
                running.token = self.token
                yield [str(table["id"]) for table in running.ask("/api/v1/tables")["tables"]]

    def kept(self) -> tuple[list[dict[str, Any]], dict[str, int]]:
        """Return the entries of the table in the end, and how many each table has."""
        with self._started() as running:
            running.token = self.token
            entries = running.ask(f"/api/v1/tables/{self.table}/journal")["entries"]
            tables = running.ask("/api/v1/tables")["tables"]
        return entries, {table["id"]: table["version"] for table in tables}

    def _pulled(self, times: int, ask: Ask) -> None:
        key = self._next_key()
        for _ in range(times):
            with self._started() as running:
                running.token = self.token
                killer = threading.Timer(self.lots.uniform(SOONEST_S, LATEST_S), running.process.kill)
                killer.start()
                try:
                    while True:
                        ask(running, key)
                        key = self._next_key()
                except urllib.error.HTTPError:  # an answer, and not the one that was wanted
                    raise
                except (http.client.HTTPException, urllib.error.URLError, OSError):
                    self.unanswered += 1
                killer.join()

    def _next_key(self) -> str:
        self._asked += 1
        return f"key-{self._asked}"

    def _command(self, running: Serving, key: str) -> None:
        path, version = f"/api/v1/tables/{self.table}/commands", len(self.commands) + 1
        command = HIRE if version % 2 else UNDO
        said = running.ask(path, command, If_Match=str(version), Idempotency_Key=key)
        self.commands[key] = int(said["seq"])

    def _import(self, running: Serving, key: str) -> None:
        request = urllib.request.Request(f"http://127.0.0.1:{running.port}/api/v1/tables", SAVED.encode())
        request.add_header("Content-Type", "application/jsonl")
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Idempotency-Key", key)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            self.games[key] = str(json.load(answer)["id"])

    @contextmanager
    def _started(self) -> Iterator[Serving]:
        begun = time.monotonic()
        with serving(self.data) as running:
            self.restarts.append(time.monotonic() - begun)
            yield running
