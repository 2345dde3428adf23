"""Two applications over one database, as two processes of a hall have them."""

import secrets
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.adapters.journal.bell import PEOPLE, SHARED, Bell
from companion.adapters.journal.database import Link
from companion.adapters.journal.postgres import PostgresJournal
from companion.adapters.stores import Settings
from companion.bootstrap.access import Access, open_shared_access
from companion.service.access.logins import Caller
from companion.service.camera.scanner import Scanner
from companion.service.runtime import ChangesHere, SystemClock
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.upkeep import CatchUp
from companion.web import attach, create_app
from tests.opened import house_deck, master_builder
from tests.web.fake_scanner import FakeScanner, devices

PIN = "135790"
SETTINGS = Settings(PIN, "0123456789abcdef" * 3)


@dataclass
class HallApp:
    """One application of several over a database."""

    address: str
    journal: PostgresJournal = field(init=False)
    access: Access = field(init=False)
    bell: Bell = field(init=False)
    app: Flask | None = None

    def open(self) -> None:
        """Open the database and everything over it; nothing in memory is kept from before."""
        self.bell = Bell(self.address)
        self.journal = PostgresJournal(self.address, "1.0", self.bell.ring)
        games = {"master_builder": master_builder({"house": house_deck()})}
        changes = ChangesHere(self.bell.stir)
        tables = Tables(games, self.journal, SystemClock(), lambda: secrets.token_hex(4), list, changes)
        self.catch_up = CatchUp(tables)
        self.bell.watched_versions = self.catch_up.versions
        self.access, hear = open_shared_access(SETTINGS, self.journal.database, self.bell.say)
        self.bell.when_heard(self.catch_up.hear)
        self.bell.when_heard(lambda news: hear(news.is_complete) if news.topics & {PEOPLE, SHARED} else None)
        scanner = FakeScanner(tables)
        services = Services(
            tables,
            cast("Scanner", scanner),
            self.access.logins,
            lambda name, _: {"image": name},
            "9.9",
            devices(scanner),
            preferences=self.access.preferences,
            guests=self.access.guests,
            lobby=self.access.lobby,
            pairings=self.access.pairings,
            answers=self.access.answers,
        )
        if self.app is None:
            self.app = create_app(services)
        else:
            attach(self.app, services)
        self.bell.start()
        self.catch_up.start()

    def mute(self) -> None:
        """Let every notification be lost on its way here, until it is opened again."""

        def hear_nothing(connection: Link) -> None:
            deque(connection.notifies(timeout=0), 0)

        self.bell._hear = hear_nothing  # type: ignore[method-assign]

    def close(self) -> None:
        """Close the database."""
        self.bell.stop()
        self.catch_up.stop()
        self.journal.close()

    def restart(self) -> None:
        """Close everything, and open it again."""
        self.close()
        self.open()

    def client(self, token: str = "") -> FlaskClient:
        """Return a program with a token; without one it is a stranger's."""
        assert self.app is not None
        made = self.app.test_client()
        if token:
            made.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
        return made

    @property
    def banker(self) -> FlaskClient:
        """A program of the banker."""
        return self.client(self.access.logins.token(Caller("banker")))

    def post(self, path: str, body: object, key: str | None = None, seen: int | None = None) -> TestResponse:
        """Post as the banker, with an idempotency key and the version that was seen."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return self.banker.post(path, json=body, headers=headers | ({} if seen is None else {"If-Match": str(seen)}))


@contextmanager
def two_apps(address: str, apps: tuple[HallApp, HallApp] | None = None) -> Iterator[tuple[HallApp, HallApp]]:
    """Open two applications over an empty database; ``apps`` are those of an earlier test, to be used again."""
    both = apps or (HallApp(address), HallApp(address))
    for each in both:
        each.address = address
        each.open()
    try:
        yield both
    finally:
        for each in both:
            each.close()


def json_of(ask: Callable[[], TestResponse]) -> Any:
    """Return the JSON of an answer that is a good one."""
    answer = ask()
    assert answer.status_code < 300, (answer.status_code, answer.get_data(as_text=True))
    return answer.get_json()
