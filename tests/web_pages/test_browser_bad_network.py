"""Pages under a bad network: what is lost or hangs is asked for again, and a page that may be old says so."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect
from playwright.sync_api import Request as BrowserRequest

from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.extent import in_check
from tests.pages import answered, follows
from tests.waiting import until
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser

PART = "**/live?part=tablet*"

Answer = Callable[[Route], object]
Meet = Callable[[Answer], None]


@pytest.fixture
def under_way(page: Page) -> set[BrowserRequest]:
    """Requests of the page that are not answered yet."""
    requests: set[BrowserRequest] = set()
    page.on("request", lambda request: requests.add(request))  # noqa: PLW0108 - Playwright writes into handlers
    page.on("requestfinished", lambda request: requests.discard(request))  # noqa: PLW0108
    page.on("requestfailed", lambda request: requests.discard(request))  # noqa: PLW0108
    return requests


@pytest.fixture
def table(page: Page, under_way: set[BrowserRequest], tables: Tables, moment: At) -> Table:  # noqa: ARG001
    """A table at which somebody hires, on a page that follows it."""
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}?lang=en")
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"]))
    follows(page)
    return tables.get(table)


@pytest.fixture
def parts_meet(page: Page, under_way: set[BrowserRequest]) -> Meet:
    """Let a function answer every part that the page asks for from now on, after those under way have arrived."""

    def meet(answer: Answer) -> None:
        page.route(PART, answer)
        until(lambda: page.title() and not any("part=tablet" in request.url for request in under_way))

    return meet


def lose(page: Page, pattern: str, *, times: int) -> list[str]:
    """Lose the first requests of a kind, and add the address of each to the list that is returned."""
    lost: list[str] = []

    def answer(route: Route) -> None:
        if len(lost) == times:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    page.route(pattern, answer)
    return lost


def rename(table: Table, name: str) -> None:
    """Let the table move on without a tap on the page."""
    table.submit(Request({"do": "rename_player", "player": "blue", "name": name}, "banker", "test"))


def is_drawn(page: Page, table: Table) -> None:
    """Wait until the page shows the table as it stands, and does not say that it is old."""
    expect(page.locator("#state")).to_have_attribute("data-version", str(table.version))
    expect(page.locator("#banner")).to_be_hidden()


@pytest.mark.parametrize("fault", in_check(["cut", "503"], "503"))
def test_a_refresh_that_is_lost_is_made_again_until_it_arrives(
    page: Page, table: Table, parts_meet: Meet, fault: str
) -> None:
    # given a network that loses the page's next three parts
    lost: list[str] = []

    def lose(route: Route) -> None:
        if len(lost) == 3:
            route.continue_()
            return
        lost.append(route.request.url)
        if fault == "cut":
            route.abort()
        else:
            route.fulfill(status=503, body="busy")

    parts_meet(lose)

    # when the table moves on
    rename(table, "Eve")

    # then the page shows it by itself
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")
    is_drawn(page, table)
    assert len(lost) == 3


def test_a_page_from_before_that_is_answered_late_is_asked_for_again(
    page: Page, table: Table, parts_meet: Meet
) -> None:
    # given something on the way that answers the first question with the page from before
    before = page.request.get(f"/tables/{table.id}/live?part=tablet").text()
    asked: list[str] = []

    def answer_old_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(content_type="text/html", body=before)
        else:
            route.continue_()

    parts_meet(answer_old_once)

    # when the table moves on, then the page shows it all the same
    rename(table, "Eve")
    is_drawn(page, table)
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")
    assert len(asked) >= 2


def test_a_page_that_hears_of_news_and_cannot_fetch_them_says_that_it_may_be_old(
    page: Page, table: Table, parts_meet: Meet
) -> None:
    # given a network that brings news and no page
    parts_meet(lambda route: route.abort())

    # when the table moves on
    rename(table, "Eve")

    # then the page says so, though the line is alive
    banner = page.locator("#banner")
    expect(banner).to_contain_text("may be out of date")
    expect(page.locator("body")).not_to_have_class("lost")

    # when the network is whole again, then so is the page
    page.unroute(PART)
    is_drawn(page, table)
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")


@pytest.mark.slow
@pytest.mark.nightly
def test_a_refresh_that_hangs_is_given_up_and_made_again(page: Page, table: Table, parts_meet: Meet) -> None:
    # given a request for the page that is never answered
    hanging: list[Route] = []

    def hang_once(route: Route) -> None:
        if hanging:
            route.continue_()
        else:
            hanging.append(route)

    parts_meet(hang_once)

    # when the table moves on
    rename(table, "Eve")

    # then the page says that it may be old, and asks once more
    expect(page.locator("#banner")).to_contain_text("may be out of date")
    is_drawn(page, table)
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")


@pytest.mark.nightly
def test_the_camera_s_question_comes_though_its_first_answer_was_lost(
    page: Page, table: Table, scanner: object
) -> None:
    # given a network that loses the first glance
    lose(page, "**/live?part=glance*", times=1)

    # when a card is laid down
    player = table.show("banker")["position"]["waiting_for"][0]
    scanner.propose(table.id, {"do": "hire_worker", "player": player, "worker": "W07"})  # type: ignore[attr-defined]

    # then its question is asked
    expect(page.locator("#proposal-title")).to_contain_text("W07 for")


def test_a_sheet_whose_answer_is_lost_is_asked_for_again_and_opens(page: Page, table: Table) -> None:  # noqa: ARG001
    # given a network that loses a sheet twice
    lost = lose(page, "**/live?part=menu*", times=2)

    # when it is opened by one tap, then it comes
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Correct money")).to_be_visible()
    assert len(lost) == 2
    expect(page.locator("#toast")).to_be_hidden()


def test_a_sheet_opens_though_its_style_sheets_hang(page: Page, table: Table) -> None:  # noqa: ARG001
    # given a network on which the style sheets of sheets are never answered
    hrefs = str(page.locator("#sheet").get_attribute("data-style")).split(" ")
    page.route(lambda url: any(href in url for href in hrefs), lambda _: None)
    page.reload()
    follows(page)

    # when a sheet is opened, then it comes all the same
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Correct money")).to_be_visible()


def test_a_sheet_whose_script_hangs_says_so(page: Page, table: Table) -> None:  # noqa: ARG001
    # given a sheet whose script is never answered
    page.route("**/choices.js*", lambda _: None)
    page.reload()
    follows(page)

    # when it is opened, then a line says that nothing was recorded
    page.get_by_role("button", name="More").click()
    expect(page.locator("#toast")).to_contain_text("not recorded")


@pytest.mark.nightly
def test_a_sheet_that_cannot_be_fetched_anew_stays_with_what_was_written(page: Page, table: Table) -> None:
    # given a correction that is being written, and a network that loses its sheet once
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct money").click()
    page.get_by_label("Reason").fill("paid twi")
    lose(page, "**/live?part=money*", times=1)

    # when the table moves on
    rename(table, "Eve")

    # then the sheet shows it, with what was written
    expect(page.locator("#sheet").get_by_text("Eve").first).to_be_visible()
    expect(page.get_by_label("Reason")).to_have_value("paid twi")


def test_a_tap_whose_last_try_had_no_answer_is_not_called_unsaved(page: Page, table: Table) -> None:
    # given a tap that cannot be stored at first, and then a network without any answer
    tries, before = list[str](), table.version

    def answer(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.fulfill(status=503, json={"detail": "This was not saved", "meanwhile": "Not saved anywhere yet"})
        else:
            route.abort()

    page.clock.install()
    page.route("**/commands", answer)
    page.locator("button[data-sheet=hire]").click()
    page.locator("#sheet button[data-command]:visible").first.click()
    expect(page.locator(".unkept")).to_have_text("Not saved anywhere yet")

    # when two minutes are over, then it may have been stored, and the page says so
    page.clock.fast_forward(121_000)
    expect(page.locator("#toast")).to_have_text(
        "No connection. Once it is back, you will see whether this was recorded."
    )
    expect(page.locator(".unkept")).to_be_hidden()
    assert table.version == before


def test_a_tap_on_what_the_stream_has_brought_counts_though_the_answer_before_is_still_out(
    page: Page, table: Table
) -> None:
    # given a tap that was booked, whose answer is slow
    routes: list[Route] = []

    def hold_the_first(route: Route) -> None:
        if routes:
            route.continue_()
            return
        routes.append(route)

    page.route("**/commands", hold_the_first)
    before = table.version
    page.get_by_role("button", name="Pass", exact=True).click()
    until(lambda: page.title() and routes)
    answer = routes[0].fetch()
    expect(page.locator("#state")).to_have_attribute("data-version", str(before + 1))

    # when the next player passes on what the page shows now
    page.get_by_role("button", name="Pass", exact=True).click()

    # then it counts, and the late answer changes nothing
    expect(page.locator("#state")).to_have_attribute("data-version", str(before + 2))
    routes[0].fulfill(response=answer)
    answered(page)
    assert table.version == before + 2
    expect(page.locator("#toast")).to_be_hidden()


@pytest.mark.parametrize("status", in_check([403, 404], 404))
def test_a_page_that_has_become_somebody_elses_is_left(page: Page, table: Table, parts_meet: Meet, status: int) -> None:
    # given a page whose part is not answered any more: another login has come into this browser
    parts_meet(lambda route: route.fulfill(status=status))
    with page.expect_navigation():
        # when the table moves on, then the page is loaded again, which says where to go
        rename(table, "Zoe")
