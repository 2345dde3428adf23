"""Phones on a hotspot: each is shown the way here once, and then told what its maker would tell it."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.service.services import Services
from companion.web import create_app
from companion.web.captive import PROBES
from companion.web.http.auth import LOCAL_ADDRESS
from tests.web.conftest import START

ON_HOTSPOT = {LOCAL_ADDRESS: "10.42.0.1", "SERVER_PORT": "80"}
ASKED = [
    ("captive.apple.com", "/hotspot-detect.html"),
    ("connectivitycheck.gstatic.com", "/generate_204"),
    ("www.msftconnecttest.com", "/connecttest.txt"),
    ("detectportal.firefox.com", "/success.txt"),
]


@pytest.fixture
def phone(services: Services) -> FlaskClient:
    return create_app(replace(services, captive=True)).test_client()


@pytest.mark.parametrize(("host", "path"), ASKED)
def test_a_phone_is_led_to_the_page_and_then_left_in_peace(phone: FlaskClient, host: str, path: str) -> None:
    # given a phone that joins and asks for its maker's page
    asked = {"headers": {"Host": host}, "environ_overrides": {**ON_HOTSPOT, "REMOTE_ADDR": "10.42.0.7"}}
    led = phone.get(path, **asked)
    assert (led.status_code, led.headers["Location"]) == (302, "http://10.42.0.1/captive")

    # when it opens the page
    own_host = {"headers": {"Host": "10.42.0.1"}, "environ_overrides": {**ON_HOTSPOT, "REMOTE_ADDR": "10.42.0.7"}}
    page = phone.get("/captive", **own_host)
    assert "http://10.42.0.1/" in page.text
    assert phone.get("/captive/api", **own_host).json == {
        "captive": False,
        "user-portal-url": "http://10.42.0.1/captive",
    }

    # then it is told what it expects, and another phone is not
    answer = phone.get(path, **asked)
    assert (answer.status_code, answer.text) == PROBES[path]
    other = {"headers": {"Host": host}, "environ_overrides": {**ON_HOTSPOT, "REMOTE_ADDR": "10.42.0.8"}}
    assert phone.get(path, **other).status_code == 302


def test_the_portals_api_has_its_own_type_and_is_not_kept(phone: FlaskClient) -> None:
    answer = phone.get("/captive/api", headers={"Host": "10.42.0.1"}, environ_overrides=ON_HOTSPOT)

    assert answer.mimetype == "application/captive+json"
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.json == {"captive": True, "user-portal-url": "http://10.42.0.1/captive"}


def test_other_names_still_open_nothing(phone: FlaskClient) -> None:
    # another site's name that leads here (DNS rebinding) is as little ours on a hotspot
    asked = {"headers": {"Host": "elsewhere.example"}, "environ_overrides": ON_HOTSPOT}
    assert phone.get("/api/v1/tables", **asked).status_code == 421
    assert phone.post("/generate_204", json=START, **asked).status_code == 421
    assert phone.get("/login", **asked).status_code == 421


def test_without_a_hotspot_nobody_is_led_anywhere(stranger: FlaskClient) -> None:
    assert stranger.get("/generate_204", headers={"Host": "captive.apple.com"}).status_code == 421
    assert stranger.get("/captive").status_code == 404
