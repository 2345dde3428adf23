"""Every game's rules have their page, and its refusals lead there."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.adapters.journal.sqlite import SqliteJournal
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import load_game
from companion.service.access.logins import Caller
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables
from tests.opened import installed_games

As = Callable[[Caller], FlaskClient]
TITLES = {"en": "Taking over a game", "fr": "Reprendre une partie", "de": "Ein Spiel übernehmen"}


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """Tables of every game there is."""
    numbers, journal = count(1), SqliteJournal(tmp_path / "journal.db")
    games = {
        name: load_game(game, {"house": load_bundled_catalog(game)})
        for name, game in installed_games().manifests.items()
        if game.name in ("master_builder", "men_at_work", "monopoly_builder")
    }
    yield Tables(games, journal, SystemClock(), lambda: f"t{next(numbers)}", list)
    journal.close()


@pytest.fixture(params=["men_at_work", "monopoly_builder"])
def started(request: pytest.FixtureRequest, banker: FlaskClient) -> tuple[str, str]:
    """A game, and the address of a table at which it has begun."""
    players = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
    start = {"do": "start_game", "game": request.param, "first": "red", "players": players}
    return request.param, str(banker.post("/api/v1/tables", json=start).headers["Location"])


def test_a_refusal_leads_to_the_rule_of_its_own_game(
    started: tuple[str, str], banker: FlaskClient, stranger: FlaskClient
) -> None:
    game, table = started
    rename = {"do": "rename_player", "player": "yellow", "name": "Eve"}

    problem = banker.post(f"{table}/commands", json=rename, headers={"If-Match": "1"}).json
    assert problem is not None
    page = stranger.get(problem["type"])

    assert problem["type"] == f"/rules?game={game}#unknown_player"
    assert 'id="unknown_player"' in page.text
    assert 'class="refused-rule"' in stranger.get(f"/rules/unknown_player?game={game}").text


@pytest.mark.parametrize("language", TITLES)
def test_the_page_of_the_rules_is_that_of_the_table_in_the_language_of_the_reader(
    started: tuple[str, str], as_caller: As, language: str
) -> None:
    table = started[1].rsplit("/", 1)[-1]

    page = as_caller(Caller("spectator", None, table)).get(f"/rules?table={table}&lang={language}").text

    assert TITLES[language] in page
    assert f'href="/tables/{table}"' in page
    assert ("002:123" if started[0] == "monopoly_builder" else "003:160") in page


def test_the_rules_tell_nobody_else_which_game_a_table_plays(
    started: tuple[str, str], as_caller: As, stranger: FlaskClient
) -> None:
    table = started[1].rsplit("/", 1)[-1]

    for elsewhere in (stranger, as_caller(Caller("host", None, "another"))):
        text = elsewhere.get(f"/rules?table={table}").text
        assert text == elsewhere.get("/rules?table=nowhere").text.replace("nowhere", table)


def test_the_banker_and_a_player_find_the_rules_in_their_menus(
    started: tuple[str, str], banker: FlaskClient, as_caller: As
) -> None:
    table = started[1].rsplit("/", 1)[-1]
    red = as_caller(Caller("player", "red", table))

    for browser, sheet in ((banker, "menu"), (red, "seat_menu")):
        assert f'href="/rules?table={table}"' in browser.get(f"/tables/{table}/live?part={sheet}").text


@pytest.mark.parametrize("game", ["master_builder", "men_at_work", "monopoly_builder"])
def test_more_begins_with_the_corrections(banker: FlaskClient, game: str) -> None:
    players = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
    start = {"do": "start_game", "game": game, "catalog": "house", "first": "red", "players": players}
    address = str(banker.post("/api/v1/tables", json=start).headers["Location"])

    menu = banker.get(f"/tables/{address.rsplit('/', 1)[1]}/live?part=menu").text

    assert re.findall("<h3>(.*?)</h3>", menu)[0] == "Corrections"
