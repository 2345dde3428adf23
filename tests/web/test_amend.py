"""Amending over HTTP: a preview that changes nothing, then the entry."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.service.access.logins import Caller
from tests.web.conftest import HIRE

AGAIN = {"do": "hire_worker", "player": "yellow", "worker": "W08"}
CLASH = {**HIRE, "worker": "W08"}
"""In place of the first: then there is nobody left for yellow to hire under that number."""


def give(client: FlaskClient, table: str, command: Any, version: int, **headers: str) -> TestResponse:
    return client.post(f"{table}/commands", json=command, headers={"If-Match": str(version), **headers})


def said(answer: TestResponse) -> dict[str, Any]:
    assert answer.json is not None
    return dict(answer.json)


@pytest.fixture
def hired(banker: FlaskClient, table: str) -> str:
    """The address of a table at which blue has hired in entry 2, and yellow in entry 3."""
    assert give(banker, table, HIRE, 1).status_code == 200
    assert give(banker, table, AGAIN, 2).status_code == 200
    return table


def test_without_confirm_the_answer_is_a_preview_and_nothing_is_stored(banker: FlaskClient, hired: str) -> None:
    before = banker.get(hired).json, banker.get(f"{hired}/journal").json
    answer = give(banker, hired, {"do": "amend", "seq": 2, "with": CLASH}, 3)
    assert answer.status_code == 200
    assert answer.headers["ETag"] == '"3"'
    assert set(said(answer)) == {"preview"}
    preview = said(answer)["preview"]
    assert set(preview) == {"seq", "with", "version", "changes", "refused", "money", "position"}
    assert [change["seq"] for change in preview["changes"]] == [2]
    assert preview["changes"][0]["becomes"] == CLASH
    (refused,) = preview["refused"]
    assert (refused["seq"], refused["rule"]) == (3, "worker_taken")
    assert "W08 works for Ada" in refused["refused"]
    assert preview["position"]["players"]["blue"]["workers"] == ["W08"]
    assert (banker.get(hired).json, banker.get(f"{hired}/journal").json) == before


def test_the_reason_is_said_in_the_language_of_the_caller(banker: FlaskClient, hired: str) -> None:
    answer = banker.post(
        f"{hired}/commands?lang=de", json={"do": "amend", "seq": 2, "with": CLASH}, headers={"If-Match": "3"}
    )
    assert "arbeitet für Ada" in said(answer)["preview"]["refused"][0]["refused"]


def test_confirmed_it_is_one_entry_that_can_be_undone(banker: FlaskClient, hired: str) -> None:
    before = said(banker.get(hired))["position"]
    command = {"do": "amend", "seq": 2, "with": CLASH, "confirm": True, "reason": "misread"}
    answer = give(banker, hired, command, 3)
    assert answer.status_code == 200
    assert answer.headers["ETag"] == '"4"'
    assert said(answer)["command"] == command
    assert [event["event"] for event in said(answer)["events"]] == ["EntryAmended"]
    entries = said(banker.get(f"{hired}/journal"))["entries"]
    assert entries[1]["amended"]["command"] == CLASH
    assert entries[2]["amended"] == {"by": 4, "command": None, "events": None}
    assert [entry["undone"] for entry in entries] == [False, False, True, False]
    assert give(banker, hired, {"do": "undo"}, 4).status_code == 200
    assert said(banker.get(hired))["position"] == before


def test_the_same_key_amends_once(banker: FlaskClient, hired: str) -> None:
    command = {"do": "amend", "seq": 3, "with": None, "confirm": True}
    first, again = (give(banker, hired, command, 3, **{"Idempotency-Key": "k"}) for _ in range(2))
    assert said(first) == said(again)
    assert said(banker.get(hired))["version"] == 4


def test_a_key_used_for_a_preview_serves_for_the_amend_too(banker: FlaskClient, hired: str) -> None:
    command = {"do": "amend", "seq": 3, "with": None}
    assert "preview" in said(give(banker, hired, command, 3, **{"Idempotency-Key": "k"}))
    assert said(give(banker, hired, {**command, "confirm": True}, 3, **{"Idempotency-Key": "k"}))["seq"] == 4
    assert give(banker, hired, command, 4, **{"Idempotency-Key": "k"}).status_code == 422


@pytest.mark.parametrize("confirm", [{}, {"confirm": True}])
def test_it_is_refused_stale_and_not_yours_as_any_command(
    banker: FlaskClient, hired: str, as_caller: Any, confirm: dict[str, Any]
) -> None:
    command = {"do": "amend", "seq": 3, "with": None, **confirm}
    assert give(banker, hired, command, 2).status_code == 409
    assert banker.post(f"{hired}/commands", json=command).status_code == 428
    refused = give(banker, hired, {**command, "seq": 1}, 3)
    assert (refused.status_code, said(refused)["rule"]) == (422, "start_stays")
    player = as_caller(Caller("player", "blue", "t1"))
    assert give(player, hired, command, 3).status_code == 403
    assert said(banker.get(hired))["version"] == 3


def test_an_amended_game_is_saved_as_it_stands(banker: FlaskClient, hired: str) -> None:
    give(banker, hired, {"do": "amend", "seq": 2, "with": CLASH, "confirm": True}, 3)
    saved = banker.get(f"{hired}/journal?format=jsonl").text.splitlines()
    assert len(saved) == 2
    assert "W08" in saved[1]
    assert banker.get(f"{hired}/journal?format=csv").status_code == 200
