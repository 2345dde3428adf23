from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.service.access.logins import Caller
from tests.web.conftest import HIRE, START


def give(client: FlaskClient, table: str, command: Any, version: str = "1", **headers: str) -> TestResponse:
    return client.post(f"{table}/commands", json=command, headers={"If-Match": version, **headers})


def said(answer: TestResponse) -> dict[str, Any]:
    assert answer.json is not None
    return dict(answer.json)


def test_a_table_is_started_and_found(banker: FlaskClient) -> None:
    answer = banker.post("/api/v1/tables", json=START)
    assert (answer.status_code, said(answer)) == (201, {"id": "t1", "version": 1})
    shown = banker.get(answer.headers["Location"])
    assert shown.headers["ETag"] == '"1"'
    assert said(shown)["version"] == 1
    assert said(shown)["position"]["players"]["blue"]["cash"] > 0
    assert list(said(shown)["position"]["players"]) == ["blue", "yellow"]
    assert any(offer["do"] == "hire_worker" for offer in said(shown)["offers"])
    assert [table["id"] for table in said(banker.get("/api/v1/tables"))["tables"]] == ["t1"]


def test_a_start_sent_twice_with_one_key_starts_one_table(banker: FlaskClient) -> None:
    first, again = (banker.post("/api/v1/tables", json=START, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert said(first)["id"] == said(again)["id"]


@pytest.mark.parametrize("wrong", [{"first": "green"}, {"game": "chess"}, {"do": "bid"}, {"players": 7}, {"first": 1}])
def test_a_start_that_the_rules_refuse_starts_nothing(banker: FlaskClient, wrong: dict[str, Any]) -> None:
    answer = banker.post("/api/v1/tables", json=START | wrong)
    assert answer.status_code == 422
    assert said(answer)["rule"]
    assert said(banker.get("/api/v1/tables")) == {"tables": [], "bin": []}


@pytest.mark.parametrize("version", ["1", '"1"', ' "1" ', "01"])
def test_a_command_is_carried_out_and_answered_with_its_entry(banker: FlaskClient, table: str, version: str) -> None:
    answer = give(banker, table, HIRE, version)
    assert answer.status_code == 200
    assert said(answer)["seq"] == 2
    assert said(answer)["actor"] == "banker"
    assert said(answer)["command"] == HIRE
    assert said(answer)["events"][0]["event"] == "WorkerHired"
    assert answer.headers["ETag"] == '"2"'
    assert said(banker.get(table))["version"] == 2


def test_without_the_version_seen_nothing_is_done(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/commands", json=HIRE).status_code == 428
    assert said(banker.get(table))["version"] == 1


@pytest.mark.parametrize("version", ["x", '"1', "*", "-1", "1.0", 'W/"1"', '"1", "2"', "9" * 30, '""', "\u0661"])
def test_a_version_that_is_none_is_malformed(banker: FlaskClient, table: str, version: str) -> None:
    assert give(banker, table, HIRE, version.encode().decode("latin-1")).status_code == 400


@pytest.mark.parametrize("version", ["0", "7", "999999999999999"])
def test_who_is_behind_or_ahead_is_told_the_current_version(banker: FlaskClient, table: str, version: str) -> None:
    answer = give(banker, table, HIRE, version)
    assert answer.status_code == 409
    assert said(answer)["version"] == 1
    assert answer.mimetype == "application/problem+json"


def test_a_second_tap_on_an_old_screen_is_stale(banker: FlaskClient, table: str) -> None:
    assert give(banker, table, HIRE).status_code == 200
    assert give(banker, table, HIRE | {"worker": "W08"}).status_code == 409


def test_the_same_key_again_gives_the_same_answer(banker: FlaskClient, table: str) -> None:
    headers = {"Idempotency-Key": "tap-1"}
    first = give(banker, table, HIRE, **headers)
    again = give(banker, table, HIRE, **headers)
    assert (first.status_code, again.status_code) == (200, 200)
    assert said(first) == said(again)
    assert said(banker.get(table))["version"] == 2


def test_the_same_key_with_another_body_is_refused(banker: FlaskClient, table: str) -> None:
    headers = {"Idempotency-Key": "tap-1"}
    give(banker, table, HIRE, **headers)
    answer = give(banker, table, HIRE | {"worker": "W08"}, "2", **headers)
    assert answer.status_code == 422
    assert said(answer)["type"].endswith("/key_reused")


def test_the_keys_of_two_people_are_kept_apart(
    banker: FlaskClient, table: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    headers = {"Idempotency-Key": "tap-1"}
    give(banker, table, HIRE, **headers)
    blue = as_caller(Caller("player", "blue", "t1"))
    assert give(blue, table, HIRE, "2", **headers).status_code == 422
    assert said(banker.get(table))["version"] == 2


@pytest.mark.parametrize("key", ["", "a b", "x" * 201, "\u00e9"])
def test_a_key_that_is_none_is_malformed(banker: FlaskClient, table: str, key: str) -> None:
    assert give(banker, table, HIRE, **{"Idempotency-Key": key}).status_code == 400


def test_a_refusal_names_the_rule_and_says_it_in_the_callers_language(banker: FlaskClient, table: str) -> None:
    wrong = HIRE | {"player": "yellow"}
    english = give(banker, table, wrong)
    assert english.status_code == 422
    assert said(english)["title"]
    assert said(english)["rule"]
    assert isinstance(said(english)["details"], dict)
    german = give(banker, table, wrong, **{"Accept-Language": "de-AT,de;q=0.9"})
    assert said(german)["rule"] == said(english)["rule"]
    assert said(german)["detail"] != said(english)["detail"]
    asked = banker.post(f"{table}/commands?lang=de", json=wrong, headers={"If-Match": "1"})
    assert said(asked)["detail"] == said(german)["detail"]
    assert said(banker.get(table))["version"] == 1


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"do": "dance"},
        {"do": 7},
        {"do": None},
        HIRE | {"more": 1},
        HIRE | {"worker": 7},
        HIRE | {"worker": None},
        HIRE | {"worker": "W99"},
        HIRE | {"player": "pink"},
        HIRE | {"player": ["blue"]},
        {"do": "hire_worker"},
        {"do": "undo", "twice": True},
        {"do": "bid", "player": "blue", "amount": 1e300},
        {"do": "bid", "player": "blue", "amount": True},
        {"do": "redo"},
        {"do": "plan", "player": "blue", "work": {"C03": {"wall-1": "W07"}}},
        {"do": "rename_player", "player": "blue", "name": "x" * 100_000},
        START,
    ],
)
def test_nonsense_is_refused_and_changes_nothing(banker: FlaskClient, table: str, command: dict[str, Any]) -> None:
    before = said(banker.get(table))
    answer = give(banker, table, command)
    assert answer.status_code == 422, answer.json
    assert said(answer)["detail"]
    assert said(banker.get(table)) == before


def test_a_player_gives_only_own_commands_and_a_spectator_none(
    table: str, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    blue, yellow = (as_caller(Caller("player", player, "t1")) for player in ("blue", "yellow"))
    assert give(yellow, table, HIRE).status_code == 403
    assert give(as_caller(Caller("spectator", table="t1")), table, HIRE).status_code == 403
    assert give(blue, table, {"do": "undo"}).status_code == 403
    answer = give(blue, table, HIRE)
    assert answer.status_code == 200
    assert said(answer)["actor"] == "blue"


def test_undo_and_redo_go_through_the_same_door(banker: FlaskClient, table: str) -> None:
    give(banker, table, HIRE)
    before = said(banker.get(table))["position"]
    assert give(banker, table, {"do": "undo"}, "2").status_code == 200
    assert give(banker, table, {"do": "redo"}, "3").status_code == 200
    assert said(banker.get(table))["position"] == before
    entries = said(banker.get(f"{table}/journal"))["entries"]
    assert [entry["command"]["do"] for entry in entries] == ["start_game", "hire_worker", "undo", "redo"]


def test_a_table_that_is_not_there_is_not_found(banker: FlaskClient) -> None:
    for path in ("", "/journal", "/catalog", "/stream", "/proposals", "/live.jpg", "/proposals/1/picture"):
        answer = banker.get(f"/api/v1/tables/nowhere{path}")
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
    assert give(banker, "/api/v1/tables/nowhere", HIRE).status_code == 404


def test_the_cards_of_a_table_are_told(banker: FlaskClient, table: str) -> None:
    cards = said(banker.get(f"{table}/catalog"))
    assert len(cards["workers"]) == 40
    assert len(cards["contracts"]) == 12
