"""Screens that read slowly or not at all: the others hear at once, and what waits for the slow ones has a limit."""

import http.client
import json
import socket
from contextlib import ExitStack
from dataclasses import replace

import pytest

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S
from tests.web.conftest import HIRE
from tests.web.live_client import reading

SLOW, COMMANDS = 12, 40


@pytest.fixture
def services(services: Services) -> Services:
    return replace(services, screens=SLOW + 3)


def command(server: Server, table: str, token: str, version: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    given = HIRE if version % 2 else {"do": "undo"}
    sent = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "If-Match": str(version)}
    connection.request("POST", f"{table}/commands", json.dumps(given), sent)
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    answer.read()
    connection.close()


def test_those_who_read_nothing_keep_nobody_waiting(server: Server, services: Services, table: str) -> None:
    # given screens that ask to follow and never read a byte, with as little room for bytes under way as there is
    token = services.logins.token(Caller("banker"))
    request = f"GET {table}/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    with ExitStack() as stack:
        for _ in range(SLOW):
            slow = stack.enter_context(socket.socket())
            slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            slow.connect(("127.0.0.1", server.port))
            slow.sendall(request)
        reader = stack.enter_context(reading(server, f"{table}/stream", token))
        assert reader.next_named("version").id == "1"

        # when commands come
        for version in range(1, COMMANDS + 1):
            command(server, table, token, version)
            assert reader.next_named("version").id == str(version + 1)

        # then who reads has heard of each before the next, and for nobody more waits than the server's limit
        waiting = [channel.total_outbufs_len for channel in list(server._inner.active_channels.values())]
        assert max(waiting) < 2 * server._inner.adj.outbuf_high_watermark
