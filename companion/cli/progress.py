"""Progress of long commands: silent for the first seconds, then what is being done and for how long, on stderr."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FIRST_AFTER_S = 2.0
"""Commands that are done sooner print no progress."""
TERMINAL_EVERY_S = 1.0
FILE_EVERY_S = 10.0
"""Between two lines where stderr is no terminal, so that logs stay short."""
CLEAR_LINE = "\r\x1b[K"

Report = Callable[[str], None]
"""Stores how far a command is, in words: ``120 of 1000 games``."""


class _Ticker(threading.Thread):
    """Prints the latest report at intervals, on a terminal always in the same line."""

    def __init__(self, activity: str) -> None:
        super().__init__(name="progress", daemon=True)
        self._activity = activity
        self._begun_at = time.monotonic()
        self._ended = threading.Event()
        self._terminal = sys.stderr.isatty() and os.environ.get("TERM") not in (None, "dumb")
        self.latest = ""

    def run(self) -> None:
        """Print until the command ends, or nobody reads stderr any more."""
        every = TERMINAL_EVERY_S if self._terminal else FILE_EVERY_S
        wait = FIRST_AFTER_S
        with contextlib.suppress(BrokenPipeError):
            while not self._ended.wait(wait):
                self._print(f"{CLEAR_LINE}{self._line()}" if self._terminal else f"{self._line()}\n")
                wait = every
            if self._terminal and wait == every:
                self._print(CLEAR_LINE)

    def end(self) -> None:
        """Stop printing; return once the line is free for other output."""
        self._ended.set()
        self.join()

    def _line(self) -> str:
        seconds = time.monotonic() - self._begun_at
        return f"{self._activity}: {self.latest + ', ' if self.latest else ''}{seconds:.0f} s"

    @staticmethod
    def _print(text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def progress(activity: str) -> Iterator[Report]:
    """Print progress during the block if it takes longer than ``FIRST_AFTER_S``.

    Args:
        activity: what is being done: ``drawing cards``.

    Yields:
        A function that stores how far it is.

    """
    ticker = _Ticker(activity)

    def report(state: str) -> None:
        ticker.latest = state

    ticker.start()
    try:
        yield report
    finally:
        ticker.end()
