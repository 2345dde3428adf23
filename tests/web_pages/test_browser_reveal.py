"""When the last plan is locked, plans open one player after the other on tablet and big screen, and nothing waits."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.service.table.tables import Tables
from companion.web.server import Server
from tests.guide.stage import Game, game_of_bots
from tests.web.conftest import PIN

pytestmark = pytest.mark.browser

A_PLAYER_MS = 3000
SLACK_MS = 2500


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The banker's browser, of somebody who likes motion."""
    made = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", locale="en-GB")
    made.set_default_timeout(10_000)
    made.request.post("/login", form={"pin": PIN, "next": "/"})
    yield made
    made.close()


def before_the_last_plan(tables: Tables) -> Game:
    """Two bots in a round in which both build."""
    game = game_of_bots(tables, 2, 7)
    game.until(lambda at: at["round"] == 2 and at["phase"] == "build" and len(at["waiting_for"]) == 1)
    return game


def built(game: Game) -> list[str]:
    """The names of those who built by the latest entry, in turn order."""
    events = game.table.journal("banker")[-1]["events"]
    who = {one["player"] for one in events if one["event"] == "SectionsBuilt"}
    return [player["name"] for key, player in game.position["players"].items() if key in who]


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#state")).to_be_visible()
    page.evaluate("import('/games/master_builder/reveal.js')")
    return page


def test_plans_open_player_by_player_on_tablet_and_display_and_a_late_page_shows_the_end(
    context: BrowserContext, tables: Tables
) -> None:
    # given a tablet and a display, and one plan that is missing
    game = before_the_last_plan(tables)
    tablet = opened(context, f"/tables/{game.table.id}")
    display = opened(context, f"/tables/{game.table.id}/display")

    # when it is locked
    game.play_on()
    names = built(game)
    assert len(names) == 2

    # then both screens show the first one's plan, and what he built settles
    for page in (tablet, display):
        expect(page.locator("#stage h2 b")).to_have_text(names[0])
        assert page.locator("#stage .fresh").count() >= 1
        assert page.locator("#stage .walks-on .mark").count() >= 1

    # and a page that comes now shows no more than how it ended
    late = opened(context, f"/tables/{game.table.id}/display")
    expect(late.locator("#stage")).to_have_count(0)

    # and then the second one's, and then the round as it is
    expect(display.locator("#stage h2 b")).to_have_text(names[1], timeout=A_PLAYER_MS + SLACK_MS)
    expect(display.locator("#stage")).to_have_count(0, timeout=A_PLAYER_MS + SLACK_MS)
    expect(tablet.locator("#stage")).to_have_count(0)


def test_a_tap_ends_it_and_commands_are_taken_meanwhile(context: BrowserContext, tables: Tables) -> None:
    # given plans that open on the tablet
    game = before_the_last_plan(tables)
    tablet = opened(context, f"/tables/{game.table.id}")
    game.play_on()
    expect(tablet.locator("#stage")).to_be_visible()

    # when somebody acts meanwhile, then it is booked, and the show goes on
    version = game.table.version
    assert game.play_on()
    assert game.table.version > version
    expect(tablet.locator("#state")).to_have_attribute("data-version", str(game.table.version))
    expect(tablet.locator("#stage")).to_be_visible()

    # when it is tapped, then it is over
    tablet.locator("#stage").click()
    expect(tablet.locator("#stage")).to_have_count(0)
