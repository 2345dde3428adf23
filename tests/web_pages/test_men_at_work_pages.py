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
from companion.games.men_at_work import COMMAND_WORDS, FIRST_COMMAND_CARD, GAME
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


def test_a_phone_shows_how_many_foreman_cards_its_own_player_has(application: tuple[Flask, Services]) -> None:
    app, services = application
    command = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": PLAYERS, "variants": ["foreman"]}
    table = services.tables.start(Request(command, "banker", "test"))

    page = client_of(app, services, Caller("player", "blue", table.id)).get(f"/tables/{table.id}/seats/blue?lang=en")
    head = re.search(r'<header class="seat-head".*?</header>', unescape(page.text), re.DOTALL)

    assert head is not None
    assert "In hand: 2" in head[0] or "in hand: 2" in head[0]


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


def test_a_question_between_two_acts_says_what_a_yes_means(application: tuple[Flask, Services]) -> None:
    # given a skyscraper of which a worker fell
    _, services = application
    command = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": PLAYERS}
    tower = services.tables.start(Request({**command, "variants": ["skyscraper"]}, "banker", "test"))
    services.proposals.set_level(tower, "automatic")
    cards = tower.catalog_json()["cards"]
    card = next(card for card, values in cards.items() if values["girder"] == "become_highest")
    for act in (
        {"do": "turn_card", "card": card, "back": "GBW"},
        {"do": "accident", "player": "blue", "colour": "white"},
    ):
        tower.submit(Request(act, "banker", "test"))

    # when the card of a worker is laid
    worker = f"X{FIRST_COMMAND_CARD + COMMAND_WORDS.index('worker'):02}"
    placement = Placement("place", f"MW1{worker}", worker, "tray", 1.0)
    services.proposals.on_placement(tower, placement, b"", CardSource("camera"))
    [asked] = services.proposals.pending(tower.id)
    assert asked["command"] == {"do": "fallen", "player": "grey", "pieces": {"workers": 1}, "to": "floor"}

    # then the page asks for what a yes does
    shown = unescape(client_of(*application, Caller("banker")).get(f"/tables/{tower.id}/live?part=proposal").text)
    title = re.search(r'id="proposal-title">(.*?)</h2>', shown, re.DOTALL)
    assert title is not None
    assert title[1].strip() == "WORKER: on the floor of the box?"


def test_any_card_can_be_told_though_few_are_likely(application: tuple[Flask, Services], table: Table) -> None:
    # given a back that few cards have
    table.submit(Request({"do": "turn_card", "card": "I01", "back": "GOW"}, "banker", "test"))
    colour = (table.position_json("banker") or {})["action"]["colours"][0]
    table.submit(Request({"do": "done", "player": "blue", "colour": colour}, "banker", "test"))
    banker = client_of(*application, Caller("banker"))

    # when the sheet is opened on which a card is chosen
    page = unescape(banker.get(f"/tables/{table.id}").text)
    like = next(like for like in re.findall(r"data-like=['\"]({.*?})['\"]", page, re.DOTALL) if "turn_card" in like)
    sheet = unescape(banker.get(f"/tables/{table.id}/live", query_string={"part": "offer", "like": like}).text)

    # then every card that may be turned is there
    offer = next(offer for offer in table.offers("banker") if offer["do"] == "turn_card")
    missing = [card for card in offer["fields"]["card"]["values"] if f'"{card}"' not in sheet]
    assert missing == []
