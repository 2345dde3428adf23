"""Bids in any game: what they leave, and the reminder that a lot is going, with the data that a game supplies."""

import json
import re
from collections.abc import Callable, Sequence
from html import unescape
from itertools import count

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import load_game
from companion.game_api.auctions import AuctionOpened, auction_of
from companion.game_api.steps import PlayStep
from companion.service.access.logins import Caller
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web import create_app
from companion.words import LANGUAGES
from tests.every_game import services_over
from tests.game_api.step_table import SEATS, stones
from tests.opened import installed_games
from tests.web.shared_app import client_of


def kit_tables(make: Callable[[Sequence[str]], PlayStep]) -> Tables:
    numbers = count(1)
    return Tables({"stones": stones(make)}, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)


def kit_table(tables: Tables) -> Table:
    seats = [{"id": seat, "name": seat.title()} for seat in SEATS]
    start = {"do": "start_game", "game": "stones", "catalog": "house", "first": SEATS[0], "players": seats}
    return tables.start(Request(start, "banker", "tap"))


def english(seats: Sequence[str]) -> PlayStep:
    return auction_of(AuctionOpened("S05", tuple(seats)))


def sealed(seats: Sequence[str]) -> PlayStep:
    return auction_of(AuctionOpened("S05", tuple(seats), kind="sealed"))


@pytest.fixture(scope="module")
def deeds() -> Tables:
    """Tables of Monopoly Builder."""
    manifest, numbers = installed_games().manifest("monopoly_builder"), count(1)
    game = load_game(manifest, {"house": load_bundled_catalog(manifest)})
    games = {"monopoly_builder": game}
    return Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)


@pytest.fixture(scope="module")
def auctioned(deeds: Tables) -> Table:
    """A table at which all bid for a deed, and another's deeds lie ahead of them."""
    players = [{"id": player, "name": player.title()} for player in ("red", "green", "yellow")]
    start = {"do": "start_game", "game": "monopoly_builder", "catalog": "house", "first": "red", "players": players}
    table = deeds.start(Request(start, "banker", "tap"))

    def give(**command: object) -> None:
        table.submit(Request(command, "banker", "tap"))

    sites = {int(space): deed for space, deed in table.show("banker")["position"]["sites"].items()}
    landed = min(space for space in sites if space >= 2)
    for space, deed in sites.items():
        if landed < space <= landed + 6:
            give(do="correct_card", card=deed, to="green", reason="as the story needs")
    give(do="roll", player="red", dice=[1, landed - 1])
    give(do="decline", player="red")
    return table


def ahead(table: Table, player: str) -> dict[str, object]:
    return table.advice.forecast("banker", player)


def browser(tables: Tables, caller: Caller) -> FlaskClient:
    services: Services = services_over(tables)
    app: Flask = create_app(services)
    return client_of(app, services, caller)


def outlooks(page: str) -> dict[str, tuple[int, list[tuple[int, str]]]]:
    """Return what the bidding form says of each player's money."""
    written = re.search(r"data-outlooks='([^']*)'", page)
    return {} if written is None else json.loads(unescape(written[1]))


@pytest.mark.parametrize("part", ["tablet", "display"])
def test_a_lot_is_going_at_a_table_that_wished_so_while_all_hear_the_bids(part: str) -> None:
    tables = kit_tables(english)
    table, banker = kit_table(tables), browser(tables, Caller("banker"))
    live = f"/tables/{table.id}/live?part={part}"
    assert 'class="going"' not in banker.get(live).text

    banker.post(f"/api/v1/tables/{table.id}/hammer", json={"seconds": 15})

    assert 'class="going"' in banker.get(live).text
    assert "hammer-title" in banker.get(f"/tables/{table.id}/live?part=menu").text
    # and once it is sold nothing is going any more
    table.submit(Request({"do": "bid", "player": "red", "amount": 1}, "banker", "tap"))
    for player in ("blue", "yellow"):
        table.submit(Request({"do": "pass", "player": player}, "banker", "tap"))
    assert 'class="going"' not in banker.get(live).text


def test_nobody_is_hurried_over_a_sealed_bid() -> None:
    tables = kit_tables(sealed)
    table, banker = kit_table(tables), browser(tables, Caller("banker"))
    banker.post(f"/api/v1/tables/{table.id}/hammer", json={"seconds": 15})

    assert 'class="going"' not in banker.get(f"/tables/{table.id}/live?part=tablet").text


@pytest.mark.parametrize("purses", [(7, 5, 3), (7, 0, 3)], ids=["all can bid", "one can only pass"])
def test_sealed_bids_and_passes_are_given_on_a_sheet_of_each_player(purses: tuple[int, ...]) -> None:
    # given a tablet in the middle, and three who may bid in secret
    numbers = count(1)
    games = {"stones": stones(sealed, purses=purses)}
    tables = Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", list)
    table = kit_table(tables)
    banker = browser(tables, Caller("banker"))

    # then it has the same button for each, and nothing that others could read or count
    tablet = unescape(banker.get(f"/tables/{table.id}/live?part=tablet").text)
    sheets = re.findall(r'data-sheet="offer"\s+data-like="({.*?})">(.*?)</button>', tablet, re.DOTALL)
    assert [json.loads(like)["player"] for like, _ in sheets] == list(SEATS)
    assert {
        re.sub(r"\s+", " ", re.sub(r"<svg.*?</svg>|<[^>]*>", "", says, flags=re.DOTALL)).strip() for _, says in sheets
    } == {"Auction …"}
    assert '"do":"pass"' not in re.sub(r"data-like=\"{.*?}\"", "", tablet)
    assert 'name="player"' not in tablet

    # when red opens theirs, then all that they may do is there
    sheet = unescape(banker.get(f"/tables/{table.id}/live", query_string={"part": "offer", "like": sheets[0][0]}).text)
    assert '{"do":"bid","player":"red"}' in sheet
    assert '{"do":"pass","player":"red"}' in sheet
    assert '"player":"blue"' not in sheet


def test_a_bid_says_what_it_leaves_in_a_game_that_supplies_nothing_for_it() -> None:
    tables = kit_tables(english)
    table = kit_table(tables)

    said = outlooks(browser(tables, Caller("player", "red", table.id)).get(f"/tables/{table.id}/live?part=seat").text)

    assert json.dumps(said) == '{"red": [7, [[7, "Leaves {left}"]]]}'


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bid_for_a_deed_says_whether_it_leaves_enough_for_the_next_rent(
    deeds: Tables, auctioned: Table, language: str
) -> None:
    banker = browser(deeds, Caller("banker"))
    said = outlooks(banker.get(f"/tables/{auctioned.id}/live?part=tablet&lang={language}").text)

    bidders = {player for player in said if ahead(auctioned, player)["rents"]}
    assert bidders
    for player in bidders:
        seen = ahead(auctioned, player)
        cash, ((safe, enough), (most, short)) = said[player]
        assert (cash, safe, most) == (seen["cash"], seen["safe"], seen["cash"])
        assert "{left}" in enough
        assert "{left}" in short
        assert enough != short


def test_money_that_is_hidden_is_forecast_to_its_owner_alone(deeds: Tables) -> None:
    players = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
    start = {"do": "start_game", "game": "monopoly_builder", "catalog": "house", "first": "red", "players": players}
    table = deeds.start(Request({**start, "rules": {"money": "hidden"}}, "banker", "tap"))

    own, other = (browser(deeds, Caller("player", player, table.id)) for player in ("red", "green"))

    address = f"/api/v1/tables/{table.id}/forecast?player=red"
    assert own.get(address).json == {
        "version": table.version,
        "player": "red",
        "cash": 900,
        "due": 0,
        "rents": [],
        "safe": 900,
        "left": None,
    }
    assert other.get(address).status_code == 403
