"""A whole web application over real tables, with a camera that says what a test wants."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.adapters.backup.folder import BackupFolder
from companion.adapters.boxes import BoxFolder
from companion.adapters.journal.sqlite import SqliteJournal
from companion.adapters.system import local_now
from companion.bootstrap.installation import describe_commands
from companion.config import DataFolder
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.access.guests import GuestList, Guests
from companion.service.access.logins import Caller, Logins
from companion.service.access.screens import ScreenPairings
from companion.service.backups import Backups
from companion.service.camera.scanner import Scanner
from companion.service.ports import InMemoryStore
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.club_events import ClubEvents
from companion.service.table.registry import Tables
from companion.service.teaching.boxes import Boxes
from companion.web import create_app
from companion.web.server.server import Server
from tests.described_answers import compared_answers
from tests.opened import house_deck, installed_games, master_builder
from tests.web.fake_scanner import FakeScanner, devices
from tests.web.shared_app import client_of, serve, shared_app

PIN = "135790"
SECRET = "0123456789abcdef" * 3
START = {
    "do": "start_game",
    "game": "master_builder",
    "catalog": "house",
    "first": "blue",
    "players": [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}],
}
HIRE = {"do": "hire_worker", "player": "blue", "worker": "W07"}


class ManualClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def answers_are_described() -> Iterator[None]:
    """A test fails if an endpoint answers what its description does not say."""
    with compared_answers():
        yield


@pytest.fixture(scope="session")
def house() -> Catalog:
    return house_deck()


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(tmp_path / "journal.db")
    yield journal
    journal.close()


@pytest.fixture
def tables(journal: SqliteJournal, house: Catalog) -> Tables:
    numbers = count(1)
    game = master_builder({"house": house})
    return Tables({"master_builder": game}, journal, SystemClock(), lambda: f"t{next(numbers)}", list)


@pytest.fixture
def scanner(tables: Tables) -> FakeScanner:
    return FakeScanner(tables)


def read_picture(name: str, body: bytes) -> dict[str, Any]:
    if not body.startswith(b"\x89PNG"):
        return {"image": name, "error": "this is no picture"}
    return {"image": name, "width": 1, "height": 1, "ms": 0.1, "tags": []}


@pytest.fixture
def services(
    tables: Tables, journal: SqliteJournal, scanner: FakeScanner, clock: ManualClock, tmp_path: Path
) -> Services:
    logins = Logins(PIN, SECRET, clock)
    guests = Guests(InMemoryStore(GuestList()))
    return Services(
        tables,
        cast("Scanner", scanner),
        logins,
        read_picture,
        "9.9",
        devices(scanner),
        screens=3,
        boxes=Boxes(BoxFolder(tmp_path / "boxes", tmp_path / "catalogs"), installed_games().manifests),
        backups=Backups(BackupFolder(DataFolder(tmp_path / "data")), tables.over_here, local_now),
        command_schemas=partial(describe_commands, tables.games),
        pairings=ScreenPairings(clock),
        guests=guests,
        club_events=ClubEvents(tables, journal, unseat=guests.leave_seats),
    )


@pytest.fixture
def app(request: pytest.FixtureRequest, services: Services) -> Flask:
    return create_app(services) if request.node.get_closest_marker("own_app") else shared_app(services)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """A browser that has not logged in."""
    return app.test_client()


@pytest.fixture
def as_caller(app: Flask, services: Services) -> Callable[[Caller], FlaskClient]:
    """A program with the token of a caller."""
    return partial(client_of, app, services)


@pytest.fixture
def banker(as_caller: Callable[[Caller], FlaskClient]) -> FlaskClient:
    return as_caller(Caller("banker"))


@pytest.fixture
def tablet(app: Flask) -> FlaskClient:
    """A browser in which the banker has logged in: it has the cookie, not the header."""
    client = app.test_client()
    assert client.post("/api/v1/logins", json={"pin": PIN}).status_code == 201
    return client


@pytest.fixture
def table(banker: FlaskClient) -> str:
    """The address of a table that has just begun."""
    return str(banker.post("/api/v1/tables", json=START).headers["Location"])


@pytest.fixture
def server(app: Flask) -> Iterator[Server]:
    """The real server, on a free port of this machine."""
    yield from serve(Server(app, "127.0.0.1", 0))
