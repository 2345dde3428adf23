"""The gateway: one process that holds the event streams of a hall and tells pages which version their table has.

It knows no rules and no positions, so it serves thousands of streams in one thread.  Pages fetch everything else from
the processes of the app.  A raw ASGI application for uvicorn.
"""

import asyncio
import contextlib
import json
import logging
import random
import re
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import uvicorn

from companion.service.access.logins import LOGIN_COOKIE, SECURE_PREFIX, Caller
from companion.service.ports import News, NotStored

log = logging.getLogger(__name__)

Message: TypeAlias = dict[str, Any]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Headers: TypeAlias = list[tuple[bytes, bytes]]

STREAM_PATTERN = re.compile(r"/api/v1/tables/([\w-]{1,64})/stream")
HEARTBEAT_S, SLOTS = 5.0, 20
"""Every stream says at least so often that it lives, a twentieth of them at a time."""
MOST_STREAMS, MOST_OF_A_LOGIN = 20_000, 200
CHECK_S = 30.0
"""How often rights are checked anew where nobody has told that they changed."""
RETRY_S = 1.0
"""After how long the bin or the guests are asked for again where they could not be read."""
PROBE_S = 10.0
"""How often the way by the database is measured."""
SPREAD_MS = 3_000
"""Pages that come back all at once ask for the rest within so many milliseconds, each at a moment of its own."""
BEGAN_S, BEGAN_SPREAD_MS = 2.0, 10_000
"""After a process of the app has begun pages ask it for what is no version: after how long, and over how long."""
OLDER_S = 0.7
"""For so long after a change of what processes share a page may be answered by one that has the values of before."""
DRAIN_S = 10.0
GOODBYE_S = 3.0
LAST_ID_DIGITS = 15

_KINDS = {
    401: ("login_needed", "A login is needed"),
    403: ("forbidden", "Not yours"),
    404: ("not_found", "Nothing here"),
    405: ("method_not_allowed", "Not possible here"),
    503: ("busy", "Too much at once"),
}
"""Kinds of problems by status, and their titles, as the app's."""
_MORE_HEADERS = {401: ((b"www-authenticate", b"Bearer"),), 503: ((b"retry-after", b"5"),)}


@dataclass(frozen=True, slots=True)
class Sources:
    """Where the gateway learns what it tells and whom; all may wait for the database and are called in threads.

    Attributes:
        caller: Returns whose login token this is; ``None``: nobody's.
        admits: Returns whether a login is still good.
        latest_version: Returns the version of a table; ``None``: there is none of this id, or it lies in the bin.
        binned: Returns which of these tables lie in the bin.

    """

    caller: Callable[[str], Caller | None]
    admits: Callable[[Caller], bool]
    latest_version: Callable[[str], int | None]
    binned: Callable[[Sequence[str]], Iterable[str]]


class _Stream:
    """One open stream: what it has sent, and whether it is sending."""

    __slots__ = ("beat", "busy", "caller", "end", "heard_at", "send", "sent", "stirred", "table", "within")

    def __init__(self, table: str, caller: Caller, send: Send, sent: int) -> None:
        self.table, self.caller, self.send = table, caller, send
        self.sent = sent
        self.stirred: int | None = None
        self.busy = self.beat = self.end = False
        self.heard_at, self.within = 0.0, 0


class Gateway:
    """The streams of all tables.  Everything but ``hear`` and ``versions`` happens in one event loop."""

    def __init__(self, sources: Sources) -> None:
        """Begin without a stream."""
        self._sources = sources
        self._threads = ThreadPoolExecutor(8, "gateway")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._streams: dict[str, set[_Stream]] = {}
        self._slots: list[set[_Stream]] = [set() for _ in range(SLOTS)]
        self._versions: dict[str, int] = {}
        self._stirred: dict[str, int] = {}
        self._by_login: dict[str, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.is_draining = False
        self.is_ready: Callable[[], bool] = lambda: True
        self.probe: Callable[[], None] = lambda: None
        self.measures: Callable[[], Mapping[str, float]] = dict[str, float]
        self._count = self._next_slot = self.events_sent = 0
        self._screen_s = 0.0
        self._shared_at = -OLDER_S

    def versions(self) -> Mapping[str, int]:
        """Return the versions of the tables that somebody follows; may be called from any thread."""
        return dict(self._versions)

    def hear(self, news: News) -> None:
        """Pass on to the pages what other processes tell; may be called from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._take, news, time.monotonic())

    # ---------------------------------------------------------------------------------------------- requests

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        path, method = scope["path"], scope["method"]
        if path == "/healthz":
            await _answer(send, 200, {"status": "ok"})
        elif path == "/readyz":
            ready = self.is_ready() and not self.is_draining
            await _answer(send, 200 if ready else 503, {"status": "ready" if ready else "not ready"})
        elif path == "/metrics":
            lines = (f"companion_{name} {value}\n" for name, value in self._measured())
            await _answer(send, 200, "".join(lines), b"text/plain; version=0.0.4")
        elif (match := STREAM_PATTERN.fullmatch(path)) is None:
            await _refuse(send, 404, "Nothing is here.")
        elif method not in {"GET", "HEAD"}:
            await _refuse(send, 405, "A stream is only read.")
        else:
            await self._follow(match[1], dict(scope["headers"]), receive, send, is_head=method == "HEAD")

    async def _follow(
        self, table: str, headers: Mapping[bytes, bytes], receive: Receive, send: Send, *, is_head: bool
    ) -> None:
        try:
            refusal = await self._find_refusal(table, headers)
        except NotStored:
            refusal = 503, "The database cannot be reached."
        if isinstance(refusal, tuple):
            await _refuse(send, *refusal)
            return
        begin = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]
        begin += [(b"x-accel-buffering", b"no"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 200, "headers": begin})
        if is_head:
            await send({"type": "http.response.body", "body": b""})
            return
        last = headers.get(b"last-event-id", b"")
        is_back = last.isdigit() and len(last) <= LAST_ID_DIGITS
        stream = _Stream(table, refusal, send, int(last) if is_back else -1)
        slot = self._slots[self._next_slot]
        self._next_slot = (self._next_slot + 1) % SLOTS
        self._register(stream, slot)
        try:
            hello = f"retry: {random.randint(500, SPREAD_MS)}\n\n".encode()  # noqa: S311 - to spread, not to hide
            await send({"type": "http.response.body", "body": hello, "more_body": True})
            if await self._look_up(table) is None or not await self._call(self._sources.admits, refusal):
                await send({"type": "http.response.body", "body": b""})  # since it was asked, and before it was listed
                return
            stream.stirred = self._stirred.get(table, 0)
            stream.heard_at = time.monotonic()
            within = SPREAD_MS if is_back else 0
            first = f"event: stirred\ndata: {json.dumps({'within': within})}\n\n".encode()
            await send({"type": "http.response.body", "body": first, "more_body": True})
            self._push(stream)
            while (await receive())["type"] != "http.disconnect":
                pass
        except NotStored:
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._forget(stream, slot)

    async def _find_refusal(self, table: str, headers: Mapping[bytes, bytes]) -> tuple[int, str] | Caller:
        """Return status and sentence of a refusal, or the caller who may follow the table."""
        caller = self._sources.caller(_token(headers))
        if caller is None:
            return 401, "Log in first."
        if self.is_draining or self._count >= MOST_STREAMS or self._by_login.get(_login(caller), 0) >= MOST_OF_A_LOGIN:
            return 503, "All places for screens that follow live are taken."
        if not await self._call(self._sources.admits, caller):
            return 401, "This login has ended: log in or join again."
        if not caller.may_enter(table):
            return 403, "This table is another one."
        if await self._look_up(table) is None:
            return 404, "There is no such table."
        return caller

    async def _look_up(self, table: str) -> int | None:
        """Return the version of a table, from the database where nobody follows it yet."""
        if table not in self._versions:
            version: int | None = await self._call(self._sources.latest_version, table)
            if version is None:
                return None
            if table in self._streams:
                self._versions[table] = max(version, self._versions.get(table, 0))
            return version
        return self._versions[table]

    async def _call(self, act: Callable[[Any], Any], value: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, act, value)

    def _register(self, stream: _Stream, slot: set[_Stream]) -> None:
        self._streams.setdefault(stream.table, set()).add(stream)
        slot.add(stream)
        self._count += 1
        login = _login(stream.caller)
        self._by_login[login] = self._by_login.get(login, 0) + 1

    def _forget(self, stream: _Stream, slot: set[_Stream]) -> None:
        slot.discard(stream)
        self._count -= 1
        login = _login(stream.caller)
        self._by_login[login] -= 1
        if not self._by_login[login]:
            del self._by_login[login]
        followers = self._streams[stream.table]
        followers.discard(stream)
        if not followers:
            del self._streams[stream.table]
            self._versions.pop(stream.table, None)
            self._stirred.pop(stream.table, None)

    # --------------------------------------------------------------------------------------------------- news

    def _take(self, news: News, heard_at: float) -> None:
        for table, version in news.versions.items():
            if table in self._streams and version > self._versions.get(table, 0):
                self._versions[table] = version
                self._push_all(table, heard_at)
        if not news.is_complete:  # the database was away, for all pages at once
            self._stir_all(SPREAD_MS)
        if news.topics & {"shared", "people"}:
            self._shared_at = heard_at
        if news.stirred and heard_at - self._shared_at < OLDER_S:  # so they ask once more
            asyncio.get_running_loop().call_later(OLDER_S, self._stir, news.stirred, 0.0)
        self._stir(news.stirred, heard_at)
        if "began" in news.topics:  # pages ask once the proxy sends them there again
            asyncio.get_running_loop().call_later(BEGAN_S, self._stir_all)
        if "bin" in news.topics:
            self._begin(self._read_bin())
        if "people" in news.topics:
            self._begin(self._check_rights())

    def _stir(self, tables: AbstractSet[str], heard_at: float) -> None:
        """Let the pages of some tables ask what is no version."""
        for table in tables & self._streams.keys():
            self._stirred[table] = self._stirred.get(table, 0) + 1
            self._push_all(table, heard_at)

    def _stir_all(self, within_ms: int = BEGAN_SPREAD_MS) -> None:
        """Let all pages ask what is no version, over so many milliseconds."""
        for table, streams in self._streams.items():
            self._stirred[table] = self._stirred.get(table, 0) + 1
            for stream in streams:
                stream.within = within_ms
                self._push(stream)

    def _push_all(self, table: str, heard_at: float) -> None:
        for stream in self._streams[table]:
            stream.heard_at = heard_at
            self._push(stream)

    def _push(self, stream: _Stream) -> None:
        if not stream.busy and stream.stirred is not None:
            stream.busy = True
            self._begin(self._write(stream))

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _write(self, stream: _Stream) -> None:
        """Send a stream what it lacks; one whose reader is slow gets the latest when it has caught up."""
        try:
            while text := "".join(self._missing(stream)):
                await stream.send({"type": "http.response.body", "body": text.encode(), "more_body": True})
                if stream.heard_at:
                    self._screen_s = time.monotonic() - stream.heard_at
                    stream.heard_at = 0.0
                    self.events_sent += 1
            if stream.end:
                stream.stirred = None
                await stream.send({"type": "http.response.body", "body": b""})
        except OSError:  # its reader has gone
            pass
        finally:
            stream.busy = False

    def _missing(self, stream: _Stream) -> Iterator[str]:
        version = self._versions.get(stream.table, stream.sent)
        if version != stream.sent:
            stream.sent = version
            yield f'event: version\nid: {version}\ndata: {{"version":{version}}}\n\n'
        stirred = self._stirred.get(stream.table, 0)
        if stirred != stream.stirred:
            stream.stirred = stirred
            yield f'event: stirred\ndata: {{"within":{stream.within}}}\n\n'
            stream.within = 0
        if stream.beat:
            stream.beat = False
            yield ": still here\n\n"

    async def _read_bin(self) -> None:
        """End the streams of tables that lie in the bin."""
        for table in await self._ask_on("the bin", self._sources.binned, list(self._streams)):
            self._versions.pop(table, None)  # whoever comes now is not told that it is there
            self._end(self._streams.get(table, ()))

    async def _check_rights(self) -> None:
        """End the streams of logins that are not good any more."""
        streams = [stream for streams in self._streams.values() for stream in streams]

        def find_refused(callers: AbstractSet[Caller]) -> set[Caller]:
            return {caller for caller in callers if not self._sources.admits(caller)}

        refused: set[Caller] = await self._ask_on("the guests", find_refused, {stream.caller for stream in streams})
        self._end(stream for stream in streams if stream.caller in refused)

    async def _ask_on(self, what: str, question: Callable[[Any], Any], about: Any) -> Any:
        """Return what a source tells; ask until it does, because a change is told of only once."""
        while True:
            try:
                return await self._call(question, about)
            except NotStored:
                await asyncio.sleep(RETRY_S)
            except Exception:
                log.exception("%s could not be read; trying on", what)
                await asyncio.sleep(RETRY_S)

    def _end(self, streams: Iterable[_Stream]) -> None:
        for stream in list(streams):
            stream.end = True
            self._push(stream)

    # ------------------------------------------------------------------------------------------------- running

    async def run(self, listening: socket.socket, when_ready: Callable[[], None]) -> None:
        """Serve on a listening socket until SIGTERM or Ctrl-C; then streams end one by one, over some seconds."""
        self._loop = asyncio.get_running_loop()
        server = _Server(
            uvicorn.Config(
                self,
                log_config=None,
                access_log=False,
                lifespan="off",
                http="httptools",
                ws="none",
                server_header=False,
                date_header=False,
                timeout_graceful_shutdown=int(GOODBYE_S),
            ),
            when_ready,
        )
        stopping = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            self._loop.add_signal_handler(number, stopping.set)
        serving = self._loop.create_task(server.serve(sockets=[listening]))
        beating = [self._loop.create_task(self._beat()), self._loop.create_task(self._watch())]
        await stopping.wait()
        self.is_draining = True
        for listener in server.servers:  # another process may go on listening on the socket
            listener.close()
        await self._drain()
        server.should_exit = True
        for task in beating:
            task.cancel()
        await serving
        self._threads.shutdown(wait=False)

    async def _drain(self) -> None:
        streams = [stream for streams in self._streams.values() for stream in streams]
        random.shuffle(streams)
        steps = max(1, min(len(streams), int(DRAIN_S * 10)))
        for step in range(steps):
            self._end(streams[step::steps])
            await asyncio.sleep(DRAIN_S / 100)

    async def _beat(self) -> None:
        slot = 0
        while True:
            await asyncio.sleep(HEARTBEAT_S / SLOTS)
            slot = (slot + 1) % SLOTS
            for stream in list(self._slots[slot]):
                stream.beat = True
                self._push(stream)

    async def _watch(self) -> None:
        """Measure the way by the database, and check rights now and then."""
        checked_at = time.monotonic()
        while True:
            await asyncio.sleep(PROBE_S)
            self.probe()
            if time.monotonic() - checked_at >= CHECK_S:
                checked_at = time.monotonic()
                await self._check_rights()

    def _measured(self) -> Iterator[tuple[str, float]]:
        yield "streams", self._count
        yield "streams_most", MOST_STREAMS
        yield "tables_followed", len(self._streams)
        yield "events_sent_total", self.events_sent
        yield "screen_seconds", round(self._screen_s, 6)
        yield from self.measures().items()


class _Server(uvicorn.Server):
    """A server in an event loop that handles signals itself."""

    def __init__(self, config: uvicorn.Config, when_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_ready = when_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._when_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _token(headers: Mapping[bytes, bytes]) -> str:
    """Return the login token of a request; a token in the header counts alone, as everywhere in the app."""
    header = headers.get(b"authorization")
    if header is not None:
        scheme, _, token = header.decode("latin-1").partition(" ")
        return token.strip() if scheme.lower() == "bearer" else ""
    pairs = (pair.strip().partition("=") for pair in headers.get(b"cookie", b"").decode("latin-1").split(";"))
    cookies = {name: value for name, _, value in pairs}
    return cookies.get(SECURE_PREFIX + LOGIN_COOKIE) or cookies.get(LOGIN_COOKIE, "")


def _login(caller: Caller) -> str:
    return caller.device or f"{caller.role} {caller.table} {caller.player}"


async def _answer(
    send: Send, status: int, body: Any, kind: bytes = b"application/json", more: Headers | None = None
) -> None:
    headers = [(b"content-type", kind), (b"cache-control", b"no-store"), *(more or ())]
    text = body if isinstance(body, str) else json.dumps(body)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})


async def _refuse(send: Send, status: int, detail: str) -> None:
    kind, title = _KINDS[status]
    type_ = f"/api/v1/openapi.json#/components/responses/{kind}"
    problem = {"type": type_, "title": title, "status": status, "detail": detail}
    more = [(b"connection", b"close"), *_MORE_HEADERS.get(status, ())]
    await _answer(send, status, problem, b"application/problem+json", more)
