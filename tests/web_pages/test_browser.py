"""The tablet in a real browser: taps, undo, languages, lost contact, sizes, accessibility."""

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from companion.service.tables import Tables
from companion.web.server import Server
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.whole_games import moments, table_at

pytestmark = pytest.mark.browser

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
SIZES = [(1280, 800), (1024, 600), (800, 1280), (390, 844)]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(chromium: Browser, server: Server) -> Iterator[BrowserContext]:
    made = chromium.new_context(base_url=address(server), viewport={"width": 1280, "height": 800}, locale="en-GB")
    made.set_default_timeout(5_000)
    made.request.post("/login", form={"pin": PIN, "next": "/"})
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    faults: list[str] = []
    made = context.new_page()
    made.on("pageerror", lambda error: faults.append(str(error)))
    made.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
    yield made
    assert faults == []


def address(server: Server) -> str:
    return f"http://127.0.0.1:{server.port}"


def moment(tables: Tables, name: str) -> tuple[str, dict[str, Any]]:
    return table_at(tables, next(one for one in moments() if one.name == name))


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

    # then he stands in the panel, and an undo takes him back
    expect(page.locator("#panel-red .chip")).to_have_count(1)
    expect(page.locator("#sentence")).to_contain_text("Ben")
    expect(page.locator("#entries")).to_contain_text("Ada hires")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#panel-red .chip")).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#panel-red .chip")).to_have_count(1)
    assert tables.get("t1").version == 4


def test_a_double_tap_is_sent_once(page: Page, tables: Tables) -> None:
    table, shown = moment(tables, "later_hire")
    page.goto(f"/tables/{table}")

    page.get_by_role("button", name="Pass", exact=True).dblclick()

    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    page.wait_for_timeout(300)
    assert tables.get(table).version == shown["version"] + 1


def test_a_change_elsewhere_comes_by_itself_and_keeps_the_open_sheet(page: Page, tables: Tables) -> None:
    table, _ = moment(tables, "later_hire")
    page.goto(f"/tables/{table}")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Correct money").click()
    page.get_by_label("Reason").fill("paid twi")

    rename = {"do": "rename_player", "player": "blue", "name": "Eve"}
    tables.get(table).submit(rename, actor="banker", source="test", seen=None)

    expect(page.locator("#panel-blue h2")).to_have_text("Eve")
    expect(page.get_by_label("Reason")).to_have_value("paid twi")


def test_a_refusal_is_said_in_words(page: Page, tables: Tables) -> None:
    table, _ = moment(tables, "later_hire")
    page.goto(f"/tables/{table}?lang=de")
    page.get_by_role("button", name="Mehr").click()
    page.get_by_role("button", name="Geld korrigieren").click()
    page.locator("input[name=from][value=red]").check()
    page.locator("input[name=to][value=red]").check()
    page.get_by_label("Grund").fill("so")
    page.get_by_role("button", name="Um 1.000").click()

    expect(page.locator("#toast")).to_contain_text("Geld geht von einem zum anderen")


def test_the_camera_asks_and_one_tap_answers(page: Page, tables: Tables, scanner: FakeScanner) -> None:
    table, shown = moment(tables, "first_hire")
    player = shown["position"]["waiting_for"][0]
    page.goto(f"/tables/{table}")

    scanner.propose(table, {"do": "hire_worker", "player": player, "worker": "W07"})
    expect(page.locator("#proposal-title")).to_contain_text("W07. Hire?")
    page.get_by_role("button", name="Yes, hire").click()

    expect(page.locator(f"#panel-{player} .chip")).to_have_count(1)
    expect(page.locator("#proposal-title")).to_have_count(0)


def test_the_bidding_pad_never_leaves_what_is_possible(page: Page, tables: Tables) -> None:
    table, shown = moment(tables, "auction")
    field = next(one for one in shown["offers"] if one["do"] == "bid")["fields"]["amount"]
    page.goto(f"/tables/{table}")

    page.get_by_role("button", name="All in").click()
    expect(page.locator("#pad output")).to_have_text(f"${field['most']:,}")
    page.get_by_role("button", name=f"Bid ${field['most']:,}").click()

    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"] + 1))
    assert tables.get(table).journal("banker")[-1]["command"]["amount"] == field["most"]


def test_a_plan_is_made_by_tapping_worker_and_section(page: Page, tables: Tables) -> None:
    table, shown = moment(tables, "build")
    offer = next(one for one in shown["offers"] if one["do"] == "plan")
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


def test_lost_contact_is_a_banner_and_comes_back_by_itself(page: Page, tables: Tables) -> None:
    table, _ = moment(tables, "first_hire")
    page.goto(f"/tables/{table}")
    expect(page.locator("#sentence")).to_be_visible()

    page.route("**/stream", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(page.locator("#banner")).to_be_visible()
    page.get_by_role("button", name="Hire", exact=True).click()
    page.unroute("**/stream")
    page.evaluate("document.getElementById('try-now').click()")

    expect(page.locator("#banner")).not_to_be_visible()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_page_scrolls_sideways(page: Page, tables: Tables, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    paths = ["/", "/login", *(f"/tables/{moment(tables, one.name)[0]}" for one in moments())]

    for path in paths:
        page.goto(f"{path}?lang=de")  # the longest words
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], (path, width)


@pytest.mark.parametrize("name", ["later_hire", "choice", "auction", "build", "loan", "end"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_stands_in_the_way_of_anybody(page: Page, tables: Tables, name: str, scheme: Any) -> None:
    table, _ = moment(tables, name)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"/tables/{table}")

    found = Axe().run(page)

    assert found.violations_count == 0, found.generate_report()


def test_targets_are_large_enough_for_thumbs(page: Page, tables: Tables) -> None:
    for name in ("later_hire", "auction", "loan"):
        page.goto(f"/tables/{moment(tables, name)[0]}")
        small = page.evaluate(
            "[...document.querySelectorAll('button, a')].filter(one => one.offsetParent)"
            ".map(one => [one, one.getBoundingClientRect()])"
            ".map(([one, box]) => [one.textContent.trim(), box.width, box.height])"
            ".filter(([, width, height]) => width < 47.5 || height < 47.5)"
        )
        assert small == [], name


def test_the_first_paint_is_small(page: Page, tables: Tables, scanner: FakeScanner) -> None:
    del scanner
    sizes: list[int] = []
    page.on("response", lambda answer: sizes.append(len(answer.body())) if "stream" not in answer.url else None)
    page.goto(f"/tables/{moment(tables, 'later_hire')[0]}")
    page.wait_for_timeout(300)

    assert sum(sizes) < 150_000
