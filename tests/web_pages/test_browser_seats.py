"""Players' phones in a real browser: bidding and planning by thumb, and every screen agreeing with every other."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests import extent
from tests.extent import in_check
from tests.waiting import PATIENCE_MS
from tests.web_pages.conftest import At
from tests.web_pages.fit import require_accessible, require_fit
from tests.web_pages.whole_games import WEIGHTS, Moment, chosen, player_of, started

pytestmark = pytest.mark.browser

PHONE = (390, 844)
SHORT_PHONE = (390, 664)
"""The same phone with the bars of its browser."""
FIGURES = """
() => Object.fromEntries([...document.querySelectorAll('[data-figure^=cash], [data-figure^=wages]')]
  .map(one => [one.dataset.figure, one.textContent.trim()]))
"""

MOMENTS = in_check(["later_hire", "choice", "auction", "event_choice", "build", "loan", "end", "covered"], "auction")
VERSIONS = extent.of_all(6, 60)
"""How many versions are compared on every screen."""

Join = Callable[..., Page]


@pytest.fixture
def join(browser: Browser, server: Server, services: Services) -> Iterator[Join]:
    """Open a device and let it in by invitation; a script error on any of them fails the test."""
    faults: list[str] = []
    contexts: list[BrowserContext] = []

    def joined(caller: Caller, size: tuple[int, int] = PHONE, locale: str = "en-GB") -> Page:
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{server.port}", locale=locale, viewport={"width": size[0], "height": size[1]}
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(f"/join/{services.logins.join_token(caller)}")
        return page

    yield joined
    for context in contexts:
        context.close()
    assert faults == []


@pytest.mark.nightly
def test_a_bid_by_phone_is_on_the_tablet_and_on_the_next_phone(join: Join, moment: At) -> None:
    # given a tablet and the phones of the two who still bid
    table, shown = moment("auction")
    (bidder,) = shown["position"]["waiting_for"]
    least = next(offer for offer in shown["offers"] if offer["do"] == "bid")["fields"]["amount"]["least"]
    phone = join(Caller("player", bidder, table), SHORT_PHONE)
    tablet = join(Caller("banker"), (1280, 800))
    tablet.goto(f"/tables/{table}")

    # and both answers lie at the thumb, at the top of the page and further down
    expect(phone.locator("#sentence")).to_have_text("Your turn: bid or pass")
    for scrolled in (0, 160):
        phone.evaluate(f"document.querySelector('.seat-main').scrollTop = {scrolled}")
        for answer in ("Bid $", "Pass: out of this auction"):
            expect(phone.get_by_role("button", name=answer)).to_be_in_viewport(ratio=1)

    # when the bidder raises by 2,000 more than necessary
    phone.locator("#pad [data-add='2000']").click()
    phone.get_by_role("button", name="Bid $").click()

    # then it is the highest bid everywhere, and somebody else is up
    bid_text = f"${least + 2000:,}"
    expect(tablet.locator("[data-figure=bid]")).to_have_text(bid_text)
    expect(phone.locator("[data-figure=bid]")).to_have_text(bid_text)
    expect(phone.locator("#pad")).to_have_count(0)

    # and the phone shows what comes next from its top
    phone.wait_for_function("() => document.querySelector('.seat-main').scrollTop === 0")


def test_who_waits_in_the_contracts_phase_sees_on_the_phone_what_is_on_offer(
    seen: At, as_caller: Callable[[Caller], FlaskClient]
) -> None:
    # given somebody who chooses a contract, and somebody who waits
    table, shown = seen("choice")
    position = shown["position"]
    waiting = next(player for player in position["players"] if player not in position["waiting_for"])

    page = as_caller(Caller("player", waiting, table)).get(f"/tables/{table}/seats/{waiting}").text

    # then every contract on display is there, with its least bid and without a button
    lots = page.split('class="seat-lots"')[1].split("</section>")[0]
    assert lots.count("<article") == len(position["display"]) > 0
    assert lots.count("min. $") == len(position["display"])
    assert "<button" not in lots


def test_a_plan_is_made_in_secret_by_phone(join: Join, tables: Tables, moment: At) -> None:
    # given two phones while plans are made
    table, shown = moment("build")
    planner, other = shown["position"]["waiting_for"][:2]
    phone, other_phone = (join(Caller("player", player, table)) for player in (planner, other))

    # when one of them locks that nothing is built
    phone.get_by_role("button", name="Plan", exact=True).click()
    phone.get_by_role("button", name="Build nothing").click()

    # then their phone says so, and the other one is still asked
    expect(phone.locator("#sentence")).to_have_text("Your plan is locked")
    expect(other_phone.locator("#sentence")).to_have_text("Plan what you build")
    assert tables.get(table).show("banker")["position"]["planned"] == [planner]


@pytest.mark.nightly
@pytest.mark.parametrize("name", MOMENTS)
def test_a_seat_fits_every_hand_and_eye(join: Join, seen: At, name: str) -> None:
    table, shown = seen(name)
    player = (shown["position"]["waiting_for"] or list(shown["position"]["players"]))[0]
    page = join(Caller("player", player, table), locale="de-DE")  # the longest words
    require_fit(page, ((390, 844), (360, 640), (844, 390), (1280, 800)))
    require_accessible(page)


@pytest.mark.nightly
def test_tablet_display_and_two_phones_agree_at_every_version(join: Join, tables: Tables) -> None:
    # given a game of two, watched on four screens
    table = started(tables, Moment("watched", 2, lambda _: False))
    dice = random.Random(11)
    phones = {player: join(Caller("player", player, table.id)) for player in ("red", "blue")}
    tablet = join(Caller("banker"), (1280, 800))
    tablet.goto(f"/tables/{table.id}")
    display = join(Caller("spectator", None, table.id), (1920, 1080))
    display.goto(f"/tables/{table.id}/display")
    screens = [tablet, display, *phones.values()]

    # when bots play on, then every screen comes to each version by itself, with the same money
    for _ in range(VERSIONS):
        shown = played_on(table, dice)
        for screen in screens:
            expect(screen.locator("#state")).to_have_attribute("data-version", str(shown["version"]))
        players = shown["position"]["players"]
        for player, phone in phones.items():
            figures = phone.evaluate(FIGURES)
            assert figures[f"cash-{player}"] == f"${players[player]['cash']:,}"
        assert tables.get(table.id).version == shown["version"]


def played_on(table: Any, dice: random.Random) -> Any:
    """Submit one command by the offers, as a bot does; return what the table shows after it."""
    shown = table.show("banker")
    due = [
        offer
        for offer in shown["offers"]
        if offer["urgency"] == "due" and player_of(offer) in shown["position"]["waiting_for"]
    ]
    offer = dice.choices(due, [WEIGHTS.get(offer["do"], 1.0) for offer in due])[0]
    table.submit(Request(chosen(offer, dice), "banker", "test"))
    return table.show("banker")


@pytest.mark.nightly
def test_a_worker_is_lent_by_phone_once_the_borrower_says_yes_on_his(join: Join, tables: Tables, moment: At) -> None:
    # given the phones of an owner and of somebody who has no such worker
    table, shown = moment("lending")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "hire_out")
    owner, borrower = offer["owner"], offer["borrower"]
    lender, other = (join(Caller("player", player, table)) for player in (owner, borrower))

    # when the owner offers them
    lender.get_by_role("button", name="Lend a worker").click()
    lender.locator("input[name=worker]").first.check()
    lender.locator(f"input[name=borrower][value={borrower}]").check()
    lender.get_by_role("button", name="Lend for").click()

    # then nothing is booked until the other one agrees
    expect(lender.get_by_text("Waiting for an answer.")).to_be_visible()
    assert tables.get(table).show("banker")["position"]["lent"] == []
    other.get_by_role("button", name="Agree").click()
    expect(lender.get_by_text("Waiting for an answer.")).to_have_count(0)
    assert [loan["borrower"] for loan in tables.get(table).show("banker")["position"]["lent"]] == [borrower]


def test_back_on_a_phone_closes_the_sheet_and_then_leaves_the_table(join: Join, moment: At) -> None:
    # given a phone with a sheet over its seat
    table, _ = moment("later_hire")
    phone = join(Caller("player", "red", table))
    expect(phone.locator("#state")).to_be_visible()
    seat = phone.url
    phone.locator("[data-sheet=seat_menu]").click()
    expect(phone.locator("#sheet")).to_be_visible()

    # when *Back* is tapped, then the sheet is closed, and the seat is there
    phone.go_back()
    expect(phone.locator("#sheet")).to_be_hidden()
    assert phone.url == seat

    # when a sheet is closed otherwise, and opened anew, then *Back* closes it just as well
    phone.locator("[data-sheet=seat_menu]").click()
    phone.locator("#sheet [data-close]").first.click()
    expect(phone.locator("#sheet")).to_be_hidden()
    phone.locator("[data-sheet=seat_menu]").click()
    expect(phone.locator("#sheet")).to_be_visible()
    phone.go_back()
    expect(phone.locator("#sheet")).to_be_hidden()
    assert phone.url == seat

    # when there is nothing to close, then it leaves
    phone.locator("[data-sheet=seat_menu]").click()
    phone.locator("#sheet [data-close]").first.click()
    phone.go_back()
    phone.wait_for_url(lambda address: address != seat)


CUT = """() => ["#page", ".seat", ".seat-main", ".acts"].flatMap((name) => [...document.querySelectorAll(name)])
  .filter((one) => one.checkVisibility() && one.scrollHeight > one.clientHeight + 2)
  .filter((one) => getComputedStyle(one).overflowY !== "visible" || one.matches(".seat-main"))
  .map((one) => [one.className, one.scrollHeight, one.clientHeight])"""
FOUR_TIMES = (320, 256)
"""What is left of 1280 by 1024 pixels at 400 %."""


@pytest.mark.parametrize(
    "name", in_check(["later_hire", "choice", "auction", "build", "loan", "end"], "auction", "build")
)
def test_a_phone_page_at_400_percent_loses_nothing(join: Join, seen: At, name: str) -> None:
    # given whoever it is waited for, with a page that is enlarged four times
    table, shown = seen(name)
    player = next(iter(shown["position"]["waiting_for"] or shown["position"]["players"]))
    phone = join(Caller("player", player, table), FOUR_TIMES)
    expect(phone.locator(".seat-main")).to_be_attached()

    # then the page scrolls as one, and no part of it within
    assert phone.evaluate(CUT) == []
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    last = phone.locator(".seat :is(button, a):visible").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
