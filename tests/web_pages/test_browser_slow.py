"""Pages whose programs arrive late, or not at all: no tap is lost, and nobody taps in vain unknowing."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests.waiting import until
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The banker's browser, with nothing fetched yet."""
    with banker_device(browser, server) as made:
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def hold_module(page: Page, script: str) -> Callable[[], None]:
    """Hold a page's module back until the answer is called."""
    waiting: list[Route] = []

    def go_on() -> None:
        until(lambda: page.title() and waiting)
        for route in waiting:
            route.continue_()

    page.route(f"**/static/*/{script}", lambda route: waiting.append(route))  # noqa: PLW0108
    return go_on


def test_a_tap_before_the_tablets_program_has_arrived_is_carried_out_once_it_has(page: Page, moment: At) -> None:
    # given a page that can be seen, its module still under way
    table, _ = moment("build")
    go_on = hold_module(page, "tablet.js")
    page.goto(f"/tables/{table}", wait_until="commit")

    # when a sheet is asked for, then nothing can answer yet
    page.get_by_role("button", name="More").click()
    expect(page.locator("#sheet")).not_to_be_visible()

    # when the module arrives, then the sheet opens
    go_on()
    expect(page.locator("#sheet")).to_be_visible()


def test_two_early_taps_on_the_same_button_do_a_thing_once(page: Page, tables: Tables) -> None:
    # given a lobby without its module
    before = len(tables.all())
    go_on = hold_module(page, "lobby.js")
    page.goto("/", wait_until="commit")

    # when somebody is impatient
    start = page.get_by_role("button", name="Start the game")
    start.click()
    start.click()
    go_on()

    # then one game is started
    page.wait_for_url("**/tables/*")
    assert len(tables.all()) == before + 1


@pytest.mark.nightly
def test_a_program_that_never_arrives_is_told(page: Page, moment: At) -> None:
    # given a network that drops the module
    table, _ = moment("build")
    page.route("**/static/core/send.js", lambda route: route.abort())

    # when the page is opened, then it says that it cannot be used
    page.goto(f"/tables/{table}")
    expect(page.locator("#banner")).to_be_visible()

    # when the network is back, then trying again mends it
    page.unroute("**/static/core/send.js")
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("#banner")).not_to_be_visible()
    page.get_by_role("button", name="More").click()
    expect(page.locator("#sheet")).to_be_visible()


@pytest.mark.parametrize("module", ["table/ears.js", "master_builder/tokens.js"])
def test_a_big_screen_whose_program_was_lost_comes_by_itself(
    page: Page, tables: Tables, moment: At, module: str
) -> None:
    # given a big screen, of which a module was lost, of the house or of the game
    table, shown = moment("build")
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        if len(lost) == 1:
            route.abort()
        else:
            route.continue_()

    page.route(f"**/{module}", lose)
    page.goto(f"/tables/{table}/display?lang=en")

    # when it has come after all, then the screen follows the table
    until(lambda: page.title() and len(lost) > 1)
    tables.get(table).submit(Request({"do": "rename_player", "player": "blue", "name": "Zoe"}, "banker", "test"))
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    expect(page.locator("#banner")).to_be_hidden()


def test_a_program_that_does_not_come_and_does_not_fail_is_told_until_it_is_there(page: Page, moment: At) -> None:
    # given a module that hangs
    table, _ = moment("build")
    page.clock.install()
    go_on = hold_module(page, "forms.js")
    page.goto(f"/tables/{table}?lang=en", wait_until="commit")
    expect(page.get_by_role("button", name="More")).to_be_visible()
    expect(page.locator("#banner")).to_be_hidden()

    # when some seconds pass, then the page says so
    page.clock.run_for(9_000)
    expect(page.locator("#banner")).to_be_visible()

    # and no longer once it has come
    go_on()
    expect(page.locator("#banner")).to_be_hidden()
