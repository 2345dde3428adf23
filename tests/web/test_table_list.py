"""The list of tables: all of them as ever, or pages of what is searched for; guests see their own table alone."""

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
