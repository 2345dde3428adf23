import http.client
import json
import threading
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.api import stream as api_stream
from companion.web.http.capacity import Streams
from companion.web.http.problems import Problem
from companion.web.server.server import Server
from tests.waiting import PATIENCE_S, until
from tests.web.conftest import HIRE, START
from tests.web.fake_scanner import FakeScanner
from tests.web.live_client import reading

NEVER_S = 3_600.0
"""A heartbeat that no test lives to hear."""

Token = Callable[[Caller], str]


@pytest.fixture
def token(services: Services) -> Token:
    return services.logins.token


@pytest.fixture
def streams(app: Flask) -> Streams:
    app_streams = app.extensions["companion.streams"]
    assert isinstance(app_streams, Streams)
    return app_streams


def test_a_reader_is_told_what_is_and_then_what_changes(
    server: Server, banker: FlaskClient, table: str, token: Token
) -> None:
    with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
        first, camera_event = reader.next(), reader.next()
        assert (first.name, first.id, first.data) == ("version", "1", banker.get(table).json)
        assert (camera_event.name, camera_event.id) == ("sight", "")
        assert camera_event.data == banker.get(f"{table}/proposals").json
        banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
        second = reader.next_named("version")
        assert (second.id, second.data) == ("2", banker.get(table).json)


def test_an_entry_reaches_the_reader_without_waiting_for_a_heartbeat(
    server: Server, app: Flask, banker: FlaskClient, table: str, token: Token
) -> None:
    app.config["HEARTBEAT_SECONDS"] = NEVER_S
    with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
        reader.next_named("sight")
        banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
        assert reader.next_named("version").id == "2"


def test_after_a_break_it_goes_on_from_the_version_that_the_reader_has(
    server: Server, banker: FlaskClient, table: str, token: Token
) -> None:
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    with reading(server, f"{table}/stream", token(Caller("banker")), **{"Last-Event-ID": "1"}) as reader:
        assert reader.next().id == "2"
    with reading(server, f"{table}/stream", token(Caller("banker")), **{"Last-Event-ID": "2"}) as reader:
        assert reader.next().name == "sight"
    with reading(server, f"{table}/stream", token(Caller("banker")), **{"Last-Event-ID": "x\u00b2"}) as reader:
        assert reader.next().id == "2"


def test_proposals_and_sight_come_by_themselves_and_only_when_they_change(
    server: Server, banker: FlaskClient, table: str, token: Token, scanner: FakeScanner, services: Services
) -> None:
    with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
        reader.next_named("sight")
        services.tables.get("t1").signal.bump()
        scanner.propose("t1", HIRE)
        camera_event = reader.next_named("sight")
        assert camera_event.data["proposals"][0]["command"] == HIRE
        banker.post(f"{table}/proposals/1", json={"answer": "yes"})
        assert reader.next_named("version").id == "2"


def test_each_reader_sees_through_own_eyes(
    server: Server, table: str, token: Token, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    for caller in (Caller("banker"), Caller("player", "yellow", "t1"), Caller("spectator", table="t1")):
        with reading(server, f"{table}/stream", token(caller)) as reader:
            assert reader.next().data == as_caller(caller).get(table).json


def test_when_it_is_quiet_a_comment_comes_at_every_heartbeat(
    server: Server, app: Flask, table: str, token: Token
) -> None:
    assert api_stream.HEARTBEAT_SECONDS == 5.0
    app.config["HEARTBEAT_SECONDS"] = 0.5
    with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
        reader.next_named("sight")
        assert [reader.next().name for _ in range(2)] == ["comment", "comment"]


def test_comments_come_too_while_only_others_have_news(
    server: Server, app: Flask, table: str, token: Token, services: Services
) -> None:
    # given a spectator, and a camera that sees something else at every moment, which only the banker is told
    app.config["HEARTBEAT_SECONDS"] = 0.5
    signal, is_enough = services.tables.get("t1").signal, threading.Event()

    def stir() -> None:
        while not is_enough.wait(0.05):
            signal.bump()

    with reading(server, f"{table}/stream", token(Caller("spectator", table="t1"))) as reader:
        reader.next_named("sight")
        stirring = threading.Thread(target=stir)
        stirring.start()
        try:
            # then it is told all the same that the line is open
            assert [reader.next().name for _ in range(2)] == ["comment", "comment"]
        finally:
            is_enough.set()
            stirring.join()


def test_what_the_stream_adds_to_what_is_asked_is_described(
    banker: FlaskClient, table: str, services: Services
) -> None:
    # given a table where a step was ticked by hand, and from which people have gone on to another
    services.preparations.tick("t1", "mallet", done=True)
    went_on = banker.post("/api/v1/tables?follows=t1", json=START).get_json()["id"]

    # when the stream tells what is
    said = json.loads(banker.get(f"{table}/stream?once=1").text.partition("event: sight\ndata: ")[2])
    added = {name: said[name] for name in said.keys() - banker.get(f"{table}/proposals").get_json().keys()}

    # then the description names what it adds
    assert added == {"next": went_on, "ticks": 1}
    calls = banker.get("/api/v1/openapi.json").get_json()["paths"]["/api/v1/tables/{table_id}/stream"]
    assert all(f"`{name}`" in calls["get"]["summary"] for name in added)


def test_what_proxies_need_to_know_is_said(server: Server, table: str, token: Token) -> None:
    with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
        assert reader.answer.headers["X-Accel-Buffering"] == "no"
        assert reader.answer.headers["Cache-Control"] == "no-store"


def test_past_the_most_a_reader_is_asked_to_come_back_and_commands_go_on(
    server: Server, banker: FlaskClient, table: str, token: Token, streams: Streams
) -> None:
    banker_token = token(Caller("banker"))
    path = f"{table}/stream"
    with reading(server, path, banker_token), reading(server, path, banker_token), reading(server, path, banker_token):
        assert streams.count == 3
        metrics = banker.get("/metrics").text
        assert "companion_streams 3" in metrics.splitlines()
        answer = ask(server, "GET", path, banker_token)
        assert answer.status == 503
        assert answer.headers["Retry-After"] == "5"
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert ask(server, "GET", table, banker_token).status == 200
    until(lambda: streams.count == 0)


def test_no_guest_holds_every_place_and_some_are_the_bankers() -> None:
    # given fifty places, and a link to look on that is opened again and again
    places, guest, other = Streams(50), Caller("spectator", table="t1", device="a"), Caller("player", "blue", "t1")
    tickets = [places.open(guest) for _ in range(35)]
    with pytest.raises(Problem, match="live are taken"):
        places.open(guest)

    # then others find places, the banker finds the last ones, and what is given back is free again
    tickets += [places.open(other) for _ in range(10)]
    with pytest.raises(Problem):
        places.open(other)
    tickets += [places.open(Caller("banker")) for _ in range(5)]
    with pytest.raises(Problem):
        places.open(Caller("banker"))
    for ticket in tickets:
        places.close(ticket)
    assert places.open(guest)


def test_where_the_banker_has_his_screens_guests_find_all_other_places() -> None:
    places = Streams(50)
    for _ in range(10):
        places.open(Caller("banker"))
    for number in range(40):
        places.open(Caller("player", "blue", "t1", device=str(number)))
    assert places.count == 50


def test_a_reader_that_goes_gives_its_place_back_before_the_next_heartbeat(
    server: Server, app: Flask, table: str, token: Token, streams: Streams
) -> None:
    app.config["HEARTBEAT_SECONDS"] = NEVER_S
    for _ in range(5):
        with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
            reader.next()
            assert streams.count == 1
        until(lambda: streams.count == 0)


def test_asking_only_for_the_head_takes_no_place(banker: FlaskClient, table: str, streams: Streams) -> None:
    answer = banker.head(f"{table}/stream")
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert streams.count == 0


def test_when_the_server_stops_every_reader_sees_the_end(server: Server, app: Flask, table: str, token: Token) -> None:
    app.config["HEARTBEAT_SECONDS"] = NEVER_S
    with reading(server, f"{table}/stream", token(Caller("banker"))) as reader:
        reader.next_named("sight")
        server.stop()
        with pytest.raises((EOFError, http.client.HTTPException, ConnectionError)):
            reader.next()


def ask(server: Server, method: str, path: str, token: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request(method, path, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_a_reader_may_ask_to_be_told_of_versions_alone(
    server: Server, banker: FlaskClient, table: str, token: Token
) -> None:
    with reading(server, f"{table}/stream?data=version", token(Caller("banker"))) as reader:
        first = reader.next_named("version")
        banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
        second = reader.next_named("version")

    assert [(event.id, event.data) for event in (first, second)] == [("1", {"version": 1}), ("2", {"version": 2})]
