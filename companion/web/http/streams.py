"""The number of open event streams, their limit, and their end when the server stops."""

import threading

from flask import current_app

from companion.service.access.logins import Caller
from companion.web.http.problems import Problem

BANKER_SHARE = 0.1
"""Share of places that is reserved for the banker's screens."""
LOGIN_SHARE = 0.7
"""Share that the screens of one guest's login may take: a spectator's link may be opened on many devices."""


class Streams:
    """Counts open streams.  Each holds a thread of the server, so their number is limited."""

    def __init__(self, most: int) -> None:
        """Allow ``most`` at once."""
        self.most = most
        self.closing = threading.Event()
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
        if caller.role == "banker":
            return free
        own = sum(other == caller for other in self._open.values())
        bankers = sum(other.role == "banker" for other in self._open.values())
        kept = max(0, int(self.most * BANKER_SHARE) - bankers)
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
