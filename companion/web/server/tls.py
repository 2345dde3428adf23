"""The secure door: TLS for one port, in front of the same server.

The server reads and writes plain bytes.  So a connection is unwrapped here, by ``asyncio`` on a thread of its own, and
its plain end handed to the server as one more connection, with the address of the device that is at the other end.
"""

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Callable

from companion.service.background import BackgroundTask
from companion.web.server.limits import connection_options

log = logging.getLogger(__name__)

HANDSHAKE_S = 10.0
GOODBYE_S = 2.0
MOST_HANDSHAKES = 64
"""So many may be under way; the oldest has to go before one more begins."""
PIECE_BYTES = 65_536
HANDLES = 3
"""Files that a secure connection holds open: its own, and the two ends of the plain one."""
AFTER_TROUBLE_S = 0.5

HandOver = Callable[[socket.socket, tuple[str, int], str], None]
"""Takes the plain end, who is at the other end, and at which of this machine's addresses he came in."""


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
                await asyncio.sleep(AFTER_TROUBLE_S)
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
