"""A request that is repeated after a lost answer counts once, whatever it asks for."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, Response
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.table import Request
from companion.web import create_app
from companion.web.http.endpoint import MOST_SEATS, SEAT_BYTES, ResponseCache
from tests.web.conftest import HIRE, START
from tests.web.test_openapi import described_by

AsCaller = Callable[[Caller], FlaskClient]
BLUE, YELLOW = (Caller("player", player, "t1") for player in ("blue", "yellow"))
KEY = {"Idempotency-Key": "tap-1"}

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("scans", {"text": "W07"}),
    ("dial", {"dial": "automatic"}),
    ("notes", {"told": True}),
    ("bin", {"in": True}),
]


@pytest.mark.parametrize(("path", "asked"), ASKED)
def test_the_same_request_again_gets_the_same_answer(
    banker: FlaskClient, table: str, path: str, asked: dict[str, Any]
) -> None:
    first = banker.post(f"{table}/{path}", json=asked, headers=KEY)
    again = banker.post(f"{table}/{path}", json=asked, headers=KEY)

    assert first.status_code == 200
    assert (again.status_code, again.get_json()) == (first.status_code, first.get_json())


@pytest.mark.parametrize(("path", "asked"), [ASKED[0], ASKED[2]])
def test_the_same_key_for_something_else_is_refused(
    banker: FlaskClient, table: str, path: str, asked: dict[str, Any]
) -> None:
    banker.post(f"{table}/{path}", json=asked, headers=KEY)
    other = banker.post(f"{table}/{path}", json={**asked, "more": 1}, headers=KEY)

    assert other.status_code == 422
    assert other.get_json()["type"].endswith("/key_reused")


@pytest.fixture
def hired(banker: FlaskClient, table: str) -> str:
    """A table at which two workers have been hired, so that taking back twice would be noticed."""
    for seen, command in enumerate((HIRE, {**HIRE, "player": "yellow", "worker": "W08"}), 1):
        assert banker.post(f"{table}/commands", json=command, headers={"If-Match": str(seen)}).status_code == 200
    return table


def test_an_undo_card_scanned_once_takes_back_once_though_the_answer_is_lost(banker: FlaskClient, hired: str) -> None:
    # given a scan whose answer never came, which the page therefore repeats
    answers = [banker.post(f"{hired}/scans", json={"text": "X04"}, headers=KEY) for _ in range(2)]

    # then one hiring stands
    assert [answer.get_json()["entry"]["seq"] for answer in answers] == [4, 4]
    shown = banker.get(hired).get_json()
    assert (shown["version"], shown["position"]["players"]["blue"]["workers"]) == (4, ["W07"])


def test_it_counts_once_even_across_a_restart(banker: FlaskClient, hired: str, services: Services) -> None:
    # given a scan that was written down before the program died
    banker.post(f"{hired}/scans", json={"text": "X04"}, headers=KEY)

    # when the page repeats it to a program that remembers no answers
    anew = create_app(services).test_client()
    anew.environ_base["HTTP_AUTHORIZATION"] = banker.environ_base["HTTP_AUTHORIZATION"]
    again = anew.post(f"{hired}/scans", json={"text": "X04"}, headers=KEY)

    # then it is the entry that it led to then
    assert again.status_code == 200
    assert again.get_json()["entry"]["seq"] == 4
    assert anew.get(hired).get_json()["version"] == 4


def test_an_answer_to_the_camera_counts_once(banker: FlaskClient, table: str) -> None:
    number = banker.post(f"{table}/scans", json={"text": "W07"}).get_json()["proposal"]["id"]

    first = banker.post(f"{table}/proposals/{number}", json={"answer": "yes"}, headers=KEY)
    again = banker.post(f"{table}/proposals/{number}", json={"answer": "yes"}, headers=KEY)

    assert first.get_json()["entry"]["command"] == HIRE
    assert (again.status_code, again.get_json()) == (200, first.get_json())
    assert banker.get(table).get_json()["version"] == 2


def test_a_question_to_another_is_asked_once_and_answered_once(as_caller: AsCaller, table: str) -> None:
    blue, yellow = as_caller(BLUE), as_caller(YELLOW)
    blue.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})

    for _ in range(2):
        asked = yellow.post(f"{table}/agreements", json={"do": "undo"}, headers={"If-Match": "2", **KEY})
        assert (asked.status_code, asked.get_json()["asked"]["id"]) == (202, 1)
    for _ in range(2):
        agreed = blue.post(f"{table}/agreements/1", json={"answer": "yes"}, headers=KEY)
        assert (agreed.status_code, agreed.get_json()["entry"]["seq"]) == (200, 3)


def test_two_senders_do_not_get_each_others_answers(as_caller: AsCaller, banker: FlaskClient, table: str) -> None:
    mine = banker.post(f"{table}/scans", json={"text": "W07"}, headers=KEY)
    other = as_caller(BLUE).post(f"{table}/scans", json={"text": "W09"}, headers=KEY)

    assert (mine.get_json()["card"], other.get_json()["card"]) == ("W07", "W09")


def test_a_refused_request_may_be_mended_and_sent_again_under_another_key(banker: FlaskClient, table: str) -> None:
    refused = banker.post(f"{table}/scans", json={"text": "no such card"}, headers=KEY)
    again = banker.post(f"{table}/scans", json={"text": "no such card"}, headers=KEY)
    mended = banker.post(f"{table}/scans", json={"text": "W07"}, headers={"Idempotency-Key": "two-2"})

    assert (refused.status_code, again.status_code, mended.status_code) == (422, 422, 200)
    assert again.get_json() == refused.get_json()


def test_a_play_file_sent_twice_becomes_one_table(banker: FlaskClient, table: str) -> None:
    written = banker.get(f"{table}/journal?format=jsonl").get_data()
    answers = [
        banker.post("/api/v1/tables", data=written, content_type="application/jsonl", headers=KEY) for _ in range(2)
    ]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].headers["Location"] == answers[1].headers["Location"]
    assert len(banker.get("/api/v1/tables").get_json()["tables"]) == 2
    # and the key stays that file's
    other = banker.post("/api/v1/tables", json={**START, "first": "yellow"}, headers=KEY)
    assert other.status_code in {201, 422}
    assert other.headers.get("Location") != answers[0].headers["Location"]


def test_a_new_table_and_its_first_command_may_have_the_same_key(banker: FlaskClient) -> None:
    started, again = (banker.post("/api/v1/tables", json=START, headers=KEY) for _ in range(2))
    table = started.headers["Location"]
    hired = banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1", **KEY})

    assert (again.status_code, again.headers["Location"]) == (201, table)
    assert (hired.status_code, hired.get_json()["seq"]) == (200, 2)


def test_a_start_that_an_earlier_version_kept_under_its_bare_key_is_not_repeated(
    banker: FlaskClient, services: Services
) -> None:
    kept = services.tables.start(Request(START, "banker", "tap", key="banker:tap-1"))
    again = banker.post("/api/v1/tables", json=START, headers=KEY)

    assert again.get_json() == {"id": kept.id, "version": 1}


def test_what_counts_once_is_described_as_such(app: Flask, stranger: FlaskClient) -> None:
    keyed = {
        (path.replace("{", "<").replace("}", ">"))
        for path, calls in described_by(stranger)["paths"].items()
        if any(parameter["name"] == "Idempotency-Key" for parameter in calls.get("post", {}).get("parameters", []))
    }
    counted = {
        rule.rule.replace("int:", "")
        for rule in app.url_map.iter_rules()
        if "POST" in (rule.methods or set()) and hasattr(app.view_functions[rule.endpoint], "__wrapped__")
    }
    journal_paths = {"/api/v1/tables", "/api/v1/tables/<table_id>/commands"}  # whose keys the journal remembers

    assert keyed - journal_paths == {path for path in counted if path.startswith("/api/")}
    assert journal_paths <= keyed


def test_no_number_of_a_guests_keys_pushes_out_what_was_answered_to_others(
    app: Flask, banker: FlaskClient, as_caller: AsCaller, table: str
) -> None:
    # given room for some answers, and one that the banker and one that a player got
    app.extensions["companion.response_cache"] = ResponseCache(banker_bytes=20_000, seat_bytes=20_000)
    blue, yellow = as_caller(BLUE), as_caller(YELLOW)
    assert banker.post(f"{table}/dial", json={"dial": "automatic"}, headers=KEY).status_code == 200
    asked = {"do": "undo"}
    first = yellow.post(f"{table}/agreements", json=asked, headers={**KEY, "If-Match": "1"})

    # when another player sends more keys than there is room for, and the banker has changed the dial since
    for number in range(40):
        blue.post(f"{table}/agreements", json={}, headers={"Idempotency-Key": f"k{number}"})
    banker.post(f"{table}/dial", json={"dial": "ledger"})

    # then the repeated requests have no second effect
    assert banker.post(f"{table}/dial", json={"dial": "automatic"}, headers=KEY).get_json()["dial"] == "automatic"
    assert banker.get(f"{table}/dial").get_json()["dial"] == "ledger"
    again = yellow.post(f"{table}/agreements", json=asked, headers={**KEY, "If-Match": "1"})
    assert again.get_json() == first.get_json()


def test_memory_for_answers_is_bounded_however_many_seats_there_are() -> None:
    cache = ResponseCache()
    for number in range(2 * MOST_SEATS):
        caller = Caller("player", f"p{number}", "t1")
        for key in range(3 * SEAT_BYTES // 10_000):
            cache.get_or_compute(caller, ("/", str(key)), b"", lambda: Response(b"x" * 9_000))
    assert len(cache._seats) <= MOST_SEATS
    assert all(seat.bytes_held <= SEAT_BYTES for _, seat in cache._seats._values.values())


def test_a_key_of_a_command_answers_nothing_else(banker: FlaskClient, table: str) -> None:
    # given a command with a key, and a question of the scanner
    banker.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1", **KEY})
    number = banker.post(f"{table}/scans", json={"text": "W09"}).get_json()["proposal"]["id"]

    # when the question is answered under the same key, then it is answered, and not the command told once more
    answer = banker.post(f"{table}/proposals/{number}", json={"answer": "no"}, headers=KEY)
    assert answer.get_json() == {"answer": "no", "entry": None}
    assert banker.get(f"{table}/proposals").get_json()["proposals"] == []


def test_seconds_of_five_thousand_digits_are_refused(banker: FlaskClient, table: str) -> None:
    assert banker.post(f"{table}/hammer", json={"seconds": "9" * 5_000}).status_code == 400
    assert banker.post(f"{table}/hammer", json={"seconds": 30}).status_code == 200
