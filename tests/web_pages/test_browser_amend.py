"""An entry put right on the tablet, in a real browser."""

import pytest
from playwright.sync_api import Page, Route, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.pages import flush_requests, run_axe
from tests.waiting import until
from tests.web_pages.conftest import At
from tests.web_pages.fit import CUT, SMALL, require_accessible

pytestmark = pytest.mark.browser


@pytest.mark.nightly
def test_a_worker_scanned_as_another_is_put_right_rounds_later(page: Page, tables: Tables, moment: At) -> None:
    # given a hire of the first round, and one who is still in the supply
    table = tables.get(moment("later_hire")[0])
    entry = next(entry for entry in table.entries if entry.command["do"] == "hire_worker")
    supply = next(offer for offer in table.show("banker")["offers"] if offer["do"] == "hire_worker")["fields"]["worker"]
    worker = next(card for card in reversed(supply["values"]) if card > "W30")
    before = table.position

    # when the banker opens the journal and puts the other one in
    page.goto(f"/tables/{table.id}")
    page.get_by_role("banner").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Journal").click()
    page.locator(f'.amends [data-sheet=amend][data-seq="{entry.seq}"]').click()
    page.locator("#sheet select").select_option(worker)

    # then they are shown what would change beside the choice, and nothing has happened
    expect(page.locator(".amend .then").first).to_contain_text(worker)
    expect(page.locator(".money-then tbody tr")).to_have_count(4)
    expect(page.locator("#sheet select")).to_have_value(worker)
    assert table.position == before

    # when they agree, the journal says so, and one undo takes everything back
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".amends .act").first).to_contain_text("Corrected: ")
    assert table.entries[-1].command["with"]["worker"] == worker
    page.locator("#sheet").get_by_role("button", name="Undo").click()
    expect(page.locator(".amends .act").first).to_contain_text("Undone: Corrected: ")
    assert table.position == before


def test_effects_follow_the_choice_and_nothing_older_can_be_applied(page: Page, tables: Tables, moment: At) -> None:
    # given the sheet of a bid, with the journal beside it
    table = tables.get(moment("auction")[0])
    entry = next(entry for entry in reversed(table.entries) if entry.command["do"] in {"bid", "open_auction"})
    amount, version = entry.command["bid"], table.version
    page.goto(f"/tables/{table.id}?lang=en")
    page.get_by_role("banner").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Journal").click()
    page.locator(f'.amends [data-sheet=amend][data-seq="{entry.seq}"]').click()
    apply, effects = page.get_by_role("button", name="Apply"), page.locator(".by-form .amend")
    expect(page.locator(".side-column [aria-current]")).to_be_in_viewport()
    expect(apply).to_be_disabled()

    # when another amount is chosen and another again, then the effects of the latest are shown, and it can be applied
    for more in (1, 2):
        page.locator("#sheet [data-stepper] [data-add='1000']").first.click()
        expect(effects.locator(".then").first).to_contain_text(f"{(amount + more * 1000):,}")
        expect(apply).to_be_enabled()

    # when the next look does not arrive, then what was seen before cannot be applied
    page.route("**/live?part=amend*", lambda route: route.abort())
    page.locator("#sheet [data-stepper] [data-add='1000']").first.click()
    expect(apply).to_be_disabled()
    assert table.version == version

    # when the network is whole again, and another entry beside is opened
    page.unroute("**/live?part=amend*")
    page.locator(".side-column button").first.click()

    # then that one is to be chosen anew
    expect(page.locator(f'.side-column button[data-seq="{entry.seq}"]')).to_be_visible()
    expect(page.locator("#sheet .amend .then")).to_have_count(0)


@pytest.mark.nightly
def test_a_figure_shows_what_follows_while_it_is_typed(page: Page, tables: Tables, moment: At) -> None:
    # given the sheet of a player's cash
    table = tables.get(moment("later_hire")[0])
    version = table.version
    page.goto(f"/tables/{table.id}?lang=en")
    page.get_by_role("banner").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct a figure").click()
    page.locator("#sheet .people-choice button").first.click()
    page.locator("#sheet .pick-list button", has_text="Cash").click()
    expect(page.locator("#sheet .amend")).to_contain_text("nothing is booked yet")

    # when an amount is typed, then what follows is shown; it is booked when it is applied
    page.locator("#sheet input[type=number]").fill("12000")
    expect(page.locator(".figure-change b")).to_have_text("$12,000")
    expect(page.locator(".follows li").first).to_contain_text("Corrected")
    assert table.version == version

    # when it is deleted and typed again, then it can be applied
    page.locator("#sheet input[type=number]").fill("")
    expect(page.get_by_role("button", name="Apply")).to_be_disabled()
    page.locator("#sheet input[type=number]").fill("12000")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("#sheet")).not_to_be_visible()
    assert table.version == version + 1


def test_a_preview_is_cancelled_without_a_trace(page: Page, tables: Tables, moment: At) -> None:
    # given a network on which the sheet arrives before what its buttons do
    table = tables.get(moment("auction")[0])
    version = table.version

    routes: list[Route] = []
    page.route("**/preview.js", lambda route: routes.append(route))  # noqa: PLW0108
    page.goto(f"/tables/{table.id}")
    page.get_by_role("banner").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Journal").click()
    with page.expect_response("**/live?part=amend*") as answer:
        page.locator('.amends [data-sheet=amend][data-seq="3"]').click()
    answer.value.finished()
    until(lambda: page.title() and routes)
    flush_requests(page)
    expect(page.locator("#sheet .amend")).to_have_count(0)
    routes[0].continue_()

    # when the first button of the sheet is tapped at once, then the effects are shown
    page.get_by_role("button", name="Remove …").click()
    expect(page.locator(".amend")).to_contain_text("no longer possible")

    # when it is cancelled, then nothing was booked
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#sheet")).not_to_be_visible()
    assert table.version == version


@pytest.mark.nightly
def test_the_sheet_is_within_everybodys_reach(page: Page, tables: Tables, seen: At) -> None:
    table = tables.get(seen("later_hire")[0])
    page.goto(f"/tables/{table.id}?lang=de")
    page.get_by_role("button", name="Mehr").click()
    page.get_by_role("button", name="Journal").click()
    page.locator('.amends [data-sheet=amend][data-seq="4"]').click()
    expect(page.locator("[data-preview-form]")).to_be_visible()
    page.get_by_role("button", name="Entfernen …").click()
    expect(page.locator(".money-then")).to_be_visible()
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(
            "document.querySelector('.amend').scrollWidth <= document.querySelector('.amend').clientWidth"
        )
        assert page.evaluate(CUT) == []
        assert page.evaluate(SMALL) == []
    require_accessible(page)


@pytest.mark.nightly
def test_a_plan_is_replaced_by_another_on_the_planning_page(page: Page, tables: Tables, moment: At) -> None:
    # given plans that were made and revealed
    table = tables.get(moment("build")[0])
    for player in table.show("banker")["position"]["waiting_for"]:
        table.submit(Request(table.advice.suggestion("banker", player)["command"], "banker", "test"))
    entry = next(entry for entry in reversed(table.entries) if entry.command["do"] == "plan" and entry.command["work"])

    # when one of them is opened in the journal and cleared
    page.goto(f"/tables/{table.id}")
    page.get_by_role("banner").get_by_role("button", name="More").click()
    page.get_by_role("button", name="Journal").click()
    page.locator(f'.amends [data-sheet=amend][data-seq="{entry.seq}"]').click()
    planned = sum(len(sections) for sections in entry.command["work"].values())
    expect(page.locator("#plan .section.planned")).to_have_count(planned)
    assert run_axe(page).violations_count == 0
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#plan .section.planned")).to_have_count(0)

    # and nothing is to be built instead
    page.get_by_role("button", name="Build nothing").click()
    expect(page.locator(".amend .then").first).to_contain_text("builds nothing")
    page.get_by_role("button", name="Apply").click()

    # then that plan stands, and one undo takes it back
    expect(page.locator(".amends .act").first).to_contain_text("Corrected: ")
    assert table.entries[-1].command["with"] == {**entry.command, "work": {}}
