"""Hasty fingers and answers that are lost: what was meant happens once, and nothing else does."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.web.server.server import Server
from tests.pages import answered, flush_requests, follows
from tests.waiting import until
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.conftest import At

pytestmark = pytest.mark.browser

KNOWS_KEYS = """() => performance.getEntriesByType("resource").some(({ name }) => name.includes("core/pressed.js"))"""


def hire(scanner: FakeScanner, table: str, player: str, worker: str) -> None:
    """Let the camera ask whether somebody hires a worker."""
    scanner.propose(table, {"do": "hire_worker", "player": player, "worker": worker})


def middle(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lose_answers(count: int) -> Callable[[Route], None]:
    """Return a network that takes requests, and loses the answers to the first of them."""
    taken: list[Route] = []

    def lose(route: Route) -> None:
        taken.append(route)
        if len(taken) <= count:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    return lose


def test_the_second_tap_of_a_double_tap_answers_no_other_question(
    page: Page, tables: Tables, scanner: FakeScanner, moment: At
) -> None:
    # given a question whose Yes is tapped, and another one that has come in its place
    table, shown = moment("first_hire")
    before = len(scanner.answers)
    page.goto(f"/tables/{table}?lang=en")
    follows(page)
    hire(scanner, table, shown["position"]["waiting_for"][0], "W07")
    yes = page.locator("#proposal").get_by_role("button", name="Yes")
    expect(yes).to_be_visible()
    place = middle(yes)
    page.mouse.click(*place)
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    hire(scanner, table, tables.get(table).show("banker")["position"]["waiting_for"][0], "W08")
    expect(page.locator("#proposal")).to_contain_text("W08")
    answered(page)

    # when the finger's second tap comes, then that one is not answered
    page.mouse.move(*place)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    flush_requests(page)
    assert len(scanner.answers) == before + 1

    # when it is tapped by itself, then it is
    page.mouse.click(*place)
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 2))
    assert len(scanner.answers) == before + 2
    assert tables.get(table).version == shown["version"] + 2


def test_a_start_whose_answers_are_lost_starts_one_game_when_it_is_tapped_again(page: Page, tables: Tables) -> None:
    # given a network that takes the start of a game and loses both answers
    before = len(tables.all())
    page.route("**/api/v1/tables*", lose_answers(2))
    page.goto("/?lang=en")
    start = page.get_by_role("button", name="Start the game")
    start.click()
    expect(page.locator("#problem")).to_contain_text("No connection")

    # when it is tapped again, then it is the game that has begun
    start.click()
    page.wait_for_url("**/tables/*")
    assert len(tables.all()) == before + 1


def test_a_start_that_was_refused_is_decided_anew_when_it_is_tapped_again(page: Page) -> None:
    # given a start that is refused
    keys: list[str] = []

    def refuse_once(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fulfill(status=422, json={"detail": "This box lies in the attic."})
        else:
            route.continue_()

    page.route("**/api/v1/tables*", refuse_once)
    page.goto("/?lang=en")
    start = page.get_by_role("button", name="Start the game")
    start.click()
    expect(page.locator("#problem")).to_contain_text("in the attic")

    # when it is tapped again, then it is not the answer of before that is fetched
    start.click()
    page.wait_for_url("**/tables/*")
    assert len(set(keys)) == 2


def test_of_two_sheets_that_were_asked_for_the_last_one_stands(page: Page, moment: At) -> None:
    # given a slow network, on which a sheet that was asked for has not come
    table, _ = moment("later_hire")
    routes: list[Route] = []
    page.route("**/live?part=menu*", lambda route: routes.append(route))  # noqa: PLW0108
    page.add_init_script("AbortSignal.timeout = () => new AbortController().signal")  # a page gives up after seconds
    page.goto(f"/tables/{table}?lang=en")
    page.get_by_role("banner").get_by_role("button", name="More").click()
    until(lambda: page.title() and routes)

    # when another one is asked for and comes, and the first one comes after it
    other = page.locator("[data-sheet]:not([data-sheet=menu])").first
    kind = other.get_attribute("data-sheet")
    other.click()
    expect(page.locator("#sheet")).to_be_visible()
    words = page.locator("#sheet").text_content()
    with page.expect_response("**/live?part=menu*") as late:
        routes[0].continue_()
    late.value.finished()
    flush_requests(page)

    # then the last one stays
    assert page.locator("#sheet").text_content() == words, kind
    expect(page.locator("#sheet .menu")).to_have_count(0)


def test_whoever_is_asked_for_the_pin_again_comes_back_to_the_page_and_not_to_a_part_of_it(
    page: Page, moment: At
) -> None:
    # given a page whose login has ended meanwhile
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}?lang=en")
    follows(page)
    page.context.clear_cookies()

    # when something is tapped, then the way back is to the page
    page.get_by_role("banner").get_by_role("button", name="More").click()
    page.wait_for_url("**/login*")
    assert parse_qs(urlsplit(page.url).query)["next"] == [f"/tables/{table}"]
    page.request.post("/login", form={"pin": PIN, "next": "/"})  # the browser is that of the tests below, too


def test_an_impatient_second_tap_on_ones_own_name_takes_the_seat_once(
    browser: Browser, server: Server, services: Services, moment: At
) -> None:
    # given a phone without a login at the names of a table, on a slow network
    table, _ = moment("first_hire")
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", locale="en-GB")
    phone = context.new_page()
    phone.goto(f"/join/{services.logins.open_invitation_token(services.guests.invitation_epoch, table)}")
    routes: list[Route] = []
    phone.route("**/who/*", lambda route: routes.append(route) if route.request.method == "POST" else route.continue_())
    name = phone.locator(".who-name:not(.taken)").first

    # when somebody taps their name twice before the first tap is answered
    place = middle(name)
    with phone.expect_request(lambda request: request.method == "POST"):
        phone.mouse.click(*place)
    phone.mouse.click(*place)

    # then it was sent once, and the seat is theirs: a second one would have ended the first
    routes[0].continue_()
    phone.wait_for_url(f"**/tables/{table}/seats/*")
    assert len(routes) == 1
    context.close()


@pytest.mark.nightly
def test_a_page_for_a_game_already_begun_comes_by_itself_when_its_program_was_lost(page: Page) -> None:
    # given a network that loses the program of the page once
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        route.abort() if len(lost) == 1 else route.continue_()

    page.route("**/core/http.js", lose)
    page.goto("/take-over?game=master_builder&lang=en")

    # then the page is loaded again by itself, and its form is sent to the rules
    until(lambda: page.title() and len(lost) > 1)
    assert "game=master_builder" in page.url
    with page.expect_response("**/api/v1/tables"):
        page.locator("#take-over button.filled.big").click()


def test_the_second_tap_of_a_double_tap_does_not_pass_for_the_next_player(
    page: Page, tables: Tables, moment: At
) -> None:
    # given somebody who passes, so that the next player's button comes under the finger
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}?lang=en")
    follows(page)
    passes = page.locator('#live [data-command^=\'{"do":"pass",\']').first
    before = passes.get_attribute("data-command")
    place = middle(passes)
    page.mouse.click(*place)
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    answered(page)
    under = page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('button')?.dataset.command", place)
    assert under not in (None, before)

    # when the second tap comes, then nobody else has passed
    page.mouse.move(*place)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    flush_requests(page)
    assert tables.get(table).version == shown["version"] + 1

    # when it is tapped by itself, then somebody has
    page.mouse.click(*place)
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 2))


def test_a_key_that_is_kept_down_takes_one_entry_back(page: Page, tables: Tables, moment: At) -> None:
    # given the key of *Undo*
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}?lang=en")
    follows(page)
    page.wait_for_function(KNOWS_KEYS)
    page.locator('[data-command=\'{"do":"undo"}\']').first.focus()

    # when it is kept down
    page.keyboard.down("Enter")
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    flush_requests(page)

    # then one entry was taken back
    assert tables.get(table).version == shown["version"] + 1


def test_text_that_is_marked_beyond_a_sheet_leaves_it_open(page: Page, moment: At) -> None:
    # given the sheet on which a name is changed
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}?lang=en")
    follows(page)
    page.get_by_role("button", name="More").click()
    page.locator("#sheet [data-sheet=rename]").first.click()
    name = page.locator("#sheet input[name=name]").first
    name.click()  # which waits until the sheet stands still
    answered(page)

    # when the mouse marks it to a place beside the sheet
    page.mouse.move(*middle(name))
    page.mouse.down()
    page.mouse.move(3, 3)
    page.mouse.up()

    # then it is still there, and a tap beside it closes it
    expect(page.locator("#sheet")).to_be_visible()
    page.mouse.click(3, 3)
    expect(page.locator("#sheet")).to_be_hidden()
