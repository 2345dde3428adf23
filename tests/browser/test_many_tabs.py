"""Many tabs of one device: they share one line, and what cannot have a stream asks every few seconds."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN, Installation, serving
from tests.opened import start_command
from tests.pages import follows
from tests.waiting import until

pytestmark = pytest.mark.browser

TABS = 8
"""More than the six connections that a browser opens to one address."""
AT_MOST = 3
"""Streams that one device may hold open."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Installation]:
    with serving(tmp_path / "data", "none") as installation:
        yield installation


@pytest.fixture
def device(browser: Browser, running: Installation) -> Iterator[BrowserContext]:
    """The banker's browser."""
    context = browser.new_context(base_url=running.address, locale="en-GB")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    yield context
    context.close()


def open_streams(running: Installation, device: BrowserContext) -> int:
    """Return how many streams the companion holds open, by its own count."""
    lines = device.request.get(f"{running.address}/metrics").text().splitlines()
    return int(next(line for line in lines if line.startswith("companion_streams ")).split()[1])


def start(running: Installation, seed: int) -> Table:
    return running.services.tables.start(Request(start_command(3, seed), "banker", "tap"))


def rename(table: Table, name: str) -> None:
    """Let a table move on without a tap on any page."""
    player = table.show("banker")["position"]["seats"][0]
    table.submit(Request({"do": "rename_player", "player": player, "name": name}, "banker", "test"))


def tabs_at(device: BrowserContext, tables: list[Table]) -> list[Page]:
    pages = []
    for table in tables:
        page = device.new_page()
        page.goto(f"/tables/{table.id}")
        follows(page)
        pages.append(page)
    return pages


@pytest.mark.nightly
def test_eight_tabs_at_one_table_share_one_stream(running: Installation, device: BrowserContext) -> None:
    # given eight tabs at one table
    table = start(running, 1)
    tabs = tabs_at(device, [table] * TABS)
    until(lambda: open_streams(running, device) == 1)

    # when the table moves on, then each of them shows it
    rename(table, "Zoe")
    for page in tabs:
        expect(page.locator(".panels")).to_contain_text("Zoe")
        expect(page.locator("#banner")).to_be_hidden()

    # when the tab that keeps the line is closed, whichever it is, then the others follow all the same
    for name in ("Yan", "Xia", "Wim"):
        tabs.pop().close()
        rename(table, name)
        for page in tabs:
            expect(page.locator(".panels")).to_contain_text(name)
    until(lambda: open_streams(running, device) == 1)


@pytest.mark.nightly
def test_eight_tables_in_eight_tabs_leave_connections_for_taps(running: Installation, device: BrowserContext) -> None:
    # given eight tables, each in a tab of its own
    tables = [start(running, seed) for seed in range(TABS)]
    tabs = tabs_at(device, tables)
    until(lambda: open_streams(running, device) <= AT_MOST)

    # then those that have no stream say so
    def polling() -> list[Page]:
        return [
            page
            for page in tabs
            if "every few seconds" in (page.locator("#banner:visible").all_text_contents() or [""])[0]
        ]

    until(lambda: len(polling()) == TABS - AT_MOST)

    # when all tables move on, then all pages show it, and a tap counts in each
    for table, page in zip(tables, tabs, strict=True):
        rename(table, "Zoe")
        expect(page.locator(".panels")).to_contain_text("Zoe")
        version = table.version
        page.get_by_role("button", name="Undo").first.click()
        expect(page.locator("#state")).to_have_attribute("data-version", str(version + 1))
        assert table.version == version + 1


def test_a_tab_that_no_stream_reaches_says_so_and_asks_every_few_seconds(
    running: Installation, device: BrowserContext
) -> None:
    # given something on the way that lets no stream through
    table = start(running, 1)
    device.route("**/stream?*", only_what_ends(lambda route: route.fulfill(status=503, body="busy")))
    page = device.new_page()
    page.goto(f"/tables/{table.id}")

    # then the page says so
    expect(page.locator("#banner")).to_contain_text("every few seconds")

    # when the table moves on, then it shows that
    rename(table, "Zoe")
    expect(page.locator(".panels")).to_contain_text("Zoe")

    # when streams come through again, then it has one at the next try
    device.unroute("**/stream?*")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#banner")).to_be_hidden()
    until(lambda: page.title() and open_streams(running, device) == 1)


def only_what_ends(refuse: Callable[[Route], Any]) -> Callable[[Route], Any]:
    """Let answers through that end; refuse streams."""
    return lambda route: route.continue_() if "once=1" in route.request.url else refuse(route)


@pytest.mark.slow
def test_a_tab_that_falls_asleep_with_the_line_leaves_it_to_another(
    running: Installation, device: BrowserContext
) -> None:
    # given two tabs, the older of which keeps the line, and is frozen by the browser
    table = start(running, 1)
    older, newer = tabs_at(device, [table, table])
    session = device.new_cdp_session(older)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})

    # when the table moves on, then the other tab hears of it
    rename(table, "Zoe")
    expect(newer.locator(".panels")).to_contain_text("Zoe")

    # when the first wakes, then it shows the same, and one line is kept
    session.send("Page.setWebLifecycleState", {"state": "active"})
    expect(older.locator(".panels")).to_contain_text("Zoe")
    until(lambda: older.title() and open_streams(running, device) == 1)
