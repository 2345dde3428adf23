"""Every kind of page holds with *Very large* text, as set in the browser, on the tablets and phones of a table."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.table.table import Request
from tests.browser.live_pages import Pages, bot_commands, pages_of
from tests.browser.plain_hands import unfold
from tests.layout.conftest import ARTIFACTS, Visit
from tests.layout.measures import ALLOWED, MEASURES, OUT_OF_REACH, THUMB, VERY_LARGE
from tests.layout.places import OPEN, PLACES, Place

pytestmark = pytest.mark.browser

SIZES = ((1280, 800), (1024, 600), (390, 844), (360, 740))


SAMPLE = {"menu", "seat_auction"}
EVERY_PLACE = [
    pytest.param(place, id=place.name, marks=() if place.name in SAMPLE else pytest.mark.nightly)
    for place in PLACES
    if place.role != "screen"
]
PLAIN_GAMES = ("men_at_work", "monopoly_builder")
MOMENTS = (0, 1, 3, 12, 40, 90)
"""After how many commands of the bots a plain game is looked at."""
SHEETS = {"tablet": ("menu", "journal", "phones"), "seat": ("seat_menu", "journal")}


def faults_on(page: Page, name: str) -> list[str]:
    """Return what lies badly on a page with very large text; a picture of that is kept."""
    wish = {"fontSizes": {"standard": VERY_LARGE, "fixed": VERY_LARGE}}
    page.context.new_cdp_session(page).send("Page.setFontSizes", wish)
    page.wait_for_function(
        "(size) => getComputedStyle(document.documentElement).fontSize === `${size}px`", arg=VERY_LARGE
    )
    all_faults: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        # from its beginning: unfolding the journal moved the page to what was unfolded
        page.evaluate("scrollTo(0, 0)")
        measured = page.evaluate(MEASURES, {"target": THUMB, "letters": 0})
        faults = [fault for fault in measured if not fault.startswith(ALLOWED)] + page.evaluate(OUT_OF_REACH)
        if faults:
            ARTIFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTIFACTS / f"very-large-{name}-{width}x{height}.png")
        all_faults += [f"{name} {width}x{height} {fault}" for fault in faults]
    return all_faults


@pytest.mark.parametrize("place", EVERY_PLACE)
def test_with_very_large_text_nothing_is_cut_covered_or_out_of_reach(visit: Visit, place: Place) -> None:
    assert faults_on(visit(place, "de"), str(place)) == []


@pytest.mark.nightly
@pytest.mark.parametrize("game", PLAIN_GAMES)
def test_with_very_large_text_a_plain_game_holds_on_tablet_and_phone(
    browser: Browser, tmp_path: Path, game: str
) -> None:
    with pages_of(browser, game, tmp_path / "data", live=(), fresh=tuple(SHEETS)) as pages:

        def act(command: dict[str, Any]) -> None:
            pages.table.submit(Request(command, "banker", "test"))

        # when bots play, and at some moments somebody looks
        commands, played, all_faults = bot_commands(pages.table, game, act, seed=4), 0, list[str]()
        for moment in MOMENTS:
            played += sum(1 for _ in islice(commands, moment - played))
            for device in SHEETS:
                all_faults += faults_of_a_plain_page(pages, device, f"{game}-{moment}-{device}")

        # then all is in its place
        assert all_faults == []


def faults_of_a_plain_page(pages: Pages, device: str, name: str) -> list[str]:
    """Return what lies badly on a page of a plain game, and on the sheets that may be opened over it."""
    page = pages.fresh[device]
    page.goto(f"{page.url.split('?')[0]}?lang=de")
    all_faults = faults_on(page, name)
    offers = page.locator(".plain-forms [data-sheet=offer]").count()
    for sheet in (*SHEETS[device], *["offer"] * min(offers, 1)):
        page.goto(page.url.split("#")[0])
        if sheet == "offer":
            unfold(page.locator(".plain-forms [data-sheet=offer]").first)
            page.locator(".plain-forms [data-sheet=offer]").first.click()
        else:
            page.evaluate(OPEN, [sheet, {}])
        expect(page.locator("#sheet .over-head")).to_be_visible()
        all_faults += faults_on(page, f"{name}-{sheet}")
    return all_faults
