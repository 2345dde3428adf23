"""Hiring by taps: the sheet stays and goes on to the next player; what one needs, and whom one has, is in sight."""

import re

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from tests.guide.stage import game_of_bots
from tests.pages import loaded
from tests.web_pages.conftest import At
from tests.web_pages.parts import part

COUNTED = re.compile(r'class="code (\w+)">\w+</b><b>(\d+)</b>')
PILES = ("A", "T", "F", "MC")
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


def test_under_each_pile_stands_whom_contracts_still_ask_for_and_who_is_short(
    banker: FlaskClient, tables: Tables
) -> None:
    # given somebody with contracts who hires
    game = game_of_bots(tables, 3, 4)
    position = game.until(lambda at: at["phase"] == "hire" and at["round"] == 2)
    (player,) = position["waiting_for"]
    cards = game.table.catalog_json()["workers"]
    page = part(banker, game.table.id, "hire")

    # then each contract has a row with a number for each pile, and so has whoever hires
    wanted = [contract["wants"] for contract in game.table.advice.needs(player)["contracts"]]
    rows = [COUNTED.findall(row) for row in re.findall(r'<tr class="still-needed">(.*?)</tr>', page, re.DOTALL)]
    assert rows == [[(pile, str(wants.get(pile, 0))) for pile in PILES] for wants in wanted]
    types = [cards[worker]["type"] for worker in position["players"][player]["workers"]]
    (owned,) = re.findall(r'<tr class="owned">(.*?)</tr>', page, re.DOTALL)
    assert COUNTED.findall(owned) == [(pile, str(types.count(pile))) for pile in PILES]

    # and what the largest of those numbers has more than that is short
    most = {pile: max(wants.get(pile, 0) for wants in wanted) for pile in PILES}
    short = [str(most[pile] - types.count(pile)) for pile in PILES if most[pile] > types.count(pile)]
    assert short
    assert re.findall(r"(\d+) short", owned) == short

    # and each pile says how many of it could be hired
    offer = next(offer for offer in game.table.show("banker")["offers"] if offer["do"] == "hire_worker")
    left = [cards[worker]["type"] for worker in offer["fields"]["worker"]["values"]]
    assert re.findall(r"(\d+) left", page) == [str(left.count(pile)) for pile in PILES]


@pytest.mark.nightly
@pytest.mark.browser
def test_all_four_piles_are_in_sight_on_a_tablet_with_their_cards_below(page: Page, tables: Tables) -> None:
    # given somebody who hires at a small tablet
    game = game_of_bots(tables, 3, 4)
    game.until(lambda at: at["phase"] == "hire" and at["round"] == 2)
    page.set_viewport_size({"width": 1024, "height": 600})
    page.goto(f"/tables/{game.table.id}")
    page.locator("[data-sheet=hire]").first.click()

    # then each pile stands on the column of its cards
    for pile in PILES:
        above, below = (page.locator(f"#sheet {part}.{pile}") for part in (".pile", ".pile-cards .group"))
        expect(above).to_be_in_viewport(ratio=0.9)
        heap, cards = above.bounding_box(), below.bounding_box()
        assert heap is not None
        assert cards is not None
        assert abs(heap["x"] - cards["x"]) < 2


@pytest.mark.nightly
@pytest.mark.browser
def test_what_one_needs_can_be_wished_away(page: Page, tables: Tables) -> None:
    # given somebody with a contract who hires
    game = game_of_bots(tables, 3, 4)
    game.until(lambda at: at["phase"] == "hire" and at["round"] == 2)
    page.goto(f"/tables/{game.table.id}")
    loaded(page, "table/suggest.js", "table/switches.js")
    page.locator("[data-sheet=hire]").first.click()

    # then it is told whom their contracts want and what would be done
    done = page.locator("#sheet .done-now")
    wants = page.locator("#sheet .still-needed").first
    expect(wants).to_be_visible()
    expect(done).to_contain_text("You can build 4 sections this round, River Wall finished")

    # when somebody switches that off, then it is not told on this device any more
    page.keyboard.press("Escape")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="What I need").click()
    page.keyboard.press("Escape")
    page.locator("[data-sheet=hire]").first.click()
    expect(page.locator("#sheet .cards").first).to_be_visible()
    expect(done).to_be_hidden()
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
