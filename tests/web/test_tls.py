"""Secure pages (HTTPS) beside the plain ones: real TLS by a device that trusts the authority."""

import http.client
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.http import parse_cookie

from companion.adapters.certificates.store import DeviceCertificate
from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web import create_app
from companion.web.server import server as secure
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S, until
from tests.web.conftest import HIRE, PIN, START
from tests.web.shared_app import serve, shared_app

WANTED = ["raspberrypi", "companion.local", "localhost", "127.0.0.1"]


@pytest.fixture
def certificates(tmp_path: Path) -> DeviceCertificate:
    return DeviceCertificate(tmp_path / "https", lambda: WANTED)


@pytest.fixture
def services(services: Services, certificates: DeviceCertificate) -> Services:
    return replace(services, certificates=certificates)


@pytest.fixture
def app(services: Services) -> Flask:
    return shared_app(services)


@pytest.fixture
def server(app: Flask, certificates: DeviceCertificate) -> Iterator[Server]:
    yield from serve(Server(app, "127.0.0.1", 0, tls=certificates.context))


class Device:
    """A browser that trusts the authority, or one that does not."""

    def __init__(self, server: Server, authority: bytes | None) -> None:
        self.context = ssl.create_default_context(cadata=authority)
        self.server = server
        self.cookies: dict[str, str] = {}

    def connection(self, *, plain: bool = False) -> http.client.HTTPConnection:
        if plain:
            return http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=PATIENCE_S)
        return http.client.HTTPSConnection(
            "127.0.0.1", self.server.secure_port, timeout=PATIENCE_S, context=self.context
        )

    def ask(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None, *, plain: bool = False
    ) -> Any:
        connection = self.connection(plain=plain)
        port = self.server.port if plain else self.server.secure_port
        sent = {"Host": f"127.0.0.1:{port}", **(headers or {})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(method, path, None if body is None else json.dumps(body), sent)
            answer = connection.getresponse()
            text = answer.read()
            for line in answer.headers.get_all("Set-Cookie") or []:
                self.cookies.update(parse_cookie(line.partition(";")[0]))
                answer.headers["Set-Cookie-Whole"] = line
            return answer, text
        finally:
            connection.close()


@pytest.fixture
def device(server: Server, certificates: DeviceCertificate) -> Device:
    return Device(server, certificates.authority)


def test_a_device_that_trusts_the_authority_plays_over_https_and_others_over_http(device: Device) -> None:
    # given a login over HTTPS
    answer, _ = device.ask("POST", "/api/v1/logins", {"pin": PIN})
    assert answer.status == 201
    origin = {"Origin": f"https://127.0.0.1:{device.server.secure_port}"}

    # when a game is begun and played there
    _, text = device.ask("POST", "/api/v1/tables", START, origin)
    table = f"/api/v1/tables/{json.loads(text)['id']}"
    answer, text = device.ask("POST", f"{table}/commands", HIRE, {**origin, "If-Match": "1"})

    # then it counts, and the plain pages tell the same
    assert answer.status == 200, text
    token = {"Authorization": f"Bearer {device.cookies['__Host-companion_login']}"}
    _, text = device.ask("GET", table, headers=token, plain=True)
    assert json.loads(text)["version"] == 2


def test_one_that_does_not_trust_it_is_told_by_its_browser_and_the_next_is_served(
    server: Server, device: Device
) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        Device(server, None).ask("GET", "/healthz")

    assert device.ask("GET", "/healthz")[0].status == 200


def test_cookies_of_secure_pages_are_secure_and_plain_pages_keep_their_own(device: Device) -> None:
    # given a device that logged in over HTTPS: a browser lets no plain page replace that cookie
    answer, _ = device.ask("POST", "/api/v1/logins", {"pin": PIN})
    kept = answer.headers.get_all("Set-Cookie")
    assert all("Secure" in line and line.startswith("__Host-") and "Path=/" in line for line in kept)

    # when it logs in over HTTP, too
    plain = Device(device.server, None)
    answer, _ = plain.ask("POST", "/api/v1/logins", {"pin": PIN}, plain=True)

    # then that is a cookie of another name, which secure pages take as well
    assert not any("Secure" in line or "__Host-" in line for line in answer.headers.get_all("Set-Cookie"))
    device.cookies = plain.cookies
    assert device.ask("GET", "/api/v1/tables")[0].status == 200
    answer, _ = device.ask("DELETE", "/api/v1/logins")
    dropped = [line.partition("=")[0] for line in answer.headers.get_all("Set-Cookie")]
    assert sorted(dropped) == ["__Host-companion_login", "companion_login"]


def test_a_page_of_another_site_may_write_nothing_over_https_either(device: Device) -> None:
    device.ask("POST", "/api/v1/logins", {"pin": PIN})
    for origin in ("https://elsewhere.example", f"https://127.0.0.1:{device.server.port}"):
        assert device.ask("POST", "/api/v1/tables", START, {"Origin": origin})[0].status == 403


def test_guests_are_invited_to_plain_pages_which_no_phone_has_to_be_taught(device: Device) -> None:
    device.ask("POST", "/api/v1/logins", {"pin": PIN})
    _, text = device.ask("POST", "/api/v1/tables", START)
    table = json.loads(text)["id"]

    _, text = device.ask("POST", f"/api/v1/tables/{table}/invitations", {"player": "blue"})

    address = json.loads(text)["address"]
    assert address.startswith("http://")
    assert f":{device.server.port}/join/" in address


def test_a_screen_follows_over_https_and_its_place_is_free_when_it_goes(
    device: Device, services: Services, app: Flask
) -> None:
    device.ask("POST", "/api/v1/logins", {"pin": PIN})
    _, text = device.ask("POST", "/api/v1/tables", START)
    table = f"/api/v1/tables/{json.loads(text)['id']}"
    token = services.logins.token(Caller("banker"))
    connection = device.connection()
    connection.request("GET", f"{table}/stream", headers={"Authorization": f"Bearer {token}"})
    stream = connection.getresponse()
    assert b"event: version" in b"".join(stream.readline() for _ in range(4))

    device.ask("POST", f"{table}/commands", HIRE, {"If-Match": "1"})
    while b"id: 2" not in (line := stream.readline()):
        assert line

    stream.close()
    connection.close()
    until(lambda: app.extensions["companion.streams"].count == 0)


def test_a_large_answer_and_a_large_upload_come_through_whole(device: Device) -> None:
    device.ask("POST", "/api/v1/logins", {"pin": PIN})
    answer, text = device.ask("GET", "/api/v1/openapi.json")
    assert answer.status == 200
    assert len(text) > 65_536
    assert json.loads(text)["openapi"]

    connection = device.connection()
    sent = {"Cookie": f"__Host-companion_login={device.cookies['__Host-companion_login']}"}
    connection.request("POST", "/api/v1/read?name=x.png", b"\x89PNG" + b"x" * 2_000_000, sent)
    response = connection.getresponse()
    assert response.status in {200, 415, 422}, response.read()
    connection.close()


def test_hundreds_who_never_shake_hands_keep_nobody_out(
    server: Server, device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secure, "HANDSHAKE_S", 3_600.0)
    with ExitStack() as stack:
        for _ in range(secure.MOST_HANDSHAKES * 3):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.secure_port), timeout=PATIENCE_S))
        assert device.ask("GET", "/healthz")[0].status == 200


def test_what_is_no_tls_is_closed_without_a_word_in_the_log(
    server: Server, device: Device, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.create_connection(("127.0.0.1", server.secure_port), timeout=PATIENCE_S) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " not in plain.recv(1_000)

    assert device.ask("GET", "/healthz")[0].status == 200
    assert not [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}]


def test_it_tells_how_to_trust_it_before_anybody_has_logged_in(device: Device, certificates: DeviceCertificate) -> None:
    answer, text = device.ask("GET", "/trust", plain=True, headers={"User-Agent": "Mozilla/5.0 (iPhone)"})
    page = text.decode()
    assert answer.status == 200
    assert certificates.fingerprint in page
    assert f"https://127.0.0.1:{device.server.secure_port}/" in page
    assert page.index("iPhone and iPad") < page.index("Android")

    answer, der = device.ask("GET", "/trust/companion.crt", plain=True)
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert der == certificates.authority
    assert "This page came over HTTPS." in device.ask("GET", "/trust")[1].decode()


def test_without_https_the_page_says_so_and_there_is_nothing_to_save(services: Services) -> None:
    plain = create_app(replace(services, certificates=None)).test_client()

    assert "switched off" in plain.get("/trust").get_data(as_text=True)
    assert plain.get("/trust/companion.crt").status_code == 404
