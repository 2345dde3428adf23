"""Whoever has set *Very large* text in the browser finds everything within the screen."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.service.table.registry import Tables
from tests.extent import by_night
from tests.layout.crowded import crowded
from tests.layout.measures import VERY_LARGE
from tests.web.conftest import PIN

pytestmark = pytest.mark.browser

OUTSIDE = """() => [...document.querySelectorAll(".bar-tools button, .acts .button")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.textContent.trim() || one.ariaLabel, one.getBoundingClientRect()])
  .filter(([, at]) => at.left < 0 || at.right > innerWidth + 1 || at.top < 0)
  .map(([text, at]) => [text, at.left, at.right, at.top, at.bottom])"""

CUT_OFF = """() => {
  const sheet = document.getElementById("sheet").getBoundingClientRect();
  return [...document.querySelectorAll("#sheet, #sheet .over-head, #sheet .over-head button, #sheet .over-body")]
    .map((one) => [one.className, one.getBoundingClientRect()])
    .filter(([, at]) => at.top < 0 || at.left < 0 || at.right > innerWidth || at.bottom > innerHeight
      || at.right > sheet.right + 1 || at.bottom > sheet.bottom + 1)
    .map(([name, at]) => [name, at.left, at.right, at.top, at.bottom]);
}"""


@pytest.fixture
def opened(contexts: Callable[[str], BrowserContext]) -> Iterator[Page]:
    context = contexts("banker")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    sizes = {"fontSizes": {"standard": VERY_LARGE, "fixed": VERY_LARGE}}
    context.new_cdp_session(page).send("Page.setFontSizes", sizes)
    yield page
    page.close()


@pytest.mark.parametrize("size", [(1024, 600), *by_night((1280, 800))])
@pytest.mark.parametrize("phase", ["hire", *by_night("contracts", "build")])
def test_with_very_large_text_the_menu_is_on_the_tablet_and_within_it(
    opened: Page, tables: Tables, size: tuple[int, int], phase: str
) -> None:
    # given a tablet with very large text
    table = crowded(tables, phase)
    opened.set_viewport_size({"width": size[0], "height": size[1]})
    opened.goto(f"/tables/{table.id}?lang=de")
    assert opened.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == VERY_LARGE

    # then its menu and its buttons can be tapped
    assert opened.evaluate(OUTSIDE) == []

    # when the menu is opened, then it is within the screen, and what does not fit can be scrolled to
    opened.locator(".bar-tools [data-sheet=menu]").click()
    expect(opened.locator("#sheet .over-body")).to_be_visible()
    assert opened.evaluate(CUT_OFF) == []
