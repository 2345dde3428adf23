"""Times on pages are those of the device that shows them, not of the machine that serves them."""

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.web.server.server import Server
from tests.web.conftest import PIN
from tests.web_pages.conftest import At

ZONES = ("Pacific/Auckland", "America/New_York", "Asia/Kolkata")


def entry_time(banker: FlaskClient, table: str) -> datetime:
    """When the latest entry was made."""
    entries = banker.get(f"/api/v1/tables/{table}/journal").get_json()["entries"]
    return datetime.fromisoformat(entries[-1]["at"]).astimezone(UTC)


def in_zone(app: Flask, services: Services, zone: str) -> FlaskClient:
    """A banker's browser in a time zone, as its pages tell the server."""
    client = app.test_client()
    client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {services.logins.token(Caller('banker'))}"
    client.set_cookie("timezone", zone)
    return client


def times_in(page: str) -> list[str]:
    return re.findall(
        r"[0-2][0-9]:[0-5][0-9]", re.sub(r"<(?:script|style).*?</(?:script|style)>", "", page, flags=re.DOTALL)
    )


def test_each_device_reads_times_of_its_own_zone(
    app: Flask, services: Services, banker: FlaskClient, moment: At
) -> None:
    # given a game, and devices in several zones
    table, _ = moment("first_hire")
    made = entry_time(banker, table)

    # when they look at its entries in turn, then each reads its own time
    for zone in (*ZONES, *ZONES):
        sheet = in_zone(app, services, zone).get(f"/tables/{table}/live?part=journal").text
        tablet = in_zone(app, services, zone).get(f"/tables/{table}/live?part=tablet").text
        written = f"{made.astimezone(ZoneInfo(zone)):%H:%M}"
        assert times_in(sheet)[0] == written
        assert set(times_in(tablet)) <= set(times_in(sheet))


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../../etc/passwd", "Europe", "/etc/localtime", "x" * 4_000])
def test_a_zone_that_is_none_leaves_the_times_of_this_machine(
    app: Flask, services: Services, banker: FlaskClient, moment: At, zone: str
) -> None:
    table, _ = moment("first_hire")
    answer = in_zone(app, services, zone).get(f"/tables/{table}/live?part=journal")
    assert answer.status_code == 200
    assert times_in(answer.text)[0] == f"{entry_time(banker, table).astimezone():%H:%M}"


@pytest.mark.browser
def test_the_first_page_of_a_device_is_in_its_zone_already(
    browser: Browser, server: Server, banker: FlaskClient, moment: At
) -> None:
    table, _ = moment("first_hire")
    made = entry_time(banker, table)
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", locale="en-GB", timezone_id="Asia/Kolkata"
    )
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto("/")
    written = f"{made.astimezone(ZoneInfo('Asia/Kolkata')):%H:%M}"
    expect(page.locator("time", has_text=written).first).to_be_visible()
    context.close()
