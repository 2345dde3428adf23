"""The end is told by the big screen first; tablet and phones wait for it, or until somebody asks."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.service.access.logins import Caller
from companion.service.table.table import Request
from tests.browser.conftest import PIN, TABLET, Installation, serving
from tests.browser.live_pages import device
from tests.browser.screens import PHONE, SCREEN
from tests.guide.stage import game_of_bots

pytestmark = pytest.mark.browser

SEED = 7


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Return a companion at whose table bots have played a game to its end."""
    with serving(tmp_path_factory.mktemp("evening") / "data", "none") as running:
        game_of_bots(running.services.tables, 3, SEED).until(lambda at: bool(at["finished"]))
        yield running


@pytest.fixture
def devices(browser: Browser, running: Installation) -> Iterator[tuple[BrowserContext, BrowserContext]]:
    """Return the banker's browser, and that of the player in the first seat, one command before the end."""
    running.table.submit(Request({"do": "undo"}, "banker", "test"))
    running.table.display_version = None
    banker, phone = device(browser, running, TABLET), device(browser, running, PHONE)
    banker.request.post("/login", form={"pin": PIN, "next": "/"})
    seat = next(iter(running.table.names()))
    phone.request.get(f"/join/{running.services.logins.join_token(Caller('player', seat, running.table.id))}")
    yield banker, phone
    for context in (banker, phone):
        context.close()


def opened(context: BrowserContext, running: Installation, place: str = "") -> Page:
    """Open a page of the table, with a clock that the test moves."""
    page = context.new_page()
    page.clock.install()
    page.goto(f"/tables/{running.table.id}{place}")
    expect(page.locator("#state")).to_have_attribute("data-version", str(running.table.version))
    page.clock.run_for(2_000)
    page.wait_for_function("() => Boolean(document.getElementById('page').sight)")
    return page


def waited(banker: BrowserContext, running: Installation) -> int:
    """Return for how many seconds a tablet in German, which nobody has drawn yet, would wait."""
    answer = banker.request.get(f"/tables/{running.table.id}/live?part=tablet&lang=de")
    waiting = re.search(r'data-seconds="(\d+)"', answer.text())
    assert waiting is not None
    return int(waiting[1])


def end(running: Installation) -> None:
    """Submit the last command of the game once more."""
    undone = running.table.journal("banker")[-2]
    running.table.submit(Request(undone["command"], "banker", "test"))
    assert running.table.position is not None
    assert running.table.overview is not None
    assert running.table.overview.finished


@pytest.mark.nightly
def test_tablet_and_phones_wait_while_the_big_screen_tells_the_end(
    devices: tuple[BrowserContext, BrowserContext], running: Installation
) -> None:
    # given a big screen, the tablet and a phone, one command before the end
    banker, phone = devices
    screen = banker.new_page()
    screen.set_viewport_size(SCREEN)  # type: ignore[arg-type]
    screen.goto(f"/tables/{running.table.id}/display")
    tablet, seat = opened(banker, running), opened(phone, running, f"/seats/{next(iter(running.table.names()))}")
    expect(screen.locator("#state")).to_have_attribute("data-version", str(running.table.version))

    # when the game ends
    end(running)

    # then the big screen tells it, and the others say that it does
    expect(screen.locator("#stage")).to_be_visible()
    for page in (tablet, seat):
        expect(page.locator("dialog.told-elsewhere h2")).to_have_text("See the big screen for the result")

    # and without its story, which the big screen may have switched off, they wait for less
    seconds = int(str(seat.locator("#told-elsewhere").get_attribute("data-seconds")))
    running.table.display_tells_story = False
    assert 0 < waited(banker, running) < seconds - 3
    running.table.display_tells_story = True

    # when somebody asks to see it on the tablet
    tablet.get_by_role("button", name="Show it here").click()

    # then it is shown there, and not on the phone
    expect(tablet.locator("dialog.told-elsewhere")).to_have_count(0)
    expect(tablet.locator(".reckoning")).to_be_visible()
    expect(seat.locator("dialog.told-elsewhere")).to_be_visible()

    # when the big screen has told all
    seat.clock.run_for(90_000)

    # then the phone shows it too
    expect(seat.locator("dialog.told-elsewhere")).to_have_count(0)
    expect(seat.locator(".reckoning")).to_be_visible()


SPOKEN = """speechSynthesis.speak = (said) => { (window.said ??= []).push(said.text); };
  document.cookie = "speech=1; path=/";"""


def test_a_big_screen_neither_shows_nor_speaks_the_result_before_it_has_told_it(
    devices: tuple[BrowserContext, BrowserContext], running: Installation
) -> None:
    # given a big screen that speaks, one command before the end
    context = devices[0]
    context.add_init_script(SPOKEN)
    screen = context.new_page()
    screen.set_viewport_size(SCREEN)  # type: ignore[arg-type]
    screen.goto(f"/tables/{running.table.id}/display")
    expect(screen.locator("#state")).to_have_attribute("data-version", str(running.table.version))
    screen.wait_for_function("() => document.documentElement.dataset.headlines === 'on'")

    # when the last plans end the game
    end(running)
    expect(screen.locator("#stage")).to_be_visible()
    assert screen.locator("#unfolding > .plan-step").count() > 0

    # then what opens covers the foot, where the result stands, and nobody says it
    foot = screen.locator("#stage").bounding_box()
    assert foot is not None
    assert foot["y"] + foot["height"] == SCREEN["height"]
    assert not [said for said in screen.evaluate("window.said ?? []") if "wins" in said]

    # when it is over, then it is said
    screen.locator("#stage").click()
    screen.wait_for_function("() => (window.said ?? []).some((text) => text.includes('wins'))")


def test_without_a_big_screen_the_tablet_shows_the_end_at_once(
    devices: tuple[BrowserContext, BrowserContext], running: Installation
) -> None:
    # given the tablet alone
    tablet = opened(devices[0], running)

    # when the game ends
    end(running)

    # then it shows how it ended
    expect(tablet.locator(".reckoning")).to_be_visible()
    expect(tablet.locator("dialog.told-elsewhere")).to_have_count(0)
