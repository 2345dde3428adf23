"""The proxy of a hall, with the app behind it: strangers with slow requests, which process answers, secure pages."""

import csv
import http.client
import json
import re
import select
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.adapters import proxy
from companion.adapters.certificates.store import DeviceCertificate
from companion.adapters.proxy import (
    CONNECTIONS_OF_A_PROCESS,
    ProxyPlan,
    connections_of_a_source,
    find_haproxy,
    write_configuration,
)
from companion.cli.supervisor import HealthCheck
from companion.service.services import Services
from companion.web import create_app
from companion.web.pages import tables
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S, until
from tests.web.conftest import PIN, START

VERSIONS = {"worker-1": 'version="9.9"', "worker-2": 'version="9.9.2"'}
SLOW_BODY = b"POST /api/v1/logins HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 200\r\n\r\n{"
ASKS = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@dataclass(frozen=True)
class Front:
    """A proxy at work.

    ``statistics``, ``health``: where it tells of itself; ``trusting``: for devices that trust its certificate.
    """

    port: int
    statistics: Path
    health: Path
    secure_port: int
    trusting: ssl.SSLContext
    apps: tuple[Flask, ...]

    def ask(self, path: str, body: object = None, *, secure: bool = False, **headers: str) -> tuple[int, str]:
        """Return status and text of an answer."""
        port = self.secure_port if secure else self.port
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        if secure:
            line = http.client.HTTPSConnection("127.0.0.1", port, timeout=PATIENCE_S, context=self.trusting)
        headers |= {} if body is None else {"Content-Type": "application/json"}
        try:
            line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), headers)
            with line.getresponse() as answer:
                return answer.status, answer.read().decode()
        finally:
            line.close()

    def count_waiting(self) -> int:
        """Return how many requests wait in the proxy, for any process or for the one of their table."""
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self.statistics))
            line.sendall(b"show stat\n")
            rows = csv.DictReader(line.makefile("r").read().removeprefix("# ").splitlines())
        return sum(int(row["qcur"]) for row in rows if row["pxname"] == "app")

    def connect(self, source: str = "127.0.0.1") -> socket.socket:
        """Return a connection from an address of this machine."""
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE_S, (source, 0))


@pytest.fixture
def front(app: Flask, services: Services, tmp_path: Path) -> Iterator[Front]:
    """The proxy, with two processes behind it that differ in their version."""
    program = find_haproxy()
    if program is None:
        pytest.skip("no haproxy here: apt install haproxy")
    certificates = DeviceCertificate(tmp_path / "https", lambda: ["companion.local", "127.0.0.1"])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        sockets = [(f"worker-{number}", folder / str(number)) for number in (1, 2)]
        apps = (app, create_app(replace(services, version="9.9.2")))
        for (_, path), its_app in zip(sockets, apps, strict=True):
            running = Server(its_app, "", 0, behind=path)
            thread = threading.Thread(target=running.run)
            thread.start()
            stack.callback(thread.join, PATIENCE_S)
            stack.callback(running.stop)
        plain, secure = (stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2))
        pem = tmp_path / "https" / "server.pem"
        port, secure_port = plain.getsockname()[1], secure.getsockname()[1]
        plan = ProxyPlan(sockets, folder / "gateway", folder / "health", plain.fileno(), port, (secure.fileno(), pem))
        patient = re.sub(r"timeout (http-request|queue) \d+s", r"timeout \1 120s", write_configuration(plan))
        telling = patient.replace("global\n", f"global\n    stats socket {folder / 'statistics'} level user\n", 1)
        (folder / "haproxy.cfg").write_text(telling)
        bound = (plain.fileno(), secure.fileno())
        running_proxy = subprocess.Popen((program, "-q", "-db", "-f", str(folder / "haproxy.cfg")), pass_fds=bound)
        stack.callback(running_proxy.wait, PATIENCE_S)
        stack.callback(running_proxy.kill)
        at_work = Front(
            port,
            folder / "statistics",
            folder / "health",
            secure_port,
            ssl.create_default_context(cadata=certificates.authority),
            apps,
        )
        until(lambda: all(version in at_work.ask(f"/metrics?process={name}")[1] for name, version in VERSIONS.items()))
        yield at_work


def test_while_no_process_is_ready_the_app_says_so_and_not_the_proxy(front: Front) -> None:
    # given processes that have been without the database for so long that none is ready
    asked: list[str] = []

    def is_ready(name: str) -> bool:
        asked.append(name)
        return False

    for name, app in zip(VERSIONS, front.apps, strict=True):
        app.extensions["companion"] = replace(app.extensions["companion"], is_ready=partial(is_ready, name))
    until(lambda: all(asked.count(name) > 4 for name in VERSIONS))

    # when somebody asks, then they are answered by one of them
    assert front.ask("/healthz")[0] == 200
    assert front.ask("/readyz")[0] == 503
    assert "version=" in front.ask("/metrics")[1]


def test_strangers_whose_bodies_do_not_come_keep_nobody_waiting(front: Front) -> None:
    # given more requests with half a body than all processes take at a time
    with ExitStack() as stack:
        slow = [stack.enter_context(front.connect()) for _ in range(3 * CONNECTIONS_OF_A_PROCESS)]
        for line in slow:
            line.sendall(SLOW_BODY)

        # when somebody else asks, and logs in
        answers = [front.ask("/healthz")[0] for _ in range(3)]
        login = front.ask("/api/v1/logins", {"pin": PIN})

        # then they are answered, and those who were slow wait
        assert (answers, login[0]) == ([200] * 3, 201)
        for line in slow:
            line.setblocking(False)
            with pytest.raises(BlockingIOError):
                line.recv(1)


class CountedSlots:
    """In place of the slots in which parts are drawn: each drawing waits for a permit of its own."""

    def __init__(self) -> None:
        self.drawing = 0
        self.permits = threading.Semaphore(0)

    def __enter__(self) -> None:
        self.drawing += 1
        self.permits.acquire()

    def __exit__(self, *_: object) -> None:
        pass


def test_whoever_changes_something_does_not_wait_behind_all_who_look(
    front: Front, banker: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a table whose process draws as many parts as it takes requests, and twice as many that wait in the proxy
    slots, number = CountedSlots(), 3 * CONNECTIONS_OF_A_PROCESS
    monkeypatch.setattr(tables, "DRAWING_SLOTS", slots)
    table = banker.post("/api/v1/tables", json=START).get_json()["id"]
    bearer: dict[str, Any] = {
        "Authorization": f"Bearer {json.loads(front.ask('/api/v1/logins', {'pin': PIN})[1])['token']}"
    }
    rename = {"do": "rename_player", "player": "blue", "name": "Eve"}
    with ThreadPoolExecutor(number + 1) as people:
        draw = partial(front.ask, f"/tables/{table}/live?part=display", **bearer)
        drawn = [people.submit(draw) for _ in range(number)]
        until(lambda: slots.drawing == CONNECTIONS_OF_A_PROCESS)

        # when somebody gives a command, and a few parts are drawn
        headers = {**bearer, "If-Match": "1"}
        given = people.submit(partial(front.ask, f"/api/v1/tables/{table}/commands", rename, **headers))
        for _ in range(CONNECTIONS_OF_A_PROCESS):
            slots.permits.release()
            with suppress(TimeoutError):
                given.result(PATIENCE_S / 10)
                break

        # then it is carried out before those who came earlier
        is_given = given.done()
        slots.permits.release(number)
        assert is_given
        assert given.result()[0] == 200
        assert all(part.result(PATIENCE_S)[0] == 200 for part in drawn)


def test_what_a_page_has_given_up_is_not_drawn(
    front: Front, banker: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # given a table whose process draws as many parts as it takes requests, and a page that waits in the proxy
    slots = CountedSlots()
    monkeypatch.setattr(tables, "DRAWING_SLOTS", slots)
    table = banker.post("/api/v1/tables", json=START).get_json()["id"]
    token = json.loads(front.ask("/api/v1/logins", {"pin": PIN})[1])["token"]
    part = f"/tables/{table}/live?part=display"
    with ThreadPoolExecutor(CONNECTIONS_OF_A_PROCESS) as people, front.connect() as page:
        drawn = [
            people.submit(partial(front.ask, part, Authorization=f"Bearer {token}"))
            for _ in range(CONNECTIONS_OF_A_PROCESS)
        ]
        until(lambda: slots.drawing == CONNECTIONS_OF_A_PROCESS)
        asks = f"GET {part} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
        page.sendall(asks.encode())
        try:
            until(lambda: front.count_waiting() > 0)

            # when it gives up, then it waits no more, and nothing is drawn for it once there is room
            page.close()
            until(lambda: front.count_waiting() == 0)
        finally:
            slots.permits.release(CONNECTIONS_OF_A_PROCESS + 1)
        assert all(answer.result(PATIENCE_S)[0] == 200 for answer in drawn)
        assert slots.drawing == CONNECTIONS_OF_A_PROCESS


MOST = 120
"""Connections that the small proxy below takes."""
SILENT_S = 30.0
"""Longer than a busy proxy needs for an answer, and shorter than connections without a request stay open."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "_most_connections", lambda: MOST)


@pytest.mark.usefixtures("few")
def test_it_says_itself_that_it_is_well_also_when_all_connections_are_taken(front: Front) -> None:
    # given as many connections as it takes, and more
    with ExitStack() as stack:
        for _ in range(MOST + 20):
            stack.enter_context(front.connect()).sendall(b"GET /healthz HTTP/1.1\r\n")

        # when it is asked for some time, then it answers each time
        for _ in range(3):
            check = HealthCheck(front.health)

            def has_ended(check: HealthCheck = check) -> bool:
                check.update()
                return check.has_answered or check.silent_s > SILENT_S

            until(has_ended)
            assert check.says_ready


@pytest.mark.usefixtures("few")
def test_one_address_takes_half_of_all_connections_and_others_come_in(front: Front) -> None:
    # given an address with as many connections as one may have (the proxy takes in several at once, and closes one too
    # many now and then; and all of them after a while, because they ask nothing)
    with ExitStack() as stack:
        lines: list[socket.socket] = []

        def is_refused() -> bool:
            lines[:] = [line for line in lines if is_open(line)]
            missing = range(connections_of_a_source() - len(lines))
            lines.extend(stack.enter_context(front.connect("127.0.0.2")) for _ in missing)
            return asked(front, "127.0.0.2") == b""

        # when it comes with one more, and another address with its first, then only the other is answered
        until(is_refused)
        assert asked(front, "127.0.0.3").startswith(b"HTTP/1.1 200")


IN_A_HALL = 400
"""Connections of a hundred phones and their pages."""


def test_a_hall_may_come_through_one_router(front: Front) -> None:
    # given many connections from one address, all of them open
    with ExitStack() as stack:
        lines = [stack.enter_context(front.connect("127.0.0.2")) for _ in range(IN_A_HALL)]

        # when something is asked on each, then each is answered
        for line in lines:
            line.sendall(ASKS)
        assert {line.recv(12) for line in lines} == {b"HTTP/1.1 200"}


def is_open(line: socket.socket) -> bool:
    """Return whether a connection on which nothing was asked is neither closed nor told that it will be."""
    poll = select.poll()
    poll.register(line, select.POLLIN)
    return not poll.poll(0)


def asked(front: Front, source: str) -> bytes:
    """Return what comes first when an address asks; nothing where its connection is closed instead."""
    with suppress(ConnectionError), front.connect(source) as line:
        line.sendall(ASKS)
        return line.recv(100)
    return b""


def test_nobody_chooses_the_process_that_answers_but_for_its_figures(front: Front) -> None:
    # given requests of no table that name one process, then either answers sooner or later
    for version in ("9.9", "9.9.2"):
        until(lambda seen=f'"version":"{version}",': seen in front.ask("/api/v1/openapi.json?process=worker-1")[1])  # type: ignore[misc]

    # and only figures come from the process that was named
    for name, version in VERSIONS.items():
        assert all(version in front.ask(f"/metrics?process={name}")[1] for _ in range(3))


def test_a_code_made_on_a_secure_page_leads_to_the_plain_port(front: Front, banker: FlaskClient) -> None:
    # given an organiser who has logged in on a secure page
    table = banker.post("/api/v1/tables", json=START).get_json()["id"]
    login = json.loads(front.ask("/api/v1/logins", {"pin": PIN}, secure=True)[1])

    # when they make a code, by a page or by the API
    bearer = {"Authorization": f"Bearer {login['token']}"}
    page = front.ask(f"/tables/{table}/host", secure=True, **bearer)[1]
    made = json.loads(front.ask(f"/api/v1/tables/{table}/hosts", {}, secure=True, **bearer)[1])

    # then a phone gets there by it
    link = re.search(r"http://[^<\s]+/join/[^<\s]+", page)
    assert link is not None
    for address in (link[0], made["address"]):
        where, _, path = address.removeprefix("http://").partition("/")
        assert int(where.rpartition(":")[2]) == front.port
        assert front.ask(f"/{path}")[0] == 303
