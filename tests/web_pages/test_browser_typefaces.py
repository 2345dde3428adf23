"""The pages in a real browser: set in our typefaces, and nothing moves when these come late."""

import pytest
from playwright.sync_api import BrowserContext, Page, Route

from tests.waiting import until
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) window.shifted += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""
LOADED = """() => document.fonts.ready.then(() =>
  [...document.fonts].filter((face) => face.status === "loaded").map((face) => face.family.replaceAll('"', "")))"""
SET_IN = """(selector) =>
  getComputedStyle(document.querySelector(selector)).fontFamily.split(",")[0].replaceAll('"', "")"""
LAST_CAME = """Math.max(...performance.getEntriesByType("resource")
  .filter((entry) => entry.name.endsWith(".woff2")).map((entry) => entry.responseEnd))"""
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
GOOD_SHIFT = 0.1
"""Of Core Web Vitals: below this a page is calm."""


def opened(context: BrowserContext, table: str) -> Page:
    page = context.new_page()
    page.goto(f"/tables/{table}", wait_until="commit")
    page.wait_for_selector("#live h1")
    return page


def test_titles_are_set_in_the_voice_and_money_in_the_ledger(page: Page, seen: At) -> None:
    table, _ = seen("first_hire")
    page.goto(f"/tables/{table}")
    page.wait_for_selector("#live .cash")

    loaded = page.evaluate(LOADED)

    assert {"Voice", "Ledger"} <= set(loaded)
    assert page.evaluate(SET_IN, "#live h1") == "Voice"
    assert page.evaluate(SET_IN, "#live .cash") == "Ledger"


@pytest.mark.nightly
def test_first_paint_waits_for_no_typeface_and_nothing_jumps_when_it_comes(context: BrowserContext, seen: At) -> None:
    # given a network on which typefaces come late
    routes: list[Route] = []
    come = False

    def late(route: Route) -> None:
        if come:
            route.continue_()
        else:
            routes.append(route)

    context.route("**/typefaces/**", late)
    context.add_init_script(SHIFTS)
    table, _ = seen("first_hire")

    # when the table is opened
    page = opened(context, table)
    until(lambda: page.evaluate(PAINTED) and routes)
    painted = page.evaluate(PAINTED)
    come = True
    for route in routes:
        route.continue_()
    page.evaluate(LOADED)
    came = page.evaluate(LAST_CAME)

    # then it was painted before, and stayed in place
    assert painted < came
    assert page.evaluate("window.shifted") < GOOD_SHIFT
