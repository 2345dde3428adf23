"""The organiser's page that opens many tables, in a browser: a list is pasted, looked at and opened."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from companion.web.server.server import Server
from tests.extent import by_night
from tests.web_pages.banker_browser import context, page

__all__ = ["context", "page"]
DEALT = "[...document.querySelectorAll('.planned-table')].map((each) => each.innerText).join()"
"""Expression for the people at all tables: of one table alone, the same three may be dealt again."""
PEOPLE = "\n".join(["Bartholomew Maximilian Longbottom-S", *(f"Player {number}" for number in range(2, 10))])


def test_a_pasted_list_becomes_open_tables_with_codes_display_and_results(page: Page) -> None:
    # given the page that the lobby leads to
    page.goto("/")
    page.get_by_role("link", name="Open several tables").click()

    # when a list is pasted and looked at
    page.get_by_label("Name of the event").fill("Winter meeting")
    page.locator("#people").fill(PEOPLE)
    page.get_by_role("button", name="Seat them").click()
    tables = page.locator("dialog:modal .planned-table")
    expect(tables).to_have_count(3)
    expect(page.locator("dialog:modal [data-summary]")).to_have_text("3 tables")
    expect(tables.locator("li")).to_have_count(9)
    first = page.evaluate(DEALT)

    # then it can be dealt again, and opened
    page.get_by_role("button", name="Deal again").click()
    page.wait_for_function(f"first => {DEALT} !== first", arg=first)
    page.get_by_role("button", name="Open these tables").click()
    expect(page.get_by_role("heading", name="Winter meeting")).to_be_visible()
    expect(page.locator(".event-table")).to_have_count(3)
    expect(page.locator("[data-opening]")).to_be_hidden()
    page.get_by_role("link", name="Hall display").click()
    expect(page.locator(".hall-table")).to_have_count(3)
    page.go_back()
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_text("No game is finished yet.")).to_be_visible()


def test_what_cannot_be_seated_is_said_on_the_page(page: Page) -> None:
    page.goto("/events")
    page.get_by_role("button", name="Seat them").click()
    expect(page.locator("#problem")).to_have_text("Paste a list of people, or say how many tables to open.")
    page.get_by_role("radio", name="As the list says").check()
    page.locator("#people").fill("1, Ada")
    page.get_by_role("button", name="Seat them").click()
    expect(page.locator("#problem")).to_have_text("Table 1 would have 1 player; the game is for 2 to 4.")
    page.locator("#people").fill("1, Ada\n1, Ada")
    page.get_by_role("button", name="Seat them").click()
    page.get_by_role("button", name="Open these tables").click()
    expect(page.locator("[data-problem]")).to_contain_text("Table 1: ")
    page.locator("[data-back]").click()
    expect(page.locator("#seating")).to_be_hidden()


def test_an_event_whose_answer_was_lost_is_opened_once(page: Page) -> None:
    # given seated people, and a network that loses the answers to what reaches the app
    page.goto("/events")
    page.get_by_label("Name of the event").fill("Lost and found")
    page.locator("#people").fill(PEOPLE)
    page.get_by_role("button", name="Seat them").click()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/api/v1/events", lose)
    page.get_by_role("button", name="Open these tables").click()
    expect(page.locator("[data-problem]")).to_contain_text("No connection.")

    # when the same tables are opened again
    page.unroute("**/api/v1/events")
    page.get_by_role("button", name="Open these tables").click()

    # then the event is the one that was stored
    expect(page.get_by_role("heading", name="Lost and found")).to_be_visible()
    events = page.request.get("/api/v1/events").json()["events"]
    assert [event["name"] for event in events].count("Lost and found") == 1


def test_an_event_that_is_begun_is_gone_on_with(page: Page) -> None:
    # given an event of which only some tables are opened when the connection fails
    page.goto("/events")
    page.get_by_label("Name of the event").fill("Half open")
    page.locator("#people").fill(PEOPLE)
    page.get_by_role("button", name="Seat them").click()
    begun: list[str] = []

    def answer_half(route: Route) -> None:
        answer = route.fetch()
        begun.append(answer.json()["id"])
        route.fulfill(response=answer, json={**answer.json(), "opened": 1})

    page.route("**/api/v1/events", answer_half)
    page.route("**/api/v1/events/*/open", lambda route: route.abort())
    page.get_by_role("button", name="Open these tables").click()
    expect(page.locator("[data-problem]")).to_contain_text("No connection.")

    expect(page.get_by_role("button", name="Deal again")).to_be_hidden()

    # when the same tables are opened again, then that event is asked for and no other
    page.unroute("**/api/v1/events/*/open")
    page.get_by_role("button", name="Open these tables").click()
    expect(page.get_by_role("heading", name="Half open")).to_be_visible()
    assert len(begun) == 1
    assert page.url.endswith(f"/events/{begun[0]}")


def test_whoever_leaves_an_event_that_is_begun_comes_to_its_page(page: Page) -> None:
    page.goto("/events")
    page.get_by_label("Name of the event").fill("Left half open")
    page.locator("#people").fill(PEOPLE)
    page.get_by_role("button", name="Seat them").click()

    def answer_half(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "opened": 1})

    page.route("**/api/v1/events", answer_half)
    page.route("**/api/v1/events/*/open", lambda route: route.abort())
    page.get_by_role("button", name="Open these tables").click()
    expect(page.locator("[data-problem]")).to_contain_text("No connection.")
    page.locator("[data-back]").click()
    expect(page.get_by_role("heading", name="Left half open")).to_be_visible()


def open_event_of_three_tables(page: Page, name: str) -> None:
    """Open an event of three tables by a list of people; the page that follows is the event's own."""
    page.goto("/events")
    page.get_by_label("Name of the event").fill(name)
    page.get_by_role("radio", name="In this order").check()
    page.locator("#people").fill(PEOPLE)
    page.get_by_role("button", name="Seat them").click()
    page.get_by_role("button", name="Open these tables").click()
    expect(page.locator(".event-table")).to_have_count(3)


@pytest.mark.nightly
def test_the_plan_of_an_event_is_changed_on_its_page(page: Page) -> None:
    # given an event of three opened tables
    open_event_of_three_tables(page, "To be changed")

    # when somebody else comes, two people change tables, and the third table is left empty
    page.get_by_role("link", name="Change the plan").click()
    tables = page.locator(".planned-table")
    tables.nth(0).get_by_label("Name", exact=True).nth(1).fill("Zoe")
    tables.nth(1).get_by_label("Number or name of the table").fill("Window")
    for _ in range(3):
        moved(tables.nth(2).get_by_label("Sits at").first, "Window")
    expect(tables.nth(2).get_by_text("Nobody sits here: this table is taken away.")).to_be_visible()

    # then it is said that they are too many there
    page.get_by_role("button", name="Save the plan").click()
    expect(page.locator("#problem")).to_have_text("Window would have 6 players; the game is for 2 to 4.")

    # and when they sit at a table that is added, all is as it was planned
    page.get_by_role("button", name="Another table").click()
    added = tables.nth(3)
    for _ in range(2):
        moved(added.get_by_label("Sits at").first, "Take the seat away")
    for _ in range(3):
        moved(tables.nth(1).get_by_label("Sits at").last, "Table 4")
    page.get_by_role("button", name="Save the plan").click()
    expect(page.locator(".event-table b")).to_have_text(["Table 1", "Window", "Table 4"])
    expect(page.locator(".event-table").first).to_contain_text("Zoe")
    expect(page.locator(".event-table").nth(2).locator("li")).to_have_count(3)
    expect(page.locator("[data-opening]")).to_be_hidden()


def opened_event(page: Page, name: str) -> None:
    """Open an event of three tables, and the page on which its plan is changed."""
    tables = [{"name": str(number), "players": [f"Ada {number}", f"Ben {number}"]} for number in (1, 2, 3)]
    event = {"name": name, "when": "", "game": "master_builder", "catalog": "house", "rules": {}, "variants": []}
    made = page.request.post("/api/v1/events", data={**event, "tables": tables}).json()
    while made["opened"] < made["tables"]:
        made = page.request.post(f"/api/v1/events/{made['id']}/open", data={}).json()
    page.goto(f"/events/{made['id']}/plan")


@pytest.mark.parametrize("width", [320, *by_night(1024)])
def test_a_long_word_in_the_name_of_an_event_is_broken(page: Page, width: int) -> None:
    opened_event(page, "Weihnachtsbrettspielwochenende" if width == 320 else 60 * "W")
    page.goto(page.url.removesuffix("/plan"))
    page.set_viewport_size({"width": width, "height": 844})

    expect(page.locator(".event-table")).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def moved(seat: Locator, table: str) -> None:
    """Let somebody sit at another table: where they may go is there once the choice is touched."""
    seat.focus()
    seat.select_option(label=table)


def test_only_the_seat_that_is_about_to_be_moved_is_told_all_tables(page: Page) -> None:
    # given the page of a plan: with hundreds of tables each choice beside each of them would be a million
    opened_event(page, "Many choices")
    seats = page.locator("#tables select")
    expect(seats).to_have_count(6)
    expect(page.locator("#tables option")).to_have_text([f"Table {number}" for number in (1, 1, 2, 2, 3, 3)])

    # when one is touched, and then another one
    for seat, table in ((0, "Table 1"), (3, "Table 2")):
        seats.nth(seat).focus()

        # then it says where that one may go, and the others where they sit
        said = ["Table 1", "Table 2", "Table 3", "Take the seat away"]
        expect(seats.nth(seat).locator("option")).to_have_text(said)
        expect(seats.nth(seat).locator("option:checked")).to_have_text(table)
        expect(page.locator("#tables option")).to_have_count(6 - 1 + len(said))

    # and a table that is called otherwise is called so everywhere
    page.locator(".planned-table").nth(1).get_by_label("Number or name of the table").fill("Window")
    expect(page.locator("#tables option")).to_have_text(
        ["Table 1", "Table 1", "Window", "Window", "Table 3", "Table 3"]
    )


@pytest.mark.parametrize("lost", ["**/api/v1/events/*/plan", "**/api/v1/events/*/open"])
def test_a_plan_that_was_saved_without_a_word_of_it_is_changed_once_more(page: Page, lost: str) -> None:
    # given a changed plan with a new table, which is stored, and of which the page hears no more
    opened_event(page, "Saved unseen")
    tables = page.locator(".planned-table")
    tables.nth(0).get_by_label("Name", exact=True).first.fill("Zoe")
    page.get_by_role("button", name="Another table").click()
    for seat, name in enumerate(("Cleo", "Dan")):
        tables.nth(3).get_by_label("Name", exact=True).nth(seat).fill(name)

    def lose(route: Route) -> None:
        answer = route.fetch()
        if lost.endswith("/plan"):
            route.abort()
        else:
            route.fulfill(response=answer, json={**answer.json(), "opened": 1})

    page.route("**/api/v1/events/*/plan", lose)
    page.route("**/api/v1/events/*/open", lambda route: route.abort())
    page.get_by_role("button", name="Save the plan").click()
    expect(page.locator("#problem")).to_contain_text("No connection.")
    page.unroute_all()

    # when somebody else is written down before it is saved again
    tables.nth(1).get_by_label("Name", exact=True).first.fill("Eve")
    page.get_by_role("button", name="Save the plan").click()

    # then both changes are there, and no table twice
    expect(page.locator(".event-table")).to_have_count(4)
    for at, name in enumerate(("Zoe", "Eve", "Ada 3", "Cleo")):
        expect(page.locator(".event-table").nth(at)).to_contain_text(name)


def test_a_table_whose_people_stay_at_home_is_taken_away_with_its_seats(page: Page) -> None:
    # given an event of three opened tables
    open_event_of_three_tables(page, "Some stay at home")

    # when the seats of the last one are taken away
    page.get_by_role("link", name="Change the plan").click()
    last = page.locator(".planned-table").nth(2)
    for _ in range(3):
        moved(last.get_by_label("Sits at").first, "Take the seat away")
    expect(last.get_by_text("Nobody sits here: this table is taken away.")).to_be_visible()
    page.get_by_role("button", name="Save the plan").click()

    # then the table is taken away, as the page has said
    expect(page.locator(".event-table b")).to_have_text(["Table 1", "Table 2"])


@pytest.mark.parametrize("width", [390, *by_night(1280)])
def test_a_hall_display_goes_on_when_everybody_is_logged_out(
    page: Page, browser: Browser, server: Server, width: int
) -> None:
    # given a hall display on a device that is not logged in
    tables = [{"name": "1", "players": ["Ada", "Ben"]}]
    event: dict[str, Any] = {
        "name": "Hall",
        "when": "",
        "game": "master_builder",
        "catalog": "house",
        "rules": {},
        "variants": [],
    }
    made = page.request.post("/api/v1/events", data={**event, "tables": tables}).json()
    page.goto(f"/events/{made['id']}")
    address = page.get_by_role("link", name="Hall display").get_attribute("href")
    context = browser.new_context(
        base_url=f"http://127.0.0.1:{server.port}", viewport={"width": width, "height": 800}, locale="en-GB"
    )
    display = context.new_page()
    display.clock.install()
    display.goto(str(address))
    expect(display.locator(".hall-table")).to_have_count(1)

    # when everybody is logged out, then a television shows letters for the organiser, a phone says what happened
    assert page.request.delete("/api/v1/guests").ok
    display.clock.fast_forward(40_000)
    if width == 1280:
        display.wait_for_url("**/tv")
    else:
        expect(display.get_by_role("heading", name="This address has ended")).to_be_visible()
    context.close()
