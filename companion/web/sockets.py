"""Listening sockets, and what is set on every connection."""

import socket

DEAD_AFTER_MS = 15_000


def bound(host: str, port: int) -> socket.socket:
    """Take an address; port 0 takes a free one.  Raises ``OSError`` when it is taken."""
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


def connection_options() -> list[tuple[int, int, int]]:
    """Send small answers at once, and count unanswered heartbeats: a tablet that left the room never says goodbye."""
    timeout = getattr(socket, "TCP_USER_TIMEOUT", None)
    at_once = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return [at_once] if timeout is None else [at_once, (socket.IPPROTO_TCP, timeout, DEAD_AFTER_MS)]
