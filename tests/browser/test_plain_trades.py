"""Trades of Monopoly Builder put together on one phone and agreed on another, as friends do at a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.access.logins import Caller
from companion.service.table.table import Request
from tests.browser.conftest import serving
from tests.browser.screens import PHONE, Troubles
from tests.extent import by_night

DEEDS = {"red": ["D01", "D03"], "green": ["D02"]}
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@contextmanager
def phone(browser: Browser, address: str, token: str, troubles: Troubles, locale: str) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, base_url=address, locale=locale)  # type: ignore[arg-type]
    troubles.watch(locale, context)
    page = context.new_page()
    page.goto(f"/join/{token}")
    expect(page.locator("#state")).to_be_visible()
    try:
        yield page
    finally:
        context.close()


@pytest.mark.parametrize("answer", ["yes", *by_night("no")])
def test_a_trade_is_put_together_by_one_and_agreed_by_the_other(answer: str, browser: Browser, tmp_path: Path) -> None:
    # given two players with deeds, each at his own phone
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        players = [{"id": "red", "name": "Bartholomew"}, {"id": "green", "name": "Anne-Sophie"}]
        start = {"do": "start_game", "game": "monopoly_builder", "first": "red", "players": players}
        table = running.services.tables.start(Request(start, "banker", "tap"))
        for player, deeds in DEEDS.items():
            for deed in deeds:
                dealt = {"do": "correct_card", "card": deed, "to": player, "reason": "dealt"}
                table.submit(Request(dealt, "banker", "tap"))
        version = table.version
        invited = {seat: running.services.logins.join_token(Caller("player", seat, table.id)) for seat in DEEDS}
        with (
            phone(browser, running.address, invited["red"], troubles, "de-DE") as his,
            phone(browser, running.address, invited["green"], troubles, "en-GB") as hers,
        ):
            # when he offers money and a deed for hers
            his.locator("[data-sheet=offer]").click()
            sheet = his.locator("#sheet")
            give, get = sheet.locator(".offer-part").nth(0), sheet.locator(".offer-part").nth(1)
            give.locator("[data-add='50']").click()
            give.locator("[data-add='5']").first.click()
            give.get_by_label("Kanalzeile").check()
            get.get_by_label("Ziegelhof").check()
            assert his.evaluate(SIDEWAYS) <= 0
            sheet.locator("form button:not([type=button])").click()

            # then she reads what it is, in her language, and nothing has happened yet
            question = hers.locator("#agreements")
            expect(question).to_contain_text("Bartholomew offers 55\u00a0M and Canal Row for Brick Yard")
            assert table.version == version
            assert hers.evaluate(SIDEWAYS) <= 0
            hers.evaluate("() => { window.stayed = true; }")

            # and it is done whole or not at all
            hers.locator(f"[data-agree={answer}]").click()
            expect(hers.locator("[data-agree]")).to_have_count(0)
            if answer == "yes":
                expect(his.locator("#state")).to_have_attribute("data-version", str(version + 1))
            position = table.position_json("banker")
            assert position is not None
            seen = position["players"]
            if answer == "yes":
                assert (seen["red"]["deeds"], seen["green"]["deeds"]) == (["D01", "D02"], ["D03"])
                assert (seen["red"]["cash"], seen["green"]["cash"]) == (845, 955)
            else:
                assert table.version == version
            assert hers.evaluate("() => window.stayed"), "a phone shows what is new without loading its page again"
            assert troubles.seen == [], "before the phones are put away: then they let go of whatever they fetch"
