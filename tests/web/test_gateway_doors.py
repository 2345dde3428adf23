"""Answers of the gateway besides streams: whether it is well, its figures, and refusals."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import pytest

from companion.gateway import Gateway
from companion.web.http.problems import KINDS

STREAM = "/api/v1/tables/t1/stream"


def answer_of(gateway: Gateway, path: str, method: str = "GET") -> tuple[int, str]:
    """Return status and text of the answer to a request without headers.

    The gateway runs in a thread of its own: a browser that an earlier test of
    this process opened keeps a loop running in the thread of the tests.
    """
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(dict(message))

    scope = {"type": "http", "path": path, "method": method, "headers": [], "query_string": b""}

    async def ask() -> None:
        await gateway(scope, cast("Any", receive), cast("Any", send))

    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(ask())).result()
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.fixture
def gateway() -> Gateway:
    return Gateway(cast("Any", None))  # nothing here asks for a table


def test_it_says_whether_it_is_well_and_ready(gateway: Gateway) -> None:
    assert answer_of(gateway, "/healthz") == (200, '{"status": "ok"}')
    assert answer_of(gateway, "/readyz")[0] == 200

    gateway.is_ready = lambda: False
    assert answer_of(gateway, "/readyz")[0] == 503

    gateway.is_ready, gateway.is_draining = lambda: True, True
    assert answer_of(gateway, "/readyz")[0] == 503


def test_it_gives_its_figures(gateway: Gateway) -> None:
    gateway.measures = lambda: {"bell_connected": 1.0}
    status, text = answer_of(gateway, "/metrics")

    assert status == 200
    assert "companion_streams 0\n" in text
    assert "companion_bell_connected 1.0\n" in text


def test_whatever_is_no_stream_is_refused(gateway: Gateway) -> None:
    assert answer_of(gateway, "/tables/t1")[0] == 404
    assert answer_of(gateway, STREAM, "POST")[0] == 405


@pytest.mark.parametrize(
    ("path", "method", "kind"), [("/tables/t1", "GET", "not_found"), (STREAM, "POST", "method_not_allowed")]
)
def test_its_refusals_are_described_as_the_app_describes_them(
    gateway: Gateway, path: str, method: str, kind: str
) -> None:
    problem = json.loads(answer_of(gateway, path, method)[1])
    assert problem["type"] == f"/api/v1/openapi.json#/components/responses/{kind}"
    assert (problem["status"], problem["title"]) == (KINDS[kind].status, KINDS[kind].title)
