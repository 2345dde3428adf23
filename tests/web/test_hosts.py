"""A request must be meant for this app: no name of somebody else's leads in, nor into an invitation."""

import socket

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S
from tests.web.conftest import HIRE


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8000", "localhost.evil.example", "203.0.113.9", "companion.local.evil.example"),
        *("", " ", "a b", "[::2]", "127.0.0.1@evil.example", "evil.example\\@localhost", "localhost:x"),
        f"{socket.gethostname()}.evil.example",
    ],
)
def test_a_foreign_name_books_nothing_even_with_its_own_origin(
    tablet: FlaskClient, services: Services, table: str, host: str
) -> None:
    address = table.removeprefix("http://localhost")
    headers = {"Host": host, "Origin": f"http://{host}", "If-Match": "1"}
    answer = tablet.post(f"{address}/commands", json=HIRE, headers=headers)
    assert answer.status_code == 421
    assert services.tables.get("t1").version == 1


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "LOCALHOST.", "companion.local", "Pi.local:80", "127.0.0.1", "[::1]:8000"]
)
def test_own_names_are_answered(stranger: FlaskClient, host: str) -> None:
    assert stranger.get("/login", headers={"Host": host}).status_code == 200


def test_this_machines_name_is_its_own(stranger: FlaskClient) -> None:
    for name in (socket.gethostname(), f"{socket.gethostname()}.fritz.box:8000", f"{socket.gethostname()}.home.arpa"):
        assert stranger.get("/login", headers={"Host": name}).status_code == 200


def test_no_invitation_bears_a_foreign_name(banker: FlaskClient, table: str) -> None:
    address = table.removeprefix("http://localhost")
    answer = banker.post(f"{address}/invitations", json={"spectator": True}, headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "join/" not in answer.text


def test_a_page_says_where_it_is_to_be_had(app: Flask, services: Services) -> None:
    object.__setattr__(services, "reachable", lambda port: [f"http://192.168.4.7:{port}/"])
    answer = app.test_client().get("/login", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.mimetype) == (421, "text/plain")
    assert "Open http://192.168.4.7:80/ instead." in answer.text
    assert app.test_client().get("/login", headers={"Host": "192.168.4.7:80"}).status_code == 200


def test_a_name_that_somebody_gave_it_is_its_own(app: Flask, services: Services) -> None:
    object.__setattr__(services, "known_as", frozenset({"games.example"}))
    assert app.test_client().get("/login", headers={"Host": "Games.Example"}).status_code == 200


def test_the_address_at_which_a_request_came_in_is_its_own(server: Server, services: Services) -> None:
    # given a server that is reached at an address of this machine that nobody told it of
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as connection:
        token = services.logins.token(Caller("banker"))
        connection.sendall(
            f"GET /api/v1/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        )
        assert b" 200 " in connection.recv(4096).splitlines()[0]
