"""An application with every installed game, for tests of what holds in all of them."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import cast

from flask.testing import FlaskClient

from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.service.access.logins import Caller, Logins
from companion.service.camera.scanner import Scanner
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.registry import Tables
from tests.opened import installed_games
from tests.web.conftest import PIN, SECRET, ManualClock, read_picture
from tests.web.fake_scanner import FakeScanner, devices

AsCaller = Callable[[Caller], FlaskClient]


def tables_of_every_game(catalogs: Path) -> Tables:
    """Return tables of every installed game; ``catalogs`` is the folder of an owner's own ones."""
    numbers = count(1)
    games = bootstrap.load_games(installed_games(), catalogs)
    return Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)


def services_over(tables: Tables) -> Services:
    """Return what an application needs over these tables, with a camera that sees nothing."""
    scanner = FakeScanner(tables)
    logins = Logins(PIN, SECRET, ManualClock())
    return Services(tables, cast("Scanner", scanner), logins, read_picture, "9.9", devices(scanner))
