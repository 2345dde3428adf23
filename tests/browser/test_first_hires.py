"""The first minutes of an evening, in a real browser, under the simulated camera."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import PIN, Installation
from tests.fakes import readable_tables
from tests.pages import answered

pytestmark = pytest.mark.browser


def signed_in(context: BrowserContext, installation: Installation) -> Page:
    page = context.new_page()
    page.goto(installation.address)
    page.get_by_label("PIN").fill(PIN)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="A new game")).to_be_visible()
    return page


def started(page: Page) -> str:
    names = page.get_by_role("textbox", name="Name")
    for place, name in enumerate(("Ada", "Ben", "Cleo")):
        names.nth(place).fill(name)
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_url(re.compile(r"/tables/\w+$"))
    return page.url


def test_a_table_is_started_a_worker_hired_by_tap_one_by_camera_and_taken_back_while_a_second_page_follows(
    context: BrowserContext, installation: Installation, tmp_path: Path
) -> None:
    # given a table that was started from the lobby, and its display on a second screen
    tablet = signed_in(context, installation)
    address = started(tablet)
    display = context.new_page()
    display.goto(f"{address}/display")
    expect(tablet.get_by_text("hire a worker")).to_be_visible()

    # when Ada's first worker is hired by tap
    tablet.get_by_role("button", name="Hire", exact=True).click()
    tablet.locator("[data-command*='\"W20\"']").click()

    # then tablet and display show it, and it is Ben's turn
    expect(tablet.locator("#state")).to_have_attribute("data-version", "2")
    expect(tablet.locator("body")).to_contain_text("Ada hires")
    expect(display.locator("body")).to_contain_text("Ben")
    table = readable_tables(installation.services.tables)[0]
    assert table.version == 2

    # when Ben lays a card under the camera, while the sheet still stands open for them
    installation.simulated_table.lay_on_tray("W07")

    # then the tablet asks, with the picture, and a yes hires them
    proposal = tablet.locator(".proposal")
    expect(proposal).to_contain_text("for Ben?")
    picture = proposal.get_by_role("img", name="What the camera sees")
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 40
    tablet.screenshot(path=tmp_path / "proposal.png")
    proposal.get_by_role("button", name="Yes, hire").click()
    expect(tablet.locator("body")).to_contain_text("Ben hires")
    expect(proposal).to_have_count(0)
    position = table.position_json("banker") or {}
    assert position["players"][position["seats"][1]]["workers"] == ["W07"]
    assert table.entries[-1].source == "camera"
    expect(display.locator("body")).to_contain_text("Cleo")

    # when it is undone
    tablet.get_by_role("button", name="Undo").click()

    # then both pages are back at Ben's turn, and the card lying there is not asked about again
    expect(tablet.locator("#sentence")).to_contain_text("Ben")
    expect(display.locator(".sentence")).to_contain_text("Ben")
    assert (table.position_json("banker") or {})["waiting_for"] == [position["seats"][1]]
    installation.looked_on(10)
    expect(proposal).to_have_count(0)


@pytest.mark.nightly
def test_a_stale_second_tablet_and_a_double_tap_never_do_a_thing_twice(
    context: BrowserContext, installation: Installation
) -> None:
    # given a hire sheet open on a tablet
    tablet = signed_in(context, installation)
    started(tablet)
    tablet.get_by_role("button", name="Hire", exact=True).click()
    card = tablet.locator("[data-command*='\"W20\"']")

    # when it is tapped twice at once
    card.evaluate("button => { button.click(); button.click(); }")

    # then one worker is hired
    expect(tablet.locator("body")).to_contain_text("Ada hires")
    answered(tablet)
    assert readable_tables(installation.services.tables)[0].version == 2
