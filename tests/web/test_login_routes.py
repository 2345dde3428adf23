from urllib.parse import parse_qs, urlsplit

import pytest
from flask.testing import FlaskClient

from companion.service.access.logins import Caller
from companion.service.services import Services
from tests.web.conftest import PIN


def asked(location: str) -> dict[str, str]:
    return {key: values[0] for key, values in parse_qs(urlsplit(location).query).items()}


def test_a_page_asks_a_stranger_for_the_pin_and_then_shows_itself(stranger: FlaskClient) -> None:
    answer = stranger.get("/?deck=house")
    assert answer.status_code == 303
    assert urlsplit(answer.location).path == "/login"
    back = asked(answer.location)["next"]
    answer = stranger.post("/login", data={"pin": PIN, "next": back})
    assert (answer.status_code, answer.location) == (303, "/?deck=house")
    assert stranger.get("/").status_code == 200


def test_the_cookie_is_kept_from_scripts_and_other_sites(stranger: FlaskClient) -> None:
    cookie = stranger.post("/login", data={"pin": PIN}).headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    over_tls = stranger.post("/login", data={"pin": PIN}, base_url="https://localhost").headers["Set-Cookie"]
    assert "Secure" in over_tls


def test_a_wrong_pin_leads_back_to_the_form(stranger: FlaskClient) -> None:
    answer = stranger.post("/login", data={"pin": "0000", "next": "/tables/t1"})
    assert asked(answer.location) == {"next": "/tables/t1", "error": "pin"}
    assert "Set-Cookie" not in answer.headers


def test_too_many_wrong_pins_say_how_long_to_wait(stranger: FlaskClient) -> None:
    for _ in range(3):
        stranger.post("/login", data={"pin": "0000"})
    query = asked(stranger.post("/login", data={"pin": PIN}).location)
    assert (query["error"], query["seconds"]) == ("wait", "2")


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:0", ""]
)
def test_after_the_login_nobody_is_sent_to_another_site(stranger: FlaskClient, elsewhere: str) -> None:
    assert stranger.post("/login", data={"pin": PIN, "next": elsewhere}).location == "/"


def test_another_site_cannot_log_somebody_in(stranger: FlaskClient) -> None:
    answer = stranger.post("/login", data={"pin": PIN}, headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("caller", "page"),
    [
        (Caller("banker"), "/"),
        (Caller("spectator", table="t1"), "/tables/t1/display"),
        (Caller("player", "blue", "t1"), "/tables/t1/seats/blue"),
    ],
)
def test_an_invitation_lets_in_and_leads_to_the_first_page(
    stranger: FlaskClient, services: Services, caller: Caller, page: str
) -> None:
    answer = stranger.get(f"/join/{services.logins.join_token(caller)}")
    assert (answer.status_code, answer.location) == (303, page)
    assert stranger.get("/api/v1/tables").status_code == 200


def test_a_bad_invitation_leads_to_the_form(stranger: FlaskClient) -> None:
    assert asked(stranger.get("/join/nonsense").location)["error"] == "join"


def test_who_logs_out_is_a_stranger_again(tablet: FlaskClient) -> None:
    assert tablet.post("/logout").location == "/login"
    assert tablet.get("/api/v1/tables").status_code == 401
