import json
from collections.abc import Callable
from contextlib import closing
from http.client import HTTPConnection

from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.http.metrics import BEGAN
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S
from tests.web.conftest import HIRE


def test_health_is_one_word(stranger: FlaskClient) -> None:
    assert stranger.get("/healthz").json == {"status": "ok"}


def test_a_server_that_is_about_to_end_answers_and_asks_for_no_more(app: Flask, stranger: FlaskClient) -> None:
    assert (stranger.get("/readyz").status_code, stranger.get("/readyz").json) == (200, {"status": "ready"})
    app.extensions["companion.streams"].draining.set()
    assert (stranger.get("/readyz").status_code, stranger.get("/readyz").json) == (503, {"status": "not ready"})
    assert stranger.get("/healthz").status_code == 200


def test_the_figures_say_how_long_commands_and_drawings_took(
    server: Server, services: Services, banker: FlaskClient, table: str
) -> None:
    # given a table, and no command by the server yet
    assert "companion_command_seconds" not in banker.get("/metrics").text
    # when the server answers a command, and draws a part of a page
    login = {"Authorization": f"Bearer {services.logins.token(Caller('banker'))}", "Content-Type": "application/json"}
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    with closing(connection):
        for method, path, body in (
            ("POST", f"{table}/commands", json.dumps(HIRE)),
            ("GET", "/tables/t1/live?part=tablet", None),
        ):
            connection.request(method, path, body, {**login, "If-Match": "1"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
    # then both are counted with a time
    lines = banker.get("/metrics").text.splitlines()
    for name in ("command", "draw"):
        assert f"companion_{name}_seconds_count 1" in lines
        assert f'companion_{name}_seconds_bucket{{le="+Inf"}} 1' in lines
        (took,) = [float(line.split()[1]) for line in lines if line.startswith(f"companion_{name}_seconds_sum")]
        assert 0 < took < 60


def test_the_figures_say_what_happened(banker: FlaskClient, stranger: FlaskClient, table: str) -> None:
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    refused = banker.post(f"{table}/commands", json={"do": "dance"}, headers={"If-Match": "2"}).json
    assert refused is not None
    banker.post(f"{table}/commands", json=HIRE)
    stranger.post("/api/v1/logins", json={"pin": "0000"})
    answer = banker.get("/metrics")
    assert answer.mimetype == "text/plain"
    lines = answer.text.splitlines()
    for line in (
        "companion_tables 1",
        "companion_tables_torn 0",
        "companion_entries 2",
        "companion_streams 0",
        "companion_streams_most 3",
        'companion_info{version="9.9"} 1',
        'companion_commands_total{outcome="done"} 2',
        'companion_commands_total{outcome="stale"} 1',
        'companion_commands_total{outcome="refused"} 1',
        'companion_commands_total{outcome="malformed"} 1',
        f'companion_refusals_total{{rule="{refused["rule"]}"}} 1',
        'companion_logins_total{outcome="wrong_pin"} 1',
    ):
        assert line in lines
    assert answer.text.endswith("\n")


def test_which_rules_refused_something_is_told_to_the_banker_only(
    banker: FlaskClient, stranger: FlaskClient, as_caller: Callable[[Caller], FlaskClient], table: str
) -> None:
    # given a command that the rules have refused
    banker.post(f"{table}/commands", json={"do": "dance"}, headers={"If-Match": "1"})

    # when others read the figures, then no rule is among them
    player = as_caller(Caller("player", "blue", "t1"))
    for other in (stranger, player, as_caller(Caller("spectator", None, "t1"))):
        figures = other.get("/metrics").text
        assert [hidden for hidden in ("companion_refusals", '"refused"', '"4xx"') if hidden in figures] == []
        assert "companion_answers_total" in figures
    assert 'companion_refusals_total{rule="unknown_command"} 1' in banker.get("/metrics").text


def test_the_times_of_commands_do_not_tell_how_many_were_refused(
    banker: FlaskClient, stranger: FlaskClient, table: str
) -> None:
    # given a command that was done, and others that were refused, stale or malformed, all of them with a time
    timed = {BEGAN: 0.0}
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"}, environ_overrides=timed)
    for command, version in (({"do": "dance"}, "2"), ({"do": "dance"}, "2"), (HIRE, "1"), ({}, "x")):
        answer = banker.post(f"{table}/commands", json=command, headers={"If-Match": version}, environ_overrides=timed)
        assert answer.status_code >= 400

    # then what was done is timed alone, for whoever asks
    for client in (stranger, banker):
        lines = client.get("/metrics").text.splitlines()
        assert 'companion_commands_total{outcome="done"} 2' in lines  # the table was begun by the first
        assert "companion_command_seconds_count 1" in lines
