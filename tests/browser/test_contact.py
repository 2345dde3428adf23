"""Contact lost and found, pages left open, several devices at once: nothing is done twice, nobody is left alone."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from companion.service.table.table import Request
from tests.browser.conftest import PIN, Installation, serving
from tests.browser.screens import PHONE, SCREEN, Screens, Troubles
from tests.waiting import until
from tests.web_pages.whole_games import chosen, player_of

pytestmark = pytest.mark.browser

NAMES = {"red": "Ada", "blue": "Ben"}


class Expected(Troubles):
    """Contact is lost on purpose here: only what a page's code raises is trouble."""

    def watch(self, name: str, context: BrowserContext) -> None:
        """Listen to what the pages' code raises."""
        context.on("weberror", lambda error: self.seen.append(f"{name}: {error.error}"))


@pytest.fixture
def screens(browser: Browser) -> Iterator[Screens]:
    """Devices that are put away in the end."""
    made = Screens(browser, "", troubles=Expected())
    yield made
    made.close()
    assert made.troubles.seen == []


def set_table(screens: Screens, installation: Installation) -> None:
    """A tablet and two phones at a new table."""
    screens.address = installation.address
    screens.sign_in()
    screens.start(NAMES)
    for seat, name in NAMES.items():
        screens.phones[name] = screens.invite(seat, name, PHONE)


def play(installation: Installation, until: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Go on by the first offer that is due, behind everybody's back."""
    table, lots = installation.table, random.Random(3)
    for _ in range(200):
        shown = table.show("banker")
        if until(shown["position"]):
            return dict(shown["position"])
        waiting = shown["position"]["waiting_for"]
        due = [offer for offer in shown["offers"] if offer["urgency"] == "due" and player_of(offer) in waiting]
        table.submit(Request(chosen(due[0], lots), "banker", "test"))
    raise AssertionError("no such moment")


def shows(page: Page, installation: Installation) -> None:
    expect(page.locator("#state")).to_have_attribute("data-version", str(installation.table.version))


@pytest.mark.nightly
def test_two_tablets_and_a_phone_that_tap_at_once_do_a_thing_once(screens: Screens, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as installation:
        # given two tablets and a player's phone on which the same worker can be hired
        set_table(screens, installation)
        other = screens.device("second tablet", SCREEN)
        other.goto("/login")
        other.locator("input[name=pin]").fill(PIN)
        other.locator("form button").last.tap()
        other.wait_for_url(lambda address: "/login" not in address)
        other.goto(f"/tables/{installation.table.id}")
        devices = [screens.tablet, other, screens.phones["Ada"]]
        for page in devices:
            page.locator(".acts [data-sheet=hire]").tap()
            page.locator("#sheet .card").first.wait_for()

        # when all three tap before any has heard of the others
        sent: list[Route] = []
        for page in devices:
            page.route("**/commands", lambda route: sent.append(route))  # noqa: PLW0108 (Playwright marks it)
            page.locator("#sheet .card").first.tap()
        until(lambda: screens.tablet.title() and len(sent) == len(devices))
        for held_route in sent:
            held_route.continue_()

        # then one worker is hired, everybody sees it, and those who came late are told
        for page in devices:
            expect(page.locator("#state")).to_have_attribute("data-version", "2")
        hires = [entry for entry in installation.table.entries if entry.command["do"] == "hire_worker"]
        assert len(hires) == 1
        assert installation.table.version == 2
        late = [page.locator("#toast").inner_text() for page in devices if page.locator("#toast").is_visible()]
        assert all("moved on" in text for text in late), late


@pytest.mark.nightly
def test_pages_left_open_overnight_are_right_in_the_morning(screens: Screens, tmp_path: Path) -> None:
    # given three pages at a table, and a program that is stopped
    with serving(tmp_path / "data", "none") as first_run:
        set_table(screens, first_run)
        screens.display = screens.invite("spectator", "display", SCREEN)
        port = int(first_run.address.rsplit(":", 1)[1])
    for _, page in screens:
        expect(page.locator("#banner")).to_be_visible()
        banner, figures = page.locator("#banner").bounding_box(), page.locator("#live").bounding_box()
        assert banner
        assert figures
        assert banner["y"] + banner["height"] <= figures["y"] + 1  # what is safe can still be read
    expect(screens.tablet.locator("#banner")).to_contain_text("every figure is safe")

    # and it can be read from where the big screen is read: 30 px and more of a screen 1920 wide
    screens.display.set_viewport_size({"width": 1920, "height": 1080})
    sizes = screens.display.locator("#banner [data-when=lost] :is(strong, span)").evaluate_all(
        "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
    )
    assert len(sizes) == 2
    assert min(sizes) >= 30

    # when it is started again, and the table has moved on
    with serving(tmp_path / "data", "none", port) as morning:
        play(morning, lambda at: at["phase"] == "contracts")

        # then every page shows it by itself, and works
        for _, page in screens:
            shows(page, morning)
            expect(page.locator("#banner")).not_to_be_visible()
        screens.tablet.locator(".acts [data-sheet=reveal]").tap()
        expect(screens.tablet.locator("#sheet form")).to_be_visible()


@pytest.mark.nightly
def test_with_a_new_pin_overnight_the_tablet_asks_for_it_and_comes_back_to_its_table(
    screens: Screens, tmp_path: Path
) -> None:
    with serving(tmp_path / "data", "none") as first_run:
        set_table(screens, first_run)
        port, table = int(first_run.address.rsplit(":", 1)[1]), first_run.table.id
    with serving(tmp_path / "data", "none", port, pin="1357"):
        # then the tablet and the phones say what is missing
        for page in (screens.tablet, *screens.phones.values()):
            page.wait_for_url(re.compile("/login"))

        # when the new one is typed
        screens.tablet.locator("input[name=pin]").fill("1357")
        screens.tablet.locator("form button").last.tap()

        # then the table is there
        screens.tablet.wait_for_url(f"**/tables/{table}")
        expect(screens.tablet.locator("#sentence")).to_contain_text("Ada")


@pytest.mark.nightly
def test_a_bid_without_contact_is_not_lost_in_doubt(screens: Screens, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as installation:
        # given a bidder whose phone loses contact just as they tap; what they sent arrives, the answer does not
        set_table(screens, installation)
        at = play(installation, lambda at: at["auction"] is not None)
        name = NAMES[at["waiting_for"][0]]
        phone = screens.phones[name]
        shows(phone, installation)
        before = installation.table.version

        def swallow(route: Any) -> None:
            route.fetch()
            route.abort()

        phone.route("**/commands", swallow)
        phone.locator("#pad .filled").tap()

        # then it was booked once though it was sent twice, they are not told the contrary, and see how it stands
        expect(phone.locator("#toast")).to_contain_text("whether this was recorded")
        assert installation.table.version == before + 1
        shows(phone, installation)
        phone.unroute("**/commands")

        # when there is no contact at all, then nothing is sent, and they are told that it was not recorded
        at = installation.table.show("banker")["position"]
        phone = screens.phones[NAMES[at["waiting_for"][0]]]
        shows(phone, installation)
        phone.route("**/api/**", lambda route: route.abort())
        phone.evaluate("dispatchEvent(new Event('pagehide'))")
        phone.locator("#banner").wait_for()
        phone.locator("#pad .filled").tap()
        expect(phone.locator("#toast")).to_contain_text("not recorded")

        # when it is back, then they tap once more
        phone.unroute("**/api/**")
        expect(phone.locator("#banner")).not_to_be_visible()
        assert installation.table.version == before + 1
        phone.locator("#pad .filled").tap()
        expect(screens.tablet.locator("#state")).to_have_attribute("data-version", str(before + 2))


@pytest.mark.nightly
def test_a_phone_that_slept_is_right_as_soon_as_it_wakes(screens: Screens, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as installation:
        # given a phone that sleeps while others play on
        set_table(screens, installation)
        phone = screens.phones["Ben"]
        session = phone.context.new_cdp_session(phone)
        session.send("Page.setWebLifecycleState", {"state": "frozen"})
        play(installation, lambda at: at["phase"] == "contracts")

        # when it wakes, then it shows how the table stands, without a tap
        session.send("Page.setWebLifecycleState", {"state": "active"})
        expect(phone.locator("#state")).to_have_attribute("data-version", str(installation.table.version))
        expect(phone.locator("#banner")).not_to_be_visible()


@pytest.mark.nightly
def test_two_phones_in_one_seat_agree_and_a_phone_that_scans_another_code_changes_seats(
    screens: Screens, tmp_path: Path
) -> None:
    with serving(tmp_path / "data", "none") as installation:
        # given a player with a phone and a tablet of their own
        set_table(screens, installation)
        first, second = screens.phones["Ada"], screens.invite("red", "Ada again", PHONE)
        play(installation, lambda at: at["phase"] == "build")
        for page in (first, second):
            shows(page, installation)
            page.locator(".acts [data-sheet=plan]").tap()
            page.locator("#sheet [data-then-close]").first.wait_for()

        # when they plan on one, then the other one shows it, and its open sheet is no trap
        first.locator("#sheet [data-then-close]").first.tap()
        expect(first.locator("#sentence")).to_have_text("Your plan is locked")
        expect(second.locator("#sentence")).to_have_text("Your plan is locked")

        # when their phone scans the code of somebody else, then the page that was open becomes that seat
        address = screens.invitation("blue")
        other_page = first.context.new_page()
        other_page.goto(address)
        play(installation, lambda at: at["phase"] != "build")
        expect(first.locator(".seat-head h2")).to_have_text("Ben")
        first.wait_for_url("**/seats/blue")


@pytest.mark.nightly
def test_whose_seat_was_handed_on_is_told_and_who_takes_it_comes_in(screens: Screens, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as installation:
        # given Ada, who goes home
        set_table(screens, installation)
        tablet, gone = screens.tablet, screens.phones["Ada"]
        tablet.locator(".bar-tools [data-sheet=menu]").tap()
        tablet.locator("#sheet [data-sheet=rename]").tap()
        row = tablet.locator("#sheet .name-row").first
        row.locator("input").fill("Eve")
        row.locator("[data-instead]").tap()
        expect(tablet.locator("#panel-red h2")).to_contain_text("Eve")

        # then her phone says that the seat is not hers any more, in words
        gone.wait_for_url(re.compile("/login"))
        expect(gone.get_by_role("alert")).to_contain_text("can no longer see this table")
        gone.goto("/")
        expect(gone.get_by_role("alert")).to_contain_text("can no longer see this table")

        # and Eve, who scans the new code, has it
        tablet.locator("#sheet [data-close]").tap()
        eve = screens.invite("red", "Eve", PHONE)
        expect(eve.locator(".seat-head h2")).to_have_text("Eve")
        expect(eve.locator("#sentence")).to_contain_text("Your turn")
