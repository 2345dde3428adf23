"""Every page by keyboard alone; badges without colour; nothing moves for who wants it still."""

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.extent import by_night
from tests.layout.conftest import Visit
from tests.layout.places import PLACES
from tests.web_pages.whole_games import NAMES

pytestmark = pytest.mark.browser

FOCUS = Path(__file__).with_name("access.js").read_text(encoding="utf-8")
MOST_STEPS = 160
REACHABLE = """
() => {
  const root = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
  const stops = "button:enabled, a[href], summary, select, input:not([type=hidden]):enabled";
  window.stops = [...root.querySelectorAll(stops)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0)
    .filter((one) => one.type !== "radio"); // one of each group is a stop, arrows reach the others
  return window.stops.map((one, at) => [at, (one.getAttribute("aria-label") ?? one.textContent).trim().slice(0, 40)]);
}
"""
GREYS = """
() => {
  const grey = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((one) => {
      const part = one / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  return [...document.querySelectorAll(".panel > header > .badge")].map((badge) => {
    const its = getComputedStyle(badge);
    const probe = badge.querySelector("text");
    const resolved = (name) => {
      const held = document.createElement("i");
      held.style.color = its.getPropertyValue(name);
      badge.after(held);
      const found = held.style.color && getComputedStyle(held).color;
      held.remove();
      return found ? grey(found) : null;
    };
    const ground = grey(getComputedStyle(badge.closest(".sheet")).backgroundColor);
    const drawn = document.querySelector(badge.querySelector("use").getAttribute("href")).innerHTML;
    const [fill, edge] = [resolved("--shape"), resolved("--shape-edge")];
    return { drawn, letter: grey(getComputedStyle(probe).fill), fill, edge, ground };
  });
}
"""
MOVING = """
() => [...document.querySelectorAll("*")]
  .filter((one) => {
    const its = getComputedStyle(one);
    return its.animationName !== "none" || parseFloat(its.transitionDuration) > 0;
  })
  .map((one) => one.className.baseVal ?? one.className)
"""


def place(name: str) -> Any:
    return next(place for place in PLACES if place.name == name)


@pytest.mark.parametrize(
    "name",
    [
        *("menu", "seat_auction"),
        *by_night("lobby", "login", "take_over", "rules", "report", "money", "plan_at_first"),
        *by_night("tablet_later_hire", "tablet_auction", "tablet_end", "seat_later_hire"),
    ],
)
def test_everything_is_reached_by_the_tab_key_and_seen_when_it_is(visit: Visit, name: str) -> None:
    page = visit(place(name), "en")
    page.set_viewport_size({"width": 1280, "height": 800})
    wanted = dict(page.evaluate(REACHABLE))
    unseen: list[str] = []
    for _ in range(MOST_STEPS):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus is None:
            continue  # the browser's own bar is part of the way round
        wanted.pop(focus["at"], None)
        unseen += [] if focus["seen"] else [focus["name"]]
        if not wanted:
            break

    assert wanted == {}
    assert unseen == []


def test_who_goes_by_keyboard_never_falls_off_the_page(visit: Visit, tables: Tables) -> None:
    # given somebody who stands on a button
    page = visit(place("tablet_anytime"), "en")
    table = tables.get(page.url.rsplit("/", 1)[-1].split("?")[0])
    button = page.get_by_role("button", name="Pass", exact=True)
    button.focus()

    # when something else happens at the table, then they stand there still
    rename = {"do": "rename_player", "player": table.show("banker")["position"]["seats"][0], "name": "Eve"}
    table.submit(Request(rename, "banker", "test"))
    expect(page.locator("#state")).to_have_attribute("data-version", str(table.version))
    expect(button).to_be_focused()

    # when one sheet leads to another and is left, then they are never nowhere
    page.get_by_role("button", name="More").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet-title")).to_have_text("More")
    page.locator("#sheet [data-sheet=count]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sheet-title")).to_have_text("Count cash")
    expect(page.locator("#sheet-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More")).to_be_focused()


def test_who_stands_on_a_button_that_goes_is_led_to_what_is_said(visit: Visit, tables: Tables) -> None:
    # given somebody who stands on a contract that they may open
    page = visit(place("tablet_choice"), "en")
    table = tables.get(page.url.rsplit("/", 1)[-1].split("?")[0])
    page.locator(".small-lot button:enabled").first.focus()

    # when the contracts are taken back
    while table.show("banker")["position"]["display"]:
        table.submit(Request({"do": "undo"}, "banker", "test"))
    expect(page.locator("#state")).to_have_attribute("data-version", str(table.version))

    # then they stand on what the table waits for, one step before its buttons
    expect(page.locator("#sentence")).to_be_focused()


def _contrast(first: float, other: float) -> float:
    light, dark = max(first, other), min(first, other)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", ["light", *by_night("dark")])
def test_badges_are_told_apart_without_colour(visit: Visit, scheme: Any) -> None:
    page = visit(place("tablet_later_hire"), "en")
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    badges = page.evaluate(GREYS)

    assert len(badges) == len(NAMES)
    assert all(badge["drawn"] != other["drawn"] for badge, other in combinations(badges, 2))
    for badge in badges:
        assert _contrast(badge["letter"], badge["fill"]) >= 4.5
        assert _contrast(badge["edge"] if badge["edge"] is not None else badge["fill"], badge["ground"]) >= 3


@pytest.mark.parametrize(
    "name", ["tablet_asked", "display_auction", *by_night("tablet_late_build", "seat_build", "lobby")]
)
def test_nothing_moves_for_who_wants_it_still(visit: Visit, name: str) -> None:
    page: Page = visit(place(name), "en")
    page.emulate_media(reduced_motion="reduce")

    assert page.evaluate(MOVING) == []
