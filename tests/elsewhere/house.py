"""The companion at work with a game from elsewhere, and a program of its banker's."""

import json
import re
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.elsewhere.new_game import Environment, clean
from tests.waiting import PATIENCE_S, until

PIN = "135790"


@contextmanager
def served(environment: Environment, data: Path) -> Iterator[str]:
    """The address of the companion at work in that environment, looking at a simulated table."""
    log = data.with_suffix(".said")
    where = ("--host", "127.0.0.1", "--port", "0", "--camera", "sim:3", "--pin", PIN, "--data", str(data))
    with log.open("wb") as said:
        server = subprocess.Popen(
            [environment.python, "-m", "companion", "serve", *where], env=clean(), stdout=said, stderr=said
        )
    try:

        def address() -> re.Match[str] | None:
            assert server.poll() is None, log.read_text(encoding="utf-8")
            return re.search(r"http://127\.0\.0\.1:\d+", log.read_text(encoding="utf-8"))

        until(address, log.read_text)
        match = address()
        assert match
        yield match[0]
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_S)


class Banker:
    """A program of the banker's: asks and tells in JSON."""

    def __init__(self, address: str) -> None:
        self.api = f"{address}/api/v1"
        self.token = ""
        self.token = str(self.post("/logins", {"pin": PIN})["token"])

    def get(self, path: str) -> Any:
        return self._answer(urllib.request.Request(self.api + path))

    def post(self, path: str, body: dict[str, Any], **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def send(self, method: str, path: str, body: dict[str, Any], **headers: str) -> Any:
        data = json.dumps(body).encode()
        given = {"Content-Type": "application/json", **headers}
        return self._answer(urllib.request.Request(self.api + path, data, given, method=method))

    def _answer(self, request: urllib.request.Request) -> Any:
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)
