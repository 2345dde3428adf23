"""Hiring by taps: the sheet stays and goes on to the next player; what one needs, and whom one has, is in sight."""

import pytest
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from tests.guide.stage import game_of_bots
from tests.pages import loaded
from tests.web_pages.conftest import At

TAPS = """
window.taps = 0;
document.addEventListener("click", () => (window.taps += 1), true);
"""


@pytest.mark.browser
@pytest.mark.nightly
def test_three_players_hire_in_round_1_with_sixteen_taps(page: Page, tables: Tables, moment: At) -> None:
    # given the first hire of three players
    table, shown = moment("first_hire")
    assert len(shown["position"]["players"]) == 3
    page.add_init_script(TAPS)
    page.goto(f"/tables/{table}")

    # when the sheet is opened once, and a card is tapped for each chance of each player
    page.get_by_role("button", name="Hire", exact=True).click()
    for number in range(15):
        expect(page.locator("#sheet .sheet-frame")).to_have_attribute("data-version", str(shown["version"] + number))
        name = tables.get(table).names()[tables.get(table).show("banker")["position"]["waiting_for"][0]]
        expect(page.locator("#sheet-title")).to_have_text(f"{name} hires")
        page.locator("#sheet .card.A, #sheet .card.T").first.click()

    # then hiring is over and the sheet has gone by itself
    expect(page.locator("#sheet")).not_to_be_visible()
    assert tables.get(table).show("banker")["position"]["phase"] != "hire"
    assert page.evaluate("taps") == 16


@pytest.mark.nightly
@pytest.mark.browser
def test_what_one_needs_can_be_wished_away(page: Page, tables: Tables) -> None:
    # given somebody with a contract who hires
    game = game_of_bots(tables, 3, 4)
    game.until(lambda at: at["phase"] == "hire" and at["round"] == 2)
    page.goto(f"/tables/{game.table.id}")
    loaded(page, "table/suggest.js")
    page.locator("[data-sheet=hire]").first.click()

    # then it is told whom his contracts want and what would be done
    wants = page.locator("#sheet .wants")
    expect(wants).to_contain_text("You can build 4 sections this round, River Wall finished")

    # when somebody switches that off, then it is not told on this device any more
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="What I need").click()
    page.keyboard.press("Escape")
    page.locator("[data-sheet=hire]").first.click()
    expect(page.locator("#sheet .cards").first).to_be_visible()
    expect(wants).to_be_hidden()


@pytest.mark.browser
def test_workers_and_houses_are_in_sight_while_one_bids(page: Page, tables: Tables) -> None:
    game = game_of_bots(tables, 3, 4)
    position = game.until(lambda at: bool(at["auction"]) and at["round"] == 2)
    player = next(iter(position["players"]))
    page.goto(f"/tables/{game.table.id}")

    line = page.locator(f"#bidder-{player} .wages-line")
    types = {
        tables.get(game.table.id).catalog_json()["workers"][worker]["type"]
        for worker in position["players"][player]["workers"]
    }
    assert set(line.locator(".code").all_inner_texts()) == types

    page.locator(f"#bidder-{player} .badge-button").click()
    sheet = page.locator("#sheet")
    expect(sheet.locator(".crew .chip")).to_have_count(len(position["players"][player]["workers"]))
    expect(sheet.locator(".sites .building")).to_have_count(
        len(position["players"][player]["contracts"]) + len(position["players"][player]["completed"])
    )
