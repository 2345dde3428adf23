"""A figure explained by tap, and a refusal that leads to its rule, in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.browser.plain_evening import open_table
from tests.browser.screens import Troubles
from tests.pages import at_rest, run_axe
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser


def test_a_balance_that_is_tapped_says_what_made_it(page: Page, tables: Tables, moment: At) -> None:
    # given a table in its second round
    table, shown = moment("later_hire")
    player = shown["position"]["start_player"]
    page.goto(f"/tables/{table}")

    # when the cash of a player is tapped
    page.locator(f"[data-account='player:{player}']").click()

    # then its changes are told, newest first, and what happens next comes on top
    lines = page.locator(".statement li")
    expect(lines.first).to_contain_text("in wages")
    expect(lines.last).to_contain_text("The table is set")
    at_rest(page)
    assert run_axe(page).violations_count == 0
    tables.get(table).submit(
        Request(
            {"do": "correct_money", "from": "bank", "to": player, "amount": 2_000, "reason": "paid twice"},
            "banker",
            "test",
        )
    )
    expect(lines.first).to_contain_text("paid twice")
    expect(lines.first.locator(".moved")).to_have_text("+$2,000")

    # when the rule behind the newest line is tapped
    page.get_by_role("link", name="Corrections").first.click()

    # then it lies over the sheet, which stays
    expect(page.locator("#rule")).to_contain_text("with a reason that stays in the journal")
    page.locator("#rule").get_by_role("button", name="Close").last.click()
    expect(page.locator("#rule")).not_to_be_visible()
    expect(lines.first).to_be_visible()


@pytest.mark.nightly
def test_money_of_a_game_without_pages_of_its_own_says_what_made_it_where_it_is_put_right(
    browser: Browser, tmp_path: Path
) -> None:
    # given a table of such a game, at which a deed was bought
    players = [{"id": "red", "name": "Ada"}, {"id": "green", "name": "Ben"}]
    start = {"do": "start_game", "game": "monopoly_builder", "first": "red", "players": players}
    with open_table(browser, tmp_path, start, Troubles()) as at:
        for command in ({"do": "roll", "player": "red", "dice": [1, 3]}, {"do": "buy", "player": "red"}):
            at.table.submit(Request(command, "banker", "test"))

        # when she taps her own money on her phone
        phone = at.phones["red"]
        phone.locator("[data-account='player:red']").click()

        # then its changes are told
        expect(phone.locator(".statement li").first.locator(".moved")).to_contain_text("\N{MINUS SIGN}")
        expect(phone.locator(".statement li").last).to_contain_text("begins")
        at_rest(phone)
        assert run_axe(phone).violations_count == 0

        # when her money is put right on the tablet
        at.tablet.get_by_role("button", name="Correct a figure of Ada").click()
        at.tablet.locator("[data-figure='cash:red']").click()

        # then the same changes stand beside the form
        shown = at.tablet.get_by_role("region", name="How it got there")
        expect(shown.locator(".statement li")).to_have_count(2)
        at_rest(at.tablet)
        assert run_axe(at.tablet).violations_count == 0


@pytest.mark.nightly
def test_a_refusal_has_a_quiet_way_to_its_rule(page: Page, moment: At) -> None:
    # given a refusal on the tablet
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    page.evaluate("import('/static/core/send.js').then((table) => table.send({do: 'pass', player: 'red'}))")
    expect(page.locator("#toast")).to_contain_text("not Cleo")

    # when it is asked for its reason
    page.get_by_role("link", name="Why?").click()

    # then the rule is told, and what was said is marked in it
    expect(page.locator("#rule h2")).to_have_text("Turns and phases")
    expect(page.locator("#rule .refused-rule")).to_have_count(1)
    at_rest(page)
    assert run_axe(page).violations_count == 0


@pytest.mark.nightly
def test_notes_are_told_after_each_entry_once_somebody_wishes(page: Page, tables: Tables, moment: At) -> None:
    # given a table that begins, with notes turned on
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    expect(page.locator(".notes-line")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Notes on the table").click()
    expect(page.locator(".notes-sheet tbody tr")).to_have_count(4)
    at_rest(page)
    assert run_axe(page).violations_count == 0
    page.get_by_role("button", name="Announce notes after each entry").click()
    expect(page.locator(".hand")).to_have_count(3)

    # when money moves
    tables.get(table).submit(
        Request(
            {"do": "correct_money", "from": "blue", "to": "yellow", "amount": 13_000, "reason": "sold a tip"},
            "banker",
            "test",
        )
    )

    # then the two are told what changes hands, and the bank changes money for them
    expect(page.locator(".hand").first).to_have_text("A give 2 \u00d7 10, take 1 \u00d7 5 + 2 \u00d7 1")
    expect(page.locator(".hand").last).to_have_text("B take 1 \u00d7 10 + 3 \u00d7 1")

    # when notes are turned off again
    page.locator(".notes-line").click()
    page.get_by_role("button", name="Stop announcing notes").click()
    expect(page.locator(".notes-line")).to_have_count(0)
