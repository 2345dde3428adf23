"""Hands and trades on the default pages: who is asked reads what for, and a tablet shows nobody's hand unasked."""

import re
from html import unescape
from typing import Any

from companion.adapters.journal.memory import InMemoryJournal
from companion.game_api.choices import DrawCards
from companion.game_api.manifest import LoadedGame
from companion.game_api.ui import SheetRequest, TableView
from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web import create_app
from companion.web.default_ui.ui import DefaultUI
from companion.words import Words
from tests.every_game import services_over
from tests.game_api.step_table import Hiding, stones
from tests.scenario import StoppedClock
from tests.web.shared_app import client_of

SEATS = [{"id": "red", "name": "Ada"}, {"id": "blue", "name": "Ben"}]
DRAWING = stones(lambda seats: DrawCards(player=seats[0], count=1, pile=("S05", "S06")), trades=True)


def begun(game: LoadedGame) -> tuple[Services, Table]:
    tables = Tables({"stones": game}, InMemoryJournal(), StoppedClock(), lambda: "t", list)
    command = {"do": "start_game", "game": "stones", "first": "red", "players": SEATS}
    return services_over(tables), tables.start(Request(command, "banker", "test"))


def page(services: Services, table: Table, caller: Caller, path: str = "") -> str:
    answer = client_of(create_app(services), services, caller).get(f"/tables/{table.id}{path}")
    assert answer.status_code == 200
    return unescape(answer.text)


def scene_of(table: Table, *offers: dict[str, Any]) -> TableView:
    game, position, overview = table.game, table.position, table.overview
    assert position is not None
    assert overview is not None
    view = game.view(position, "banker")
    return TableView("t", 1, view, overview, offers, table.catalog_json(), Words("en", game.manifest))


def test_what_only_a_player_may_see_stands_on_a_sheet_of_the_tablet_and_at_once_on_their_phone() -> None:
    services, table = begun(DRAWING)

    tablet = page(services, table, Caller("banker"))
    phone = page(services, table, Caller("player", "red", table.id), "/seats/red")

    assert "S05" not in re.sub(r"<dialog.*?</dialog>", "", tablet)
    assert re.search(r'data-sheet="offer"\s+data-like=\'?"?{"do":"draw_card"', tablet)
    assert "S05" in phone


def test_each_of_two_trades_with_the_same_player_opens_its_own_sheet() -> None:
    # given a player who may give cards to another, or only buy some of theirs
    _, table = begun(DRAWING)
    ui, scene = DefaultUI(table.game.manifest), scene_of(table, *table.offers("red"))
    trades = [form for form in ui.values(scene, "red")["forms"] if form.command["do"] == "trade"]

    opened = [
        ui.sheet(scene, "offer", SheetRequest({"like": form.like}, "red", "red", table))["form"] for form in trades
    ]

    assert [[part.name for part in form.fields] for form in opened] == [["give", "get", "pay", "ask"], ["get", "pay"]]


def test_whoever_is_asked_for_a_trade_reads_what_each_side_gives() -> None:
    _, table = begun(DRAWING)
    command: dict[str, Any] = {"do": "trade", "player": "red", "with": "blue", "give": ["S01"], "get": [], "ask": 3}

    sides = DefaultUI(table.game.manifest).deal(scene_of(table), command)

    assert [(side["giver"], side["taker"], side["amount"]) for side in sides] == [
        ("red", "blue", ""),
        ("blue", "red", "$3"),
    ]
    assert [[thing["says"] for thing in side["named"]] for side in sides] == [["S01"], []]


def test_whoever_is_asked_for_anything_else_reads_what_the_command_holds() -> None:
    _, table = begun(stones(lambda seats: Hiding(players=tuple(seats))))

    asked = DefaultUI(table.game.manifest).question(scene_of(table), {"do": "bid", "player": "red", "amount": 4}, "Ada")

    assert asked == "Ada asks: Bid · $4"
