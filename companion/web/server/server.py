"""The HTTP server, and TLS in front of it: one process, many threads, gone at once when asked to stop."""

import asyncio
import contextlib
import ipaddress
import logging
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

from flask import Flask
from waitress import create_server, wasyncore

from companion.service.runtime import BackgroundTask
from companion.web.http.auth import is_logged_in
from companion.web.http.capacity import Streams
from companion.web.server.connection_limits import (
    Channel,
    bind_socket,
    bound_here,
    connection_options,
    room_for_connections,
    strangers_allowed,
)

# The secure door: TLS for one port, in front of the same server. The server reads and writes plain bytes. So a
# connection is unwrapped here, by ``asyncio`` on a thread of its own, and its plain end handed to the server as
# one more connection, with the address of the device that is at the other end.

log = logging.getLogger(__name__)

HANDSHAKE_S = 10.0
GOODBYE_S = 2.0
MOST_HANDSHAKES = 64
"""Maximum number of connections under way; the oldest is closed before one more begins."""
PIECE_BYTES = 65_536
HANDLES = 3
"""Files that a secure connection holds open: its own, and the two ends of the plain one."""
RETRY_S = 0.5

HandOver = Callable[[socket.socket, tuple[str, int], str], None]
"""Accepts plain connections; stores the peer's address and the address of this machine that it reached."""


class SecureListener(BackgroundTask):
    """Accepts TLS connections of one listening socket, at most ``room`` at a time."""

    def __init__(self, listening: socket.socket, context: ssl.SSLContext, hand_over: HandOver, room: int) -> None:
        """Store the socket, which ``stop`` closes."""
        super().__init__("secure listener", stop_timeout_s=GOODBYE_S)
        self._listening, self._context, self._hand_over = listening, context, hand_over
        self._room = asyncio.Semaphore(room)
        self._loop = asyncio.new_event_loop()
        self._shaking: dict[asyncio.Task[None] | None, socket.socket] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """End all connections, and close the socket."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
        elif not self._loop.is_closed():
            self._loop.close()
        super().stop()
        self._listening.close()

    def _run(self) -> None:
        self._listening.setblocking(False)
        accepting = self._loop.create_task(self._accept())
        try:
            self._loop.run_forever()
        finally:
            tasks = [accepting, *self._tasks]
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(asyncio.sleep(0.01))  # so that what was closed is closed
            self._loop.close()

    async def _accept(self) -> None:
        while True:
            await self._room.acquire()
            try:
                there, address = await self._loop.sock_accept(self._listening)
            except OSError as error:  # out of handles, or gone again already: the others go on
                self._room.release()
                log.warning("a secure connection could not be taken: %s", error)
                await asyncio.sleep(RETRY_S)
                continue
            oldest = next(iter(self._shaking)) if len(self._shaking) >= MOST_HANDSHAKES else None
            if oldest is not None:
                oldest.cancel()
            task = self._loop.create_task(self._serve(there, address))
            self._tasks.add(task)
            self._shaking[task] = there
            task.add_done_callback(self._over)

    def _over(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        shaking = self._shaking.pop(task, None)
        if shaking is not None:
            shaking.close()
        self._room.release()
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a secure connection ended badly", exc_info=error)

    async def _serve(self, there: socket.socket, address: tuple[str, int]) -> None:
        try:
            for option in connection_options():
                there.setsockopt(*option)
            at = str(there.getsockname()[0])
        except OSError:  # gone already
            return
        reader = asyncio.StreamReader(limit=PIECE_BYTES, loop=self._loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=self._loop)
        try:
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: protocol,
                there,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE_S,
                ssl_shutdown_timeout=GOODBYE_S,
            )
        except (OSError, ssl.SSLError):  # no browser, or one that does not trust us
            return
        self._shaking.pop(asyncio.current_task(), None)
        writer = asyncio.StreamWriter(transport, protocol, reader, self._loop)
        mine, plain = socket.socketpair()
        self._hand_over(plain, (str(address[0]), int(address[1])), at)
        from_server, to_server = await asyncio.open_connection(sock=mine)
        ways = [
            self._loop.create_task(_carry(reader, to_server)),
            self._loop.create_task(_carry(from_server, writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError:
            transport.abort()  # the server stops: nobody takes what is left, and no farewell is waited for
            to_server.transport.abort()
            raise
        finally:
            for way in ways:
                way.cancel()
            to_server.close()
            writer.close()
            await asyncio.gather(*ways, return_exceptions=True)
            with contextlib.suppress(OSError, ssl.SSLError, TimeoutError):
                await writer.wait_closed()


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes one way until there are no more, or nobody takes them."""
    with contextlib.suppress(OSError, ssl.SSLError):
        while piece := await reader.read(PIECE_BYTES):
            writer.write(piece)
            await writer.drain()


# The HTTP server: one process, many threads, gone at once when asked to stop.

THREADS_BESIDE_STREAMS = 16
MOST_BODY_BYTES = 32_000_000
"""Above what any call takes, so that the application itself says what is too large for which call."""
MOST_HEADER_BYTES = 32_768
CONNECTIONS_PER_SCREEN = 6
GRACE_SECONDS, GRACE_BEHIND_PROXY_S = 1.0, 10.0
DRAIN_S = 1.5
"""How long a process goes on taking requests after it has said that it wants none; longer than a proxy needs to see."""
LOOK_AFTER_SECONDS = 1.0
"""How often it is looked who keeps a request back."""


class _LoopbackDoor(wasyncore.dispatcher):  # type: ignore[misc]
    """Accepts connections of this machine's own screen where the server listens on another address."""

    def __init__(self, server: Any, port: int, own_map: dict[int, Any]) -> None:
        """Listen on the loopback address.  Raise ``OSError`` if the port is in use there."""
        super().__init__(map=own_map)
        self._server = server
        listening = bind_socket("127.0.0.1", port)
        try:
            listening.listen(server.adj.backlog)
        except OSError:
            listening.close()
            raise
        listening.setblocking(False)
        self.set_socket(listening, own_map)
        self.accepting = True

    def readable(self) -> bool:
        """Return whether there is room for another connection."""
        return bool(self._server.readable())

    def writable(self) -> bool:
        """Return that a listening socket is never written to."""
        return False

    def handle_accept(self) -> None:
        """Accept a connection as the server accepts its own."""
        accepted = self.accept()
        if accepted is None:
            return
        connection, address = accepted
        self._server.set_socket_options(connection)
        self._server.channel_class(self._server, connection, address, self._server.adj, map=self._map)


class Server:
    """Serves an application on one address, and on the loopback address for this machine's own screen.

    ``port`` 0 takes a free one; ``port`` says which afterwards.  There are as many threads as screens are
    allowed and some more, so that all screens together cannot keep a command waiting.
    """

    def __init__(
        self,
        app: Flask,
        host: str,
        port: int,
        *,
        tls: ssl.SSLContext | None = None,
        secure_port: int = 0,
        behind: Path | None = None,
    ) -> None:
        """Store the address, and with ``tls`` a second port for secure pages.  Raises ``OSError`` when one is taken.

        ``behind``: the path of a socket on which the program's own proxy brings all requests, in place of an address.
        """
        streams: Streams = app.extensions["companion.streams"]
        threads = streams.most + THREADS_BESIDE_STREAMS
        unauthenticated = strangers_allowed(streams.most)
        wanted = unauthenticated + threads * CONNECTIONS_PER_SCREEN
        room = room_for_connections(wanted * HANDLES) // HANDLES if tls else room_for_connections(wanted)
        if room < wanted:
            unauthenticated = max(1, min(unauthenticated, room // 2))
        # A line for every request that waits a moment is no news: with many screens it floods the log.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._streams = streams
        self._stopping = False
        self._asked = threading.RLock()
        """Held while the end is asked for, so that ``run`` does not close what wakes it; reentrant for signals."""
        self._map: dict[int, Any] = {}
        self._inner = create_server(
            app,
            map=self._map,
            sockets=[bind_socket(host, port) if behind is None else bound_here(behind)],
            threads=threads,
            connection_limit=room,
            max_request_body_size=MOST_BODY_BYTES,
            max_request_header_size=MOST_HEADER_BYTES,
            outbuf_high_watermark=1_000_000,
            asyncore_use_poll=True,
            ident=None,
        )
        self._inner.adj.socket_options = connection_options() if behind is None else []
        about: dict[str, object] = {"logged_in": staticmethod(partial(is_logged_in, app))}
        about |= {"most_strangers": unauthenticated, "is_proxy": behind is not None}
        self._inner.channel_class = type("_Channel", (Channel,), about)
        self._looked_at = 0.0
        self._grace_s = GRACE_SECONDS if behind is None else GRACE_BEHIND_PROXY_S
        self.port = int(self._inner.effective_port) if behind is None else port
        self.secure_port = 0
        self._secure = None if tls is None else self._second_door(host, secure_port, tls, room)
        app.extensions["companion.secure_port"] = self.secure_port
        if behind is None:
            self._listen_on_loopback()

    def _listen_on_loopback(self) -> None:
        """Listen on 127.0.0.1 too where the address is another one: the own screen asks there."""
        address = ipaddress.ip_address(self._inner.socket.getsockname()[0].partition("%")[0])
        if address.is_unspecified or str(address) in {"127.0.0.1", "::1"}:
            return
        try:
            _LoopbackDoor(self._inner, self.port, self._map)
        except OSError as error:
            logging.getLogger(__name__).warning(
                "127.0.0.1:%d cannot be used, so there is no screen of this machine's own: %s", self.port, error
            )

    def _second_door(self, host: str, port: int, tls: ssl.SSLContext, room: int) -> SecureListener:
        try:
            listening = bind_socket(host, port)
        except OSError:
            self._inner.close()
            raise
        listening.listen(self._inner.adj.backlog)
        self.secure_port = int(listening.getsockname()[1])
        return SecureListener(listening, tls, self._hand_over, room)

    def _hand_over(self, plain: socket.socket, address: tuple[str, int], at: str) -> None:
        """Accept a connection of the TLS listener; called from its thread."""

        def begin() -> None:
            if self._stopping:
                plain.close()
                return
            channel = self._inner.channel_class(self._inner, plain, address, self._inner.adj, map=self._map)
            channel.at, channel.secure = at, True

        self._inner.trigger.pull_trigger(begin)

    def run(self) -> None:
        """Serve until ``stop``; requests under way have a second to end."""
        if self._secure is not None:
            self._secure.start()
        while not self._stopping:
            self._turn(1.0)
        with self._asked:
            self._inner.accepting = False
        self._streams.close_all()
        give_up = time.monotonic() + self._grace_s
        while self._busy() and time.monotonic() < give_up:
            self._turn(0.05)
        at_work = 0.1 if self._busy() else 3.0  # idle threads go at once, where they are let: a Pi may be busy starting
        self._inner.task_dispatcher.shutdown(timeout=at_work)
        for channel in list(self._inner.active_channels.values()):
            channel.handle_close()
        if self._secure is not None:
            self._secure.stop()
            self._turn(0.0)  # what it has handed over meanwhile is closed
        self._inner.close()
        for channel in list(self._map.values()):  # accepted meanwhile, or no longer among the active ones
            channel.close()

    def stop(self) -> None:
        """Ask ``run`` to end; may be called from a signal handler or another thread, and twice."""
        with self._asked:
            if not self._stopping:
                self._stopping = True
                self._inner.pull_trigger()

    def drain(self) -> None:
        """Ask ``run`` to end as soon as a proxy has seen that no more requests are wanted."""
        if not self._streams.draining.is_set():
            self._streams.draining.set()
            threading.Timer(DRAIN_S, self.stop).start()

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
def ended_by_signals(server: Server, *, drains: bool = False) -> Iterator[None]:
    """Let SIGTERM and Ctrl-C end a server, also one that has been announced and does not run yet.

    ``drains``: not before a proxy has had time to send requests elsewhere.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        if drains:
            server.drain()
        else:
            server.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
