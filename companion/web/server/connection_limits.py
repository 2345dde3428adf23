"""The door of the server: its sockets, how many connections there may be, and what one may do before a login.

A request is complete before a thread takes it up, so a half one costs no thread; but it costs a connection, memory and,
with a body, room on the disk.  Strangers get little of these, and whoever has logged in is not kept out by them.
"""

import contextlib
import json
import resource
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.task import ErrorTask, WSGITask
from waitress.utilities import Error

from companion.web.http.auth import LOCAL_ADDRESS, PASSED_ON
from companion.web.http.metrics import BEGAN

FEWEST_STRANGERS = 64


def strangers_allowed(screens: int) -> int:
    """Return the maximum number of unauthenticated connections, for a number of screens that may follow live.

    After a restart all screens come back at once, each with some connections, and none has said who it is.  Where there
    are more, the oldest that waits for nothing is closed.
    """
    return max(FEWEST_STRANGERS, 4 * screens)


HEADER_SECONDS = 15.0
"""From the first byte of a request, and of a stranger's connection, until the request's headers are there."""
QUIET_SECONDS = 20.0
"""How long a body may stay away, once it has begun to come."""
STRANGERS_BODY = 16_384
LARGE_BODY, LARGE_BODIES = 1_000_000, 4
"""Bytes of a body that goes to the disk while it comes, and how many of those may come at a time.

Of a body that comes in chunks these are bytes that have come: how many there will be nobody has said.
"""

LoggedIn = Callable[[Mapping[str, str]], bool]
"""Says of a request's headers (names in capitals, with underscores) whether they are somebody's who has logged in."""


PROXY_HEADERS = frozenset({"FORWARDED", "VIA", "X_REAL_IP", "X_CLIENT_IP", "TRUE_CLIENT_IP", "CF_CONNECTING_IP"})
PROXY_PREFIXES = ("X_FORWARDED", "X_ORIGINAL_")


def was_passed_on(version: str, headers: Mapping[str, str]) -> bool:
    """Return whether a proxy sent a request (names of headers in capitals, with underscores).

    It is decided here because waitress takes such headers away before the application sees them.  Some proxies add
    none, but speak HTTP/1.0 to what is behind them; browsers do not.
    """
    return version != "1.1" or any(name in PROXY_HEADERS or name.startswith(PROXY_PREFIXES) for name in headers)


class _LoginFirstError(Error):  # type: ignore[misc]
    code, reason = 401, "Unauthorized"


class _BusyError(Error):  # type: ignore[misc]
    code, reason = 503, "Service Unavailable"


TOO_LARGE = "This is too large: nothing of more than 20 MB is taken."
"""Detail of a 413: the limit of the endpoints; the server itself reads some more before it gives up."""


_KINDS = {
    400: ("malformed", "The request cannot be understood"),
    401: ("login_needed", "A login is needed"),
    413: ("too_large", "Too large"),
    503: ("busy", "Too much at once"),
}
"""Kinds of problems by status, and their titles, as the description of the JSON interface has them."""
_MORE_HEADERS = {401: ("WWW-Authenticate", "Bearer"), 503: ("Retry-After", "5")}


class ProblemTask(ErrorTask):  # type: ignore[misc]
    """Answers a malformed or too large request before the application sees it."""

    def execute(self) -> None:
        """Answer with problem details and close the connection."""
        error = self.request.error
        detail = TOO_LARGE if error.code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE else error.body
        kind, title = _KINDS.get(error.code, ("", error.reason))
        type_ = f"/api/v1/openapi.json#/components/responses/{kind}" if kind else "about:blank"
        problem = {"type": type_, "title": title, "status": error.code, "detail": detail}
        body = json.dumps(problem).encode() + b"\n"
        self.status = f"{error.code} {error.reason}"
        self.response_headers.append(("Content-Type", "application/problem+json"))
        if error.code in _MORE_HEADERS:
            self.response_headers.append(_MORE_HEADERS[error.code])
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Task(WSGITask):  # type: ignore[misc]
    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ[BEGAN] = time.perf_counter()
        environ[LOCAL_ADDRESS] = self.channel.at
        environ[PASSED_ON] = was_passed_on(self.request.version, self.request.headers)
        if self.channel.secure:
            environ["wsgi.url_scheme"] = "https"
        if self.channel.is_proxy:
            environ.update(_told_by_proxy(self.request.headers))
        return environ

    def write(self, data: bytes) -> None:
        """Send headers with the first of the body: each sending lets all other threads go first."""
        if self.wrote_header or not data:
            super().write(data)
            return
        with self.channel.in_one():
            super().write(data)


AT_HEADER = "X-Companion-At"
"""The header in which the program's own proxy says at which address somebody came in, and the port of plain pages."""


def _told_by_proxy(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of a WSGI environment that the program's own proxy knows; it replaces such headers of others."""
    at, _, port = headers.get(AT_HEADER.upper().replace("-", "_"), "").rpartition(":")
    return {
        "REMOTE_ADDR": headers.get("X_FORWARDED_FOR", ""),
        "REMOTE_HOST": headers.get("X_FORWARDED_FOR", ""),
        "wsgi.url_scheme": "https" if headers.get("X_FORWARDED_PROTO") == "https" else "http",
        LOCAL_ADDRESS: at,
        "SERVER_PORT": port,
    }


class _Parser(HTTPRequestParser):  # type: ignore[misc]
    """Judges a request before its body comes, and one whose body comes in chunks again when it proves to be large."""

    def __init__(self, adj: Any, judge: Callable[["_Parser"], Error | None]) -> None:
        super().__init__(adj)
        self.error: Error | None = None
        self.began = time.monotonic()
        self._judge = judge
        self._limits_passed = -1

    @property
    def body_size(self) -> int:
        """Bytes of its body; in chunks those that have come."""
        return int(self.body_bytes_received if self.chunked else self.content_length)

    def received(self, data: bytes) -> int:
        taken: int = super().received(data)
        if not self.headers_finished:
            return taken
        passed = sum(self.body_size > limit for limit in (STRANGERS_BODY, LARGE_BODY))
        if passed > self._limits_passed:
            self._limits_passed = passed
            if self.error is None and (fault := self._judge(self)) is not None:
                self.error, self.completed = fault, True
        return taken


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection.

    ``secure``: it came in by the TLS port.  ``is_proxy``: it is the program's own proxy's, by a socket that nobody else
    can open, and carries requests of anybody.
    """

    task_class = _Task
    error_task_class = ProblemTask
    logged_in: LoggedIn = staticmethod(lambda _: False)
    most_strangers = FEWEST_STRANGERS
    is_proxy = False

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:  # noqa: A002 - its name
        """Admit a newcomer; above the limit close an unauthenticated connection, of the same crowded address first."""
        self.is_authenticated = self.secure = self._watched = False
        self._pieces: list[bytes] | None = None
        self.began = time.monotonic()
        self.at = _own_address(sock)
        self.parser_class = partial(_Parser, judge=self._fault)
        super().__init__(server, sock, addr, adj, map=map)
        unauthenticated = [
            channel
            for channel in list(server.active_channels.values())
            if not channel.is_authenticated and not channel.will_close
        ]
        same = [channel for channel in unauthenticated if channel.addr[0] == addr[0]]
        if len(unauthenticated) > self.most_strangers:
            candidates = same if len(same) > self.most_strangers // 2 else unauthenticated
            idle = [channel for channel in candidates if channel is not self and not channel.requests]
            min(idle, key=lambda channel: channel.began, default=self).will_close = True

    def service(self) -> None:
        """Answer one request; only streams ask to have the connection watched meanwhile."""
        self._watched = False
        super().service()

    def check_client_disconnected(self) -> bool:
        """Return whether the reader has gone.  From the first call on, the connection is watched for it."""
        if not self._watched:
            self._watched = True
            self.server.pull_trigger()
        return bool(super().check_client_disconnected())

    def readable(self) -> bool:
        """Return whether to read: while no request is answered, or beside an answer that watches for its reader.

        Reading beside every answer would wake the main thread for each request and cost a third of its processor time.
        """
        if len(self.requests) == 1 and self._watched:
            return not (self.will_close or self.close_when_flushed or self.total_outbufs_len)
        return bool(super().readable())

    @contextmanager
    def in_one(self) -> Iterator[None]:
        """Keep what is written meanwhile, by the thread that answers, and send it in one piece."""
        pieces = self._pieces = []
        try:
            yield
        finally:
            self._pieces = None
        self.write_soon(b"".join(pieces))

    def write_soon(self, data: Any) -> int:
        """Send, now or in one piece with what follows."""
        if self._pieces is None:
            return int(super().write_soon(data))
        self._pieces.append(data)
        return len(data)

    def overdue(self, now: float) -> bool:
        """Return whether its request should have been there by now."""
        if self.requests and not self._watched:  # it is not read while another request is answered
            return False
        coming = self.request
        if coming is None or not coming.header_bytes_received:
            is_known = self.is_authenticated or self.is_proxy
            return not is_known and not self.requests and now - self.began > HEADER_SECONDS
        if not coming.headers_finished:
            return bool(now - coming.began > HEADER_SECONDS)
        return bool(time.time() - self.last_activity > QUIET_SECONDS)

    def _fault(self, request: _Parser) -> Error | None:
        self.is_authenticated = (self.is_authenticated and not self.is_proxy) or self.logged_in(request.headers)
        if not self.is_authenticated and request.body_size > STRANGERS_BODY:
            return _LoginFirstError("Log in first; this is too much for a stranger to send.")
        if request.body_size > LARGE_BODY:
            under_way = (
                requests.request for requests in list(self.server.active_channels.values()) if requests is not self
            )
            if (
                sum(request_under_way is not None and _is_large(request_under_way) for request_under_way in under_way)
                >= LARGE_BODIES
            ):
                return _BusyError("Others are sending much just now; try again.")
        return None


def _own_address(sock: Any) -> str:
    try:
        own = sock.getsockname()  # empty for the plain end of a secure connection
        return str(own[0]) if own else ""
    except OSError:  # the other end has gone already; an error here would end the server
        return ""


def _is_large(request: _Parser) -> bool:
    return bool(request.headers_finished) and request.body_size > LARGE_BODY


# Listening sockets, and what is set on every connection.

DEAD_AFTER_MS = 15_000


def bind_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address; port 0 means any free one.  Raise ``OSError`` if it is in use."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def bound_here(path: Path) -> socket.socket:
    """Return a socket of this machine alone, bound to a path; one that a killed process has left there is replaced."""
    path.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX)
    try:
        bound.bind(str(path))
    except OSError:
        bound.close()
        raise
    return bound


def connection_options() -> list[tuple[int, int, int]]:
    """Send small answers at once, and count unanswered heartbeats: a tablet that left the room never says goodbye."""
    timeout = getattr(socket, "TCP_USER_TIMEOUT", None)
    at_once = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return [at_once] if timeout is None else [at_once, (socket.IPPROTO_TCP, timeout, DEAD_AFTER_MS)]


# How many connections fit into the file handles that the system gives one process.

SPARE_HANDLES = 20
"""Handles kept for what is opened meanwhile: journals, pictures, a backup, a camera."""
FEWEST = 8
"""Connections that are tried in any case."""


def room_for_connections(wanted: int) -> int:
    """Return how many connections may be open at a time, at most ``wanted``; asks the system for more where it may.

    A server that accepts more than that cannot even say so: it would try the same connection again and again, and
    nobody's command would come through.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = _open_now() + SPARE_HANDLES
    if soft < wanted + taken and soft != resource.RLIM_INFINITY:
        more = wanted + taken if hard == resource.RLIM_INFINITY else min(wanted + taken, hard)
        with contextlib.suppress(ValueError, OSError):  # then it stays at what it was
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return wanted if soft == resource.RLIM_INFINITY else max(FEWEST, min(wanted, soft - taken))


def _open_now() -> int:
    with contextlib.suppress(OSError):
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    return SPARE_HANDLES  # a system that does not say
