"""Stepping back through the game, on the tablet and over HTTP."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.service.logins import Caller
from companion.service.tables import Tables
from companion.web.server import Server
from tests.web.conftest import PIN
from tests.web.fake_scanner import PICTURE, FakeScanner
from tests.web_pages.conftest import At


def test_a_position_of_then_has_no_offers(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("later_hire")
    told = banker.get(f"/api/v1/tables/{table}", query_string={"at": 1}).json or {}
    assert (told["version"], told["offers"], told["position"]["round"]) == (1, [], 1)

    now = banker.get(f"/api/v1/tables/{table}", query_string={"at": shown["version"]}).json or {}
    assert now["position"] == shown["position"]


@pytest.mark.parametrize("at", ["0", "99999", "x", "²", "-1", ""])
def test_a_wild_number_is_told(banker: FlaskClient, seen: At, at: str) -> None:
    table, _ = seen("later_hire")
    answer = banker.get(f"/api/v1/tables/{table}", query_string={"at": at})
    assert answer.status_code == 400
    part = banker.get(f"/tables/{table}/live", query_string={"part": "then", "seq": at})
    assert part.status_code == 200


def test_the_picture_of_a_card_is_kept_beside_its_entry(
    banker: FlaskClient, as_caller: Callable[[Caller], FlaskClient], moment: At, scanner: FakeScanner
) -> None:
    # given a worker who was hired by camera
    table, shown = moment("first_hire")
    player = shown["position"]["waiting_for"][0]
    scanner.propose(table, {"do": "hire_worker", "player": player, "worker": "W07"})
    asked = (banker.get(f"/api/v1/tables/{table}/proposals").json or {})["proposals"][-1]["id"]
    entry = (banker.post(f"/api/v1/tables/{table}/proposals/{asked}", json={"answer": "yes"}).json or {})["entry"]

    # then the banker sees what the camera saw, beside that entry alone
    picture = f"/api/v1/tables/{table}/entries/{{}}/picture"
    assert banker.get(picture.format(entry["seq"])).data == PICTURE
    assert banker.get(picture.format(1)).status_code == 404
    assert as_caller(Caller("spectator", None, table)).get(picture.format(entry["seq"])).status_code == 403
    sheet = banker.get(f"/tables/{table}/live", query_string={"part": "then", "seq": entry["seq"]}).text
    assert picture.format(entry["seq"]) in sheet


@pytest.mark.browser
def test_the_banker_walks_back_and_forth(browser: Browser, server: Server, tables: Tables, seen: At) -> None:
    table, _ = seen("end")
    latest = tables.get(table).version
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 390, "height": 844})
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="Walk back through the game").click()
    why = page.locator(".over-head .second")
    expect(why).to_contain_text(f"after entry {latest} of {latest}")
    expect(page.get_by_role("button", name="One on")).to_be_disabled()

    page.get_by_role("button", name="One back").click()
    expect(why).to_contain_text(f"after entry {latest - 1} of {latest}")
    page.get_by_role("button", name="To the start").click()
    expect(why).to_contain_text(f"after entry 1 of {latest}")
    expect(page.locator(".then-one .cash").first).to_have_text("$40,000")

    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert Axe().run(page).violations_count == 0
    assert tables.get(table).version == latest
    context.close()
