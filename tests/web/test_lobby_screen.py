"""Names that are typed on the tablet stand on the big screen before the game begins."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game_api.manifest import LoadedGame
from companion.service.access.logins import Caller
from companion.service.access.screens import Lobby, LobbySeat
from companion.service.services import Services
from tests.web.test_guests import begun

TYPED = [{"id": "red", "name": "Maximiliane"}, {"id": "green", "name": "Gu"}, {"id": "blue", "name": ""}]


def typed(banker: FlaskClient, players: list[dict[str, Any]]) -> int:
    """Send names as the tablet does; return the status of the answer."""
    return banker.post("/api/v1/lobby", json={"game": "master_builder", "players": players}).status_code


def seats_shown(banker: FlaskClient) -> list[str]:
    """The texts of the seats on the big screen, in their order."""
    return re.findall(r"<b>([^<]+)</b>", banker.get("/tv?part=lobby").text)


def test_names_appear_as_they_are_typed_and_free_seats_beside_them(banker: FlaskClient) -> None:
    assert seats_shown(banker) == ["free seat"] * 4
    assert typed(banker, TYPED) == 204
    assert seats_shown(banker) == ["Maximiliane", "Gu", "free seat", "free seat"]
    longer = [TYPED[0], {"id": "green", "name": "Guillermo"}]
    assert typed(banker, longer) == 204
    assert seats_shown(banker) == ["Maximiliane", "Guillermo", "free seat", "free seat"]


def test_what_cannot_be_read_is_left_out(banker: FlaskClient) -> None:
    names = ("\u3164", "A\u202eda", " Zoe\u0308 ", "علی\u200cرضا")  # noqa: RUF001
    seats = ("red", "green", "blue", "yellow")
    assert typed(banker, [{"id": seat, "name": name} for seat, name in zip(seats, names, strict=True)]) == 204
    assert seats_shown(banker) == ["free seat", "free seat", "Zoë", "علی\u200cرضا"]  # noqa: RUF001


def test_the_big_screen_shows_the_code_and_the_letters_of_the_lobby(app: Flask, banker: FlaskClient) -> None:
    # given the big screen before a game
    page = banker.get("/tv").text
    (letters,) = re.findall(r'class="joining-letters">(\w{4})<', page)

    # then its letters lead a phone to the seats of the game that begins
    phone = app.test_client()
    asked = phone.get(f"/{letters}")
    begun(banker)
    assert "Bartholomew" in phone.get(asked.headers["Location"]).text
    assert banker.get("/tv").headers["Location"] == "/tables/t1/display"


@pytest.mark.parametrize(("fewest", "says"), [(2, "2 to 4 players"), (4, "4 players"), (1, "1 to 4 players")])
def test_the_big_screen_says_how_many_may_play(
    banker: FlaskClient, services: Services, monkeypatch: pytest.MonkeyPatch, fewest: int, says: str
) -> None:
    # given a game for some numbers of players, or for one number alone
    game = services.tables.games["master_builder"]
    manifest = replace(game.manifest, seats=replace(game.manifest.seats, fewest=fewest))
    monkeypatch.setitem(
        cast("dict[str, LoadedGame]", services.tables.games), "master_builder", replace(game, manifest=manifest)
    )

    # then the screen before a game says it as people do
    assert f">{says}<" in re.sub(r">\s+|\s+<", lambda edge: edge[0].strip(), banker.get("/tv?part=lobby").text)


def test_the_seat_that_was_typed_last_has_the_frame() -> None:
    lobby = Lobby()
    lobby.seat("g", (LobbySeat("red", "Ada"), LobbySeat("blue", "")))
    assert lobby.now.arrived == "red"
    lobby.seat("g", (LobbySeat("red", "Ada"), LobbySeat("blue", "B")))
    assert lobby.now.arrived == "blue"
    lobby.seat("g", (LobbySeat("blue", "B"), LobbySeat("red", "Ada")))
    assert lobby.now.arrived == "blue"
    lobby.seat("g", (LobbySeat("red", "Ada"),))
    assert lobby.now.arrived is None


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"game": "chess", "players": []},
        {"game": "master_builder", "players": [{"id": "pink", "name": "Ada"}]},
        {"game": "master_builder", "players": [{"id": "red", "name": "A"}, {"id": "red", "name": "B"}]},
        {"game": "master_builder", "players": [{"id": "red", "name": "A" * 41}]},
        {"game": "master_builder", "players": [{"id": "red", "name": 3}]},
    ],
)
def test_what_is_no_lobby_is_refused_and_shown_nowhere(banker: FlaskClient, body: dict[str, Any]) -> None:
    assert typed(banker, TYPED) == 204
    refused = banker.post("/api/v1/lobby", json=body)
    assert refused.status_code == 400
    assert seats_shown(banker)[0] == "Maximiliane"


def test_only_the_banker_types_names_and_no_stranger_reads_them(
    app: Flask, banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    assert typed(banker, TYPED) == 204
    assert typed(as_caller(Caller("player", "blue", "t1")), []) == 403
    assert typed(app.test_client(), []) == 401
    stranger = app.test_client()
    assert stranger.get("/tv?part=lobby").status_code == 409
    assert "Maximiliane" not in stranger.get("/tv").text


def test_markup_in_a_name_is_text(banker: FlaskClient) -> None:
    assert typed(banker, [{"id": "red", "name": "<b>Ada"}]) == 204
    assert "&lt;b&gt;Ada" in banker.get("/tv?part=lobby").text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "You need at least 3 players."),
        ("de", "Für dieses Spiel braucht ihr mindestens 3 Personen."),
        ("fr", "Il faut au moins 3 joueurs."),
    ],
)
def test_the_lobby_says_how_many_players_its_game_needs(
    banker: FlaskClient, services: Services, language: str, sentence: str
) -> None:
    game = services.tables.games["master_builder"]
    seats = replace(game.manifest.seats, fewest=3)
    larger = replace(game, manifest=replace(game.manifest, seats=seats))
    services.tables.games = {"master_builder": larger}
    assert f'data-few="{sentence}"' in banker.get(f"/?lang={language}").text
