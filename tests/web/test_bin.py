"""The bin over HTTP, and play files that become tables."""

import http.client
import json
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.web.conftest import HIRE, START
from tests.web.live_client import reading

AsCaller = Callable[[Caller], FlaskClient]


def listed(banker: FlaskClient) -> tuple[list[str], list[str]]:
    listing: Any = banker.get("/api/v1/tables").json
    return [table["id"] for table in listing["tables"]], [table["id"] for table in listing["bin"]]


def test_a_table_goes_into_the_bin_and_out_again(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/bin", json={"in": True}).json == {"in": True}
    assert listed(banker) == ([], ["t1"])
    assert banker.get(table).status_code == 404
    assert banker.post(f"{table}/bin", json={"in": False}).json == {"in": False}
    assert listed(banker) == (["t1"], [])
    assert banker.get(table).status_code == 200


@pytest.mark.parametrize("wish", [True, False])
def test_what_is_so_already_is_done(banker: FlaskClient, table: str, wish: bool) -> None:
    for _ in range(2):  # without a key: the second one is carried out anew
        answer = banker.post(f"{table}/bin", json={"in": wish})
        assert (answer.status_code, answer.json) == (200, {"in": wish})
    assert banker.post("/api/v1/tables/nobody/bin", json={"in": wish}).status_code == 404


@pytest.mark.parametrize("wish", [{}, {"in": 1}, {"in": None}, {"in": True, "for": "good"}])
def test_a_wild_wish_moves_nothing(banker: FlaskClient, table: str, wish: dict[str, Any]) -> None:
    assert banker.post(f"{table}/bin", json=wish).status_code == 400
    assert listed(banker) == (["t1"], [])


def test_the_bin_is_the_bankers(table: str, as_caller: AsCaller) -> None:
    guest = as_caller(Caller("player", "blue", "t1"))
    assert guest.post(f"{table}/bin", json={"in": True}).status_code == 403
    assert set(guest.get("/api/v1/tables").json or ()) == {"tables"}


def test_a_stream_of_a_table_ends_when_it_goes_into_the_bin(
    server: Server, banker: FlaskClient, table: str, services: Services
) -> None:
    with reading(server, f"{table}/stream", services.logins.token(Caller("player", "blue", "t1"))) as reader:
        reader.next_named("sight")
        banker.post(f"{table}/bin", json={"in": True})
        with pytest.raises((EOFError, http.client.HTTPException, ConnectionError)):
            reader.next_named("version")


def posted(banker: FlaskClient, *lines: dict[str, Any], lang: str = "en") -> Any:
    data = "\n".join(json.dumps(line) for line in lines)
    return banker.post(f"/api/v1/tables?lang={lang}", data=data, content_type="application/jsonl")


def test_a_play_file_becomes_a_table(banker: FlaskClient) -> None:
    answer = posted(banker, START, HIRE)
    assert (answer.status_code, answer.json) == (201, {"id": "t1", "version": 2})
    shown: Any = banker.get(answer.headers["Location"]).json
    assert shown["position"]["players"]["blue"]["workers"] == ["W07"]


def test_what_a_table_saves_another_companion_takes_in(banker: FlaskClient, table: str) -> None:
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    saved = banker.get(f"{table}/journal?format=jsonl")
    answer = banker.post("/api/v1/tables", data=saved.data, content_type=saved.content_type)
    assert answer.status_code == 201
    first, second = (banker.get(f"/api/v1/tables/{table_id}").json for table_id in ("t1", "t2"))
    assert first == second


def test_a_wrong_line_is_named_and_said_in_the_callers_language(banker: FlaskClient) -> None:
    answer = posted(banker, START, HIRE, {**HIRE, "player": "yellow"}, lang="de")
    problem = answer.json
    assert (answer.status_code, problem["line"], problem["rule"]) == (422, 3, "worker_taken")
    assert "Ada" in problem["detail"]
    assert listed(banker) == ([], [])


@pytest.mark.usefixtures("table")
def test_what_is_no_play_file_is_refused(banker: FlaskClient, as_caller: AsCaller) -> None:
    answer = banker.post("/api/v1/tables", data=b"\x89PNG", content_type="application/jsonl")
    assert answer.status_code == 422
    assert (answer.json or {})["line"] == 1
    guest = as_caller(Caller("player", "blue", "t1"))
    assert guest.post("/api/v1/tables", data=b"{}", content_type="application/jsonl").status_code == 403
    assert listed(banker) == (["t1"], [])
