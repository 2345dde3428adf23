"""Listening sockets, and what is set on every connection."""

import contextlib
import resource
import socket
from pathlib import Path

DEAD_AFTER_MS = 15_000


def bound(host: str, port: int) -> socket.socket:
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

BESIDE = 20
"""Handles kept for what is opened meanwhile: journals, pictures, a backup, a camera."""
FEWEST = 8
"""Connections that are tried in any case."""


def room_for_connections(wanted: int) -> int:
    """Return how many connections may be open at a time, at most ``wanted``; asks the system for more where it may.

    A server that accepts more than that cannot even say so: it would try the same connection again and again, and
    nobody's command would come through.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = _open_now() + BESIDE
    if soft < wanted + taken and soft != resource.RLIM_INFINITY:
        more = wanted + taken if hard == resource.RLIM_INFINITY else min(wanted + taken, hard)
        with contextlib.suppress(ValueError, OSError):  # then it stays at what it was
            resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
            soft = more
    return wanted if soft == resource.RLIM_INFINITY else max(FEWEST, min(wanted, soft - taken))


def _open_now() -> int:
    with contextlib.suppress(OSError):
        return sum(1 for _ in Path("/proc/self/fd").iterdir())
    return BESIDE  # a system that does not say
