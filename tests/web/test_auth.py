from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.service.access.logins import LOGIN_COOKIE, Caller
from companion.web.http.auth import reach_of
from tests.web.conftest import HIRE, PIN, START


def test_every_call_but_the_open_ones_needs_a_login(app: Flask, stranger: FlaskClient) -> None:
    calls = [
        rule
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/v1/") and reach_of(rule.endpoint) != "stranger"
    ]
    assert len(calls) > 10
    for rule in calls:
        path = rule.rule.replace("<table_id>", "t1").replace("<int:number>", "1").replace("<int:seq>", "1")
        for method in (rule.methods or set()) - {"OPTIONS"}:
            answer = stranger.open(path, method=method)
            assert answer.status_code == 401, (method, path)
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            assert answer.mimetype == "application/problem+json"


def test_what_watches_over_the_machine_and_the_description_are_open(stranger: FlaskClient) -> None:
    for path in ("/healthz", "/metrics", "/api/v1/openapi.json"):
        assert stranger.get(path).status_code == 200


def test_a_pin_gives_a_token_that_works_as_header_and_as_cookie(stranger: FlaskClient, app: Flask) -> None:
    answer = stranger.post("/api/v1/logins", json={"pin": PIN})
    assert answer.status_code == 201
    assert answer.json is not None
    assert answer.json["role"] == "banker"
    assert stranger.get("/api/v1/tables").status_code == 200
    header = {"Authorization": f"Bearer {answer.json['token']}"}
    assert app.test_client().get("/api/v1/tables", headers=header).status_code == 200


def test_an_invitation_gives_a_token_too(stranger: FlaskClient, app: Flask) -> None:
    logins = app.extensions["companion"].logins
    token = logins.join_token(Caller("player", "blue", "t1"))
    answer = stranger.post("/api/v1/logins", json={"join": token})
    assert answer.json is not None
    assert (answer.json["role"], answer.json["player"], answer.json["table"]) == ("player", "blue", "t1")
    assert stranger.post("/api/v1/logins", json={"join": "nonsense"}).status_code == 401


@pytest.mark.parametrize(
    "body", [{}, {"pin": 135790}, {"pin": PIN, "join": "x"}, {"pin": PIN, "more": 1}, {"join": None}, {"pin": [PIN]}]
)
def test_a_login_that_is_none_is_malformed(stranger: FlaskClient, body: dict[str, object]) -> None:
    assert stranger.post("/api/v1/logins", json=body).status_code == 400


def test_wrong_pins_are_told_so_and_then_locked_out(stranger: FlaskClient) -> None:
    for _ in range(3):
        assert stranger.post("/api/v1/logins", json={"pin": "0000"}).status_code == 401
    answer = stranger.post("/api/v1/logins", json={"pin": PIN})
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "2"


def test_the_bankers_tablet_passes_the_wait_that_others_caused(tablet: FlaskClient, app: Flask) -> None:
    # given a tablet that logged in once and out again, and thirty addresses that guess the PIN
    tablet.post("/logout")
    for number in range(30):
        app.test_client().post("/api/v1/logins", json={"pin": "0000"}, environ_base={"REMOTE_ADDR": f"10.0.0.{number}"})

    # then a stranger waits, and the tablet does not, wherever it is now
    elsewhere = {"REMOTE_ADDR": "10.0.1.1"}
    assert app.test_client().post("/api/v1/logins", json={"pin": PIN}, environ_base=elsewhere).status_code == 429
    assert tablet.post("/api/v1/logins", json={"pin": PIN}, environ_base=elsewhere).status_code == 201


def test_logging_out_ends_the_token_itself_and_no_other(stranger: FlaskClient, app: Flask) -> None:
    # given two logins of the banker, one of them copied
    copied, other = (
        {"Authorization": f"Bearer {app.test_client().post('/api/v1/logins', json={'pin': PIN}).get_json()['token']}"}
        for _ in range(2)
    )

    # when one of them is ended
    assert stranger.delete("/api/v1/logins", headers=copied).status_code == 204

    # then its token opens nothing any more, the other's does
    assert stranger.get("/api/v1/tables", headers=copied).status_code == 401
    assert stranger.get("/api/v1/tables", headers=other).status_code == 200


def test_a_browsers_way_out_ends_its_cookie_even_where_that_was_kept(tablet: FlaskClient) -> None:
    kept = tablet.get_cookie(LOGIN_COOKIE)
    assert kept is not None
    tablet.post("/logout")
    tablet.set_cookie(LOGIN_COOKIE, kept.value)
    assert tablet.get("/api/v1/tables").status_code == 401


def test_under_https_every_cookie_is_for_https_alone(stranger: FlaskClient) -> None:
    given = [
        stranger.post("/login", data={"pin": PIN}, base_url="https://localhost"),
        stranger.get("/login?lang=de", base_url="https://localhost"),
    ]
    cookies = [cookie for answer in given for cookie in answer.headers.getlist("Set-Cookie")]
    assert len(cookies) == 3
    assert all("Secure" in cookie and "SameSite=Lax" in cookie for cookie in cookies)


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer", "Basic YTpi", "", "bearer  "])
def test_a_bad_token_in_the_header_counts_even_beside_a_good_cookie(tablet: FlaskClient, header: str) -> None:
    assert tablet.get("/api/v1/tables").status_code == 200
    assert tablet.get("/api/v1/tables", headers={"Authorization": header}).status_code == 401


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9000"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_another_site_cannot_write_with_the_cookie(tablet: FlaskClient, headers: dict[str, str]) -> None:
    answer = tablet.post("/api/v1/tables", json=START, headers=headers)
    assert answer.status_code == 403
    assert answer.json is not None
    assert answer.json["type"].endswith("/cross_site")
    assert tablet.get("/api/v1/tables").json == {"tables": [], "bin": []}


@pytest.mark.parametrize(
    "headers", [{}, {"Origin": "http://localhost"}, {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}]
)
def test_our_own_pages_can_write_with_the_cookie(tablet: FlaskClient, headers: dict[str, str]) -> None:
    assert tablet.post("/api/v1/tables", json=START, headers=headers).status_code == 201


def test_the_journal_says_whether_a_tap_or_a_program_did_it(
    tablet: FlaskClient, banker: FlaskClient, table: str
) -> None:
    tablet.post(f"{table}/commands", json=HIRE, headers={"If-Match": "1"})
    journal = banker.get(f"{table}/journal").json
    assert journal is not None
    assert [entry["source"] for entry in journal["entries"]] == ["program", "tap"]


def test_guests_see_their_own_table_and_no_other(
    as_caller: Callable[[Caller], FlaskClient], banker: FlaskClient, table: str
) -> None:
    other = banker.post("/api/v1/tables", json=START).headers["Location"]
    for caller in (Caller("player", "blue", "t1"), Caller("spectator", table="t1")):
        guest = as_caller(caller)
        listed = guest.get("/api/v1/tables").json
        assert listed is not None
        assert [table["id"] for table in listed["tables"]] == ["t1"]
        assert guest.get(table).status_code == 200
        for path in ("", "/journal", "/catalog", "/stream", "/proposals", "/live.jpg"):
            assert guest.get(other + path).status_code == 403
        assert guest.post("/api/v1/tables", json=START).status_code == 403


def test_guests_get_no_files_and_no_pictures(as_caller: Callable[[Caller], FlaskClient], table: str) -> None:
    for caller in (Caller("player", "blue", "t1"), Caller("spectator", table="t1")):
        guest = as_caller(caller)
        for path in ("/journal?format=jsonl", "/journal?format=csv", "/live.jpg", "/proposals/1/picture"):
            assert guest.get(table + path).status_code == 403
        assert guest.post(f"{table}/proposals/1", json={"answer": "yes"}).status_code == 403
