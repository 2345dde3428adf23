"""A page that is open while the program is replaced by another version."""

from dataclasses import replace

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from companion.service.table.registry import Tables
from tests.web_pages.conftest import At
from tests.web_pages.parts import give

LONGEST_MS = 95_000


@pytest.mark.browser
def test_a_page_is_loaded_anew_once_when_another_version_answers_and_nobody_is_writing(
    page: Page, app: Flask, tables: Tables, moment: At
) -> None:
    # given a page that somebody writes in
    table, shown = moment("auction")
    page.clock.install()
    page.goto(f"/tables/{table}")
    expect(page.locator("#page")).to_have_attribute("data-program", app.extensions["companion"].version)
    page.locator("[data-sheet=menu]").click()
    page.get_by_role("button", name="Correct money").click()
    page.get_by_label("Reason").fill("paid twi")

    # when another version answers, then it stays as it is, with what was written, for as long as the sheet is open
    app.extensions["companion"] = replace(app.extensions["companion"], version="9.9.9")
    page.evaluate("window.isEarlier = true")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "bid")
    with page.expect_response("**/core/renewed.js"):
        give(tables, table, do="bid", player=offer["player"], amount=offer["fields"]["amount"]["least"])
    page.clock.run_for(LONGEST_MS)
    assert page.evaluate("window.isEarlier")
    expect(page.get_by_label("Reason")).to_have_value("paid twi")

    # when it is closed, then the page is of the new version
    page.keyboard.press("Escape")
    page.clock.run_for(6_000)
    expect(page.locator("#page")).to_have_attribute("data-program", "9.9.9")
    assert not page.evaluate("window.isEarlier")

    # and stays
    page.evaluate("window.isEarlier = true")
    version = tables.get(table).version
    tables.get(table).signal.bump()
    page.clock.run_for(LONGEST_MS)
    assert page.evaluate("window.isEarlier")
    assert tables.get(table).version == version
