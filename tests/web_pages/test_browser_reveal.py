"""When the last plan is locked, plans open one player after the other on tablet and big screen, and nothing waits."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.games.master_builder.ui.account import PLAN_SECONDS
from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.guide.stage import Game, game_of_bots
from tests.pages import SLOWLY
from tests.waiting import until
from tests.web_pages.banker_browser import banker_device

pytestmark = pytest.mark.browser

A_PLAYER_MS = 1000 * PLAN_SECONDS
SLACK_MS = 2500
IN_SIGHT_MS = 8000


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The banker's browser, of somebody who likes motion."""
    with banker_device(browser, server) as made:
        yield made


def before_the_last_plan(tables: Tables) -> Game:
    """Two bots in a round in which both build."""
    game = game_of_bots(tables, 2, 7)
    game.until(lambda at: at["round"] == 2 and at["phase"] == "build" and len(at["waiting_for"]) == 1)
    return game


def built(game: Game) -> list[str]:
    """The names of those who built by the latest entry, in turn order."""
    events = game.table.journal("banker")[-1]["events"]
    builders = {event["player"] for event in events if event["event"] == "SectionsBuilt"}
    return [player["name"] for key, player in game.position["players"].items() if key in builders]


def opened(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    expect(page.locator("#state")).to_be_visible()
    page.evaluate("import('/games/master_builder/reveal.js')")
    return page


@pytest.mark.nightly
def test_plans_open_player_by_player_on_tablet_and_display_and_a_late_page_shows_the_end(
    context: BrowserContext, tables: Tables
) -> None:
    # given a tablet and a display, and one plan that is missing
    context.add_init_script(SLOWLY)
    game = before_the_last_plan(tables)
    tablet = opened(context, f"/tables/{game.table.id}")
    display = opened(context, f"/tables/{game.table.id}/display")

    # when it is locked
    game.play_on()
    names = built(game)
    assert len(names) == 2

    # then both screens show the first one's plan, and what they built settles
    for page in (tablet, display):
        expect(page.locator("#stage .plan-owner b")).to_have_text(names[0])
        assert page.locator("#stage .fresh").count() >= 1
        assert page.locator("#stage .walks-on .walker").count() >= 1

    # and a page that comes now shows no more than how it ended
    late = opened(context, f"/tables/{game.table.id}/display")
    expect(late.locator("#stage")).to_have_count(0)

    # and then the second one's, and then the round as it is
    expect(display.locator("#stage .plan-owner b")).to_have_text(names[1])
    expect(display.locator("#stage")).to_have_count(0)
    expect(tablet.locator("#stage")).to_have_count(0)


def test_a_tap_ends_it_and_commands_are_taken_meanwhile(context: BrowserContext, tables: Tables) -> None:
    # given plans that open on the tablet
    context.add_init_script(SLOWLY)
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

    # and it looks as before, though the part of the page that brought it is gone
    expect(tablet.locator("#stage")).to_have_css("position", "fixed")
    expect(tablet.locator("#stage .unfolds")).to_have_css("display", "grid")

    # when it is tapped, then it is over
    tablet.locator("#stage").click()
    expect(tablet.locator("#stage")).to_have_count(0)


@pytest.mark.parametrize("way", ["Escape", "Tab"])
def test_it_is_ended_by_keyboard_and_hides_no_focus(context: BrowserContext, tables: Tables, way: str) -> None:
    # given plans that open on the tablet, over the panels
    context.add_init_script(SLOWLY)
    game = before_the_last_plan(tables)
    tablet = opened(context, f"/tables/{game.table.id}")
    game.play_on()
    expect(tablet.locator("#stage")).to_be_visible()

    # when somebody at a keyboard closes it, or goes on to what it hides
    if way == "Tab":
        tablet.keyboard.press("Tab")
        tablet.locator(".table-main button:visible").first.focus()
    else:
        tablet.keyboard.press(way)

    # then it is over
    expect(tablet.locator("#stage")).to_have_count(0, timeout=A_PLAYER_MS // 2)


@pytest.mark.nightly
def test_an_act_that_comes_meanwhile_is_in_sight_after_eight_seconds_at_most(
    context: BrowserContext, tables: Tables
) -> None:
    # given four plans that open on the big screen, and after them a headline
    game = game_of_bots(tables, 4, 5)
    game.until(lambda at: at["round"] == 2 and at["phase"] == "build" and len(at["waiting_for"]) == 1)
    display = opened(context, f"/tables/{game.table.id}/display")
    game.play_on()
    expect(display.locator("#stage")).to_be_visible()
    assert display.locator("#unfolding > *").count() * A_PLAYER_MS > IN_SIGHT_MS + SLACK_MS

    # when somebody acts
    assert game.play_on()

    # then not all of them open before that is seen
    expect(display.locator("#stage")).to_have_count(0, timeout=IN_SIGHT_MS + SLACK_MS)


@pytest.mark.nightly
def test_a_finished_building_closes_and_then_is_said_to_be_finished(context: BrowserContext, tables: Tables) -> None:
    # given a big screen of somebody who likes no motion, and a plan with which a building will be finished
    game = before_the_last_plan(tables)
    display = opened(context, f"/tables/{game.table.id}/display")
    display.emulate_media(reduced_motion="reduce")
    while display.locator("#stage .closes").count() == 0:
        assert game.play_on()
        while not opens(game):
            assert game.play_on()
        expect(display.locator("#state")).to_have_attribute("data-version", str(game.table.version))
        until(lambda: display.locator("#stage .closes").count() or not display.locator("#stage").count())

    # then nothing of it is dashed, what is new is framed, and it is said so
    expect(display.locator("#stage .closes .part:not(.built)")).to_have_count(0)
    expect(display.locator("#stage .closes .new-section").first).to_be_visible()
    expect(display.locator("#stage .plan-tells h2")).to_contain_text("finished")


def opens(game: Game) -> bool:
    """Return whether the latest entry opened plans, one of which finished a building."""
    events = game.table.journal("banker")[-1]["events"]
    return {"SectionsBuilt", "PricePaid"} <= {event["event"] for event in events}


def test_mallet_and_phase_go_from_place_to_place(context: BrowserContext, tables: Tables) -> None:
    # given a big screen that notes what begins to move
    game = game_of_bots(tables, 3, 7)
    display = opened(context, f"/tables/{game.table.id}/display")
    display.evaluate("""() => { window.moved = []; const animate = Element.prototype.animate;
        Element.prototype.animate = function (frames, how) {
            moved.push([this.closest('.tool') ? 'mallet' : 'phase', frames[0].transform, how.duration]);
            return animate.call(this, frames, how); } }""")

    # when the next round begins, with another one's mallet
    first = game.position["start_player"]
    game.until(lambda at: at["round"] == 2 and at["phase"] == "contracts" and at["start_player"] != first)
    expect(display.locator("#state")).to_have_attribute("data-version", str(game.table.version))

    # then both went there from where they were
    seen = display.evaluate("moved")
    assert {"mallet", "phase"} <= {move[0] for move in seen}
    assert all(move[1] != "translate(0px, 0px)" and move[2] == 300 for move in seen)

    # and for those who like no motion nothing moves
    display.emulate_media(reduced_motion="reduce")
    display.evaluate("moved.length = 0")
    game.until(lambda at: at["phase"] == "build")
    expect(display.locator("#state")).to_have_attribute("data-version", str(game.table.version))
    assert display.evaluate("moved") == []
