"""Going once, going twice: said while somebody thinks, begun anew with each bid, and nothing is ever decided by it."""

import pytest
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from tests.web_pages.conftest import At
from tests.web_pages.parts import give


@pytest.mark.browser
def test_the_screens_remind_while_somebody_thinks_and_decide_nothing(page: Page, tables: Tables, moment: At) -> None:
    # given an auction at a table that wished to be reminded after fifteen seconds
    table, shown = moment("auction")
    page.request.post(f"/api/v1/tables/{table}/hammer", data={"seconds": 15})
    page.clock.install()
    page.goto(f"/tables/{table}/display")
    going = page.locator(".going")
    expect(going).to_have_text("")

    # when somebody thinks, then it is said once, and twice, and the auction goes on
    page.clock.run_for(16_000)
    expect(going).to_have_text("Going once")
    page.clock.run_for(15_000)
    expect(going).to_have_text("Going twice")
    page.clock.run_for(120_000)
    assert tables.get(table).version == shown["version"]

    # when they bid, then it begins anew
    offer = next(offer for offer in shown["offers"] if offer["do"] == "bid")
    give(tables, table, do="bid", player=offer["player"], amount=offer["fields"]["amount"]["least"])
    page.clock.run_for(1_500)
    expect(going).to_have_text("")


@pytest.mark.browser
def test_nobody_is_hurried_by_default(page: Page, moment: At) -> None:
    table, _ = moment("auction")
    page.goto(f"/tables/{table}")
    expect(page.locator("#pad")).to_be_visible()
    expect(page.locator(".going")).to_have_count(0)
