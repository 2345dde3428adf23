import logging
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.web.http.problems import KINDS


def test_an_unknown_address_is_a_problem_even_to_a_stranger(stranger: FlaskClient) -> None:
    for path in ("/api", "/api/", "/api/v1", "/api/v1/nowhere", "/api/v2/tables"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.mimetype) == (404, "application/problem+json")
        assert answer.json is not None
        assert answer.json["status"] == 404


def test_a_method_that_does_not_fit_is_a_problem_that_says_which_do(stranger: FlaskClient) -> None:
    answer = stranger.delete("/api/v1/tables")
    assert (answer.status_code, answer.mimetype) == (405, "application/problem+json")
    assert "POST" in answer.headers["Allow"]


def test_an_unknown_page_is_no_problem_document(banker: FlaskClient) -> None:
    answer = banker.get("/nowhere")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")


@pytest.mark.own_app
def test_a_table_that_a_page_does_not_find_is_a_page_that_is_not_there(app: Flask, banker: FlaskClient) -> None:
    app.add_url_rule("/look", view_func=lambda: app.extensions["companion"].tables.get("nowhere").id)
    answer = banker.get("/look")
    assert (answer.status_code, answer.mimetype) == (404, "text/html")


@pytest.mark.own_app
@pytest.mark.parametrize("path", ["/api/v1/broken", "/broken"])
def test_an_unexpected_error_is_told_by_a_reference_that_the_log_has_too(
    app: Flask, banker: FlaskClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    def broken() -> str:
        raise RuntimeError("a secret of the house")

    app.add_url_rule(path, view_func=broken)
    with caplog.at_level(logging.ERROR):
        answer = banker.get(path)
    assert answer.status_code == 500
    assert "secret" not in answer.text
    (record,) = [record for record in caplog.records if record.name == "companion.web.http.problems"]
    assert record.exc_info is not None
    reference = str(record.args[0]) if isinstance(record.args, tuple) else ""
    assert len(reference) == 12
    assert reference in answer.text


def test_every_kind_of_problem_is_described_where_its_type_points(stranger: FlaskClient) -> None:
    described = stranger.get("/api/v1/openapi.json").json
    assert described is not None
    assert set(described["components"]["responses"]) == set(KINDS)
    problem = stranger.get("/api/v1/tables").json
    assert problem is not None
    address, pointer = problem["type"].split("#/")
    assert address == "/api/v1/openapi.json"
    part = described
    for key in pointer.split("/"):
        part = part[key]
    assert part["description"].startswith("401")


@pytest.mark.parametrize(
    ("language", "forbidden", "unknown"),
    [
        ("en", "This is not yours", "There is no such table"),
        ("de", "Das kannst du hier weder", "Was du suchst, gibt es hier nicht"),
        ("fr", "Tu ne peux ni voir ni faire", "Ce que tu cherches"),
    ],
)
def test_what_is_not_allowed_or_not_there_is_told_in_the_callers_language(
    banker: FlaskClient,
    as_caller: Callable[[Caller], FlaskClient],
    table: str,
    language: str,
    forbidden: str,
    unknown: str,
) -> None:
    ada = as_caller(Caller("player", "blue", table.rpartition("/")[2]))
    others = {"do": "hire_worker", "player": "yellow", "worker": "W01"}
    not_theirs = ada.post(f"{table}/commands?lang={language}", json=others, headers={"If-Match": "1"})
    nowhere = banker.get(f"/api/v1/tables/nowhere?lang={language}")

    assert (not_theirs.status_code, nowhere.status_code) == (403, 404)
    assert not_theirs.get_json()["detail"].startswith(forbidden)
    assert nowhere.get_json()["detail"].startswith(unknown)


def test_every_answer_carries_the_headers_that_keep_pages_safe(stranger: FlaskClient, banker: FlaskClient) -> None:
    for answer in (stranger.get("/"), stranger.get("/api/v1/tables"), banker.get("/api/v1/tables"), banker.get("/x")):
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cache-Control"] == "no-store"
