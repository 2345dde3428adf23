"""A table of which an entry is damaged stays in the lobby, and what is sound of it can be played on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.adapters.journal.sqlite import SqliteJournal
from companion.games.master_builder.rules.catalog import Catalog
from companion.service.access.guests import Guest
from companion.service.access.logins import LOGIN_COOKIE, Caller
from companion.service.runtime import SystemClock
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests.adapters.test_entry_sums import changed
from tests.browser.conftest import browser_type_launch_args
from tests.opened import master_builder
from tests.web.conftest import HIRE, PIN, START

__all__ = ["browser_type_launch_args"]

NAME = {"do": "rename_player", "player": "blue", "name": "Eve"}


@pytest.fixture
def tables(tmp_path: Path, house: Catalog) -> Iterator[Tables]:
    """A game of three entries, the third of which is not what was stored."""
    path, games = tmp_path / "journal.db", {"master_builder": master_builder({"house": house})}
    journal = SqliteJournal(path)
    table = Tables(games, journal, SystemClock(), lambda: "t1", list).start(Request(START, "banker", "tap"))
    for command in (HIRE, NAME):
        table.submit(Request(command, "banker", "tap"))
    journal.close()
    changed(path, "actor", "somebody", 3)
    numbers = iter(("t2", "t3"))
    journal = SqliteJournal(path)
    yield Tables(games, journal, SystemClock(), lambda: next(numbers), list)
    journal.close()


def test_what_is_sound_becomes_a_table_of_its_own_once(banker: FlaskClient) -> None:
    # given a damaged table, which is told with what there is of it
    (damaged,) = banker.get("/api/v1/tables").get_json()["unplayable"]
    assert (damaged["id"], damaged["version"], damaged["sound"]) == ("t1", 3, 2)
    assert "entry 3" in damaged["fault"]

    # when it is played on, twice
    answers = [banker.post("/api/v1/tables/t1/play-on", json={}) for _ in range(2)]

    # then there is one new table with all that is sound, and the damaged one is as it was
    assert [answer.status_code for answer in answers] == [201, 201]
    assert [answer.get_json() for answer in answers] == 2 * [{"id": "t2", "version": 2}]
    listing = banker.get("/api/v1/tables").get_json()
    assert [table["id"] for table in listing["tables"]] == ["t2"]
    assert listing["unplayable"] == [damaged]
    shown = banker.get("/api/v1/tables/t2").get_json()
    assert shown["position"]["players"]["blue"]["workers"] == ["W07"]
    assert banker.post("/api/v1/tables/t2/commands", json=NAME, headers={"If-Match": "2"}).status_code == 200


def test_a_sound_table_and_one_that_is_none_cannot_be_played_on_so(banker: FlaskClient) -> None:
    banker.post("/api/v1/tables/t1/play-on", json={})
    for table in ("t2", "nobody"):
        assert banker.post(f"/api/v1/tables/{table}/play-on", json={}).status_code == 404


def test_guests_of_a_damaged_table_are_told_so_and_go_on_with_what_is_sound(
    app: Flask, banker: FlaskClient, services: Services
) -> None:
    # given a phone at a damaged table, and the code of that
    phone = app.test_client()
    player = Caller("player", "blue", "t1", device="phone", generation=services.guests.generation)
    services.guests.came(Guest("phone", "t1", "blue", "Ada", listed=True))
    phone.set_cookie(LOGIN_COOKIE, services.logins.token(player))
    code = f"/who/{services.logins.open_invitation_token(services.guests.invitation_epoch, 't1')}"

    # then neither it nor a new one is told of a lost seat, or of a game that has not begun
    for client, address in ((phone, "/tables/t1/seats/blue"), (phone, "/"), (app.test_client(), code)):
        page = client.get(address, follow_redirects=True)
        assert (page.status_code, "This game cannot be opened here" in page.text) == (410, True), address

    # and with what is sound both go on
    assert banker.post("/api/v1/tables/t1/play-on", json={}).status_code == 201
    assert phone.get("/tables/t1/seats/blue").headers["Location"] == "/tables/t1/next"
    assert phone.get("/tables/t1/next").headers["Location"] == "/tables/t2/seats/blue"
    assert "Ben" in app.test_client().get(code).text


@pytest.mark.browser
def test_a_tap_in_the_lobby_plays_on(browser: Browser, server: Server) -> None:
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", locale="en-GB")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto("/")
    page.locator("#unplayable summary").click()
    page.get_by_role("button", name="Play on from entry 2").click()
    page.wait_for_url("**/tables/t2")
    expect(page.locator("#state")).to_be_visible()
    context.close()
