"""Many screens that show the same cost one drawing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask import Flask, template_rendered
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.web_pages.conftest import At

BANKER = Caller("banker")


@contextmanager
def drawings(app: Flask) -> Iterator[list[str]]:
    """The templates that are drawn meanwhile."""
    names: list[str] = []

    def note(_: object, template: object, **_more: object) -> None:
        names.append(str(getattr(template, "name", "")))

    with template_rendered.connected_to(note, app):
        yield names


@pytest.fixture
def table(seen: At) -> str:
    table, _ = seen("auction")
    return table


def live(client: FlaskClient, table: str, part: str, language: str = "en") -> str:
    answer = client.get(f"/tables/{table}/live?part={part}&lang={language}")
    assert answer.status_code == 200
    return answer.text


def test_two_screens_of_a_kind_are_drawn_once_and_anew_after_a_change(
    app: Flask, tables: Tables, table: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    first, second = as_caller(BANKER), as_caller(BANKER)
    live(first, table, "tablet")
    with drawings(app) as names:
        before = live(second, table, "tablet")
        assert names == []

        tables.get(table).submit(Request({"do": "rename_player", "player": "blue", "name": "Zelda"}, "banker", "tap"))
        after = live(first, table, "tablet")
        assert live(second, table, "tablet") == after
        assert names == ["games/master_builder/tablet.html"]
        tables.get(table).submit(Request({"do": "undo"}, "banker", "tap"))
    assert "Zelda" not in before
    assert "Zelda" in after
    assert "Zelda" not in live(second, table, "tablet").partition('id="entries"')[0]


def test_languages_roles_and_what_a_device_chose_are_kept_apart(
    tables: Tables, table: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    paid = {"do": "correct_money", "from": "bank", "to": "blue", "amount": 5000, "reason": "a gift"}
    tables.get(table).submit(Request(paid, "banker", "tap"))
    banker = as_caller(BANKER)
    red, blue = (as_caller(Caller("player", player, table)) for player in ("red", "blue"))

    assert len({live(banker, table, "tablet", language) for language in ("en", "fr", "de")}) == 3
    assert live(red, table, "seat") != live(blue, table, "seat")
    assert live(as_caller(Caller("spectator", None, table)), table, "display") == live(banker, table, "display")
    plain = live(banker, table, "tablet")
    banker.set_cookie(f"notes-{table}", "1")
    assert live(banker, table, "tablet") != plain
