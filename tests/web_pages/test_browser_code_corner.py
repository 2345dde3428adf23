"""In games of the default face, too, late comers find code and letters in the corner of the big screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.extent import in_check
from tests.opened import installed_games
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.test_browser_stage import OVERLAPS, SIZES
from tests.web_pages.test_endings import GAMES, begin, tables_of

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of({name: installed_games().manifest(name) for name in GAMES})


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """The banker's browser."""
    with banker_device(browser, server) as made:
        yield made


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("language", in_check(["en", "fr", "de"], "de"))
def test_late_comers_find_code_and_letters_in_the_corner(
    context: BrowserContext, tables: Tables, name: str, language: str
) -> None:
    # given a game that has begun a while ago
    game = begin(tables, name)
    page: Page = context.new_page()
    while game.table.version <= 3 * len(game.table.names()) + 2:
        game.play_on()

    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(f"/tables/{game.table.id}/display?lang={language}")
        page.wait_for_selector(".now-line")

        # then code and letters stand in the head where there is room, on nothing, and nothing lies on them
        expect(page.locator(".code-corner b")).to_be_visible(visible=size == SIZES[0])
        assert page.evaluate(OVERLAPS) == []
        assert page.evaluate(
            "(() => { const bar = document.querySelector('.track-bar');"
            " return bar.scrollWidth <= bar.clientWidth + 1; })()"
        )
