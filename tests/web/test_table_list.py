"""The list of tables: all of them as ever, or pages of what is searched for; guests see their own table alone.

So does the page of all games, and the lobby stays short however many there are.
"""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.web.conftest import START
from tests.web.test_short_addresses import letters_of

LONG = "Bartholomew-Maximilian Hohenzollern"
"""A name of 35 letters."""


def begin(tables: Tables, *names: str) -> str:
    seats = zip(("blue", "red", "yellow"), names, strict=False)
    players = [{"id": seat, "name": name} for seat, name in seats]
    return tables.start(Request({**START, "players": players}, "banker", "tap")).id


def listed(client: FlaskClient, **query: object) -> list[str]:
    return [table["id"] for table in asked(client, **query)["tables"]]


def asked(client: FlaskClient, **query: object) -> Any:
    answer = client.get("/api/v1/tables", query_string=query)
    assert answer.status_code == 200, answer.text
    return answer.get_json()


def test_without_parameters_the_list_is_as_it_always_was(banker: FlaskClient, tables: Tables) -> None:
    ids = [begin(tables, "Ada", name) for name in ("Ben", "Cleo", "Dora")]
    tables.put_in_bin(ids[1])
    answer = asked(banker)
    assert [table["id"] for table in answer["tables"]] == [ids[0], ids[2]]
    assert [table["id"] for table in answer["bin"]] == [ids[1]]
    assert set(answer) == {"tables", "bin"}
    assert set(answer["tables"][0]) >= {"id", "game", "version", "players", "standings", "interrupted", "phase"}


def test_pages_have_every_table_once_the_latest_first(banker: FlaskClient, tables: Tables) -> None:
    ids = [begin(tables, "Ada", "Ben") for _ in range(5)]
    seen: list[str] = []
    query: dict[str, object] = {"limit": 2}
    while True:
        page = asked(banker, **query)
        assert len(page["tables"]) <= 2
        assert set(page) <= {"tables", "next"}
        seen += [table["id"] for table in page["tables"]]
        if "next" not in page:
            break
        query["after"] = page["next"]
    assert seen == ids[::-1]


def test_tables_are_found_by_name_game_state_id_and_letters(banker: FlaskClient, tables: Tables) -> None:
    first, second = begin(tables, "Zoë", LONG), begin(tables, "Yve", "Bo")
    assert listed(banker, search="zoe") == [first]
    assert listed(banker, search=LONG) == [first]
    assert listed(banker, search="zoe bo") == []
    assert listed(banker, search=second) == [second]
    assert listed(banker, search=letters_of(banker, first)) == [first]
    assert listed(banker, search=letters_of(banker, second).lower()) == [second]
    assert listed(banker, game="master_builder") == [second, first]
    assert listed(banker, game="chess") == listed(banker, state="finished") == listed(banker, state="bin") == []
    tables.put_in_bin(first)
    assert (listed(banker, state="bin"), listed(banker, state="running")) == ([first], [second])
    assert listed(banker, search="zoe") == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", "0"),
        ("limit", "201"),
        ("limit", "-1"),
        ("limit", "two"),
        ("limit", "1e2"),
        ("limit", ""),
        ("limit", "9" * 5_000),
        ("state", "asleep"),
        ("state", ""),
        ("after", ""),
        ("after", "x"),
        ("after", "\x00"),
        ("after", "é"),
        ("after", "A" * 999),
    ],
)
def test_what_makes_no_page_is_refused_in_words(banker: FlaskClient, name: str, value: str) -> None:
    answer = banker.get("/api/v1/tables", query_string={name: value})
    assert (answer.status_code, answer.get_json()["type"].rsplit("/", 1)[-1]) == (400, "malformed")
    assert answer.get_json()["detail"].startswith(f"{name} is ")


def test_a_search_for_anything_is_answered(banker: FlaskClient, tables: Tables) -> None:
    begin(tables, "Ada", "Ben")
    for text in (
        "\x00",
        "%",
        "'",
        '"',
        "\\",
        "!",
        "_" * 9,
        "ada " * 50,
        "\N{FULLWIDTH LATIN CAPITAL LETTER A}" * 200,
        "\ud7ff",
        "🏠",
    ):
        asked(banker, search=text)
    assert listed(banker, search="ada " * 50) != []


def test_a_host_a_player_and_a_spectator_see_their_own_table_alone(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], tables: Tables
) -> None:
    own, other = begin(tables, "Ada", "Ben"), begin(tables, "Cleo", "Dora")
    callers = (Caller("host", None, own), Caller("player", "blue", own), Caller("spectator", None, own))
    for caller in callers:
        client = as_caller(caller)
        assert asked(client) == {"tables": [next(table for table in asked(banker)["tables"] if table["id"] == own)]}
        for query in ({"search": "Cleo"}, {"limit": 9}, {"state": "bin"}, {"search": other}):
            assert listed(client, **query) == [own]
    tables.put_in_bin(own)
    for caller in callers:
        assert listed(as_caller(caller)) == []


def games_on(page: str) -> list[str]:
    """The tables of the cards on a page of games, in order."""
    return re.findall(r'data-(?:to-bin|bring-back)="([0-9a-z]+)"', page)


def test_the_lobby_stays_short_and_leads_to_the_others(banker: FlaskClient, tables: Tables) -> None:
    # given as many games as the lobby shows
    ids = [begin(tables, "Ada", "Ben") for _ in range(12)]
    lobby = banker.get("/?lang=en").text
    assert (games_on(lobby), 'href="/tables"' in lobby) == (ids[::-1], False)

    # when there is one more, and another in the bin
    ids.append(begin(tables, "Ada", "Ben"))
    tables.put_in_bin(ids[0])
    assert games_on(banker.get("/?lang=en").text) == [*ids[:0:-1], ids[0]]
    ids.append(begin(tables, "Ada", "Ben"))

    # then it shows the latest few, and the way to all of them
    lobby = banker.get("/?lang=en").text
    assert (games_on(lobby), 'href="/tables"' in lobby) == ([*ids[:-7:-1], ids[0]], True)


def test_the_page_of_all_games_leads_from_the_newest_to_the_oldest(banker: FlaskClient, tables: Tables) -> None:
    ids = [begin(tables, "Ada", "Ben") for _ in range(50)]
    seen: list[str] = []
    address: str | None = "/tables?lang=en"
    while address is not None:
        page = banker.get(address).text
        seen += games_on(page)
        assert ("To the newest" in page) == (len(seen) > 24)
        further = re.search(r'href="([^"]+after=[^"]+)"', page)
        address = None if further is None else further[1].replace("&amp;", "&")
    assert seen == ids[::-1]


@pytest.mark.parametrize(
    ("language", "nothing", "empty_bin"),
    [
        ("en", "No game matches “<b>x</b> y”", "The bin is empty"),
        ("de", "Kein Spiel zu „<b>x</b> y“ gefunden", "Der Papierkorb ist leer"),
        ("fr", "Aucune partie pour «\u202f<b>x</b> y\u202f»", "La corbeille est vide"),
    ],
)
def test_a_page_without_games_says_why(
    banker: FlaskClient, tables: Tables, language: str, nothing: str, empty_bin: str
) -> None:
    at = {"lang": language}
    assert "data-to-bin" not in banker.get("/tables", query_string=at).text
    begin(tables, "Ada", LONG)
    page = banker.get("/tables", query_string={**at, "search": " <b>x</b>  y "}).text
    assert html.unescape(page).count(nothing) == 1
    assert "<b>x</b>" not in page
    assert empty_bin in banker.get("/tables", query_string={**at, "state": "bin"}).text
    page = banker.get("/tables", query_string={**at, "search": "maximilian", "state": "running"}).text
    assert LONG in page
    assert 'name="state" value="running"' in page


def test_an_address_that_makes_no_sense_shows_all_games(banker: FlaskClient, tables: Tables) -> None:
    table = begin(tables, "Ada", "Ben")
    for query in ({"state": "asleep"}, {"after": "x"}, {"after": ""}, {"search": "\x00"}, {"game": ""}):
        page = banker.get("/tables", query_string=query)
        assert (page.status_code, games_on(page.text)) == (200, [table])


def test_the_page_of_all_games_is_the_organisers(as_caller: Callable[[Caller], FlaskClient], tables: Tables) -> None:
    own = begin(tables, "Ada", "Ben")
    for caller in (Caller("host", None, own), Caller("player", "blue", own), Caller("spectator", None, own)):
        answer = as_caller(caller).get("/tables", follow_redirects=True)
        assert games_on(answer.text) == []
