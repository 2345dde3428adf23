"""The program serving under the simulated camera, with a list of the functions that a command and a card enter.

It runs in this process, started by its command line as people start it, and is asked through HTTP: nothing here names
a module of the program.
"""

import contextlib
import json
import os
import signal
import socket
import sqlite3
import sys
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks.structure.sources import PACKAGES, ROOT

PIN = "135790"
BELOW = tuple(f"{ROOT / top}{os.sep}" for top in PACKAGES)
CAMERA = "grab"
"""The call of a camera's picture: what a simulated camera does for it is no part of the path."""
PATIENCE_S, TAIL_S = 60.0, 0.5
START = {
    "do": "start_game",
    "game": "master_builder",
    "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}],
    "first": "blue",
}
WORKERS = {"blue": "W07", "yellow": "W08"}
CARDS = ("W09", "W10")


@dataclass
class Entered:
    """The functions that one thread has entered, as file and name."""

    functions: set[tuple[str, str]] = field(default_factory=set)
    within_camera: FrameType | None = None
    had_picture: bool = False
    in_transaction: bool = False
    stored: bool = False

    @property
    def modules(self) -> set[str]:
        """Return the files that were entered, from the root."""
        return {str(Path(file).relative_to(ROOT)) for file, _ in self.functions}


class Tracer:
    """Notes what each thread enters while it is watching."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.watching = False
        self.paths: dict[int, Entered] = {}

    def begin(self) -> None:
        """Watch from now on, with nothing noted: what an earlier request left to do is done by then."""
        time.sleep(TAIL_S)
        self.paths = {}
        self.watching = True

    def end(self) -> list[Entered]:
        """Watch no longer; return what was noted."""
        self.watching = False
        return list(self.paths.values())

    def profile(self, frame: FrameType, event: str, arg: Any) -> None:
        """Note a call or return: the callback of ``threading.setprofile``."""
        if not self.watching:
            return
        path = self.paths.setdefault(threading.get_ident(), Entered())
        if event in {"c_call", "c_return"}:
            self._database(path, event, arg)
        elif path.within_camera is not None:
            if event == "return" and path.within_camera is frame:
                path.within_camera, path.had_picture = None, True
        elif event == "call" and not path.stored and frame.f_code.co_filename.startswith(BELOW):
            if frame.f_code.co_name != "<module>":
                path.functions.add((frame.f_code.co_filename, frame.f_code.co_qualname))
            if frame.f_code.co_name == CAMERA:
                path.within_camera = frame

    @staticmethod
    def _database(path: Entered, event: str, called: Any) -> None:
        """Note when a transaction is on the disk: what comes after it is no longer the way there."""
        connection = getattr(called, "__self__", None)
        if isinstance(connection, sqlite3.Connection):
            if event == "c_call":
                path.in_transaction = connection.in_transaction
            elif path.in_transaction and not connection.in_transaction:
                path.stored = True


class Client:
    """The banker's device."""

    def __init__(self, port: int) -> None:
        """Wait for the server and log in."""
        self._address = f"http://127.0.0.1:{port}/api/v1"
        self._headers = {"Content-Type": "application/json"}
        deadline = time.monotonic() + PATIENCE_S
        while "Authorization" not in self._headers:
            try:
                self._headers["Authorization"] = f"Bearer {self.ask('/logins', {'pin': PIN})['token']}"
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        """GET, or POST where there is a body; return the JSON of the answer."""
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._address + path, content, self._headers | headers)  # noqa: S310 - own server
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310 - own server
            return json.load(answer)


@dataclass
class Traced:
    """The functions that a command and a card enter, and the OpenAPI document."""

    openapi: dict[str, Any] = field(default_factory=dict)
    command: Entered = field(default_factory=Entered)
    card: Entered = field(default_factory=Entered)


def drive(client: Client, tracer: Tracer) -> Traced:
    """Send a command and lay a card, twice each: what is loaded at the first time does not count."""
    table = client.ask("/tables", START)["id"]
    traced = Traced(client.ask("/openapi.json"))
    for player, worker in WORKERS.items():
        version = client.ask(f"/tables/{table}")["version"]
        hire = {"do": "hire_worker", "player": player, "worker": worker}
        headers = {"If-Match": str(version), "Idempotency-Key": f"tap-{version}"}
        tracer.begin()
        client.ask(f"/tables/{table}/commands", hire, **headers)
        traced.command = next(path for path in tracer.end() if path.stored)
    for card in CARDS:
        tracer.begin()
        client.ask(f"/tables/{table}/simulated", {"lay": card})
        deadline = time.monotonic() + PATIENCE_S
        while card not in json.dumps(client.ask(f"/tables/{table}/proposals")["proposals"]):
            if time.monotonic() > deadline:
                raise TimeoutError(card)
            time.sleep(0.05)
        traced.card = next(path for path in tracer.end() if path.had_picture)
    return traced


def traced() -> Traced:
    """Serve, follow a command and a card, and stop."""
    from companion.cli import main  # noqa: PLC0415 - it is loaded where it is run

    tracer, result = Tracer(), Traced()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def driven() -> None:
        nonlocal result
        try:
            result = drive(Client(port), tracer)
        finally:
            os.kill(os.getpid(), signal.SIGINT)

    driver = threading.Thread(target=driven)
    driver.start()
    threading.setprofile(tracer.profile)
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(SystemExit):
        sys.argv[1:] = ["serve", "--data", folder, "--host", "127.0.0.1", "--port", str(port), "--camera", "sim:3"]
        sys.argv += ["--pin", PIN]
        main()
    threading.setprofile(None)
    driver.join()
    return result
