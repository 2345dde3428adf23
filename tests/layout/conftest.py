"""One browser, one server and one set of tables, that all measures share."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.web import create_app
from companion.web.server.server import Server
from tests.browser.conftest import browser_type_launch_args
from tests.layout.moments import Moments
from tests.layout.places import Place, opened
from tests.waiting import PATIENCE_MS
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.conftest import house, journal, scanner, server, services, tables

__all__ = ["browser_type_launch_args", "house", "journal", "scanner", "server", "services", "tables"]

ARTIFACTS = Path(__file__).resolve().parents[2] / "test-artifacts" / "layout"

Visit = Callable[[Place, str], Page]
"""Opens a place in a language."""


@pytest.fixture(scope="module")
def app(services: Services) -> Flask:
    """Return an application with the page for phones on a hotspot, besides the others."""
    return create_app(replace(services, captive=True))


@pytest.fixture(scope="module")
def played(tables: Tables, services: Services, scanner: FakeScanner) -> Moments:
    """The tables at their moments."""
    return Moments(tables, services, scanner)


@pytest.fixture(scope="module")
def contexts(browser: Browser, server: Server) -> Iterator[Callable[[str], BrowserContext]]:
    """Return the browser of a device: what it has fetched, it keeps."""
    made: dict[str, BrowserContext] = {}

    def of(role: str) -> BrowserContext:
        if role not in made:
            made[role] = browser.new_context(
                base_url=f"http://127.0.0.1:{server.port}", locale="en-GB", reduced_motion="reduce"
            )
            made[role].set_default_timeout(PATIENCE_MS)
        return made[role]

    yield of
    for context in made.values():
        context.close()


@pytest.fixture(scope="module")
def visit(contexts: Callable[[str], BrowserContext], services: Services, played: Moments) -> Visit:
    """Open places one after the other, each on the device of whom it is meant for.

    A device keeps its page, as people do, unless something was done on it; while only the sheets over it change,
    nothing is loaded anew.
    """
    pages: dict[str, Page] = {}
    current: list[tuple[str, str, str, str]] = []

    def go(place: Place, language: str) -> Page:
        table, shown = played.at(place.moment) if place.moment else ("", {})
        position = shown.get("position", {})
        player = next(iter(position.get("waiting_for") or position.get("seats") or [""]))
        wanted = (place.role, place.path, place.moment, language)
        if current != [wanted] or not place.sheet:
            context = contexts(place.role)
            page = pages[place.role] = pages.get(place.role) or context.new_page()
            page.set_viewport_size({"width": 1280, "height": 720})
            page.goto("about:blank")  # a page that is still open would leave when its device comes in as another
            _come_in(context, place, services, table, player)
            address, _, mark = place.path.format(table=table, player=player).partition("#")
            page.goto(f"{address}{'&' if '?' in address else '?'}lang={language}{'#' if mark else ''}{mark}")
        page = pages[place.role]
        current[:] = [wanted]
        opened(page, place, shown, player)
        if place.does is not None:
            current.clear()
            del pages[place.role]
        return page

    return go


def _come_in(context: BrowserContext, place: Place, services: Services, table: str, player: str) -> None:
    """Let the device in, as the one whom the place is meant for."""
    if place.role == "banker" and not context.cookies():
        context.request.post("/login", form={"pin": PIN, "next": "/"})
    elif place.role in {"seat", "screen"}:
        caller = Caller("player", player, table) if place.role == "seat" else Caller("spectator", None, table)
        context.request.get(f"/join/{services.logins.join_token(services.guests.link(caller))}")
