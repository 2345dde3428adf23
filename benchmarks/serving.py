"""The program, serving in a process of its own as people start it."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from benchmarks.screens.screen import HOST


class Serving(NamedTuple):
    """A server that runs: its process, its port and the banker's PIN."""

    process: "subprocess.Popen[str]"
    port: int
    pin: str


@contextmanager
def serving(*options: str, folder: Path | None = None) -> Iterator[Serving]:
    """Serve out of a folder (``None``: an empty one) until the block is left."""
    with tempfile.TemporaryDirectory() as empty:
        data = str(folder or empty)
        program = [sys.executable, "-m", "companion", "serve", "--data", data, "--host", HOST, "--port", "0"]
        with subprocess.Popen([*program, *options], stderr=subprocess.PIPE, text=True) as process:
            try:
                yield Serving(process, *_address(process))
            finally:
                process.terminate()


def _address(process: "subprocess.Popen[str]") -> tuple[int, str]:
    port, pin = 0, ""
    for line in lines(process.stderr):
        port = int(match[1]) if (match := re.search(r"Open +http://[\d.]+:(\d+)/", line)) else port
        pin = match[1] if (match := re.search(r"PIN +(\d+)", line)) else pin
        if line.startswith("Stop with"):
            return port, pin
    message = "the server did not start"
    raise RuntimeError(message)


def lines(pipe: IO[str] | None) -> Iterator[str]:
    """Return what comes through a pipe."""
    yield from pipe or ()
