"""Somebody leaves, and another plays on in the same seat: the devices of the first show the table no more."""

import http.client
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.web.live_client import reading
from tests.web.test_guests import begun, code, joined

FIRST = Caller("player", "blue", "t1")
SECOND = Caller("player", "blue", "t1", 1)
AsCaller = Callable[[Caller], FlaskClient]


def replace(banker: FlaskClient, table: str, player: str = "blue") -> None:
    version = banker.get(table).json["version"]  # type: ignore[index]
    command = {"do": "replace_player", "player": player, "name": "Eve"}
    answer = banker.post(f"{table}/commands", json=command, headers={"If-Match": str(version)})
    assert answer.status_code == 200, answer.text


def undo(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/commands", json={"do": "undo"}, headers={"If-Match": "2"}).status_code == 200


def test_the_device_of_who_left_shows_the_table_no_more(banker: FlaskClient, table: str, as_caller: AsCaller) -> None:
    # given a player's own device, and their neighbour's
    first, yellow = as_caller(FIRST), as_caller(Caller("player", "yellow", "t1"))
    assert first.get(table).status_code == 200

    # when somebody else takes their seat
    replace(banker, table)

    # then it is turned away everywhere, the neighbour's and the newcomer's are not
    assert first.get(table).status_code == 403
    assert first.get(f"{table}/journal").status_code == 403
    assert first.get("/api/v1/tables").json == {"tables": []}
    assert yellow.get(table).status_code == 200
    assert as_caller(SECOND).get(table).json["position"]["players"]["blue"]["name"] == "Eve"  # type: ignore[index]
    assert len(as_caller(SECOND).get("/api/v1/tables").json["tables"]) == 1  # type: ignore[index]


def test_his_old_invitation_leads_nowhere_either(
    banker: FlaskClient, table: str, services: Services, stranger: FlaskClient
) -> None:
    invitation = services.logins.join_token(FIRST)
    replace(banker, table)
    stranger.post("/api/v1/logins", json={"join": invitation})
    assert stranger.get(table).status_code == 403


def test_the_seats_new_invitation_lets_the_next_one_in(banker: FlaskClient, table: str, stranger: FlaskClient) -> None:
    replace(banker, table)
    invited = banker.post(f"{table}/invitations", json={"player": "blue"})
    stranger.post("/api/v1/logins", json={"join": invited.json["token"]})  # type: ignore[index]
    assert stranger.get(table).status_code == 200


def test_undoing_it_gives_the_first_his_seat_back(banker: FlaskClient, table: str, as_caller: AsCaller) -> None:
    replace(banker, table)
    undo(banker, table)
    assert as_caller(FIRST).get(table).status_code == 200
    assert as_caller(SECOND).get(table).status_code == 403


def test_a_name_that_merely_changes_leaves_the_device_alone(
    banker: FlaskClient, table: str, as_caller: AsCaller
) -> None:
    command = {"do": "rename_player", "player": "blue", "name": "Adah"}
    assert banker.post(f"{table}/commands", json=command, headers={"If-Match": "1"}).status_code == 200
    assert as_caller(FIRST).get(table).status_code == 200


def test_a_stream_that_was_open_ends(server: Server, banker: FlaskClient, table: str, services: Services) -> None:
    with reading(server, f"{table}/stream", services.logins.token(FIRST)) as reader:
        reader.next_named("sight")
        replace(banker, table)
        with pytest.raises((EOFError, http.client.HTTPException, ConnectionError)):
            reader.next_named("version")


def test_the_phone_of_who_left_is_led_to_no_seat_of_the_next_game(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given phones at a table where Eve has taken Bartholomew's seat, and the next game of the same people
    first = begun(banker)
    address = f"/api/v1/tables/{first}"
    left, neighbour = (joined(app, code(banker, first), player) for player in ("blue", "yellow"))
    replace(banker, address)
    newcomer = joined(app, code(banker, first), "blue")
    names = [{"id": "red", "name": "Eve"}, {"id": "blue", "name": "Anne-Sophie"}]
    then = begun(banker, first, players=names, first="red")

    # when the old phone goes on, then it is turned away, and Eve's seat is free for her
    assert left.get(f"/tables/{first}/next").headers["Location"] == "/login?error=seat"
    assert services.guests.at(then) == ()
    assert newcomer.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/seats/red"
    assert neighbour.get(f"/tables/{first}/next").headers["Location"] == f"/tables/{then}/seats/blue"


def test_a_token_from_before_seats_could_be_left_is_the_first_ones(services: Services) -> None:
    logins = services.logins
    old = logins._logins.dumps(["player", "blue", "t1"])
    assert logins.caller(old) == FIRST
