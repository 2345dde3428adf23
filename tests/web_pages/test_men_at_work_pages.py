"""Pages of Men at Work: what has just happened is seen on tablet and phone, whatever is chosen next."""

import re
from collections.abc import Callable
from html import unescape
from itertools import count
from typing import Any

import pytest
from flask import Flask

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap.games import load_game
from companion.engine.game import Placement
from companion.games.men_at_work import GAME
from companion.service.access.logins import Caller
from companion.service.camera.proposals import CardSource, Proposal
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.web import create_app
from companion.words import Words
from tests.every_game import services_over
from tests.games.men_at_work.building_site import house_deck
from tests.scenario import StoppedClock
from tests.web.shared_app import client_of

PLAYERS = [{"id": "blue", "name": "Ada"}, {"id": "grey", "name": "Ben"}]
BOSS = {"do": "turn_card", "card": "BOSS", "back": "GOP"}
"""The boss on top of a pile that shows a girder, orange or purple, then."""


@pytest.fixture(scope="module")
def application() -> tuple[Flask, Services]:
    games, numbers = {"men_at_work": load_game(GAME, {"house": house_deck()})}, count()
    tables = Tables(games, InMemoryJournal(), StoppedClock(), lambda: f"t{next(numbers)}", list)
    services = services_over(tables)
    return create_app(services), services


@pytest.fixture
def table(application: tuple[Flask, Services]) -> Table:
    command = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": PLAYERS}
    return application[1].tables.start(Request(command, "banker", "test"))


Show = Callable[[str], str]


@pytest.fixture
def show(application: tuple[Flask, Services], table: Table) -> Show:
    """Return the page of the tablet, or of a player's phone."""
    app, services = application

    def page(device: str) -> str:
        caller = Caller("banker") if device == "tablet" else Caller("player", device, table.id)
        path = "" if device == "tablet" else f"/seats/{device}"
        answer = client_of(app, services, caller).get(f"/tables/{table.id}{path}?lang=en")
        assert answer.status_code == 200
        return unescape(answer.text)

    return page


def do(table: Table, *commands: dict[str, Any]) -> None:
    for command in commands:
        table.submit(Request(command, "banker", "test"))


def top_card(table: Table) -> str:
    cards = table.catalog_json()["cards"]
    return next(str(card) for card, values in cards.items() if values["girder"] == "become_highest")


@pytest.mark.parametrize("device", ["tablet", "phone of the next player"])
def test_an_award_and_the_boss_are_seen_while_the_next_card_is_chosen(table: Table, show: Show, device: str) -> None:
    # given the boss, and cards to choose from by their pictures
    do(table, BOSS)
    page = show("tablet" if device == "tablet" else "blue")
    assert 'class="stage-picture"' in page
    assert page.index("stage-picture") < page.index("pick-picture")

    # and an award
    do(table, {"do": "turn_card", "card": top_card(table), "back": "GBW"})
    do(table, {"do": "done", "player": "blue", "colour": "black", "highest": True})
    page = show("tablet" if device == "tablet" else "grey")
    assert 'class="stage-picture"' in page
    assert page.index("stage-picture") < page.index("pick-picture")


def test_an_old_card_gives_way_to_the_choice_of_the_next_one(table: Table, show: Show) -> None:
    do(table, {"do": "turn_card", "card": top_card(table), "back": "GOP"})
    do(table, {"do": "done", "player": "blue", "colour": "orange"})

    for device in ("tablet", "grey"):
        assert 'class="stage-picture"' not in show(device)


def test_a_phone_shows_whether_the_boss_is_on_duty_and_who_has_the_hook(table: Table, show: Show) -> None:
    def head(player: str) -> str:
        return re.search(r'<header class="seat-head".*?</header>', show(player), re.DOTALL)[0]  # type: ignore[index]

    assert "Boss in the pile" in head("blue")
    assert 'class="tool"' in head("blue")
    assert 'class="tool"' not in head("grey")

    do(table, BOSS)
    assert "Boss on duty" in head("grey")


@pytest.mark.parametrize(
    ("language", "turns", "done"),
    [
        ("en", "Turn up a card: {card}?", "Done for Ada: {card}?"),
        ("fr", "Retourner une carte\u202f: {card}\u202f?", "C\u2019est fait pour Ada\u202f: {card}\u202f?"),
        ("de", "Karte aufdecken: {card}?", "Geschafft für Ada: {card}?"),
    ],
)
def test_a_card_under_the_camera_is_asked_about_as_the_language_writes_it(
    application: tuple[Flask, Services], table: Table, language: str, turns: str, done: str
) -> None:
    app, services = application
    card = top_card(table)
    commands = {turns: {"do": "turn_card", "card": card}, done: {"do": "done", "player": "blue", "colour": "orange"}}
    for question, command in commands.items():
        # given a card that asks for a command, of a player or of nobody
        placement = Placement("place", f"MW1{card}", card, "", 1.0)
        asked = Proposal(1, "2026-01-01T10:00:00+00:00", placement, b"", command, None, CardSource("camera"))
        services.proposals._state_of(table).proposals._replace(asked)

        # when the tablet asks, then it says what, of whom, and has the blanks of the language
        page = client_of(app, services, Caller("banker")).get(f"/tables/{table.id}/live?part=proposal&lang={language}")
        title = re.search(r'<h2 id="proposal-title">(.*?)</h2>', unescape(page.text), re.DOTALL)
        assert title is not None
        assert title[1].strip() == question.format(card=Words(language, GAME).card(card, table.catalog_json()))
