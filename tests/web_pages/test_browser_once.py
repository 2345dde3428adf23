"""One tap leads to one entry and one fetch of the page, and nothing is lost that is done meanwhile."""

import pytest
from playwright.sync_api import Page, Route, expect
from playwright.sync_api import Request as PageRequest

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.pages import answered, flush_requests, follows, loaded
from tests.waiting import until
from tests.web.conftest import START
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser


def posted(route: Route) -> dict[str, str]:
    """Return the body of a request."""
    body = route.request.post_data_json
    assert isinstance(body, dict)
    return body


@pytest.mark.nightly
def test_a_tap_fetches_the_page_once(page: Page, tables: Tables, moment: At) -> None:
    # given a page that has told of all that there is
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}")
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"]))
    follows(page)
    fetched: list[str] = []

    def note(request: PageRequest) -> None:
        if "part=tablet" in request.url:
            fetched.append(request.url)

    page.on("request", note)

    # when a button is tapped, and both the answer and the stream tell of the entry
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    answered(page)
    flush_requests(page)

    # then the page was fetched once, and once more for what happens next
    assert len(fetched) == 1
    tables.get(table).submit(Request({"do": "rename_player", "player": "blue", "name": "Eve"}, "banker", "test"))
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")
    flush_requests(page)
    assert len(fetched) == 2


def test_a_tap_whose_answer_is_lost_is_repeated_and_counts_once(page: Page, tables: Tables, moment: At) -> None:
    # given a network that takes the tap and loses its answer
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}")
    sent: list[str] = []

    def lose_the_first(route: Route) -> None:
        sent.append(route.request.headers["idempotency-key"])
        if len(sent) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/commands", lose_the_first)

    # when somebody passes
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    answered(page)

    # then it was sent twice under one key, counts once, and nobody is told of a trouble
    assert len(sent) == 2
    assert len(set(sent)) == 1
    assert tables.get(table).version == shown["version"] + 1
    expect(page.locator("#toast")).not_to_be_visible()


KEYS_AT = """([text, times]) => [...text, "Enter"].forEach((key, at) => {
  const event = new KeyboardEvent("keydown", { key, bubbles: true });
  Object.defineProperty(event, "timeStamp", { value: performance.now() + times[at] });
  document.body.dispatchEvent(event);
})"""
AT_ONCE = [0, 10, 20, 30]
"""Milliseconds of the keys of a scanner, also where the machine is busy."""


def test_two_cards_scanned_while_an_answer_is_out_are_both_taken(page: Page, moment: At) -> None:
    # given a slow answer to the first scan
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    loaded(page, "camera/scan.js")
    texts: list[str] = []
    routes: list[Route] = []

    def hold_the_first(route: Route) -> None:
        texts.append(posted(route)["text"])
        if len(texts) == 1:
            routes.append(route)
        else:
            route.continue_()

    page.route("**/scans", hold_the_first)

    # when a second card goes through the scanner
    for text in ("W07", "W08"):
        page.evaluate(KEYS_AT, [text, AT_ONCE])
    until(lambda: page.title() and texts)
    flush_requests(page)
    assert texts == ["W07"]
    with page.expect_response(lambda answer: "W08" in (answer.request.post_data or "")):
        routes[0].continue_()

    # then it follows as soon as the first is done
    assert texts == ["W07", "W08"]


@pytest.mark.parametrize(("times", "taken"), [([0, 200, 210, 220], True), ([0, 150, 300, 450], False)])
def test_a_scanner_that_hiccups_once_is_heard_and_a_slow_hand_is_not(
    page: Page, moment: At, times: list[int], taken: bool
) -> None:
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    loaded(page, "camera/scan.js")
    scans: list[PageRequest] = []
    page.on("request", lambda asked: scans.append(asked) if asked.url.endswith("/scans") else None)

    page.evaluate(KEYS_AT, ["W07", times])

    flush_requests(page)
    assert bool(scans) is taken


@pytest.mark.nightly
def test_two_steps_ticked_while_an_answer_is_out_are_both_done(page: Page, tables: Tables) -> None:
    # given a game that is being laid out, and a first answer that is slow
    table = tables.start(Request(START, "banker", "tap"))
    page.goto(f"/tables/{table.id}?lang=en")
    ticked: list[str] = []
    routes: list[Route] = []

    def hold_the_first(route: Route) -> None:
        ticked.append(posted(route)["step"])
        if len(ticked) == 1:
            routes.append(route)
        else:
            route.continue_()

    page.route("**/preparation", hold_the_first)

    # when two steps are ticked in one go
    page.get_by_role("button", name="What to lay out").click()
    for step in ("Sections", "Workers"):
        page.get_by_role("dialog").get_by_role("button", name=step).click()
    page.get_by_role("button", name="Done", exact=True).click()
    until(lambda: page.title() and routes)
    routes[0].continue_()

    # then both are done
    expect(page.locator("#preparation")).to_contain_text("2 of 9")
    assert len(set(ticked)) == 2


def test_whoever_passes_by_keyboard_does_not_pass_for_the_next_one_with_the_same_key(page: Page, moment: At) -> None:
    # given a tablet by keyboard, and somebody whose turn it is to hire
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}")
    passes = page.get_by_role("button", name="Pass", exact=True)
    passes.focus()

    # when they pass
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))

    # then the next one's button does not hold the focus: the sentence does, one step before all buttons
    expect(passes).to_be_visible()
    expect(page.locator("#sentence")).to_be_focused()


def test_pass_and_pass_the_rest_both_stay_when_the_table_moves_on(page: Page, tables: Tables, moment: At) -> None:
    # given somebody who may pass once or for the rest of the phase
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}?lang=en")
    buttons = page.locator(".acts [data-command*='pass']")
    expect(buttons).to_have_count(2)
    before = buttons.all_inner_texts()

    # when something else happens
    tables.get(table).submit(Request({"do": "rename_player", "player": "blue", "name": "Eve"}, "banker", "test"))
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")

    # then both are there, as two buttons
    assert buttons.all_inner_texts() == before
    assert len({button.get_attribute("id") for button in buttons.all()}) == 2
