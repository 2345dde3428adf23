"""Joining in browsers: the big screen shows names as they are typed; the tablet lets a television in."""

import io
from collections.abc import Iterator

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from companion.web.server.server import Server
from tests.web_pages.conftest import At


@pytest.fixture
def television(browser: Browser, server: Server) -> Iterator[Page]:
    """A screen across the room, that nobody has logged in."""
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1920, "height": 1080}, locale="en-GB"
    )
    yield context.new_page()
    context.close()


def scanned(screen: Page) -> str:
    """The path to which the square on a screen leads."""
    with Image.open(io.BytesIO(screen.screenshot())) as picture:
        (read,) = zxingcpp.read_barcodes(picture.convert("L"))
    return "/" + str(read.text).split("/", 3)[3]


@pytest.mark.nightly
@pytest.mark.browser
def test_names_stand_on_the_big_screen_while_they_are_typed(page: Page, television: Page) -> None:
    # given the big screen of an evening without a game, with a square that a phone reads across the room
    television.goto("/screen")
    assert scanned(television).startswith("/join/")
    expect(television.locator(".lobby-seats .free")).to_have_count(4)

    # when names are typed on the tablet
    page.goto("/")
    page.locator(".seat-name").nth(0).fill("Maximiliane")
    page.locator(".seat-name").nth(1).fill("Guillermo")

    # then they stand there, without anybody touching it, and who was typed last has the frame
    seats = television.locator(".lobby-seats b")
    expect(seats).to_have_text(["Maximiliane", "Guillermo", "free seat", "free seat"])
    expect(television.locator(".lobby-seats .arrived b")).to_have_text("Guillermo")


@pytest.mark.browser
def test_a_television_shows_the_table_after_its_square_was_scanned(page: Page, television: Page, moment: At) -> None:
    # given a table at which the banker is, and a television that shows letters
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    television.goto(f"/tables/{table}/display")
    expect(television.locator(".joining-letters")).to_be_visible()

    # when the network was away for a while, then it says so, and goes on waiting by itself
    television.context.set_offline(True)
    expect(television.locator("#lost")).to_be_visible()
    television.context.set_offline(False)
    expect(television.locator("#lost")).to_be_hidden()

    # when the banker scans the square and taps the one button
    page.goto(scanned(television))
    page.get_by_role("button", name="Show the table there").click()
    page.wait_for_url(f"**/tables/{table}")

    # then the television shows the table, without anybody touching it
    expect(television.locator(".display")).to_be_visible()
    television.wait_for_url(f"**/tables/{table}/display")
