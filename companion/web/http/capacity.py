"""Capacity: places for event streams, which end when the server stops, and for pictures that are read at a time."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app

from companion.service.access.logins import Caller
from companion.web.http.metrics import metrics
from companion.web.http.problems import Problem, busy_with_pictures

ORGANISER_SHARE = 0.1
"""Share of places that is reserved for the organiser's screens."""
LOGIN_SHARE = 0.7
"""Share that the screens of one guest's login may take: a spectator's link may be opened on many devices."""


class Streams:
    """Counts open streams.  Each holds a thread of the server, so their number is limited."""

    def __init__(self, most: int) -> None:
        """Allow ``most`` at once."""
        self.most = most
        self.closing = threading.Event()
        self.draining = threading.Event()
        """Set some time before: a proxy in front sends requests elsewhere then."""
        self._lock = threading.Lock()
        self._open: dict[object, Caller] = {}

    @property
    def count(self) -> int:
        """Return how many are open."""
        with self._lock:
            return len(self._open)

    @property
    def devices(self) -> frozenset[str]:
        """Return the devices that follow a table now."""
        with self._lock:
            return frozenset(caller.device for caller in self._open.values())

    def open(self, caller: Caller) -> object:
        """Reserve a place and return its ticket, for ``close``.  Raise a ``busy`` problem if none is free."""
        ticket = object()
        with self._lock:
            if self._places_for(caller) <= 0 or self.closing.is_set():
                detail = f"All places of {self.most} for screens that follow live are taken."
                raise Problem("busy", detail, headers={"Retry-After": "5"})
            self._open[ticket] = caller
        return ticket

    def _places_for(self, caller: Caller) -> int:
        free = self.most - len(self._open)
        if caller.is_organiser:
            return free
        own = sum(other == caller for other in self._open.values())
        organisers = sum(other.is_organiser for other in self._open.values())
        kept = max(0, int(self.most * ORGANISER_SHARE) - organisers)
        return min(free - kept, int(self.most * LOGIN_SHARE) - own)

    def close(self, ticket: object) -> None:
        """Free a place; doing so twice does no harm."""
        with self._lock:
            self._open.pop(ticket, None)

    def close_all(self) -> None:
        """Ask every stream to end; each does within half a second."""
        self.closing.set()


def streams() -> Streams:
    """Return the streams of the running application."""
    open_streams: Streams = current_app.extensions["companion.streams"]
    return open_streams


# A limit on pictures that are read at a time: each takes memory and a core, and commands must not wait for them


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
    return busy_with_pictures(retry_after)
