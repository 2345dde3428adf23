"""The pages over a real application that the tests of a module share; what writes plays a table of its own."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.adapters.journal.memory import InMemoryJournal
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.access.logins import Caller, Logins
from companion.service.camera.scanner import Scanner
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.club_events import ClubEvents
from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.browser.conftest import browser_type_launch_args
from tests.opened import CARDS, master_builder
from tests.web.conftest import PIN, SECRET, ManualClock, house, read_picture
from tests.web.fake_scanner import FakeScanner, devices
from tests.web.shared_app import client_of, serve, shared_app
from tests.web_pages.banker_browser import context, page
from tests.web_pages.whole_games import JsonObject, house_moments, moments, table_at

__all__ = ["browser_type_launch_args", "context", "house", "page"]

At = Callable[[str], tuple[str, JsonObject]]


@pytest.fixture(scope="module")
def journal() -> InMemoryJournal:
    return InMemoryJournal()


@pytest.fixture(scope="module")
def tables(house: Catalog, journal: InMemoryJournal) -> Tables:
    """Tables that live as long as the tests: whole games are played, and no disk need remember them."""
    numbers = count(1)
    game = master_builder({"house": house})
    of = {"game": "master_builder"}
    decks: list[dict[str, Any]] = [
        {
            "name": "house",
            "title": "House deck",
            "game": "master_builder",
            "invented": True,
            "cards": CARDS.as_json(house),
        },
        {**of, "name": "torn", "title": None, "fault": "contracts.csv, line 3: no price"},
    ]
    return Tables({"master_builder": game}, journal, SystemClock(), lambda: f"t{next(numbers)}", lambda: decks)


@pytest.fixture(scope="module")
def scanner(tables: Tables) -> FakeScanner:
    return FakeScanner(tables)


@pytest.fixture(scope="module")
def services(tables: Tables, journal: InMemoryJournal, scanner: FakeScanner) -> Services:
    logins, events = Logins(PIN, SECRET, ManualClock()), ClubEvents(tables, journal)
    looking = cast("Scanner", scanner)
    return Services(tables, looking, logins, read_picture, "9.9", devices(scanner), club_events=events)


@pytest.fixture(scope="module")
def app(services: Services) -> Flask:
    return shared_app(services)


@pytest.fixture
def stranger(app: Flask) -> FlaskClient:
    """A browser that has not logged in."""
    return app.test_client()


@pytest.fixture(scope="module")
def as_caller(app: Flask, services: Services) -> Callable[[Caller], FlaskClient]:
    """A browser with the token of a caller."""
    return partial(client_of, app, services)


@pytest.fixture
def banker(as_caller: Callable[[Caller], FlaskClient]) -> FlaskClient:
    """The banker's browser, which remembers no language yet."""
    return as_caller(Caller("banker"))


@pytest.fixture(scope="module")
def moment(tables: Tables) -> At:
    """Play a table of its own to a moment; give its id and what the banker is shown."""

    def played(name: str) -> tuple[str, JsonObject]:
        return table_at(tables, next(moment for moment in (*moments(), *house_moments()) if moment.name == name))

    return played


@pytest.fixture(scope="module")
def seen(moment: At) -> At:
    """Return the one table at a moment that is only looked at."""
    by_name: dict[str, tuple[str, JsonObject]] = {}

    def there(name: str) -> tuple[str, JsonObject]:
        if name not in by_name:
            by_name[name] = moment(name)
        return by_name[name]

    return there


@pytest.fixture(scope="module")
def server(app: Flask) -> Iterator[Server]:
    """The real server, on a free port of this machine."""
    yield from serve(Server(app, "127.0.0.1", 0))
