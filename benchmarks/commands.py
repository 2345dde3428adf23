"""Processor time of a command through HTTP, beside a bare server in one run.

    python -m benchmarks.commands [COMMANDS]     # half a minute

One tablet without a camera sends the commands of a long game of Master Builder, one after the other, on a connection
that stays open.  The peer is ``http.server`` of Python's library, which commits a row for each and knows no game.
"""

import http.client
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.arguments import parse_arguments
from benchmarks.engine.long_game import START_COMMAND, long_game
from benchmarks.screens.screen import HOST
from benchmarks.serving import lines, serving

COMMANDS, ROUNDS, CHUNK = 300, 4, 20


class Cost(NamedTuple):
    """Seconds of a command: of the server's processor, and until it is answered (median)."""

    processor: float
    answered: float


class Connection:
    """One connection that stays open."""

    def __init__(self, port: int, token: str = "") -> None:
        """Connect when the first request is sent."""
        self._connection = http.client.HTTPConnection(HOST, port)
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def post(self, path: str, body: object, **headers: str) -> dict[str, Any]:
        """Send JSON and return the JSON that is answered."""
        self._connection.request("POST", path, json.dumps(body), self._headers | headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status >= http.client.BAD_REQUEST:
            message = f"{path}: {content.decode()}"
            raise RuntimeError(message)
        document: dict[str, Any] = json.loads(content)
        return document


def cost(pid: int, commands: Sequence[object], send: Callable[[int, object], object]) -> Cost:
    """Send the commands one after the other; ``send`` gets the version that each expects.

    The processor's time is that of the best twenty commands in a row: other programs make the others dearer.
    """
    answered: list[float] = []
    processor: list[float] = []
    busy = busy_ns(pid)
    for version, command in enumerate(commands, start=1):
        start = time.perf_counter()
        send(version, command)
        answered.append(time.perf_counter() - start)
        if version % CHUNK == 0:
            before, busy = busy, busy_ns(pid)
            spent = sum(now - before.get(thread, 0) for thread, now in busy.items())
            processor.append(spent / CHUNK / 1e9)
    return Cost(min(processor), median(answered))


def busy_ns(pid: int) -> dict[str, int]:
    """Return the processor time of each thread of a process (Linux)."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return {thread.name: int((thread / "schedstat").read_text(encoding="ascii").split()[0]) for thread in threads}


def of_companion(commands: Sequence[object]) -> list[Cost]:
    """Play the same game at several tables of one server."""
    with serving("--camera", "none") as (process, port, pin):
        token = str(Connection(port).post("/api/v1/logins", {"pin": pin})["token"])
        costs: list[Cost] = []
        for _ in range(ROUNDS):
            tablet = Connection(port, token)
            table = tablet.post("/api/v1/tables", START_COMMAND)["id"]
            path = f"/api/v1/tables/{table}/commands"

            def send(version: int, command: object, tablet: Connection = tablet, path: str = path) -> object:
                return tablet.post(path, command, **{"If-Match": str(version)})

            costs.append(cost(process.pid, commands, send))
        return costs


def of_bare(commands: Sequence[object]) -> Cost:
    """Send the same to the bare server."""
    program = [sys.executable, "-m", "benchmarks.screens.bare", "0", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            client = Connection(int(next(lines(process.stdout))))
            return cost(process.pid, commands, lambda _, command: client.post("/", command))
        finally:
            process.terminate()


def main() -> None:
    """Measure both and print the least of several rounds."""
    number: int = parse_arguments(__doc__, commands=COMMANDS).commands
    commands = [entry.command for entry in long_game(number + 1).entries[1:]]
    ours, bare = of_companion(commands), of_bare(commands)
    best = Cost(min(cost.processor for cost in ours), min(cost.answered for cost in ours))
    for server, (processor, answered) in (("companion", best), ("http.server", bare)):
        print(f"{server:12} processor {processor * 1e3:5.2f} ms   answered {answered * 1e3:5.1f} ms (median)")
    print(f"processor, companion / http.server: {best.processor / bare.processor:.1f}")


if __name__ == "__main__":
    main()
