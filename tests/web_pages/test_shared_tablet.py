"""One tablet in the middle: where money is hidden it is covered there too, until somebody holds their own badge."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Page, expect

from companion.games.master_builder.ui.ui import MasterBuilderUI
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.pages.sheets import SHEETS
from tests.guide.stage import Game, game_of_bots
from tests.pages import follows, loaded, run_axe
from tests.web_pages.conftest import At
from tests.web_pages.parts import part

HIDDEN = {"money": "hidden"}
COVERED = "Money is covered on this tablet"
GIFT = 213_000
AFTER_THE_RING_MS = 600
"""By then somebody who holds their badge sees their money."""


def money_of_all(game: Game) -> set[str]:
    """Return the secrets of the players: everybody's cash, as a page would write it."""
    return {f"${seen['cash']:,}" for seen in game.position["players"].values() if seen["cash"] > GIFT}


def made_rich(game: Game) -> Game:
    """Hand out so much money that what each player holds then is no price and no wage of any card."""
    for player in game.position["players"]:
        given = {"from": "bank", "to": player, "amount": GIFT}
        give_at(game, do="correct_money", reason="a test", **given)
    return game


def give_at(game: Game, **command: Any) -> None:
    game.table.submit(Request(command, "banker", "t"))


@pytest.fixture(scope="module")
def moments_covered(tables: Tables) -> list[Game]:
    """Games of three under hidden money, each at a moment of its own."""
    there: list[Any] = [
        lambda at: at["phase"] == "hire" and at["round"] == 2,
        lambda at: bool(at["auction"]),
        lambda at: at["phase"] == "build" and bool(at["planned"]),
    ]
    games = []
    for wished in there:
        for seed in range(40):
            game = game_of_bots(tables, 3, seed, rules=HIDDEN)
            try:
                game.until(wished)
            except LookupError:
                continue
            games.append(made_rich(game))
            break
    assert len(games) == len(there)
    return [*games, short_of_money(tables)]


def short_of_money(tables: Tables) -> Game:
    """A game in which everybody has to borrow for their wages."""
    game = game_of_bots(tables, 3, 1, rules=HIDDEN)
    game.until(lambda at: at["phase"] == "build")
    for player, seen in game.position["players"].items():
        taken = {"from": player, "to": "bank", "amount": seen["cash"]}
        give_at(game, do="correct_money", reason="a test", **taken)
    game.until(lambda at: at["phase"] == "income" and "borrow" in at["expects"])
    return game


def test_no_page_and_no_sheet_of_the_tablet_tells_hidden_money(
    banker: FlaskClient, moments_covered: list[Game]
) -> None:
    sheets = sorted(SHEETS | MasterBuilderUI.sheets)
    for game in moments_covered:
        secrets = money_of_all(game)
        for name in ("tablet", *sheets):
            answer = banker.get(f"/tables/{game.table.id}/live?part={name}&account=bank&player=blue")
            assert answer.status_code == 200, (name, game.position["phase"])
            leaks = {secret for secret in secrets if re.search(re.escape(secret) + r"(?![\d,])", answer.text)}
            assert not leaks, (name, game.position["phase"])


def test_each_sees_his_own_and_nobody_elses(banker: FlaskClient, moments_covered: list[Game]) -> None:
    game = moments_covered[0]
    for player, seen in game.position["players"].items():
        own = banker.get(f"/tables/{game.table.id}/peek/{player}").text
        assert f"${seen['cash']:,}" in own
        others = {f"${state['cash']:,}" for other, state in game.position["players"].items() if other != player}
        assert not {amount for amount in others - {f"${seen['cash']:,}"} if amount in own}


def test_the_ceiling_of_an_auction_is_told_to_whoever_holds_his_badge(
    banker: FlaskClient, moments_covered: list[Game]
) -> None:
    auction = moments_covered[1]
    (bidder,) = auction.position["waiting_for"]
    tablet = part(banker, auction.table.id, "tablet")
    assert "Safe up to" not in tablet
    assert "All in" not in tablet
    assert "Safe up to" in banker.get(f"/tables/{auction.table.id}/peek/{bidder}").text


def test_whoever_is_the_banker_sees_everything(banker: FlaskClient, moments_covered: list[Game]) -> None:
    game = moments_covered[0]
    assert COVERED in part(banker, game.table.id, "tablet")
    banker.set_cookie("banker", "1")
    tablet = part(banker, game.table.id, "tablet")
    assert COVERED not in tablet
    assert all(f"${seen['cash']:,}" in tablet for seen in game.position["players"].values())
    assert "cover money" in part(banker, game.table.id, "menu")
    assert banker.get(f"/tables/{game.table.id}/peek/blue").status_code == 404


def test_where_money_is_open_nothing_is_covered(banker: FlaskClient, seen: At) -> None:
    table, _ = seen("first_hire")
    assert COVERED not in part(banker, table, "tablet")
    assert banker.get(f"/tables/{table}/peek/blue").status_code == 404


@pytest.mark.nightly
@pytest.mark.browser
def test_a_held_badge_uncovers_its_own_and_lets_go(page: Page, moments_covered: list[Game]) -> None:
    # given a tablet in the middle
    game = moments_covered[0]
    player, seen = next(iter(game.position["players"].items()))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.clock.install()
    page.goto(f"/tables/{game.table.id}")
    panel = page.locator(f"#panel-{player}")
    expect(panel.locator(".purse")).to_have_text("covered")
    assert run_axe(page).violations_count == 0
    loaded(page, "table/hold.js")
    follows(page)

    # when somebody holds their badge, then their own shows, and only that
    box = panel.locator(".hold").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    with page.expect_request("**/peek/*") as asked:  # of whichever process answers: not from before what is shown
        page.mouse.down()
    assert asked.value.url.endswith(f"/peek/{player}?at={game.table.version}")
    expect(panel.locator(".purse .cash")).to_have_text(f"${seen['cash']:,}")
    assert page.locator(".slab").count() == len(game.position["players"]) - 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # when they let go, then it is covered at once
    page.mouse.up()
    expect(panel.locator(".purse")).to_have_text("covered")

    # and a tap is not enough, but the keys are
    with page.expect_response("**/peek/*"):
        page.mouse.click(box["x"] + 20, box["y"] + 20)
    page.clock.run_for(AFTER_THE_RING_MS)
    expect(panel.locator(".purse")).to_have_text("covered")
    panel.locator(".hold").focus()
    page.keyboard.down("Enter")
    expect(panel.locator(".purse .cash")).to_be_visible()
    page.keyboard.up("Enter")
    expect(panel.locator(".purse")).to_have_text("covered")


@pytest.mark.browser
@pytest.mark.nightly
def test_a_sheet_of_money_says_why_it_is_covered_and_who_may_look(page: Page, moments_covered: list[Game]) -> None:
    game = moments_covered[0]
    page.goto(f"/tables/{game.table.id}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct money").click()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("This tablet lies in the middle")

    sheet.get_by_role("button", name="Somebody is the banker").click()

    expect(page.locator(".panel .purse .cash").first).to_be_visible()
    expect(page.locator(".slab")).to_have_count(0)
