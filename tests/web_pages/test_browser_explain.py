"""A figure explained by tap, and a refusal that leads to its rule, in a real browser."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
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
    assert Axe().run(page).violations_count == 0
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
    expect(page.locator("#rule .meant")).to_have_count(1)
    assert Axe().run(page).violations_count == 0


@pytest.mark.nightly
def test_notes_are_told_after_each_entry_once_somebody_wishes(page: Page, tables: Tables, moment: At) -> None:
    # given a table that begins, with notes turned on
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    expect(page.locator(".notes-line")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Notes on the table").click()
    expect(page.locator(".notes-sheet tbody tr")).to_have_count(4)
    assert Axe().run(page).violations_count == 0
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
