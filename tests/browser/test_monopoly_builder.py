"""Monopoly Builder as friends play it: three phones, a tablet and a big screen, by taps alone."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.service.access.logins import Caller
from companion.service.table.table import Request
from tests.browser.conftest import serving
from tests.browser.plain_evening import PlainEvening, invitation, open_table
from tests.browser.plain_hands import Json
from tests.browser.screens import PHONE, Troubles

SEATS = {"red": "Bartholomew", "green": "Anne-Sophie", "yellow": "Maximilian"}


def taken(**fields: Any) -> Json:
    """A game that goes on from here."""
    players: Json = {seat: {"name": name, "cash": 300} for seat, name in SEATS.items()}
    for seat in SEATS:
        players[seat] |= fields.pop(seat, {})
    position = {"game": "monopoly_builder", "turn": "red", "phase": "roll", "players": players, **fields}
    return {"do": "take_over", "position": position}


@pytest.mark.nightly
def test_an_auction_in_any_order_a_bankruptcy_and_the_end(browser: Browser, tmp_path: Path) -> None:
    # given a town that is nearly finished, in which somebody is nearly ruined
    troubles = Troubles()
    board = {"A1": {"owner": "red", "height": 4}, "A2": {"owner": "red", "height": 2}}
    start = taken(
        board=board,
        red={"space": 1, "chips": {"red": 2, "purple": 1, "green": 1, "yellow": 1}},
        green={"deeds": ["D04"], "cash": 400},
        yellow={"cash": 5, "space": 1},
    )
    with open_table(browser, tmp_path, start, troubles) as at:
        # when red lands on a deed and leaves it
        at.by("red", {"do": "roll", "dice": [1, 2]})
        at.by("red", {"do": "decline"})

        # then anybody bids and raises from their phone, in any order, until the hammer falls
        at.by("green", {"do": "bid", "amount": 30})
        at.by("red", {"do": "bid", "amount": 65})
        at.by("green", {"do": "bid", "amount": 90})
        at.by("red", {"do": "pass"})
        expect(at.display.locator(".tell")).to_contain_text("Anne-Sophie leads")
        at.by(None, {"do": "hammer"})
        assert "D03" in at.at("players")["green"]["deeds"]

        # when yellow cannot pay the rent that green claims
        at.by("red", {"do": "end_turn"})
        at.by("green", {"do": "roll", "dice": [6, 5]})
        while at.at("phase") != "act":
            at.by("green", _let_go(at))
        at.by("green", {"do": "end_turn"})
        at.by("yellow", {"do": "roll", "dice": [1, 2]})
        at.by("green", {"do": "claim_rent", "deed": "D03"})
        expect(at.display.locator(".now-line")).to_contain_text("Maximilian")
        at.nothing_is_cut()
        at.by("yellow", {"do": "declare_bankrupt"})
        assert at.at("players")["yellow"]["bankrupt"]

        # and red sets the roof on top
        assert at.at("turn") == "red"
        at.by("red", {"do": "roll", "dice": [1, 3]})
        while at.at("phase") != "act":
            at.by("red", _let_go(at))
        chips = {"red": 2, "purple": 1, "green": 1, "yellow": 1}
        at.by("red", {"do": "build", "cell": "A1", "chips": chips})

        # then every screen shows who has won, and the big one the reckoning
        for page in at.pages:
            expect(page.locator("#sentence, .sentence").first).to_contain_text("Bartholomew")
        expect(at.display.locator(".seat-columns figure")).to_have_count(3)
        at.nothing_is_cut()
        assert troubles.seen == []


def _let_go(at: PlainEvening) -> Json:
    """Do the least that leads on to building."""
    match at.at("phase"):
        case "buy":
            return {"do": "buy"}
        case "parking":
            return {"do": "pass"}
        case "chance":
            return {"do": "draw_chance", "card": "C05"}
        case phase:
            raise LookupError(phase)


@pytest.mark.nightly
def test_chips_are_seen_flying_to_whom_they_come(browser: Browser, tmp_path: Path) -> None:
    troubles = Troubles()
    with open_table(browser, tmp_path, taken(green={"deeds": ["D03"]}), troubles) as at:
        watch = """() => {
            window.flown = 0;
            new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((one) => {
              if (one.className === "flight") window.flown += 1;
            }))).observe(document.body, { childList: true });
        }"""
        for page in at.pages:
            page.evaluate(watch)

        # when a six is rolled, two chips come to each player
        at.by("red", {"do": "roll", "dice": [2, 4]})

        # then all of them are seen flying on every screen, and then gone
        for page in at.pages:
            page.wait_for_function("() => window.flown === 6")
            expect(page.locator(".flight")).to_have_count(0)
        assert troubles.seen == []


@pytest.mark.nightly
def test_points_are_told_at_any_time_where_somebody_wishes_them(browser: Browser, tmp_path: Path) -> None:
    troubles = Troubles()
    start = taken(board={"A1": {"owner": "red", "height": 3}})
    with open_table(browser, tmp_path, start, troubles) as at:
        points = at.display.locator(".worth-now")
        expect(points).to_be_hidden()
        at.display.mouse.move(400, 400)  # the buttons come once a pointer moves, and may have gone meanwhile
        at.display.mouse.move(420, 410)
        at.display.locator("[data-switch=worth]").click()
        expect(points).to_be_visible()
        expect(points.locator("tbody tr").first).to_contain_text("Bartholomew")
        expect(at.phones["red"].locator(".worth-now")).to_be_hidden()
        assert troubles.seen == []


@pytest.mark.nightly
def test_a_turn_with_a_floor_takes_six_taps(browser: Browser, tmp_path: Path) -> None:
    # given somebody on turn at their phone, with chips for a floor
    troubles = Troubles()
    with serving(tmp_path / "data", "none") as running:
        start = taken(red={"chips": {"red": 3}, "deeds": ["D03"]})
        table = running.services.tables.start(Request(start, "banker", "tap"))
        context = browser.new_context(viewport=PHONE, base_url=running.address, locale="en-GB")  # type: ignore[arg-type]
        troubles.watch("phone", context)
        page = context.new_page()
        page.goto(invitation(running, Caller("player", "red", table.id)))

        # when they roll both dice, open the town, tap a cell of it, pay as suggested and end the turn
        for die, face in enumerate((1, 3)):
            page.locator(f"[name=dice-{die}][value='{face}']").click()
        page.locator(".action-bar").get_by_role("button", name="Build a floor").click()
        page.locator("#sheet .plan-places label").filter(has=page.locator("[value=E5]")).click()
        page.locator("#sheet form").get_by_role("button", name="Build").click()
        page.locator(".action-bar").get_by_role("button", name="End the turn").click()

        # then the floor stands, and it is the next player's turn
        expect(page.locator("#state")).to_have_attribute("data-version", "4")
        position = table.position_json("banker")
        assert position is not None
        assert position["board"]["E5"] == {"owner": "red", "height": 1}
        assert position["turn"] == "green"
        assert troubles.seen == []
        context.close()
