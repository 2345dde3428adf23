"""Access: every endpoint, called as each kind of caller, is reached as the one list says."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from companion.service.access.logins import Caller
from companion.web.http.access import REACH, Reach
from companion.web.http.auth import reach_of
from companion.web.http.problems import Problem
from tests.web.conftest import START

ORDER: tuple[Reach, ...] = ("stranger", "guest", "player", "host", "organiser")
"""Each of these reaches what those before it reach."""
OWN_TABLE, ELSEWHERE, NOWHERE = "t1", "t2", "t9"
LET_IN = 503
"""What every view answers where it matters only whether it is reached."""
AWAY = frozenset({"/", "/login?error=seat"})
"""Where a browser is led that may not see a page."""


class Call(NamedTuple):
    """A call of an endpoint."""

    endpoint: str
    method: str
    path: str


def calls(app: Flask) -> list[Call]:
    """Return a call of every endpoint, at the first table where it is of one."""
    return [
        Call(rule.endpoint, method, _address(rule))
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


def _address(rule: Rule) -> str:
    path = rule.rule.replace("<table_id>", OWN_TABLE).replace("<player>", "blue").replace("<letters>", "BCDF")
    path = re.sub(r"<(?:path:)?\w+>", "none", re.sub(r"<int:\w+>", "7", path))
    return f"{path}?part=display" if rule.endpoint == "tables.live" else path


def answer_to(client: FlaskClient, call: Call) -> tuple[int, str, str]:
    """Return status, address and text of an answer; a stream is not read."""
    with client.open(call.path, method=call.method) as answer:
        text = "" if answer.is_streamed else answer.get_data(as_text=True)
        return answer.status_code, answer.headers.get("Location", ""), text


@pytest.fixture
def tables_here(banker: FlaskClient) -> None:
    """Two tables that go on."""
    for _ in (OWN_TABLE, ELSEWHERE):
        assert banker.post("/api/v1/tables", json=START).status_code == 201


@pytest.fixture
def callers(as_caller: Callable[[Caller], FlaskClient], stranger: FlaskClient) -> dict[Reach, FlaskClient]:
    """Somebody of each kind, at the first table."""
    return {
        "stranger": stranger,
        "guest": as_caller(Caller("spectator", None, OWN_TABLE)),
        "player": as_caller(Caller("player", "blue", OWN_TABLE)),
        "host": as_caller(Caller("host", None, OWN_TABLE)),
        "organiser": as_caller(Caller("banker")),
    }


@pytest.fixture
def only_let_in(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every view answer that it was reached, and do nothing."""
    for endpoint, view in app.view_functions.items():

        @wraps(view)
        def reached(*_: Any, **__: Any) -> None:
            raise Problem("busy", "Reached.")

        monkeypatch.setitem(app.view_functions, endpoint, reached)


def test_the_list_names_every_endpoint_and_nothing_else(app: Flask) -> None:
    on_a_hotspot = {"captive.show_api", "captive.show_page"}

    assert set(REACH) - on_a_hotspot == {rule.endpoint for rule in app.url_map.iter_rules()}


def test_what_is_not_in_the_list_is_the_organisers() -> None:
    assert reach_of("something.new") == "organiser"


@pytest.mark.usefixtures("only_let_in")
@pytest.mark.parametrize("kind", ORDER)
def test_each_kind_of_caller_reaches_what_the_list_says_and_no_more(
    app: Flask, callers: dict[Reach, FlaskClient], kind: Reach
) -> None:
    wrong = []
    for call in calls(app):
        status, address, _ = answer_to(callers[kind], call)
        if ORDER.index(reach_of(call.endpoint)) <= ORDER.index(kind):
            is_right = status == LET_IN
        elif call.path.startswith("/api/"):
            is_right = status == (401 if kind == "stranger" else 403)
        elif kind == "stranger":
            is_right = address.startswith(("/login?next=", "/tv"))
        else:
            is_right = address in AWAY or status == 403
        if not is_right:
            wrong.append((call, status, address))
    assert wrong == []


@pytest.mark.usefixtures("tables_here")
def test_a_host_is_refused_by_no_view_that_the_list_lets_them_reach(
    app: Flask, callers: dict[Reach, FlaskClient]
) -> None:
    within_reach = [
        call
        for call in calls(app)
        if call.path.startswith("/api/") and ORDER.index(reach_of(call.endpoint)) <= ORDER.index("host")
    ]
    assert len(within_reach) > 35

    answers = {call: answer_to(callers["host"], call) for call in within_reach}

    assert [call for call, (status, *_) in answers.items() if status in {401, 403, 500}] == []


@pytest.mark.usefixtures("tables_here")
@pytest.mark.parametrize("role", ["host", "player", "spectator"])
def test_at_another_table_nobody_learns_even_whether_it_exists(
    app: Flask, as_caller: Callable[[Caller], FlaskClient], role: Literal["host", "player", "spectator"]
) -> None:
    client = as_caller(Caller(role, "blue" if role == "player" else None, ELSEWHERE))
    of_tables = [call for call in calls(app) if f"/tables/{OWN_TABLE}" in call.path]
    assert len(of_tables) > 40

    for call in of_tables:
        answer = answer_to(client, call)
        assert answer[0] == 403 or answer[1] == "/login?error=seat", call
        assert answer == answer_to(client, call._replace(path=call.path.replace(OWN_TABLE, NOWHERE))), call
