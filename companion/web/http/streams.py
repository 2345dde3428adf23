"""How many streams there may be, and how all of them end when the server stops."""

import threading

from flask import current_app

from companion.service.access.logins import Caller
from companion.web.http.problems import Problem

KEPT_FOR_BANKER = 0.1
"""The share of places that the banker's screens find in any case."""
MOST_OF_A_LOGIN = 0.7
"""The share that one guest's login may take: a link to look on may well be on many screens, and never on all."""


class Streams:
    """Counts open streams.  Each holds a thread of the server, so there is a most."""

    def __init__(self, most: int) -> None:
        """Allow ``most`` at once."""
        self.most = most
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._open: dict[object, Caller] = {}

    @property
    def count(self) -> int:
        """How many are open."""
        with self._lock:
            return len(self._open)

    def open(self, caller: Caller) -> object:
        """Take a place; give the ticket back with ``close``.  Raises a 503 problem when there is none for him."""
        ticket = object()
        with self._lock:
            if self._places_for(caller) <= 0 or self.closing.is_set():
                detail = f"All places of {self.most} for screens that follow live are taken."
                raise Problem("busy", detail, headers={"Retry-After": "5"})
            self._open[ticket] = caller
        return ticket

    def _places_for(self, caller: Caller) -> int:
        free = self.most - len(self._open)
        if caller.role == "banker":
            return free
        his = sum(one == caller for one in self._open.values())
        bankers = sum(one.role == "banker" for one in self._open.values())
        kept = max(0, int(self.most * KEPT_FOR_BANKER) - bankers)
        return min(free - kept, int(self.most * MOST_OF_A_LOGIN) - his)

    def close(self, ticket: object) -> None:
        """Give a place back; twice does no harm."""
        with self._lock:
            self._open.pop(ticket, None)

    def close_all(self) -> None:
        """Ask every stream to end; each does within half a second."""
        self.closing.set()


def streams() -> Streams:
    """Give the streams of the running application."""
    found: Streams = current_app.extensions["companion.streams"]
    return found
