"""One gate for all pictures that are sent: each takes memory and a core for a while, and the game goes first."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app

from companion.web.http.metrics import figures
from companion.web.http.problems import Problem


class Gate:
    """Lets ``places`` requests through at a time; ``queue`` others may wait, and whoever comes besides is refused."""

    def __init__(self, places: int = 2, queue: int = 2, patience: float = 1.0) -> None:
        """Begin empty; ``patience``: seconds that a request waits in its thread at most."""
        self.patience = patience
        self._places = threading.BoundedSemaphore(places)
        self._all = threading.BoundedSemaphore(places + queue)

    @contextmanager
    def passed(self, retry_after: int) -> Iterator[None]:
        """Hold a place meanwhile.  Raises a 503 problem at once where others wait already, or after the patience."""
        if not self._all.acquire(blocking=False):
            raise _busy(retry_after)
        try:
            if not self._places.acquire(timeout=self.patience):
                raise _busy(retry_after)
            try:
                yield
            finally:
                self._places.release()
        finally:
            self._all.release()


def gate() -> Gate:
    """Give the gate of the running application."""
    found: Gate = current_app.extensions["companion.gate"]
    return found


def _busy(retry_after: int) -> Problem:
    figures().count("pictures", outcome="busy")
    headers = {"Retry-After": str(retry_after)}
    return Problem("busy", "Other pictures are being read; try again.", headers=headers)
