"""Services of one device: tones, announcements, a screen kept awake, an icon, a page for want of contact."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from companion.service.table.table import Request
from companion.web.server.server import Server
from tests import waiting
from tests.pages import follows, loaded, run_axe
from tests.web.conftest import PIN
from tests.web.fake_scanner import FakeScanner
from tests.web_pages.banker_browser import banker_device
from tests.web_pages.conftest import At

SHOWN_ANEW_MS = 200
"""By then a button for sounds shows what a touch has changed."""
KEPT = "caches.open('no-contact-3').then((shelf) => shelf.keys()).then((all) => all.map((one) => one.url))"
READINGS = "JSON.parse(document.getElementById('page').sight).readings"
HEARD = """
window.heard = [];
const begin = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...at) {
  heard.push(Math.round(this.frequency.value));
  begin.apply(this, at);
};
speechSynthesis.speak = (words) => heard.push(words.lang + ": " + words.text);
"""
# Whoever looks into a page by script touches it, as Chromium sees it; what is said on the console touches nothing.
# Modules may have said something before the document is complete, so that the whole document is watched from its start.
SAID = """
let said = "";
const say = () => {
  const toast = document.getElementById("toast")?.textContent ?? "";
  if (toast && toast !== said) console.info(toast);
  said = toast;
};
new MutationObserver(say).observe(document, { subtree: true, childList: true, characterData: true });
"""


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A device of the banker's own, on which nothing was chosen yet."""
    with banker_device(browser, server) as made:
        made.add_init_script(HEARD)
        yield made


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()


def until(page: Page, true: str) -> None:
    """Wait for something in the page; by asking again, for its policy lets nobody wait inside it."""
    waiting.until(lambda: page.evaluate(true), lambda: f"{true}, where {page.evaluate('heard')} was heard")


@pytest.fixture
def untouched(browser: Browser, context: BrowserContext) -> Iterator[Callable[[Page], Page]]:
    """Yield a function that switches the device on again; browsers may take an earlier touch for one of now."""
    made: list[BrowserContext] = []

    def again(page: Page) -> Page:
        origin, kept = str(page.evaluate("location.origin")), context.storage_state()
        other = browser.new_context(base_url=origin, locale="en-GB", storage_state=kept)
        other.add_init_script(HEARD + SAID)
        made.append(other)
        page.close()
        return other.new_page()

    yield again
    for new_context in made:
        new_context.close()


def tap(page: Page, button: Locator) -> None:
    """Tap a button of the big screen: buttons are there while one has the focus, and no message covers them."""
    expect(page.locator("#toast")).to_be_hidden()
    button.focus()
    button.click()


def switch(page: Page, name: str) -> None:
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Close").click()


@pytest.mark.browser
def test_nothing_is_heard_until_somebody_wishes(page: Page, moment: At, scanner: FakeScanner) -> None:
    table, shown = moment("first_hire")
    page.goto(f"/tables/{table}")
    page.locator("#sentence").click()

    scanner.propose(table, {"do": "hire_worker", "player": shown["position"]["waiting_for"][0], "worker": "W07"})

    expect(page.locator("#proposal-title")).to_contain_text("W07")
    assert page.evaluate("heard") == []
    assert not [cookie for cookie in page.context.cookies() if cookie["name"] in {"sounds", "speech"}]


@pytest.mark.nightly
@pytest.mark.browser
def test_a_card_and_a_refusal_have_tones_of_their_own(page: Page, moment: At, scanner: FakeScanner) -> None:
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}")
    switch(page, "Sounds")
    until(page, "heard.length == 2")  # what it sounds like is heard at once

    scanner.propose(table, {"do": "hire_worker", "player": shown["position"]["waiting_for"][0], "worker": "W07"})
    until(page, "heard.length == 4")
    assert page.evaluate("heard.slice(2)") == page.evaluate("heard.slice(0, 2)")

    page.evaluate("import('/static/core/toast.js').then(({ toast }) => toast('No', true))")
    until(page, "heard.length == 6")
    assert page.evaluate("heard[4] < heard[0]")

    # and the choice is remembered
    page.reload()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("button", name="Sounds")).to_have_attribute("aria-pressed", "true")


@pytest.mark.browser
@pytest.mark.nightly
def test_the_big_screen_sounds_at_each_reading_once_somebody_chose_and_touched_it(
    page: Page, untouched: Callable[[Page], Page], moment: At, scanner: FakeScanner
) -> None:
    # given a big screen on which nothing was chosen
    table, shown = moment("later_hire")
    hire = {"do": "hire_worker", "player": shown["position"]["waiting_for"][0]}
    page.goto(f"/tables/{table}/display")
    sounds = page.get_by_role("button", name="Sounds")
    expect(sounds).to_have_attribute("aria-pressed", "false")
    follows(page)
    before = page.evaluate(READINGS)
    scanner.propose(table, {**hire, "worker": "W07"})
    waiting.until(lambda: page.evaluate(READINGS) > before)
    assert page.evaluate("heard") == []

    # when somebody chooses sounds, it is heard what they sound like, and each card is heard from then on
    tap(page, sounds)
    until(page, "heard.length == 2")
    expect(sounds).to_have_accessible_name("Sounds on, on this device")
    scanner.propose(table, {**hire, "worker": "W08"})
    until(page, "heard.length == 4")

    # and after a change of the table the choice is still shown
    version = int(page.locator("#state").get_attribute("data-version") or 0)
    scanner.tables.get(table).submit(Request({"do": "pass", "player": hire["player"]}, "banker", "t"))
    expect(page.locator("#state")).to_have_attribute("data-version", str(version + 1))
    expect(sounds).to_have_attribute("aria-pressed", "true")

    # when it is opened in a window that nobody has touched yet, it says that it waits for a touch, and one is enough
    page = untouched(page)
    sounds = page.get_by_role("button", name="Sounds")
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/stream?*", hold)
    with page.expect_console_message(lambda said: "after a tap or a key" in said.text):
        page.goto(f"/tables/{table}/display")
    expect(sounds).to_have_accessible_name("Sounds tap once to hear it")
    results = run_axe(page)
    assert results.violations_count == 0, results.generate_report()
    tap(page, sounds)
    expect(sounds).to_have_accessible_name("Sounds on, on this device")

    # and what was read before its line to the table stood is no news to it
    late[0].continue_()
    until(page, "document.getElementById('page').sight")
    assert page.evaluate("heard") == []
    scanner.propose(table, {**hire, "worker": "W09"})
    until(page, "heard.length == 2")

    # and off is off
    tap(page, sounds)
    expect(sounds).to_have_attribute("aria-pressed", "false")


@pytest.mark.browser
@pytest.mark.nightly
def test_the_big_screen_does_not_call_sounds_on_before_its_tones_have_come(
    page: Page, untouched: Callable[[Page], Page], moment: At
) -> None:
    # given a screen on which sounds were chosen
    table, _ = moment("later_hire")
    page.goto(f"/tables/{table}/display")
    sounds = page.get_by_role("button", name="Sounds")
    tap(page, sounds)
    expect(sounds).to_have_accessible_name("Sounds on, on this device")

    # when it is opened anew, and the network loses the tones
    page = untouched(page)
    sounds = page.get_by_role("button", name="Sounds")
    page.route("**/aloud.js*", lambda route: route.abort())
    page.clock.install()
    page.goto(f"/tables/{table}/display")

    # then it does not claim to be heard, and neither does a touch make it so
    expect(sounds).to_have_accessible_name("Sounds tap once to hear it")
    tap(page, sounds)
    page.clock.run_for(SHOWN_ANEW_MS)
    expect(sounds).to_have_accessible_name("Sounds tap once to hear it")

    # until they have come: the touch is remembered
    page.unroute("**/aloud.js*")
    expect(sounds).to_have_accessible_name("Sounds on, on this device")


@pytest.mark.browser
def test_the_big_screen_speaks_where_that_was_chosen(page: Page, moment: At, scanner: FakeScanner) -> None:
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}/display")
    page.mouse.move(600, 400)  # the buttons are there for a while once something moves
    page.get_by_role("button", name="Spoken announcements").click()
    until(page, "heard.length == 1")

    player = shown["position"]["waiting_for"][0]
    scanner.tables.get(table).submit(Request({"do": "pass", "player": player}, "banker", "t"))

    until(page, "heard.length == 2")
    assert page.evaluate("heard")[-1].startswith("en: ")


@pytest.mark.browser
@pytest.mark.nightly
def test_turns_are_announced_in_the_language_of_the_page(page: Page, moment: At) -> None:
    table, shown = moment("later_hire")
    page.goto(f"/tables/{table}")
    switch(page, "Spoken announcements")
    page.goto(f"/tables/{table}?lang=de")
    expect(page.locator("#state")).to_have_attribute("data-version", str(shown["version"]))
    loaded(page, "table/aloud.js")

    page.get_by_role("button", name="Passen", exact=True).click()

    until(page, "heard.length > 0")
    said = page.evaluate("heard")[-1]
    name = page.locator("#sentence b").text_content()
    assert said.startswith("de: ")
    assert f" {name}" in said


@pytest.mark.browser
@pytest.mark.nightly
def test_the_menu_says_whether_the_screen_stays_awake(page: Page, seen: At) -> None:
    table, _ = seen("first_hire")
    page.goto(f"/tables/{table}")
    until(page, "document.documentElement.dataset.awake")
    page.get_by_role("button", name="More").click()

    note = page.locator(".awake:visible")

    expect(note).to_have_count(1)
    expect(note).to_contain_text("screen")


@pytest.mark.nightly
@pytest.mark.browser
def test_without_contact_a_page_says_so_and_comes_back_by_itself(browser: Browser, app: Flask, seen: At) -> None:
    # given a device that has seen the table once
    table, _ = seen("first_hire")
    server = Server(app, "127.0.0.1", 0)
    thread = Thread(target=server.run)
    thread.start()
    address = f"http://127.0.0.1:{server.port}"
    context = browser.new_context(base_url=address, locale="en-GB", service_workers="allow")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    page.goto(f"/tables/{table}")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")

    # when the network is gone and the page opened anew
    context.set_offline(True)
    page.goto(f"/tables/{table}")

    # then it says so, and nothing of the game was kept
    expect(page.get_by_role("heading")).to_contain_text("No connection to the companion")
    assert run_axe(page).violations_count == 0
    kept = page.evaluate(
        "caches.keys().then(async (all) => (await (await caches.open(all[0])).keys()).map((one) => one.url))"
    )
    assert all(url.endswith(("/no-contact", ".css", ".js", ".svg", ".woff2")) for url in kept)
    assert len(kept) > 5
    context.set_offline(False)
    expect(page.locator("#sentence")).to_be_visible()

    # and after another language was chosen it speaks that one
    page.goto(f"/tables/{table}?lang=de")
    until(page, "caches.match('/no-contact').then((kept) => kept.text()).then((html) => html.includes('lang=\"de\"'))")
    context.set_offline(True)
    page.goto(f"/tables/{table}")
    expect(page.get_by_role("heading")).to_contain_text("Keine Verbindung")
    context.close()
    server.stop()
    thread.join(waiting.PATIENCE_S)


def test_the_manifest_speaks_the_readers_language_and_its_icons_are_there(stranger: FlaskClient) -> None:
    answer = stranger.get("/manifest.webmanifest", query_string={"lang": "de"})
    manifest = json.loads(answer.text)

    assert answer.mimetype == "application/manifest+json"
    assert manifest["lang"] == "de"
    for icon in manifest["icons"]:
        with stranger.get(icon["src"]) as picture:
            assert picture.mimetype == icon["type"]
        if icon["type"] == "image/png":
            side = int(icon["sizes"].split("x")[0])
            with Image.open(Path(__file__).parents[2] / "companion" / "web" / icon["src"].lstrip("/")) as drawn:
                assert drawn.size == (side, side)


def test_the_service_worker_stands_at_the_top_of_the_site(stranger: FlaskClient) -> None:
    with stranger.get("/service_worker.js") as answer:
        assert answer.status_code == 200
        assert "javascript" in str(answer.mimetype)
