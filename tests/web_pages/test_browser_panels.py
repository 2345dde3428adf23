"""Panels late in a game, in a real browser: three buildings and finished ones beside them, and nothing cut off."""

import pytest
from playwright.sync_api import Browser, expect

from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.guide.stage import game_of_bots
from tests.web.conftest import PIN

pytestmark = pytest.mark.browser

CUT_OFF = (
    "[...document.querySelectorAll('.panel')].map(one => one.scrollHeight - one.clientHeight).filter(by => by > 2)"
)
OVERLAPPING = """
[...document.querySelectorAll('.sites')].flatMap(sites => [...sites.querySelectorAll('li')]
  .map(one => [one, one.nextElementSibling]).filter(([one, next]) => next && one.querySelector('.building')
    && one.querySelector('.building').getBoundingClientRect().right > next.getBoundingClientRect().left))
  .map(([one]) => one.textContent.trim())
"""


@pytest.mark.nightly
@pytest.mark.parametrize("players", [3, 4])
def test_a_panel_shows_every_building_whole(browser: Browser, server: Server, tables: Tables, players: int) -> None:
    # given a tablet late in a game, when somebody has more than two buildings to show
    game = game_of_bots(tables, players, seed=7)
    crowded = game.until(
        lambda at: (
            at["round"] > 2
            and at["phase"] == "hire"
            and any(len(player["contracts"]) + len(player["completed"]) > 2 for player in at["players"].values())
        )
    )
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport={"width": 1280, "height": 800}, locale="en-GB"
    )
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()

    # when it is opened
    page.goto(f"/tables/{game.table.id}")
    expect(page.locator(".panel")).to_have_count(len(crowded["players"]))

    # then no panel is cut off, and no building stands in another
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(OVERLAPPING) == []
    context.close()
