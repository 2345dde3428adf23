"""A hall under load, beside a bare server in one run: tables with five pages each, at a command every ten seconds.

    python -m benchmarks.hall [TABLES] [SECONDS] [STREAMS] [--workers 2] [--database ADDRESS] [--no-bare]
        [--limits COMMAND DRAWN]

``companion serve --workers`` runs over a PostgreSQL server (without an address: one of its own).  Each table has a
tablet, a big screen and three phones.  In the middle third of the time commands come three times as often.  A command
counts from the moment when it was due, and a page as drawn when it has its part of that version or of a later one.
A part that takes five seconds is given up and asked for anew, as pages do.
Afterwards STREAMS pages follow tables at which nothing happens.

The peer is gunicorn with a row inserted for each command, which knows no game and sends parts of the same length; it is
in no lock file: pip install gunicorn.
"""

import asyncio
import contextlib
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.arguments import create_parser
from benchmarks.engine.long_game import SEATS, START_COMMAND, long_game
from benchmarks.screens.screen import HOST, ask
from benchmarks.serving import serving
from tests.postgres import running_cluster

TABLES, SECONDS, STREAMS = 300, 60, 5_000
EVERY_S, BURST, PHONES = 10.0, 3, 3
LAST_S = 15.0
"""How long pages may take for the last commands before they count as behind."""
OPENING_S = 120.0
TICKS = os.sysconf("SC_CLK_TCK")

BARE = """
import os
from psycopg_pool import ConnectionPool
pool = ConnectionPool(os.environ["COMPANION_DATABASE"], max_size=8, kwargs={"autocommit": True}, open=True)
part = b"x" * int(os.environ["PART_BYTES"])
def app(environ, start):
    body = part
    if environ["REQUEST_METHOD"] == "POST":
        line = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])).decode()
        with pool.connection() as connection:
            connection.execute("INSERT INTO bare (line) VALUES (%s)", (line,))
        body = b"{}"
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""

PART_S, GIVEN_UP = 5.0, 0
"""Seconds after which a page gives a part up and asks anew, as pages do, and in place of the status then."""


@dataclass
class Figures:
    """Seconds of commands and until pages were drawn, statuses other than success, and bytes of parts."""

    commands: list[float] = field(default_factory=list)
    drawn: list[float] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)
    behind: int = 0
    part_bytes: list[int] = field(default_factory=list)


class Link:
    """A connection that stays open, and is opened again where it broke."""

    def __init__(self, port: int, token: str) -> None:
        """Connect when the first request is sent."""
        self._port, self._token = port, token
        self._ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    async def send(
        self, method: str, path: str, body: bytes = b"", patience_s: float | None = None, **headers: str
    ) -> tuple[int, int]:
        """Send a request; return status and length of the answer, ``GIVEN_UP`` where none came in time."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", f"Authorization: Bearer {self._token}"]
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"] * bool(body)
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        request = "\r\n".join([*lines, "", ""]).encode() + body
        async with self._turn:
            for _ in range(3):
                try:
                    return await asyncio.wait_for(self._exchange(request), patience_s)
                except TimeoutError:
                    self.close()
                    break
                except (OSError, asyncio.IncompleteReadError, IndexError):
                    self.close()
            return GIVEN_UP, 0

    async def _exchange(self, request: bytes) -> tuple[int, int]:
        if self._ends is None:
            self._ends = await asyncio.open_connection(HOST, self._port)
        reader, writer = self._ends
        writer.write(request)
        status, length = int((await reader.readline()).split()[1]), 0
        while (line := await reader.readline()).strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        await reader.readexactly(length)
        return status, length

    def close(self) -> None:
        """Close the connection."""
        if self._ends is not None:
            self._ends[1].close()
            self._ends = None


@dataclass
class Page:
    """A page of one table.  ``version``: the one that it shows; ``due``: when the commands were given that it lacks."""

    port: int
    table: str
    token: str
    part: str
    figures: Figures
    version: int = 0
    due: dict[int, float] = field(default_factory=dict)

    async def follow(self) -> None:
        """Follow the table until cancelled, and fetch the part after each version."""
        link, news = Link(self.port, self.token), asyncio.Queue[int]()
        fetching = asyncio.create_task(self._fetch(link, news))
        try:
            while True:
                with contextlib.suppress(OSError):
                    await self._listen(news)
                await asyncio.sleep(0.15 + random.random() * 0.15)  # noqa: S311 - as pages wait
        finally:
            fetching.cancel()
            link.close()

    async def _listen(self, news: "asyncio.Queue[int]") -> None:
        reader, writer = await asyncio.open_connection(HOST, self.port)
        try:
            path = f"/api/v1/tables/{self.table}/stream?data=version"
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {self.token}\r\n\r\n".encode())
            status = await reader.readline()
            if b" 200 " not in status:
                self.figures.refused[int(status.split()[1]) if status else 0] += 1
                return
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    news.put_nowait(int(line[4:]))
        finally:
            writer.close()

    async def _fetch(self, link: Link, news: "asyncio.Queue[int]") -> None:
        while True:
            version = await news.get()
            while not news.empty():
                version = news.get_nowait()
            path = f"/tables/{self.table}/live?part={self.part}&at={version}"
            status, length = await link.send("GET", path, patience_s=PART_S)
            if status != 200:  # noqa: PLR2004
                self.figures.refused[status] += 1
                news.put_nowait(version)
                await asyncio.sleep(0.3)
                continue
            self.figures.part_bytes.append(length)
            self.show(version)

    def show(self, version: int) -> None:
        """Note that a version is drawn."""
        self.version = max(self.version, version)
        now = time.monotonic()
        for number in [number for number in self.due if number <= version]:
            self.figures.drawn.append(now - self.due.pop(number))


@dataclass
class Table:
    """A table, its pages, and who gives its commands."""

    id: str
    pages: list[Page]
    link: Link
    version: int = 1

    async def give(self, command: bytes, figures: Figures) -> None:
        """Send the next command, again until it is taken."""
        due, key = time.monotonic(), f"{self.id}-{self.version}"
        for page in self.pages:
            page.due[self.version + 1] = due
        while True:
            status, _ = await self.link.send(
                "POST", f"/api/v1/tables/{self.id}/commands", command, If_Match=str(self.version), Idempotency_Key=key
            )
            if status == 200:  # noqa: PLR2004
                break
            figures.refused[status] += 1
            await asyncio.sleep(0.3)
        self.version += 1
        figures.commands.append(time.monotonic() - due)


async def wait_for(true: Callable[[], bool], limit_s: float) -> None:
    """Wait until something is true, at most so long."""
    give_up = time.monotonic() + limit_s
    while not true() and time.monotonic() < give_up:  # noqa: ASYNC110 - a state of many tasks
        await asyncio.sleep(0.05)


async def play(tables: Sequence[Table], commands: Sequence[bytes], seconds: float, figures: Figures) -> None:
    """Let every table give its commands, and wait until its pages have drawn them."""
    begun = time.monotonic()

    async def play_table(table: Table) -> None:
        wait = random.random() * EVERY_S  # noqa: S311 - a moment
        while time.monotonic() - begun + wait < seconds:
            await asyncio.sleep(wait)
            await table.give(commands[table.version - 1], figures)
            is_burst = seconds / 3 <= time.monotonic() - begun < seconds * 2 / 3
            wait = EVERY_S / (BURST if is_burst else 1) * (0.8 + random.random() * 0.4)  # noqa: S311

    await asyncio.gather(*map(play_table, tables))
    await wait_for(lambda: not any(page.due for table in tables for page in table.pages), LAST_S)
    figures.behind = sum(bool(page.due) for table in tables for page in table.pages)


async def open_tables(port: int, pin: str, count: int, figures: Figures) -> list[Table]:
    """Begin tables with five pages each."""
    banker = str((await ask(port, "/api/v1/logins", {"pin": pin}))["token"])

    async def login(table: object, invitation: object) -> str:
        invited = await ask(port, f"/api/v1/tables/{table}/invitations", invitation, banker)
        return str((await ask(port, "/api/v1/logins", {"join": invited["token"]}))["token"])

    tables: list[Table] = []
    for _ in range(count):
        table = str((await ask(port, "/api/v1/tables", START_COMMAND, banker))["id"])
        phones = [(await login(table, {"player": seat}), "seat") for seat in SEATS[:PHONES]]
        tablet = str((await ask(port, "/api/v1/logins", {"pin": pin}))["token"])
        kinds = [(tablet, "tablet"), (await login(table, {"spectator": True}), "display"), *phones]
        pages = [Page(port, table, token, part, figures) for token, part in kinds]
        tables.append(Table(table, pages, Link(port, tablet)))
    return tables


def processor_s(pids: Sequence[int]) -> float:
    """Return the seconds of processor that processes have taken together (Linux)."""
    fields = [Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split() for pid in pids]
    return sum(int(each[11]) + int(each[12]) for each in fields) / TICKS


def memory_mb(pid: int) -> float:
    """Return the memory that a process holds, in megabytes (resident, Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processes_of(parent: int) -> dict[str, int]:
    """Return the processes that another one has started, by name (Linux)."""
    named: dict[str, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            if int((folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[1]) == parent:
                words = (folder / "cmdline").read_text(encoding="utf-8").split("\0")
                named[words[3] if "companion.cli.workers" in words else Path(words[0]).name] = int(folder.name)
    return named


def tell(server: str, figures: Figures, seconds: float, processor: float) -> None:
    """Print a server's figures."""
    number = len(figures.commands)
    for what, spent in (("commands", figures.commands), ("drawn", figures.drawn)):
        if len(spent) > 1:
            parts = quantiles(spent, n=100)
            print(f"{server:10} {what:9} median {parts[49] * 1e3:7.1f} ms   p99 {parts[98] * 1e3:7.1f} ms", flush=True)
    rate, each = number / seconds, processor / max(number, 1) * 1e3
    refused = (
        ", ".join(f"{status or 'given up'}: {times}" for status, times in sorted(figures.refused.items())) or "none"
    )
    print(f"{server:10} {number} commands, {rate:.1f} a second; {each:.1f} ms of processor each", flush=True)
    print(f"{server:10} refused {refused}; pages behind: {figures.behind}", flush=True)


def fits_limits(figures: Figures, limits: Sequence[float]) -> bool:
    """Return whether commands and pages are as quick as these limits in milliseconds (p99), and none was refused."""
    p99_ms = [quantiles(spent, n=100)[98] * 1e3 for spent in (figures.commands, figures.drawn)]
    is_quick = all(ms <= limit for ms, limit in zip(p99_ms, limits, strict=True))
    fits = is_quick and not figures.refused[503] and not figures.behind
    print(
        f"companion  {'within' if fits else 'NOT within'} {limits[0]:.0f} and {limits[1]:.0f} ms without a 503",
        flush=True,
    )
    return fits


async def of_hall(process: int, port: int, pin: str, wish: Any, commands: Sequence[bytes]) -> Figures:
    """Load the hall and print its figures."""
    figures = Figures()
    begun = time.monotonic()
    tables = await open_tables(port, pin, wish.tables, figures)
    print(
        f"{wish.tables} tables with {len(tables[0].pages)} pages opened in {time.monotonic() - begun:.0f} s", flush=True
    )
    following = [asyncio.create_task(page.follow()) for table in tables for page in table.pages]
    await wait_for(lambda: all(page.version for table in tables for page in table.pages), OPENING_S)
    parts = processes_of(process)
    before = {name: processor_s([pid]) for name, pid in parts.items()}
    await play(tables, commands, wish.seconds, figures)
    spent = {name: processor_s([pid]) - before[name] for name, pid in parts.items()}
    tell("companion", figures, wish.seconds, sum(spent.values()))
    cores = "   ".join(f"{name} {spent[name] / wish.seconds:.2f}" for name in sorted(parts))
    print(f"companion  cores: {cores}", flush=True)
    print("companion  MB: " + "   ".join(f"{name} {memory_mb(parts[name]):.0f}" for name in sorted(parts)), flush=True)
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    if wish.streams:
        await hold_streams(port, tables, wish.streams, parts)
    return figures


async def hold_streams(port: int, tables: Sequence[Table], count: int, parts: dict[str, int]) -> None:
    """Let many pages follow tables at which nothing happens, and print what that costs."""
    figures = Figures()
    open_pages = itertools.cycle(page for table in tables for page in table.pages[1:])
    pages = [Page(port, page.table, page.token, page.part, figures) for page in itertools.islice(open_pages, count)]
    news: asyncio.Queue[int] = asyncio.Queue()
    await asyncio.sleep(3)
    before = memory_mb(parts["gateway"])
    tasks: list[asyncio.Task[None]] = []
    for begin in range(0, count, 100):
        tasks += [asyncio.create_task(page._listen(news)) for page in pages[begin : begin + 100]]  # noqa: SLF001
        await asyncio.sleep(0.05)
    await wait_for(lambda: news.qsize() >= count, OPENING_S)
    busy = {name: processor_s([parts[name]]) for name in ("gateway", "haproxy")}
    await asyncio.sleep(20)
    for name in ("gateway", "haproxy"):
        cores = (processor_s([parts[name]]) - busy[name]) / 20
        print(f"{news.qsize()} idle streams: {name} {memory_mb(parts[name]):.0f} MB, {cores:.3f} core", flush=True)
    print(f"gateway before: {before:.0f} MB; refused {dict(figures.refused) or 'none'}", flush=True)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def of_bare(port: int, wish: Any, commands: Sequence[bytes]) -> Figures:
    """Load the bare server: each command inserts a row, and each page fetches as many bytes after it."""
    figures = Figures()
    tables: list[Table] = []
    for number in range(wish.tables):
        pages = [Page(port, str(number), "", "p", figures) for _ in range(2 + PHONES)]
        tables.append(Table(str(number), pages, Link(port, "")))

    async def follow(table: Table, page: Page) -> None:
        link = Link(port, "")
        while True:
            if page.version < table.version:
                version = table.version
                await link.send("GET", "/part")
                page.show(version)
            await asyncio.sleep(0.005)

    following = [asyncio.create_task(follow(table, page)) for table in tables for page in table.pages]
    await play(tables, commands, wish.seconds, figures)
    for task in following:
        task.cancel()
    await asyncio.gather(*following, return_exceptions=True)
    return figures


@contextmanager
def bare_server(database: str, workers: int, part_bytes: int) -> Iterator[tuple[int, int]]:
    """Serve with gunicorn; give its process and port."""
    import psycopg  # noqa: PLC0415 - of a hall alone

    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE TABLE bare (n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line TEXT)")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bare_app.py").write_text(BARE, encoding="utf-8")
        port = 20_000 + os.getpid() % 20_000
        program = [sys.executable, "-m", "gunicorn", "--chdir", folder, "-b", f"{HOST}:{port}", "-k", "gthread"]
        program += ["-w", str(workers), "--threads", "16", "--log-level", "error", "--keep-alive", "60", "bare_app:app"]
        environment = {**os.environ, "COMPANION_DATABASE": database, "PART_BYTES": str(part_bytes)}
        with subprocess.Popen(program, env=environment) as process:
            try:
                time.sleep(3)
                yield process.pid, port
            finally:
                process.terminate()


def main() -> None:
    """Measure both and print."""
    parser = create_parser(__doc__, tables=TABLES, seconds=SECONDS, streams=STREAMS)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--database", default=None)
    parser.add_argument("--no-bare", action="store_true")
    parser.add_argument(
        "--limits",
        type=float,
        nargs=2,
        metavar=("COMMAND", "DRAWN"),
        help="exit 1 where 99 of 100 take more milliseconds, a page stays behind, or something is answered with 503",
    )
    wish = parser.parse_args()
    most = int(wish.seconds / EVERY_S * BURST * 1.5) + 10
    game = long_game(most)
    commands = [json.dumps(entry.command).encode() for entry in game.entries[1:]]
    with contextlib.ExitStack() as stack:
        database = wish.database or stack.enter_context(running_cluster()).address("postgres", "admin")
        with serving("--database", database, "--workers", str(wish.workers)) as (process, port, pin):
            ours = asyncio.run(of_hall(process.pid, port, pin, wish, commands))
        fits = wish.limits is None or fits_limits(ours, wish.limits)
        if wish.no_bare:
            sys.exit(not fits)
        part = round(sum(ours.part_bytes) / max(1, len(ours.part_bytes)))
        with bare_server(database, wish.workers, part) as (pid, port):
            pids = [pid, *processes_of(pid).values()]
            before = processor_s(pids)
            bare = asyncio.run(of_bare(port, wish, commands))
            tell("gunicorn", bare, wish.seconds, processor_s(pids) - before)
    for what, ours_s, bare_s in (("command", ours.commands, bare.commands), ("drawn", ours.drawn, bare.drawn)):
        ratio = quantiles(ours_s, n=100)[98] / quantiles(bare_s, n=100)[98]
        print(f"p99 {what}, companion / gunicorn: {ratio:.1f}")
    sys.exit(not fits)


if __name__ == "__main__":
    main()
