"""Pages cover held-back figures, and none fails by them."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Table
from companion.web import create_app
from companion.web.game_ui import table_ui
from companion.web.pages.sheets import SEAT_SHEETS, SHEETS
from tests import extent
from tests.every_game import AsCaller, services_over, tables_of_every_game
from tests.hidden_games import COUNTED, HIDING, begin_hidden, counted_players, give, play_hidden

LANGUAGES = ("en", "fr", "de")
WRITTEN = {
    "master_builder": ("861,000", "861\u202f000", "861.000"),
    "monopoly_builder": ("98,765", "98\u202f765", "98.765"),
}
"""The amounts that were counted as pages write them, in each language."""
ANSWERS = {200, 302, 303, 403, 404, 422}
JSON = ("", "/journal", "/notes", "/worth", "/agreements", "/proposals")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return tables_of_every_game(tmp_path_factory.mktemp("catalogs"))


@pytest.fixture(scope="module")
def services(tables: Tables) -> Services:
    return services_over(tables)


@pytest.fixture(scope="module")
def app(services: Services) -> Flask:
    return create_app(services)


def pages_of(table: Table, caller: Caller) -> Iterator[str]:
    """The address of every page and every part of one that a caller may open at a table."""
    face, page = table_ui(table), f"/tables/{table.id}"
    yield from (f"{page}/display", f"{page}/live?part=display", f"{page}/report")
    players, latest = list(table.names()), table.version
    asked = "&".join((f"player={players[0]}", f"seq={latest}", "account=bank"))
    if caller.role == "banker":
        yield page
        yield from (f"{page}/live?part={part}&{asked}" for part in ("tablet", "glance", "proposal"))
        yield from (f"{page}/live?part={part}&{asked}" for part in sorted(SHEETS | face.sheets))
        yield from (f"{page}/live?part=amend&seq={seq}&instead=null" for seq in range(latest - 6, latest + 1))
        yield from (f"{page}/peek/{player}" for player in players)
    elif caller.player is not None:
        yield f"{page}/seats/{caller.player}"
        yield from (f"{page}/live?part={part}&{asked}" for part in ("seat", "glance"))
        yield from (f"{page}/live?part={part}&{asked}" for part in sorted(SEAT_SHEETS | face.seat_sheets))
        yield from (f"{page}/live?part={part}&seq={latest - 3}" for part in ("then", "crop"))


def callers(table: Table) -> list[Caller]:
    return [
        Caller("banker"),
        *(Caller("player", player, table.id) for player in table.names()),
        Caller("spectator", None, table.id),
    ]


def opened(client: FlaskClient, address: str) -> str:
    """The text of a page; whatever fails on it fails the test."""
    answer = client.get(address)
    assert answer.status_code in ANSWERS, (address, answer.text[:400])
    return answer.text


def check_all_pages(table: Table, as_caller: AsCaller, language: str) -> None:
    """Open every page of a table for everybody: none fails, and none shows a count to whom it is no business."""
    counted = counted_players(table)
    name = table.game.name
    secret = (str(COUNTED[name]), *WRITTEN[name]) if name in COUNTED else ()
    finished = bool(table.overview and table.overview.finished)
    for caller in callers(table):
        client = as_caller(caller)
        addresses = [f"{address}{'&' if '?' in address else '?'}lang={language}" for address in pages_of(table, caller)]
        texts = {address: opened(client, address) for address in addresses}
        texts |= {address: opened(client, f"/api/v1/tables/{table.id}{address}") for address in JSON}
        if caller.role == "banker" or finished or caller.player in counted:
            continue
        assert not [address for address, text in texts.items() if any(amount in text for amount in secret)]


@pytest.mark.parametrize("seed", range(extent.of_all(1, 2)))
@pytest.mark.parametrize("game", HIDING)
def test_every_page_is_drawn_for_everybody_in_random_games_with_everything_hidden(
    tables: Tables, as_caller: AsCaller, game: str, seed: int
) -> None:
    # given a random game at which everything is hidden
    table = begin_hidden(tables, game, seed)

    # when it is looked at by everybody now and then, then no page fails or tells what is hidden
    for number in play_hidden(table, seed, most=120):
        if number % 40 == 0:
            check_all_pages(table, as_caller, LANGUAGES[number // 40 % 3])


@pytest.mark.parametrize("game", COUNTED)
def test_a_count_of_hidden_money_is_told_to_its_player_and_the_banker_and_covered_for_all_others(
    tables: Tables, as_caller: AsCaller, game: str
) -> None:
    # given a table at which money is hidden
    table = begin_hidden(tables, game, 5)
    first, second = counted_players(table)

    # when the banker counts somebody's money
    give(table, do="count_cash", player=first, amount=COUNTED[game])

    # then the journal of others names the act and no figure
    figure = WRITTEN[game][0]
    for caller, sees in (
        (Caller("banker"), True),
        (Caller("player", first, table.id), True),
        (Caller("player", second, table.id), False),
    ):
        client = as_caller(caller)
        client.set_cookie("banker", "1")
        text = opened(client, f"/tables/{table.id}/live?part=journal")
        assert (figure in text) is sees, caller
        assert ("counts the money: covered" in text) is not sees, caller
        entry = client.get(f"/api/v1/tables/{table.id}/journal").get_json()["entries"][-1]
        if not sees:
            assert entry["command"] == {"do": "count_cash", "player": first}
            assert entry["events"] == [{"event": "CashCounted", "player": first}]

    # and no page fails or tells it while the count is the latest entry
    check_all_pages(table, as_caller, "en")
