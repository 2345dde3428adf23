"""Stepping back through the game, on the tablet and over HTTP."""

from collections.abc import Callable

import numpy as np
import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.adapters.pictures import encode_jpeg
from companion.service.access.logins import Caller
from companion.service.camera.proposals import Crop
from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.pages import run_axe
from tests.web.conftest import PIN
from tests.web.fake_scanner import PICTURE, FakeScanner
from tests.web_pages.conftest import At


def test_a_position_of_then_has_no_offers(banker: FlaskClient, seen: At) -> None:
    table, shown = seen("later_hire")
    answer = banker.get(f"/api/v1/tables/{table}", query_string={"at": 1}).json or {}
    assert (answer["version"], answer["offers"], answer["position"]["round"]) == (1, [], 1)

    now = banker.get(f"/api/v1/tables/{table}", query_string={"at": shown["version"]}).json or {}
    assert now["position"] == shown["position"]


@pytest.mark.parametrize("at", ["0", "99999", "x", "²", "-1", "", "0000000015555", "9" * 5_000])
def test_a_wild_number_is_told(banker: FlaskClient, seen: At, at: str) -> None:
    table, _ = seen("later_hire")
    answer = banker.get(f"/api/v1/tables/{table}", query_string={"at": at})
    assert answer.status_code == 400
    part = banker.get(f"/tables/{table}/live", query_string={"part": "then", "seq": at})
    assert part.status_code == 200
    assert part.text == banker.get(f"/tables/{table}/live", query_string={"part": "then"}).text


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
    for part in ("then", "journal", "crop"):
        sheet = banker.get(f"/tables/{table}/live", query_string={"part": part, "seq": entry["seq"]}).text
        assert sheet.count(picture.format(entry["seq"])) == 1
        assert picture.format(1) not in sheet
    assert "There is no picture of this entry." in banker.get(f"/tables/{table}/live?part=crop&seq=1&lang=en").text

    # and so does who sits at the table, but nobody who only looks on
    seat = as_caller(Caller("player", player, table))
    assert seat.get(picture.format(entry["seq"])).data == PICTURE
    assert picture.format(entry["seq"]) in seat.get(f"/tables/{table}/live?part=journal").text


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
    expect(page.get_by_role("button", name="Forward", exact=True)).to_be_disabled()

    page.get_by_role("button", name="Back", exact=True).click()
    expect(why).to_contain_text(f"after entry {latest - 1} of {latest}")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(why).to_contain_text(f"after entry 1 of {latest}")
    expect(page.locator(".then-one .cash").first).to_have_text("$40,000")

    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert run_axe(page).violations_count == 0
    assert tables.get(table).version == latest
    context.close()


@pytest.mark.browser
@pytest.mark.nightly
def test_a_tap_on_the_picture_in_the_journal_opens_it_large(
    browser: Browser, server: Server, banker: FlaskClient, moment: At, scanner: FakeScanner, tables: Tables
) -> None:
    # given two workers who were hired by camera
    table, shown = moment("first_hire")
    for worker, colour in (("W07", 60), ("W09", 200)):
        player = (tables.get(table).position_json("banker") or shown)["waiting_for"][0]
        scanner.propose(table, {"do": "hire_worker", "player": player, "worker": worker})
        asked = (banker.get(f"/api/v1/tables/{table}/proposals").json or {})["proposals"][-1]["id"]
        banker.post(f"/api/v1/tables/{table}/proposals/{asked}", json={"answer": "yes"})
        drawn = encode_jpeg(np.full((120, 120, 3), colour, np.uint8))
        scanner.proposals.keepsakes.keep_crop(table, tables.get(table).version, Crop(drawn, "banker"))
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 390, "height": 844})
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Journal").click()

    # when the newer one's picture is tapped
    page.get_by_role("button", name="What the camera saw").first.click()

    # then it lies there large, and the older one is a step away
    large = page.locator(".crop-large img")
    expect(large).to_be_visible()
    assert large.evaluate("one => one.clientWidth") > 300
    newest = large.get_attribute("src")
    assert run_axe(page).violations_count == 0
    page.get_by_role("button", name="Previous picture").click()
    expect(page.get_by_role("button", name="Previous picture")).to_be_disabled()
    assert large.get_attribute("src") != newest
    page.get_by_role("button", name="How things stood").click()
    expect(page.locator(".then-entry .crop")).to_be_visible()
    context.close()
