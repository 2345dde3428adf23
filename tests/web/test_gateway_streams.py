"""Streams of the gateway whose rights or table end while they are opened, and pages that are answered from before."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pytest

from companion import gateway as gateway_module
from companion.gateway import Gateway, Sources
from companion.service.access.logins import Caller
from companion.service.ports import News, NotStored
from tests.waiting import PATIENCE_S

TABLE = "t1"
CALLER = Caller("spectator", table=TABLE, device="device")


@dataclass
class Database:
    """Answers to the gateway: each in turn, the last one for ever."""

    admits: list[bool] = field(default_factory=lambda: [True])
    versions: list[int | None] = field(default_factory=lambda: [3])

    def sources(self) -> Sources:
        return Sources(
            lambda _: CALLER, lambda _: next_of(self.admits), lambda _: next_of(self.versions), lambda tables: tables
        )


def next_of(answers: list[Any]) -> Any:
    return answers.pop(0) if len(answers) > 1 else answers[0]


@dataclass
class Reader:
    """Somebody who follows the table."""

    gateway: Gateway
    sent: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    reads: asyncio.Event = field(default_factory=asyncio.Event)
    waits: bool = False

    def __post_init__(self) -> None:
        self.reads.set()

    async def follow(self) -> None:
        async def receive() -> dict[str, Any]:
            await self.gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            self.waits = not self.reads.is_set()
            await self.reads.wait()
            self.sent.append(dict(message))
            if not message.get("more_body") and message["type"] == "http.response.body":
                self.gone.set()

        path = f"/api/v1/tables/{TABLE}/stream"
        scope = {"type": "http", "path": path, "method": "GET", "headers": [], "query_string": b""}
        await self.gateway(scope, cast("Any", receive), cast("Any", send))

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()


def heard_here(database: Database) -> Gateway:
    """Return a gateway that hears news in the running loop, without a socket."""
    gateway = Gateway(database.sources())
    gateway._loop = asyncio.get_running_loop()
    return gateway


def play(act: Callable[[], Awaitable[None]]) -> None:
    """Run something in an event loop of its own, with a limit; in a thread, for browsers of tests have a loop too."""

    async def limited() -> None:
        await asyncio.wait_for(cast("Any", act()), PATIENCE_S)

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(limited())).result()


async def until(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110 - nothing tells of it
        await asyncio.sleep(0.001)


@pytest.mark.parametrize(
    "database",
    [
        pytest.param(Database(admits=[True, False]), id="the login ends"),
        pytest.param(Database(versions=[3, None]), id="the table is put into the bin"),
    ],
)
def test_a_stream_ends_if_that_happens_while_it_is_opened(database: Database) -> None:
    # given a gateway that hears of the end before the stream is one of those that it looks through
    async def act() -> None:
        reader = Reader(Gateway(database.sources()))

        # when somebody begins to follow, then the stream ends, and tells no version
        await reader.follow()
        assert reader.sent[0]["status"] == 200
        assert "event:" not in reader.text

    play(act)


def test_whoever_comes_while_the_streams_of_a_binned_table_end_does_not_follow_it() -> None:
    # given somebody who follows a table, and then reads nothing for a while
    database = Database()

    async def act() -> None:
        gateway = heard_here(database)
        first = Reader(gateway)
        following = asyncio.create_task(first.follow())
        await until(lambda: '"version":3' in first.text)
        first.reads.clear()

        # when it is put into the bin, and another one comes before the stream of the first has ended
        database.versions = [None]
        gateway.hear(News(topics=frozenset({"bin"})))
        await until(lambda: first.waits)
        second = Reader(gateway)
        await second.follow()

        # then there is no such table
        assert second.sent[0]["status"] == 404
        first.reads.set()
        await following

    play(act)


def test_pages_ask_once_more_when_the_process_that_answers_may_not_know_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "OLDER_S", 0.05)

    async def act() -> None:
        # given a page that follows a table
        gateway = heard_here(Database())
        reader = Reader(gateway)
        following = asyncio.create_task(reader.follow())
        await until(lambda: '"version":3' in reader.text)
        before = reader.text.count("event: stirred")

        # when something at the table changes alone, then it is told once
        gateway.hear(News(stirred=frozenset({TABLE})))
        await until(lambda: reader.text.count("event: stirred") == before + 1)
        await asyncio.sleep(gateway_module.OLDER_S)  # what was to be told again would be told before this ends
        gateway.hear(News(versions={TABLE: 4}))
        await until(lambda: '"version":4' in reader.text)
        assert reader.text.count("event: stirred") == before + 1

        # when where its guests go on to is stored for all processes, and told of, then it is told again a moment later
        gateway.hear(News(topics=frozenset({"shared"})))
        gateway.hear(News(stirred=frozenset({TABLE})))
        await until(lambda: reader.text.count("event: stirred") == before + 3)
        reader.gone.set()
        await following

    play(act)


@pytest.mark.parametrize(
    ("topic", "endings"),
    [
        pytest.param("bin", lambda faulty: {"binned": faulty([TABLE])}, id="its table is put into the bin"),
        pytest.param("people", lambda faulty: {"admits": faulty(False)}, id="its login ends"),
    ],
)
def test_a_stream_ends_though_the_database_refused_to_say_so_at_first(
    topic: str, endings: Callable[[Callable[..., Any]], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gateway_module, "RETRY_S", 0.01)
    faults: list[Exception] = []

    def faulty(answer: object) -> Callable[[Any], Any]:
        def find(_: object) -> object:
            if faults:
                raise faults.pop()
            return answer

        return find

    async def act() -> None:
        # given a page that follows a table
        database = Database().sources()
        gateway = Gateway(database)
        gateway._loop = asyncio.get_running_loop()
        reader = Reader(gateway)
        following = asyncio.create_task(reader.follow())
        await until(lambda: '"version":3' in reader.text)

        # when something ends while the database refuses, then the stream ends all the same
        faults.extend([NotStored("locked"), ValueError("a fault of the program")])
        gateway._sources = replace(database, **endings(faulty))
        gateway.hear(News(topics=frozenset({topic})))
        await following
        assert not faults

    play(act)
