"""The lobby with several games: a game played again, and another language, keep what was chosen and typed."""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web.server.server import Server
from companion.words import LANGUAGES
from tests.opened import installed_games
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.bot_tables import tables_of

SEATS = [{"id": "blue", "name": "Ada", "level": "expert"}, {"id": "grey", "name": "Ben"}]
GAME = "men_at_work"


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of({name: installed_games().manifest(name) for name in ("master_builder", GAME)})


@pytest.fixture(scope="module")
def table(tables: Tables) -> Table:
    """A game of Men at Work with an expert, the others beginners."""
    start = {"do": "start_game", "game": GAME, "first": "grey", "players": SEATS}
    return tables.start(Request(start, "banker", "tap"))


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """The banker's browser, in English."""
    with banker_device(browser, server) as made:
        yield made.new_page()


def played_again(html: str) -> dict[str, Any]:
    attribute = re.search(r'data-again="([^"]*)"', html)
    assert attribute is not None
    again: dict[str, Any] = json.loads(unescape(attribute[1]) or "{}")
    return again


def test_a_game_that_is_played_again_knows_who_is_an_expert(banker: FlaskClient, table: Table) -> None:
    again = played_again(banker.get(f"/?game={GAME}&again={table.id}").text)

    assert [(seat["id"], seat["name"], seat.get("level", "standard")) for seat in again["players"]] == [
        ("blue", "Ada", "expert"),
        ("grey", "Ben", "standard"),
    ]


@pytest.mark.parametrize("again", [False, True])
def test_the_lobby_in_another_language_is_that_of_the_same_game(banker: FlaskClient, table: Table, again: bool) -> None:
    address = f"/?game={GAME}" + (f"&again={table.id}" if again else "")
    shown = banker.get(address).text
    links = re.findall(r'<a href="(\?[^"]*)"\s+lang="(\w+)"', shown)
    assert [language for _, language in links] == list(LANGUAGES)

    for link, language in links:
        then = banker.get(f"/{unescape(link)}").text
        assert f'<html lang="{language}"' in then
        assert f'data-game="{GAME}"' in then
        assert played_again(then) == played_again(shown)


@pytest.mark.browser
def test_names_and_levels_stay_in_another_language_and_for_the_next_game(
    page: Page, tables: Tables, table: Table
) -> None:
    # given a game that is to be played again, and somebody else who sits down for it
    page.goto(f"/?game={GAME}&again={table.id}")
    names, levels = page.locator(".seat-name"), page.locator("select[data-choice=level]")
    expect(levels.nth(0)).to_have_value("expert")
    names.nth(1).fill("Zoe")
    levels.nth(1).select_option("expert")

    # when another language is chosen, then they still sit there as they were written down
    page.locator(".lobby-head a[lang=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    for at, name in enumerate(("Ada", "Zoe")):
        expect(names.nth(at)).to_have_value(name)
        expect(levels.nth(at)).to_have_value("expert")

    # and they play so, and so they do the next time on this device
    page.locator("#start").click()
    page.wait_for_url("**/tables/*")
    begun = tables.get(page.url.rsplit("/", 1)[1]).entries[0].command["players"]
    assert [(seat["name"], seat["level"]) for seat in begun] == [("Ada", "expert"), ("Zoe", "expert")]
    later = page.context.new_page()
    later.goto(f"/?game={GAME}")
    expect(later.locator(".seat-name").nth(1)).to_have_value("Zoe")
    expect(later.locator("select[data-choice=level]").nth(1)).to_have_value("expert")
