"""The HTTP server: one process, many threads, gone at once when asked to stop."""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Any

from flask import Flask
from waitress import create_server

from companion.web.door import Channel, strangers_allowed
from companion.web.handles import room_for_connections
from companion.web.http.auth import is_logged_in
from companion.web.http.streams import Streams

THREADS_BESIDE_STREAMS = 16
MOST_BODY_BYTES = 32_000_000
"""Above what any call takes, so that the application itself says what is too large for which call."""
MOST_HEADER_BYTES = 32_768
DEAD_AFTER_MS = 15_000
CONNECTIONS_PER_SCREEN = 6
GRACE_SECONDS = 1.0
LOOK_AFTER_SECONDS = 1.0
"""How often it is looked who keeps a request back."""


class Server:
    """Serves an application on one address.

    ``port`` 0 takes a free one; ``port`` says which afterwards.  There are as many threads as screens are
    allowed and some more, so that all screens together cannot keep a command waiting.
    """

    def __init__(self, app: Flask, host: str, port: int) -> None:
        """Take the address.  Raises ``OSError`` when it is taken."""
        streams: Streams = app.extensions["companion.streams"]
        threads = streams.most + THREADS_BESIDE_STREAMS
        strangers = strangers_allowed(streams.most)
        wanted = strangers + threads * CONNECTIONS_PER_SCREEN
        room = room_for_connections(wanted)
        if room < wanted:
            strangers = max(1, min(strangers, room // 2))
        self._streams = streams
        self._stopping = False
        self._map: dict[int, Any] = {}
        self._inner = create_server(
            app,
            map=self._map,
            sockets=[_bound(host, port)],
            threads=threads,
            connection_limit=room,
            max_request_body_size=MOST_BODY_BYTES,
            max_request_header_size=MOST_HEADER_BYTES,
            channel_request_lookahead=1,  # so that a stream learns that its reader has gone
            outbuf_high_watermark=1_000_000,
            asyncore_use_poll=True,
            ident=None,
        )
        self._inner.adj.socket_options = [(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), *_give_up_on_the_dead()]
        about = {"logged_in": staticmethod(partial(is_logged_in, app)), "most_strangers": strangers}
        self._inner.channel_class = type("_Channel", (Channel,), about)
        self._looked_at = 0.0
        self.port = int(self._inner.effective_port)

    def run(self) -> None:
        """Serve until ``stop``; requests under way have a second to end."""
        while not self._stopping:
            self._turn(1.0)
        self._inner.accepting = False
        self._streams.close_all()
        give_up = time.monotonic() + GRACE_SECONDS
        while self._busy() and time.monotonic() < give_up:
            self._turn(0.05)
        at_work = 0.1 if self._busy() else 3.0  # idle threads go at once, where they are let: a Pi may be busy starting
        self._inner.task_dispatcher.shutdown(timeout=at_work)
        for channel in list(self._inner.active_channels.values()):
            channel.handle_close()
        self._inner.close()

    def stop(self) -> None:
        """Ask ``run`` to end; may be called from a signal handler or another thread, and twice."""
        if not self._stopping:
            self._stopping = True
            self._inner.pull_trigger()

    def _turn(self, timeout: float) -> None:
        self._inner.asyncore.loop(timeout=timeout, use_poll=True, map=self._map, count=1)
        now = time.monotonic()
        if now - self._looked_at < LOOK_AFTER_SECONDS:
            return
        self._looked_at = now
        for channel in list(self._inner.active_channels.values()):
            if channel.overdue(now):
                channel.will_close = True

    def _busy(self) -> bool:
        channels = list(self._inner.active_channels.values())
        return any(channel.requests or channel.total_outbufs_len for channel in channels)


@contextmanager
def ended_by_signals(server: Server) -> Iterator[None]:
    """Let SIGTERM and Ctrl-C end a server, also one that has been announced and does not run yet."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        server.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _bound(host: str, port: int) -> socket.socket:
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


def _give_up_on_the_dead() -> list[tuple[int, int, int]]:
    """Count unanswered heartbeats: a tablet that left the room never says goodbye."""
    timeout = getattr(socket, "TCP_USER_TIMEOUT", None)
    return [] if timeout is None else [(socket.IPPROTO_TCP, timeout, DEAD_AFTER_MS)]
