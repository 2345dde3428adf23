"""The program as people run it: real processes, with an own data folder."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from companion.cli import MODULES, group
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]
START = {
    "do": "start_game",
    "game": "master_builder",
    "first": "blue",
    "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}],
}


def load_commands() -> dict[str, click.Command]:
    """All commands of the program, by name."""
    context = click.Context(group)
    commands = {name: group.get_command(context, name) for name in MODULES}
    return {name: command for name, command in commands.items() if command is not None}


@dataclass(frozen=True)
class Ended:
    """How a run ended: exit code, and the lines it wrote."""

    code: int
    out: list[str]
    err: list[str]
    progress: list[str] = field(default_factory=list, compare=False)
    """Lines on stderr that say how far a command is; a busy machine has more of them."""

    @property
    def json(self) -> list[Any]:
        return [json.loads(line) for line in self.out]


PROGRESS = re.compile(r"(?!companion: )[a-z][^:]*: (.*, )?[0-9]+ s")


def ended(code: int, out: str, err: str) -> Ended:
    """Return how a run ended, with lines of progress apart from the others."""
    lines = err.splitlines()
    progress = [line for line in lines if PROGRESS.fullmatch(line)]
    return Ended(code, out.splitlines(), [line for line in lines if line not in progress], progress)


def companion(
    *arguments: str | Path, home: Path | None = None, stdin: int = subprocess.DEVNULL, wrapped: tuple[str, ...] = ()
) -> Ended:
    """Run a command to its end.

    ``home``: where ``$XDG_DATA_HOME`` points; ``wrapped``: words before the program's own, which run it in turn.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if home is not None:
        environment["XDG_DATA_HOME"] = str(home)
    done = subprocess.run(
        [*wrapped, sys.executable, "-m", "companion", *map(str, arguments)],
        stdin=stdin,
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
        env=environment,
    )
    return ended(done.returncode, done.stdout, done.stderr)


def only_line(ended: Ended, code: int = 2) -> str:
    """Check that a run ended with this exit code, silent but for one line on stderr; give the line."""
    assert (ended.code, ended.out) == (code, []), ended
    assert len(ended.err) == 1, ended
    assert ended.err[0].startswith("companion: ")
    assert "Traceback" not in ended.err[0]
    return ended.err[0]


@dataclass
class Serving:
    """A server at work.  ``printed``: the lines on stderr up to now."""

    process: "subprocess.Popen[str]"
    printed: list[str] = field(default_factory=list)
    token: str = ""

    @property
    def port(self) -> int:
        return int(self._printed(r"Open +http://127\.0\.0\.1:(\d+)/"))

    @property
    def pin(self) -> str:
        return self._printed(r"PIN +(\d+)")

    def _printed(self, pattern: str) -> str:
        result = re.search(pattern, "\n".join(self.printed))
        assert result, self.printed
        return result[1]

    def ask(self, path: str, body: object = None, **headers: str) -> Any:
        """GET, or POST where there is a body; gives the JSON that is answered."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}")
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def delete(self, path: str) -> None:
        """DELETE something."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method="DELETE")
        request.add_header("Authorization", f"Bearer {self.token}")
        urllib.request.urlopen(request, timeout=PATIENCE_S).close()

    def log_in(self) -> None:
        self.token = self.ask("/api/v1/logins", {"pin": self.pin})["token"]

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def stop(self) -> tuple[int, str]:
        """Ask it to end; gives the exit code and all that it wrote to stdout."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE_S)
        assert self.process.stdout is not None
        return code, self.process.stdout.read()


@contextmanager
def serving(
    data: Path,
    *arguments: str,
    command: str = "serve",
    wrapped: tuple[str, ...] = (),
    patience_s: float = PATIENCE_S,
) -> Iterator[Serving]:
    """Serve a data folder (or a demo) on a free port of this machine; ends with the block at the latest.

    ``wrapped``: words before the program's own, which run it in turn.  ``patience_s``: seconds until it is ready.
    """
    program = [sys.executable, "-m", "companion", command, "--data", str(data), "--host", "127.0.0.1", "--port", "0"]
    if command == "serve" and not arguments:
        arguments = ("--camera", "none")
    with subprocess.Popen(
        [*wrapped, *program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        running = Serving(process)
        ready = threading.Event()

        def listen() -> None:
            assert process.stderr is not None
            for line in process.stderr:
                running.printed.append(line.rstrip("\n"))
                if "Stop with" in line:
                    ready.set()
            ready.set()

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            assert ready.wait(patience_s)
            assert process.poll() is None, running.printed
            yield running
        finally:
            process.kill()
            process.wait(PATIENCE_S)
            listener.join(PATIENCE_S)
