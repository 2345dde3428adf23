"""Attacks on the server's door: half requests, quiet connections, uploads that never end.  The banker goes on."""

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPResponse

import pytest

from companion.service.access.logins import LOGIN_COOKIE, Caller
from companion.service.services import Services
from companion.web.http.problems import KINDS
from companion.web.server import connection_limits
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S, until
from tests.web.conftest import HIRE, PIN

ATTACKERS = 420


@pytest.fixture
def banker_token(services: Services) -> str:
    return services.logins.token(Caller("banker"))


@pytest.fixture
def opened(server: Server) -> Iterator["Opened"]:
    with ExitStack() as stack:
        yield Opened(server, stack)


class Opened:
    """Connections that stay open until the test ends."""

    def __init__(self, server: Server, stack: ExitStack) -> None:
        self._server, self._stack = server, stack

    def sends(self, data: bytes) -> socket.socket:
        connection = self._stack.enter_context(
            socket.create_connection(("127.0.0.1", self._server.port), timeout=PATIENCE_S)
        )
        connection.sendall(data)
        return connection


def request(server: Server, method: str, path: str, token: str, body: object = None, **headers: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    try:
        sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", **headers}
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        return connection.getresponse().status
    finally:
        connection.close()


def head(path: str, length: int, *more: str) -> bytes:
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {length}", *more)
    return "\r\n".join((*lines, "", "")).encode()


def chunked(path: str, length: int, *more: str) -> bytes:
    """Return a request whose body comes in chunks and has not ended yet."""
    lines = (f"POST {path} HTTP/1.1", "Host: localhost", "Transfer-Encoding: chunked", *more)
    return "\r\n".join((*lines, "", f"{length:x}", "")).encode() + b"\xff" * length + b"\r\n"


def status(connection: socket.socket) -> int:
    answer = HTTPResponse(connection)
    answer.begin()
    answer.read()
    return answer.status


def large_bodies(server: Server) -> int:
    """Return how many large bodies the server is receiving."""
    coming = [channel.request for channel in list(server._inner.active_channels.values())]
    return sum(
        request is not None and request.headers_finished and request.body_size > connection_limits.LARGE_BODY
        for request in coming
    )


def is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def test_hundreds_of_half_requests_keep_nobody_from_playing(
    server: Server,
    opened: Opened,
    table: str,
    banker_token: str,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # given hundreds of connections that began a request and say no more, none of which is closed for being late
    monkeypatch.setattr(connection_limits, "HEADER_SECONDS", 3_600)
    first = opened.sends(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
    for _ in range(ATTACKERS):
        opened.sends(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")

    # then the banker's next command is answered while they wait, and few of them are left
    assert request(server, "POST", f"{table}/commands", banker_token, HIRE, **{"If-Match": "1"}) == 200
    assert is_closed(first)
    until(lambda: len(server._inner.active_channels) <= connection_limits.strangers_allowed(services.screens) + 1)


def test_somebody_who_has_logged_in_is_not_put_out_for_strangers(
    server: Server, opened: Opened, banker_token: str, services: Services
) -> None:
    # given a browser with a login that keeps its connection
    mine = opened.sends(
        f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nCookie: {LOGIN_COOKIE}={banker_token}\r\n\r\n".encode()
    )
    assert status(mine) == 200
    for _ in range(2 * connection_limits.strangers_allowed(services.screens)):
        opened.sends(b"GET /")

    # then it goes on on it
    mine.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert status(mine) == 200
    assert server.port


def test_all_screens_may_come_back_at_once(server: Server, opened: Opened, services: Services) -> None:
    # given two connections of every screen, which open before any of them says who it is
    some = [opened.sends(b"") for _ in range(2 * services.screens)]

    # then each is answered
    for connection in some:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert status(connection) == 200
    assert server.port


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: lo"], ids=["nothing", "half a request"])
def test_who_keeps_a_request_back_is_put_out(opened: Opened, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(connection_limits, "HEADER_SECONDS", 0.5)
    assert is_closed(opened.sends(said))


def test_a_body_that_stays_away_is_waited_for_no_longer(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, banker_token: str
) -> None:
    monkeypatch.setattr(connection_limits, "QUIET_SECONDS", 0.5)
    assert is_closed(opened.sends(head("/api/v1/read", 900_000, f"Authorization: Bearer {banker_token}") + b"\x89PNG"))


@pytest.mark.parametrize("token", ["", "nonsense"])
def test_a_stranger_sends_no_large_body(opened: Opened, token: str) -> None:
    mark = (f"Authorization: Bearer {token}",) if token else ()
    for path in ("/api/v1/logins", "/login", "/api/v1/read"):
        assert status(opened.sends(head(path, connection_limits.STRANGERS_BODY + 1, *mark))) == 401
        assert status(opened.sends(chunked(path, connection_limits.STRANGERS_BODY, *mark))) == 401


def test_a_login_sends_few_large_bodies_at_a_time_and_commands_go_on(
    server: Server, opened: Opened, table: str, banker_token: str, services: Services
) -> None:
    # given a player who begins uploads and ends none
    player = f"Authorization: Bearer {services.logins.token(Caller('player', 'blue', 't1'))}"
    for _ in range(connection_limits.LARGE_BODIES):
        opened.sends(head(f"{table}/frames", 19_000_000, player) + b"\xff\xd8\xff")
    until(lambda: large_bodies(server) == connection_limits.LARGE_BODIES)

    # then one more is told to wait before it sends anything, and the banker plays on
    assert status(opened.sends(head(f"{table}/frames", 19_000_000, player))) == 503
    assert request(server, "POST", f"{table}/commands", banker_token, HIRE, **{"If-Match": "1"}) == 200


def test_whoever_sends_a_body_in_chunks_logs_in_too(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    said = json.dumps({"pin": PIN}).encode()
    connection.request("POST", "/api/v1/logins", iter([said]), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["role"]) == (201, "banker")
    connection.close()


def test_a_body_in_chunks_counts_as_large_once_it_is(
    server: Server, opened: Opened, table: str, banker_token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given as many large bodies as there may be, which come in chunks
    monkeypatch.setattr(connection_limits, "LARGE_BODY", 40_000)
    banker = f"Authorization: Bearer {banker_token}"
    for _ in range(connection_limits.LARGE_BODIES):
        opened.sends(chunked(f"{table}/frames", connection_limits.LARGE_BODY + 1, banker))
    until(lambda: large_bodies(server) == connection_limits.LARGE_BODIES)

    # then there is no room for another one, and a command that comes in chunks is carried out
    assert status(opened.sends(chunked(f"{table}/frames", connection_limits.LARGE_BODY + 1, banker))) == 503
    command = json.dumps(HIRE).encode()
    more = (banker, "Content-Type: application/json", "If-Match: 1")
    whole = chunked(f"{table}/commands", len(command), *more).replace(b"\xff" * len(command), command)
    assert status(opened.sends(whole + b"0\r\n\r\n")) == 200


def test_what_the_door_refuses_is_described_as_the_app_describes_it(
    server: Server, opened: Opened, table: str, banker_token: str
) -> None:
    # given as many large bodies as there may be
    banker = f"Authorization: Bearer {banker_token}"
    for _ in range(connection_limits.LARGE_BODIES):
        opened.sends(head(f"{table}/frames", 19_000_000, banker) + b"\xff\xd8\xff")
    until(lambda: large_bodies(server) == connection_limits.LARGE_BODIES)

    # when requests are refused before the app sees them
    unreadable = b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n"
    asked = {
        "busy": head(f"{table}/frames", 19_000_000, banker),
        "login_needed": head(f"{table}/frames", 19_000_000),
        "too_large": head(f"{table}/frames", 99_000_000, banker),
        "malformed": unreadable,
    }
    for kind, said in asked.items():
        answer = HTTPResponse(opened.sends(said))
        answer.begin()
        problem = json.loads(answer.read())

        # then their kind is that of the app's own problems, with the headers of such
        assert problem["type"] == f"/api/v1/openapi.json#/components/responses/{kind}"
        assert (problem["status"], problem["title"]) == (KINDS[kind].status, KINDS[kind].title)
        assert answer.headers.get("Retry-After") == ("5" if kind == "busy" else None)
        assert answer.headers.get("WWW-Authenticate") == ("Bearer" if kind == "login_needed" else None)
