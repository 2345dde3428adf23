"""Trades of Monopoly Builder put together on one phone and agreed on another, as friends do at a table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from companion.service.access.logins import Caller
from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN, TABLET, Installation, serving
from tests.browser.plain_hands import unfold
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


def top_of(part: Locator) -> float:
    box = part.bounding_box()
    assert box is not None
    return box["y"]


def see_both_sides(question: Locator) -> None:
    """See the trade drawn as it was put together."""
    his_side, her_side = (question.locator(".deal-side").nth(side) for side in (0, 1))
    expect(his_side).to_contain_text("Bartholomew gives")
    expect(his_side.locator(".cash")).to_have_text("55\u00a0M")
    expect(his_side.locator(".deal-pieces li")).to_contain_text(["2 yellow"])
    expect(his_side.locator(".deal-thing span")).to_have_text("Canal Row")
    expect(her_side).to_contain_text("You give")
    expect(her_side.locator(".deal-thing span")).to_have_text("Brick Yard")


def dealt(running: Installation) -> Table:
    """Begin a table of two players who have deeds, and the first some chips."""
    players = [{"id": "red", "name": "Bartholomew"}, {"id": "green", "name": "Anne-Sophie"}]
    start = {"do": "start_game", "game": "monopoly_builder", "first": "red", "players": players}
    table = running.services.tables.start(Request(start, "banker", "tap"))
    chips = {"do": "correct_chips", "kind": "yellow", "count": 3, "from": "bank", "to": "red", "reason": "dealt"}
    table.submit(Request(chips, "banker", "tap"))
    for player, deeds in DEEDS.items():
        for deed in deeds:
            card = {"do": "correct_card", "card": deed, "to": player, "reason": "dealt"}
            table.submit(Request(card, "banker", "tap"))
    return table


@pytest.mark.nightly
@pytest.mark.slow
def test_a_trade_that_is_asked_for_is_changed_and_sent_back_with_one_tap(browser: Browser, tmp_path: Path) -> None:
    # given somebody who is asked on her phone to give a deed for money, chips and another deed
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        table = dealt(running)
        invited = {seat: running.services.logins.join_token(Caller("player", seat, table.id)) for seat in DEEDS}
        give, get = {"money": 55, "chips": {"yellow": 2}, "deeds": ["D03"]}, {"deeds": ["D02"]}
        trade = {"do": "trade", "player": "red", "with": "green", "give": give, "get": get}
        running.services.consents.ask(table, Request(trade, "red", "tap", table.version))
        with (
            phone(browser, running.address, invited["red"], troubles, "de-DE") as his,
            phone(browser, running.address, invited["green"], troubles, "en-GB") as hers,
        ):
            # when she taps what changes it
            hers.locator("#agreements").get_by_role("button", name="Change it").click()

            # then the same deal lies before her, from her side
            gives, gets = (hers.locator("#sheet .deal-side").nth(side) for side in (0, 1))
            expect(gives).to_contain_text("You give")
            expect(gives.get_by_label("Brick Yard")).to_be_checked()
            expect(gets.locator("output").first).to_have_text("55\u00a0M")
            expect(gets.locator("input[data-of=yellow]")).to_have_value("2")
            expect(gets.get_by_label("Canal Row")).to_be_checked()
            assert hers.evaluate(SIDEWAYS) <= 0

            # and with a little more money it is a question to them, in place of their own
            gets.locator("[data-add='10']").first.click()
            hers.get_by_role("button", name="Ask Bartholomew").click()
            expect(his.locator("#agreements")).to_contain_text("Eine Frage an Bartholomew")
            expect(his.locator("#agreements .agreement")).to_have_count(1)
            expect(hers.locator("#agreements .agreement")).to_have_count(1)

            # and their yes is the trade
            version = table.version
            his.locator("[data-agree=yes]").click()
            expect(hers.locator("#state")).to_have_attribute("data-version", str(version + 1))
            assert (position := table.position_json("banker")) is not None
            assert position["players"]["red"]["deeds"] == ["D01", "D02"]
            assert (position["players"]["red"]["cash"], position["players"]["green"]["cash"]) == (835, 965)
            assert position["players"]["green"]["chips"]["yellow"] == 2
            assert troubles.seen == []


@pytest.mark.parametrize("answer", ["yes", *by_night("no")])
def test_a_trade_is_put_together_by_one_and_agreed_by_the_other(answer: str, browser: Browser, tmp_path: Path) -> None:
    # given two players with deeds, each at their own phone
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        table = dealt(running)
        version = table.version
        invited = {seat: running.services.logins.join_token(Caller("player", seat, table.id)) for seat in DEEDS}
        with (
            phone(browser, running.address, invited["red"], troubles, "de-DE") as his,
            phone(browser, running.address, invited["green"], troubles, "en-GB") as hers,
        ):
            # when they offer money, chips and a deed for hers, side by side with what she has
            his.locator("[data-sheet=offer]").click()
            sheet = his.locator("#sheet")
            give, get = sheet.locator(".offer-part").nth(0), sheet.locator(".offer-part").nth(1)
            give.locator("[data-add='50']").click()
            give.locator("[data-add='5']").first.click()
            give.locator(".stepper:has([data-of=yellow]) [data-add='1']").click(click_count=2)
            give.get_by_label("Kanalzeile").check()
            assert len({top_of(part) for part in (give, get)}) == 1
            get.get_by_label("Ziegelhof").check()
            assert his.evaluate(SIDEWAYS) <= 0
            expect(sheet.locator("form button:not([type=button])")).to_have_text("Anne-Sophie fragen")
            sheet.locator("form button:not([type=button])").click()

            # then she reads what it is, in her language, and nothing has happened yet
            question = hers.locator("#agreements")
            expect(question).to_contain_text("Bartholomew offers 55\u00a0M, 2 yellow, and Canal Row for Brick Yard")
            see_both_sides(question)
            expect(question.locator("button")).to_have_count(3)
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
                assert seen["green"]["chips"]["yellow"] == 2
            else:
                assert table.version == version
            assert hers.evaluate("() => window.stayed"), "a phone shows what is new without loading its page again"
            assert troubles.seen == [], "before the phones are put away: then they let go of whatever they fetch"


def test_a_trade_in_the_making_stays_while_others_play_on(browser: Browser, tmp_path: Path) -> None:
    # given somebody who puts a trade together on her phone while another is up
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        table = dealt(running)
        invited = running.services.logins.join_token(Caller("player", "green", table.id))
        with phone(browser, running.address, invited, troubles, "en-GB") as hers:
            hers.locator("[data-sheet=offer]").click()
            give, get = (hers.locator("#sheet .offer-part").nth(side) for side in (0, 1))
            give.locator("[data-add='50']").click()
            get.get_by_label("Canal Row").check()

            # when the other one has their turn
            for act in ({"do": "roll", "dice": [1, 5]}, {"do": "buy"}, {"do": "end_turn"}):
                table.submit(Request({**act, "player": "red"}, "banker", "tap"))
                expect(hers.locator("#sheet [data-version]")).to_have_attribute("data-version", str(table.version))

                # then what was put together still lies there
                expect(give.locator("output").first).to_have_text("50\u00a0M")
                expect(get.get_by_label("Canal Row")).to_be_checked()
            assert troubles.seen == []


@pytest.mark.nightly
def test_two_people_put_a_trade_together_on_the_tablet_and_record_it(browser: Browser, tmp_path: Path) -> None:
    # given a tablet between two people
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        players = [{"id": "red", "name": "Bartholomew"}, {"id": "green", "name": "Anne-Sophie"}]
        start = {"do": "start_game", "game": "monopoly_builder", "first": "red", "players": players}
        table = running.services.tables.start(Request(start, "banker", "tap"))
        context = browser.new_context(viewport=TABLET, base_url=running.address, locale="en-GB")  # type: ignore[arg-type]
        troubles.watch("tablet", context)
        context.request.post("/api/v1/logins", data={"pin": PIN})
        tablet = context.new_page()
        tablet.goto(f"/tables/{table.id}")

        # when they tap what each gives
        expect(tablet.locator("[data-sheet=offer]").first).to_be_attached()
        unfold(tablet.locator("[data-sheet=offer]").first)
        tablet.locator("[data-sheet=offer]").first.click()
        sides = tablet.locator("#sheet .deal-side")
        expect(sides.nth(0)).to_contain_text("Bartholomew gives")
        expect(sides.nth(1)).to_contain_text("Anne-Sophie gives")
        sides.nth(0).locator("[data-add='50']").click()
        sides.nth(1).locator(".stepper:has([data-of]) [data-add='1']").click()
        tablet.get_by_role("button", name="Both agree: record it").click()

        # then it is done, without asking anybody else
        expect(tablet.locator("#sheet")).to_be_hidden()
        position = table.position_json("banker")
        assert position is not None
        assert {seat: player["cash"] for seat, player in position["players"].items()} == {"red": 850, "green": 950}
        assert troubles.seen == []
        context.close()
