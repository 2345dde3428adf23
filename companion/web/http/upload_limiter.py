"""A limit on pictures that are read at a time: each takes memory and a core, and commands must not wait for them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app

from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem


class UploadLimiter:
    """Admits ``places`` requests at a time and lets ``queue`` others wait; all further ones are refused."""

    def __init__(self, places: int = 2, queue: int = 2, patience: float = 1.0) -> None:
        """Start with no request.

        Args:
            places: Requests that are handled at a time.
            queue: Requests that may wait besides.
            patience: Seconds that a request waits in its thread at most.
        """
        self.patience = patience
        self._places = threading.BoundedSemaphore(places)
        self._all = threading.BoundedSemaphore(places + queue)

    @contextmanager
    def slot(self, retry_after: int) -> Iterator[None]:
        """Hold a place.  Raise a ``busy`` problem at once if the queue is full, otherwise after the patience."""
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


def upload_limiter() -> UploadLimiter:
    """Return the limiter of the running application."""
    limiter: UploadLimiter = current_app.extensions["companion.upload_limiter"]
    return limiter


def _busy(retry_after: int) -> Problem:
    metrics().count("pictures", outcome="busy")
    headers = {"Retry-After": str(retry_after)}
    return Problem("busy", "Other pictures are being read; try again.", headers=headers)
