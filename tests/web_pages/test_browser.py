"""The tablet in a real browser: taps, undo, languages, lost contact, sizes, accessibility."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from companion.web.server.server import Server
from tests import extent
from tests.extent import in_check
from tests.pages import answered
from tests.waiting import until
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.banker_browser import TABLET
from tests.web_pages.conftest import At
from tests.web_pages.fit import CUT, SMALL, require_accessible
from tests.web_pages.whole_games import moments

pytestmark = pytest.mark.browser

SIZES = [(1280, 800), (1024, 600), (800, 1280), (390, 844)]


def test_from_the_lobby_to_the_first_hire_and_back_by_undo(page: Page, tables: Tables) -> None:
    # given three seats in the lobby, two of them named
    page.goto("/")
    page.locator(".seat-name").nth(0).fill("Ada")
    page.locator(".seat-name").nth(1).fill("Ben")
    page.get_by_role("button", name="Remove this player").nth(2).click()
    page.get_by_role("button", name="Start the game").click()

    # when the first worker is tapped
    expect(page.locator("#sentence")).to_contain_text("Ada: hire a worker")
    page.get_by_role("button", name="Hire", exact=True).click()
    page.locator(".over .card").first.click()

    # then the next one's turn is on the sheet, they stand in the panel, and an undo takes them back
    expect(page.locator("#sheet-title")).to_have_text("Ben hires")
    page.keyboard.press("Escape")
    expect(page.locator("#panel-red .chip")).to_have_count(1)
    expect(page.locator("#sentence")).to_contain_text("Ben")
    expect(page.locator("#entries")).to_contain_text("Ada hires")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#panel-red .chip")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#panel-red .chip")).to_have_count(1)
    assert tables.get(page.url.rsplit("/", 1)[-1]).version == 4


def test_a_double_tap_is_sent_once(page: Page, tables: Tables, moment: At) -> None:
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}")

    routes: list[Route] = []
    page.route("**/commands", lambda route: routes.append(route))  # noqa: PLW0108

    page.get_by_role("button", name="Pass", exact=True).dblclick()
    until(lambda: page.title() and routes)
    for route in routes:
        route.continue_()

    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    answered(page)
    assert tables.get(table).version == shown["version"] + 1


def test_a_change_elsewhere_comes_by_itself_and_keeps_the_open_sheet(page: Page, tables: Tables, moment: At) -> None:
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct money").click()
    page.get_by_label("Reason").fill("paid twi")

    rename = {"do": "rename_player", "player": "blue", "name": "Eve"}
    tables.get(table).submit(Request(rename, "banker", "test"))

    expect(page.locator("#panel-blue h2")).to_have_text("Eve")
    expect(page.get_by_label("Reason")).to_have_value("paid twi")


def test_a_correction_in_the_making_keeps_its_player_when_the_turn_passes(
    page: Page, tables: Tables, moment: At
) -> None:
    # given a correction in the making for whoever is up
    table, shown = moment("first_hire")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "hire_worker")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct money").click()
    to = page.locator("#sheet input[name=to]:checked")
    expect(to).to_have_attribute("value", offer["player"])

    # when they hire on their phone, and it is the next one's turn
    hired = {"do": "hire_worker", "player": offer["player"], "worker": offer["fields"]["worker"]["values"][0]}
    tables.get(table).submit(Request(hired, "banker", "test"))
    expect(page.locator("#sheet [data-version]")).to_have_attribute("data-version", str(shown["version"] + 1))

    # then the money still goes to them
    expect(to).to_have_attribute("value", offer["player"])


def test_cash_that_is_counted_for_another_player_stays_theirs_while_others_book(
    page: Page, tables: Tables, moment: At
) -> None:
    # given the sheet on which cash is counted, turned to another player than the one who is up
    table, shown = moment("later_hire")
    players = shown["position"]["players"]
    up = shown["position"]["waiting_for"][0]
    other = next(each for each in players if players[each]["cash"] != players[up]["cash"])
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Count cash").click()
    page.locator(f"#sheet input[name=player][value={other}]").check()
    expect(page.locator("#sheet output")).to_have_text(f"${players[other]['cash']:,}")

    # when something is booked meanwhile
    rename = {"do": "rename_player", "player": up, "name": "Eve"}
    tables.get(table).submit(Request(rename, "banker", "test"))
    expect(page.locator("#sheet").get_by_text("Eve").first).to_be_visible()

    # then what is counted is still their cash
    expect(page.locator("#sheet output")).to_have_text(f"${players[other]['cash']:,}")
    expect(page.get_by_role("button", name=f"We hold ${players[other]['cash']:,}")).to_be_visible()


def test_a_refusal_is_said_in_words(page: Page, moment: At) -> None:
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}?lang=de")
    page.get_by_role("button", name="Mehr").click()
    page.get_by_role("button", name="Geld korrigieren").click()
    page.locator("input[name=from][value=red]").check()
    page.locator("input[name=to][value=red]").check()
    page.get_by_label("Grund").fill("so")
    page.get_by_role("button", name="Um 1.000").click()

    expect(page.locator("#toast")).to_contain_text("Geld muss den Besitzer wechseln")


@pytest.mark.nightly
def test_a_refusal_over_a_sheet_stays_when_the_table_moves_on_beneath(page: Page, tables: Tables, moment: At) -> None:
    # given a refusal that lies on an open sheet
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct money").click()
    page.locator("input[name=from][value=red]").check()
    page.locator("input[name=to][value=red]").check()
    page.get_by_label("Reason").fill("so")
    page.get_by_role("button", name="Correct by").click()
    expect(page.locator("#sheet #toast")).to_be_visible()

    # when the sheet is fetched anew
    rename = {"do": "rename_player", "player": "blue", "name": "Eve"}
    tables.get(table).submit(Request(rename, "banker", "test"))
    expect(page.locator("#sheet").get_by_text("Eve").first).to_be_visible()

    # then it can still be read
    expect(page.locator("#sheet #toast")).to_be_visible()


def test_the_camera_asks_and_one_tap_answers(page: Page, moment: At, scanner: FakeScanner) -> None:
    table, shown = moment("first_hire")
    player = shown["position"]["waiting_for"][0]
    page.goto(f"/tables/{table}")

    scanner.propose(table, {"do": "hire_worker", "player": player, "worker": "W07"})
    expect(page.locator("#proposal-title")).to_contain_text("W07 for")
    page.get_by_role("button", name="Yes, hire").click()

    expect(page.locator(f"#panel-{player} .chip")).to_have_count(1)
    expect(page.locator("#proposal-title")).to_have_count(0)


def test_the_bidding_pad_never_leaves_what_is_possible(page: Page, tables: Tables, moment: At) -> None:
    table, shown = moment("auction")
    field = next(offer for offer in shown["offers"] if offer["do"] == "bid")["fields"]["amount"]
    page.goto(f"/tables/{table}")

    page.get_by_role("button", name="All in").click()
    expect(page.locator("#pad output")).to_have_text(f"${field['most']:,}")
    page.get_by_role("button", name=f"Bid ${field['most']:,}").click()

    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    assert tables.get(table).journal("banker")[-1]["command"]["amount"] == field["most"]


def test_the_next_bidder_begins_at_their_least_bid_whatever_the_one_before_had_set(
    page: Page, tables: Tables, moment: At
) -> None:
    # given a bidder who sets more than the least, and thinks better of it
    table, shown = moment("auction")
    up = shown["position"]["waiting_for"][0]
    page.goto(f"/tables/{table}")
    page.locator("#pad .quick [data-add='5000']").click()
    page.locator("#pad [data-command*=pass]").click()

    # when it is the next one's turn
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    offer = next(offer for offer in tables.get(table).show("banker")["offers"] if offer["do"] == "bid")
    assert offer["player"] != up

    # then their pad stands at the least that they may bid
    least = f"${offer['fields']['amount']['least']:,}"
    expect(page.locator("#pad output")).to_have_text(least)
    expect(page.locator("#pad .filled")).to_have_text(f"Bid {least}")


@pytest.mark.nightly
def test_a_card_under_the_camera_does_not_undo_a_bid_in_the_making(
    page: Page, moment: At, scanner: FakeScanner
) -> None:
    table, shown = moment("auction")
    field = next(offer for offer in shown["offers"] if offer["do"] == "bid")["fields"]["amount"]
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="All in").click()

    scanner.propose(table, {"do": "hire_worker", "player": "blue", "worker": "W07"})

    expect(page.locator("#proposal-title")).to_be_visible()
    expect(page.locator("#pad output")).to_have_text(f"${field['most']:,}")


@pytest.mark.nightly
def test_quick_taps_of_a_plan_are_all_heard_however_slow_the_network(page: Page, moment: At) -> None:
    # given a plan, and a companion that takes its time to answer
    table, shown = moment("build")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "plan")
    page.goto(f"/tables/{table}")
    page.locator(f"[data-sheet=plan][data-player={offer['player']}]").click()
    page.locator("[data-worker]").first.wait_for()
    routes: list[Route] = []
    page.route("**/live?*", lambda route: routes.append(route))  # noqa: PLW0108 (Playwright marks what it is given)

    # when a worker and a section are tapped before the first tap is answered
    page.locator("[data-worker]").first.click()
    page.locator("[data-place]:not([disabled])").last.click()

    # then nothing can be locked that is not on the screen, and both taps stand once the answers come, last first
    expect(page.get_by_role("button", name="Build nothing")).to_be_disabled()
    until(lambda: page.title() and len(routes) >= 2)
    for route in reversed(routes):
        route.continue_()
    expect(page.locator(".card.busy")).to_have_count(1)
    expect(page.get_by_role("button", name="Build nothing")).to_be_enabled()


def test_a_plan_is_made_by_tapping_worker_and_section(page: Page, tables: Tables, moment: At) -> None:
    table, shown = moment("build")
    offer = next(offer for offer in shown["offers"] if offer["do"] == "plan")
    page.goto(f"/tables/{table}")
    page.locator(f"[data-sheet=plan][data-player={offer['player']}]").click()

    page.locator("[data-worker]").first.click()
    expect(page.locator("[data-worker]").first).to_have_attribute("aria-pressed", "true")
    page.locator("[data-place]:not([disabled])").first.click()
    expect(page.locator(".section.begun, .section.planned, .section.bad")).to_have_count(1)
    expect(page.locator(".plan .refusal")).to_be_visible()
    page.get_by_role("button", name="Cover").first.click()
    expect(page.locator("#cover")).to_be_visible()
    page.get_by_role("button", name="Show it again").click()
    page.get_by_role("button", name="Build nothing").click()

    expect(page.locator("#sheet")).not_to_be_visible()
    assert offer["player"] in tables.get(table).show("banker")["position"]["planned"]


def test_lost_contact_is_a_banner_and_comes_back_by_itself(page: Page, moment: At) -> None:
    table, _ = moment("first_hire")
    page.goto(f"/tables/{table}")
    expect(page.locator("#sentence")).to_be_visible()

    page.route("**/stream?*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(page.locator("#banner")).to_be_visible()
    page.get_by_role("button", name="Hire", exact=True).click()
    page.unroute("**/stream?*")
    page.evaluate("document.getElementById('try-now').click()")

    expect(page.locator("#banner")).not_to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["/", "/login", *in_check([moment.name for moment in moments()], "auction")])
def test_no_page_scrolls_sideways_or_cuts_a_word(page: Page, seen: At, path: str) -> None:
    paths = [path] if path.startswith("/") else [f"/tables/{seen(path)[0]}", f"/tables/{seen(path)[0]}/display"]
    for address in paths:
        page.goto(f"{address}?lang=de")  # the longest words
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})

            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
            assert page.evaluate(CUT) == [], (address, width)


@pytest.mark.nightly
@pytest.mark.parametrize("name", in_check(["later_hire", "choice", "auction", "build", "loan", "end"], "auction"))
def test_nothing_stands_in_the_way_of_anybody(page: Page, seen: At, name: str) -> None:
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.goto(f"/tables/{seen(name)[0]}")
    require_accessible(page)


def test_targets_are_large_enough_for_thumbs(page: Page, seen: At) -> None:
    for name in extent.of_all(("later_hire",), ("later_hire", "auction", "loan", "end")):
        page.goto(f"/tables/{seen(name)[0]}")

        assert page.evaluate(SMALL) == [], name


@pytest.mark.nightly
def test_undo_and_redo_both_lie_within_the_journal(page: Page, tables: Tables, moment: At) -> None:
    table, _ = moment("choice")
    tables.get(table).submit(Request({"do": "undo"}, "banker", "test"))
    page.goto(f"/tables/{table}?lang=de")  # the longest words
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        journal = page.locator(".journal").bounding_box()
        assert journal is not None
        for name in ("Wiederholen", "Rückgängig"):
            box = page.locator(".journal header").get_by_role("button", name=name).bounding_box()
            assert box is not None
            assert journal["x"] <= box["x"], (name, width)
            assert box["x"] + box["width"] <= journal["x"] + journal["width"], (name, width)


@pytest.mark.nightly
def test_a_long_journal_row_is_folded_and_stays_open_when_the_table_moves_on(
    page: Page, tables: Tables, moment: At
) -> None:
    # given an entry with many consequences
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}")
    rows = page.locator("#entries details")
    folded = page.locator("#entries details .after")
    expect(folded.first).not_to_be_visible()

    # when it is unfolded and something else happens
    rows.first.locator("summary").click()
    rename = {"do": "rename_player", "player": "blue", "name": "Eve"}
    tables.get(table).submit(Request(rename, "banker", "test"))
    expect(page.locator("#panel-blue h2")).to_have_text("Eve")

    # then it is still open
    expect(folded.first).to_be_visible()


LOADED = """() => {
  const [page] = performance.getEntriesByType("navigation");
  if (!page.loadEventEnd) return null;
  return [page, ...performance.getEntriesByType("resource")]
    .filter(({ name, startTime }) => startTime < page.loadEventEnd && !/stream|[.]woff2/.test(name))
    .map(({ decodedBodySize }) => decodedBodySize);
}"""
"""Bytes of whatever a page asks for until it is loaded, its modules among it; what it fetches at leisure comes later.

Pages stream on, and no paint waits for a typeface: these have a limit of their own.
"""


def test_the_first_paint_is_small(browser: Browser, server: Server, seen: At) -> None:
    context = browser.new_context(base_url=f"http://127.0.0.1:{server.port}", viewport=TABLET)
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{seen('later_hire')[0]}")
    sizes: list[int] = page.wait_for_function(LOADED).json_value()
    context.close()

    assert 0 < sum(sizes) < 150_000
