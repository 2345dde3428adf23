"""The big screen in a real browser: nothing lies on anything, seats of one row are alike, and it has no buttons."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.extent import in_check
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.conftest import At
from tests.web_pages.parts import give
from tests.web_pages.whole_games import Moment, chosen, player_of, table_at

pytestmark = pytest.mark.browser

MEASURES = (Path(__file__).parents[1] / "layout" / "measures.js").read_text(encoding="utf-8")
SIZES: tuple[ViewportSize, ...] = ({"width": 1920, "height": 1080}, {"width": 1280, "height": 720})
SHORT = ("Al", "Bo", "Cy", "Di")
USUAL = ("Bartholomew", "Anne-Sophie", "Maximiliane", "Guillermo")
LONG = ("Bartholomew Maximilian von Hohenfels", "Donaudampfschifffahrtsgesellschafts", "Al", "Anne-Sophie Charlotte")
SEATS = """() => [...document.querySelectorAll(".seat")].map((seat) => {
  const at = (name) => seat.querySelector(name).getBoundingClientRect();
  return [getComputedStyle(seat.querySelector("h2")).fontSize, at(".cash").top, at(".facts").top,
    seat.getBoundingClientRect().width].map((one) => (typeof one === "number" ? Math.round(one) : one)).join(" ");
})"""
MOMENTS = {
    "situation": Moment("situation", 4, lambda at: at["round"] > 1 and "open_auction" in at["expects"]),
    "end": Moment("end", 4, lambda at: at["finished"]),
    "event": Moment("event", 4, lambda at: at["phase"] == "build" and at["round"] > 1),
}
LEAST_LETTERS = 28
SMALL = """(least) => [...document.querySelectorAll(".display *:not(svg *, .facts i, .unseen, .unseen *)")]
  .filter((one) => one.checkVisibility() && [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .filter((one) => parseFloat(getComputedStyle(one).fontSize) < least - 0.1)
  .map((one) => `${one.className}: ${one.textContent.trim()}`)"""
CODE_PX = 300
"""A phone reads a code of this size on a screen of 1080 lines from three metres."""


def renamed(tables: Tables, table: str, names: tuple[str, ...]) -> None:
    for player, name in zip(tables.get(table).names(), names, strict=False):
        give(tables, table, do="rename_player", player=player, name=name)


def act(tables: Tables, table: str, do: str) -> None:
    shown = tables.get(table).show("banker")
    waiting = shown["position"]["waiting_for"]
    offer = next(offer for offer in shown["offers"] if offer["do"] == do and player_of(offer) in waiting)
    give(tables, table, **chosen(offer, random.Random(3)))


def screen(page: Page, table: str) -> Page:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"/tables/{table}/display")
    page.wait_for_selector(".now-line")
    page.evaluate("document.fonts.ready.then(() => true)")
    return page


@pytest.mark.slow
@pytest.mark.parametrize("names", in_check([SHORT, USUAL, LONG], LONG), ids=["short", "usual", "long"])
def test_every_word_of_a_hire_and_of_an_auction_has_its_place(
    page: Page, tables: Tables, moment: At, names: tuple[str, ...]
) -> None:
    # given a game in which somebody has hired, and one in which somebody bids
    hiring, _ = moment("first_hire")
    bidding, _ = moment("auction")
    act(tables, hiring, "hire_worker")
    act(tables, bidding, "bid")

    for table in (hiring, bidding):
        renamed(tables, table, names)
        screen(page, table)
        for size in SIZES:
            page.set_viewport_size(size)

            # then no word is cut, covered or on another one, and all seats have one size of type and one line
            assert page.evaluate(MEASURES, {"target": 48, "letters": 14}) == []
            assert len(set(page.evaluate(SEATS))) == 1


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("name", ["situation", "event", "end"])
def test_cards_turned_up_and_the_last_account_leave_every_word_its_place(page: Page, tables: Tables, name: str) -> None:
    # given the contracts of an economic situation that nobody chose from yet, an event that is over, or the end
    table, _ = table_at(tables, MOMENTS[name])
    while "reveal_contracts" in tables.get(table).show("banker")["position"]["expects"]:
        act(tables, table, "reveal_contracts")
    renamed(tables, table, LONG)

    for language in ("de", "fr"):
        page.emulate_media(reduced_motion="reduce", color_scheme="dark" if language == "de" else "light")
        page.goto(f"/tables/{table}/display?lang={language}")
        page.evaluate("document.fonts.ready.then(() => true)")
        for size in SIZES:
            page.set_viewport_size(size)

            # then it is drawn, and no word is cut, covered or on another one
            expect(page.locator(".picture, .final")).to_be_visible()
            assert page.evaluate(MEASURES, {"target": 48, "letters": 14}) == [], (language, size)


def test_the_code_is_large_while_everybody_stands_on_the_first_stone(page: Page, tables: Tables, moment: At) -> None:
    table, _ = moment("first_hire")
    page.set_viewport_size(SIZES[0])
    box = screen(page, table).locator(".code-shown .qr-frame").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= CODE_PX

    act(tables, table, "hire_worker")
    expect(page.locator(".code-shown")).to_have_count(0)


@pytest.mark.nightly
def test_a_television_has_no_buttons_until_a_pointer_moves_and_not_for_long(page: Page, seen: At) -> None:
    page.set_viewport_size(SIZES[0])
    table, _ = seen("first_hire")
    ears = screen(page, table).locator(".ears")
    expect(ears).to_have_css("opacity", "0")

    page.mouse.move(400, 400)
    page.mouse.move(420, 410)
    expect(ears).to_have_css("opacity", "1")
    expect(ears.get_by_text("Sounds", exact=True)).to_be_visible()

    expect(ears).to_have_css("opacity", "0")


def test_the_first_tap_on_a_touch_screen_shows_the_buttons_and_presses_none(
    browser: Browser, server: Server, seen: At
) -> None:
    # given a big screen that is touched, whose buttons lie unseen in the place of the phases
    table, _ = seen("first_hire")
    with banker_device(browser, server, SIZES[0], has_touch=True) as context:
        page = screen(context.new_page(), table)
        page.wait_for_function("() => document.documentElement.dataset.headlines === 'on'")
        switch = page.locator(".ears [data-switch]").first
        box = switch.bounding_box()
        assert box is not None
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        # when somebody taps there, then they come, and nothing was switched
        page.touchscreen.tap(*middle)
        expect(page.locator(".ears")).to_have_css("pointer-events", "auto")
        expect(switch).to_have_attribute("aria-pressed", "true")

        # and the next tap presses one
        page.touchscreen.tap(*middle)
        expect(switch).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("name", ["build", "choice", "auction"])
def test_words_on_a_big_screen_have_28_pixels_at_least(page: Page, seen: At, name: str) -> None:
    # given a big screen of 1080 lines that shows the standing in worth too
    table, _ = seen(name)
    page.set_viewport_size(SIZES[0])
    screen(page, table)
    page.evaluate("document.documentElement.dataset.worth = 'on'")
    page.mouse.move(400, 400)
    page.mouse.move(420, 410)

    # then no word is set smaller, letters of chips apart, whose colour and place say the same
    assert page.evaluate(SMALL, LEAST_LETTERS) == []


def test_all_names_of_the_standings_have_one_size(page: Page, tables: Tables, moment: At) -> None:
    table, _ = moment("end")
    renamed(tables, table, USUAL)
    names = screen(page, table).locator(".ranked h2")
    expect(names).to_have_count(2)

    assert len(set(names.evaluate_all("(all) => all.map((one) => getComputedStyle(one).fontSize)"))) == 1
