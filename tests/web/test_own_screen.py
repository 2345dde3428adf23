"""The machine's own screen looks on without anybody who logs in; nobody else does by that way."""

import socket
import threading

import pytest
from flask.testing import FlaskClient

from companion.web.http.auth import LOCAL_ADDRESS, PASSED_ON
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S
from tests.web.conftest import START
from tests.web.phones import Phone

LOCAL = {LOCAL_ADDRESS: "127.0.0.1", "REMOTE_ADDR": "127.0.0.1", PASSED_ON: False}


def test_before_the_first_game_it_shows_the_code_and_then_the_display(server: Server, banker: FlaskClient) -> None:
    # given a browser on this very machine, and no game
    screen = Phone(server)
    waiting = screen.get("/screen")
    assert "Point your phone at the square" in waiting.text
    assert "<svg" in waiting.text
    assert screen.get("/screen?part=lobby").status == 200

    # when one begins
    made = banker.post("/api/v1/tables", json=START)
    table = made.headers["Location"].rsplit("/", 1)[-1]

    # then it looks on there, and may do nothing
    assert screen.get("/screen").location == f"/tables/{table}/display"
    assert screen.get(f"/tables/{table}/display").status == 200
    assert screen.post_json(f"/api/v1/tables/{table}/commands", {"do": "undo"}).status == 403
    assert screen.get("/").status in {302, 303}


def test_it_comes_back_by_itself_when_everybody_was_logged_out(server: Server, banker: FlaskClient, table: str) -> None:
    # given the machine's own screen, which has no keyboard
    screen, display = Phone(server), f"/tables/{table.rsplit('/', 1)[-1]}/display"
    screen.get("/screen")

    # when everybody is logged out, and its page asks again
    banker.delete("/api/v1/guests")
    assert screen.get(table).status == 401

    # then it is back at the table
    assert screen.get(screen.get(display).location).location == "/screen"
    assert screen.follow(display).status == 200
    assert screen.get(display).status == 200


@pytest.mark.parametrize(
    ("environ", "headers"),
    [
        ({LOCAL_ADDRESS: "192.168.1.23", "REMOTE_ADDR": "192.168.1.40"}, {"Host": "192.168.1.23"}),
        ({PASSED_ON: True}, {}),
        ({}, {"Host": "companion.local"}),
        ({LOCAL_ADDRESS: "", "REMOTE_ADDR": "nonsense"}, {}),
    ],
)
def test_whoever_is_elsewhere_is_led_to_the_door(
    stranger: FlaskClient, table: str, environ: dict[str, object], headers: dict[str, str]
) -> None:
    assert table
    led = stranger.get("/screen", environ_overrides={**LOCAL, **environ}, headers=headers)

    assert led.status_code in {303, 421}
    assert "Set-Cookie" not in led.headers
    assert led.headers.get("Location", "/login") == "/login"


@pytest.mark.parametrize(
    "header",
    [
        "Forwarded: for=192.168.1.40",
        "X-Forwarded-For: 192.168.1.40",
        "X-Forwarded-Host: companion.example",
        "X-Forwarded-Proto: https",
        "X-Forwarded-By: 192.168.1.1",
        "X-Real-IP: 192.168.1.40",
        "Via: 1.1 proxy",
    ],
)
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_what_a_proxy_on_this_machine_passes_on_is_not_from_this_machine(
    server: Server, table: str, header: str, version: str
) -> None:
    # given a game, and a proxy beside the program, which tells for whom it asks
    assert table

    # when it passes a request on to the program
    answer = raw(server, f"GET /screen HTTP/{version}\r\nHost: 127.0.0.1:{server.port}\r\n{header}\r\n")

    # then whoever asked is led to the door, and has no login
    assert " 303 " in answer.splitlines()[0]
    assert "\r\nlocation: /login\r\n" in answer.lower()
    assert "set-cookie" not in answer.lower()


def test_a_proxy_that_tells_nothing_but_speaks_http_1_0_is_noticed(server: Server, table: str) -> None:
    assert table
    asked = f"/screen HTTP/{{}}\r\nHost: 127.0.0.1:{server.port}\r\n"
    assert "set-cookie" not in raw(server, "GET " + asked.format("1.0")).lower()
    assert "set-cookie" in raw(server, "GET " + asked.format("1.1")).lower()


def own_network_address() -> str:
    """The address that other machines reach this one by, or none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return ""
        return str(probe.getsockname()[0])


@pytest.mark.parametrize("host", ["127.0.0.2", own_network_address()], ids=["second-loopback", "network"])
def test_a_server_on_one_address_knows_its_own_screen_by_the_loopback_address_only(
    banker: FlaskClient, table: str, host: str
) -> None:
    # given a server that listens on one address of this machine
    if not host:
        pytest.skip("this machine has no address but the loopback one")
    assert table
    with socket.socket() as probe:  # a port that is free at every address
        probe.bind(("", 0))
        port = probe.getsockname()[1]
    server = Server(banker.application, host, port)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        # when its own screen asks by the loopback address, and somebody (a proxy, perhaps) by the other one
        asked = f"GET /screen HTTP/1.1\r\nHost: {{}}:{server.port}\r\n"
        own = raw(server, asked.format("127.0.0.1"))
        others = [raw(server, asked.format(name), host) for name in (host, "127.0.0.1") if host != "127.0.0.2"]
    finally:
        server.stop()
        thread.join(PATIENCE_S)

    # then the screen is let in, and nobody else is
    assert "set-cookie" in own.lower()
    assert all("set-cookie" not in answer.lower() for answer in others)


def raw(server: Server, head: str, host: str = "127.0.0.1") -> str:
    """The whole answer to a request of which every byte is given."""
    with socket.create_connection((host, server.port), timeout=PATIENCE_S) as connection:
        connection.sendall(f"{head}Connection: close\r\n\r\n".encode())
        received = b""
        while chunk := connection.recv(65_536):
            received += chunk
    return received.decode()


def test_a_server_on_one_address_serves_on_where_the_loopback_port_is_somebody_elses(
    banker: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    # given another program at a port of the loopback address
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]

        # when the companion is to listen at that port of another address
        server = Server(banker.application, "127.0.0.2", port)
        serving = threading.Thread(target=server.run)
        serving.start()
        try:
            answer = raw(server, f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.2:{port}\r\n", "127.0.0.2")
        finally:
            server.stop()
            serving.join(PATIENCE_S)

    # then it does, and says that this machine's own screen cannot reach it
    assert answer.startswith("HTTP/1.1 200")
    assert f"127.0.0.1:{port} cannot be used, so there is no screen of this machine's own" in caplog.text
