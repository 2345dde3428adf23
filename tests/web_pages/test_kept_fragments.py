"""Lines of a page that stay as they are are drawn once; nobody sees a difference."""

import re
from collections.abc import Iterator

import pytest
from flask import Flask

from companion.service.access.logins import Caller
from companion.service.runtime import VersionCache
from companion.service.services import Services
from companion.service.table.history import Listing
from companion.service.table.registry import Tables
from companion.service.table.table import Table
from companion.web import create_app
from companion.web.http.caches import MOST_BYTES_OF_FRAGMENTS
from tests import extent
from tests.every_game import services_over, tables_of_every_game
from tests.hidden_games import HIDING, begin_hidden, play_hidden
from tests.web.shared_app import client_of

FEW = 12
ACTS = extent.of_all(FEW, 150)
FRAGMENTS = "companion.fragments"
SECONDS_LEFT = re.compile(r'data-seconds="\d+"')
"""Until tablet and phones tell the end themselves: it counts on between two looks."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return tables_of_every_game(tmp_path_factory.mktemp("catalogs"))


@pytest.fixture(scope="module")
def services(tables: Tables) -> Services:
    return services_over(tables)


@pytest.fixture(scope="module")
def app(services: Services) -> Flask:
    return create_app(services)


def parts_of(table: Table) -> Iterator[tuple[Caller, str]]:
    """Every part that follows a table, with who looks at it."""
    first, second, *_ = table.names()
    yield from ((Caller("banker"), part) for part in ("tablet", "display", "glance", "journal"))
    yield from ((Caller("player", player, table.id), "seat") for player in (first, second))


@pytest.mark.parametrize("game", HIDING)
def test_a_page_of_kept_lines_is_the_page_that_is_drawn_anew(
    tables: Tables, services: Services, app: Flask, game: str
) -> None:
    # given a table at which commands are given, undone, redone and amended, and money is hidden
    table = begin_hidden(tables, game, 8)
    screens = [(client_of(app, services, caller), part) for caller, part in parts_of(table)]

    # when a page is drawn after each act, then no line is one of an earlier page that would be another now
    for number in play_hidden(table, 8, most=ACTS):
        kept = app.extensions[FRAGMENTS]
        for client, part in screens:
            address = f"/tables/{table.id}/live?part={part}&lang={'de' if number % 2 else 'en'}"
            shown = SECONDS_LEFT.sub("", client.get(address).text)
            app.extensions[FRAGMENTS] = VersionCache(MOST_BYTES_OF_FRAGMENTS)
            anew = SECONDS_LEFT.sub("", client.get(address).text)
            app.extensions[FRAGMENTS] = kept
            assert shown == anew, (number, part)


@pytest.mark.parametrize("game", HIDING)
def test_a_journal_that_goes_on_is_listed_as_one_that_is_read_for_the_first_time(tables: Tables, game: str) -> None:
    # given a table at which commands are given, undone, redone and amended, and money is hidden
    table = begin_hidden(tables, game, 9)
    viewers = ("banker", "spectator", *table.names())

    # when its journal is asked for after each act, then everybody gets what a first look gives
    for _ in play_hidden(table, 9, most=ACTS):
        for viewer in viewers:
            assert table.journal(viewer) == Listing(table.game).of(table.history, viewer)
    assert table.version > FEW


def test_lines_that_have_not_changed_are_the_same_entries(tables: Tables) -> None:
    # given a table whose journal was read
    table = begin_hidden(tables, "master_builder", 10)
    acts = play_hidden(table, 10, most=8)
    next(acts)
    before = table.journal("banker")

    # when it goes on
    next(acts)
    after = table.journal("banker")

    # then what stood before was not written anew
    assert len(after) > len(before)
    assert all(entry is earlier for entry, earlier in zip(after, before, strict=False))
