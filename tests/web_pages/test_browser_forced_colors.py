"""In forced colours, such as a high contrast, pages show what is chosen and whose turn it is."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.web.server.server import Server
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser

PAINTED = """() => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.backgroundColor = "Highlight";
  const highlight = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return [...document.querySelectorAll(":is(.choice, .people-choice) input")]
    .filter((input) => input.nextElementSibling?.checkVisibility())
    .map((input) => [input.checked, getComputedStyle(input.nextElementSibling).backgroundColor === highlight]);
}"""
"""Of each choice whether it is chosen, and whether its ground is the system's colour for what is selected."""
SEATS = """() => [...document.querySelectorAll(".stage-foot .seat")]
    .map((seat) => [seat.matches(".now"), getComputedStyle(seat).outlineStyle])"""


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The banker's browser."""
    with banker_device(browser, server) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page whose colours are the system's."""
    made = context.new_page()
    made.emulate_media(forced_colors="active")
    return made


def check_chosen_is_painted_apart(page: Page) -> None:
    """Check that what is chosen, and nothing else, has the ground of what is selected."""
    assert {(is_chosen, is_painted) for is_chosen, is_painted in page.evaluate(PAINTED)} == {
        (True, True),
        (False, False),
    }


def test_what_is_chosen_for_a_new_game_is_painted_apart(page: Page) -> None:
    page.goto("/")
    expect(page.locator(".choice, .people-choice").first).to_be_attached()

    check_chosen_is_painted_apart(page)


def test_what_is_chosen_on_a_sheet_is_painted_apart(page: Page, seen: At) -> None:
    # given the sheet on which money is corrected
    page.goto(f"/tables/{seen('later_hire')[0]}")
    page.get_by_role("button", name="More").click()
    page.locator("#sheet [data-sheet='money']").first.click()
    radio = page.locator("#sheet .people-choice input").first
    expect(radio).to_be_attached()

    # when somebody is chosen, then it is seen who
    radio.check(force=True)
    check_chosen_is_painted_apart(page)


def test_the_seat_whose_turn_it_is_has_an_outline_on_the_big_screen(page: Page, seen: At) -> None:
    page.goto(f"/tables/{seen('later_hire')[0]}/display")
    expect(page.locator(".seat.now").first).to_be_visible()

    assert {(is_now, line) for is_now, line in page.evaluate(SEATS)} == {(True, "solid"), (False, "none")}
