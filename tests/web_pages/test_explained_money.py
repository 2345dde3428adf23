"""Money of games that explain none of their figures themselves: what made it so, told from the ledger."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.opened import installed_games
from tests.web_pages.bot_tables import GAMES, tables_of

PLAYERS = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of({name: installed_games().manifest(name) for name in GAMES})


@pytest.fixture
def begun(tables: Tables) -> Callable[..., Table]:
    def begin(game: str = "monopoly_builder", **rules: str) -> Table:
        start = {"do": "start_game", "game": game, "catalog": "house", "first": "red", "players": PLAYERS}
        return tables.start(Request({**start, "rules": rules}, "banker", "tap"))

    return begin


def asked(client: FlaskClient, table: Table, account: str) -> Any:
    return client.get(f"/api/v1/tables/{table.id}/explain", query_string={"account": account})


def sheet(client: FlaskClient, table: Table, **asked: str) -> Any:
    return client.get(f"/tables/{table.id}/live", query_string=asked)


def test_what_stands_is_told_without_parts_and_rules(banker: FlaskClient, begun: Callable[..., Table]) -> None:
    # given a table at which cash was put right twice, the second time wrongly
    table = begun()
    booked = (table.position_json("banker") or {})["players"]["red"]["cash"]
    for amount in (100, 50):
        moved = {"do": "correct_money", "from": "red", "to": "bank", "amount": amount, "reason": "counted"}
        table.submit(Request(moved, "banker", "tap"))
    table.submit(Request({"do": "undo"}, "banker", "tap"))

    # then the account is its changes that stand, oldest first, and the bank has the other side of each
    explanation = asked(banker, table, "player:red").json
    assert (explanation["balance"], explanation["parts"]) == (booked - 100, [])
    changes = [
        (line["seq"], line["amount"], line["balance"], line["rule"], line["title"]) for line in explanation["lines"]
    ]
    assert changes == [(1, booked, booked, "", ""), (2, -100, booked - 100, "", "")]
    assert asked(banker, table, "bank").json["lines"][-1]["amount"] == 100


@pytest.mark.parametrize("account", ["worth:red", "player:yellow", "player:nobody", "box", "nonsense"])
def test_an_account_that_there_is_not_is_not_found(
    banker: FlaskClient, begun: Callable[..., Table], account: str
) -> None:
    table = begun()
    assert asked(banker, table, account).status_code == 404
    assert sheet(banker, table, part="explain", account=account).status_code == 404


def test_a_game_without_money_has_none_to_explain(banker: FlaskClient, begun: Callable[..., Table]) -> None:
    table = begun("men_at_work")
    assert asked(banker, table, "player:red").status_code == 404
    assert 'data-sheet="explain"' not in banker.get(f"/tables/{table.id}").text


def test_hidden_money_is_told_to_its_player_alone(
    as_caller: Callable[[Caller], FlaskClient], banker: FlaskClient, begun: Callable[..., Table]
) -> None:
    # given a table at which money is hidden
    table = begun(money="hidden")
    red = as_caller(Caller("player", "red", table.id))

    # then a phone explains its own player's, and offers no other
    assert asked(red, table, "player:red").json["lines"]
    assert 'class="statement"' in sheet(red, table, part="explain", account="player:red").text
    page = red.get(f"/tables/{table.id}/seats/red").text
    assert 'data-account="player:red"' in page
    assert 'data-account="player:green"' not in page
    for account in ("player:green", "bank"):
        assert asked(red, table, account).status_code == 403
        assert sheet(red, table, part="explain", account=account).status_code == 403

    # and a tablet in the middle covers it
    assert 'class="statement"' not in sheet(banker, table, part="explain", account="player:red").text


def test_it_stands_beside_the_form_that_puts_it_right(banker: FlaskClient, begun: Callable[..., Table]) -> None:
    table = begun()
    shown = sheet(banker, table, part="correct", figure="cash:red").text
    assert 'class="statement"' in shown
    assert 'class="statement"' not in sheet(banker, table, part="correct", figure="space:red").text
