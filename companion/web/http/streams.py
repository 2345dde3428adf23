"""How many streams there may be, and how all of them end when the server stops."""

import threading

from flask import current_app

from companion.web.http.problems import Problem


class Streams:
    """Counts open streams.  Each holds a thread of the server, so there is a most."""

    def __init__(self, most: int) -> None:
        """Allow ``most`` at once."""
        self.most = most
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._open: set[object] = set()

    @property
    def count(self) -> int:
        """How many are open."""
        with self._lock:
            return len(self._open)

    def open(self) -> object:
        """Take a place; give the ticket back with ``close``.  Raises a 503 problem when there is none."""
        ticket = object()
        with self._lock:
            if len(self._open) >= self.most or self.closing.is_set():
                detail = f"All {self.most} places for screens that follow live are taken."
                raise Problem(503, "busy", detail, headers={"Retry-After": "5"})
            self._open.add(ticket)
        return ticket

    def close(self, ticket: object) -> None:
        """Give a place back; twice does no harm."""
        with self._lock:
            self._open.discard(ticket)

    def close_all(self) -> None:
        """Ask every stream to end; each does within half a second."""
        self.closing.set()


def streams() -> Streams:
    """Give the streams of the running application."""
    found: Streams = current_app.extensions["companion.streams"]
    return found
