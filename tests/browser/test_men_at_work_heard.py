"""Men at Work with full hands: cards on the game's mat, the simulated camera, and a tablet that speaks.

How long a sentence takes from the card at rest: ``python -m benchmarks.heard``.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN, TABLET, Installation, serving
from tests.browser.screens import Troubles
from tests.browser.test_scanner_keys import scan
from tests.pages import loaded

HEARD = """
window.heard = [];
speechSynthesis.speak = (words) => heard.push({ text: words.text, at: Date.now() });
"""
SPEAKS_AFTER_S = 15.0


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with serving(tmp_path_factory.mktemp("heard") / "data", "sim:5:site") as installation:
        yield installation


@pytest.fixture
def table(running: Installation) -> Iterator[Table]:
    running.furniture.clear()
    players = [{"id": "blue", "name": "Ada"}, {"id": "grey", "name": "Ben"}]
    start = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": players}
    started_table = running.services.tables.start(Request(start, "banker", "tap"))
    running.services.scanner.attach(started_table)
    running.services.proposals.set_level(started_table, "automatic")
    running.services.proposals.set_level(started_table, "automatic", "command")
    yield started_table
    running.services.tables.put_in_bin(started_table.id)


@contextmanager
def speaking_tablet(running: Installation, browser: Browser) -> Iterator[Page]:
    """The banker's tablet, which speaks; ``heard`` holds what it said."""
    troubles = Troubles()
    context = browser.new_context(viewport=TABLET, base_url=running.address, locale="en-GB")  # type: ignore[arg-type]
    troubles.watch("tablet", context)
    context.add_init_script(HEARD)
    context.request.post("/api/v1/logins", data={"pin": PIN})
    context.add_cookies([{"name": "speech", "value": "1", "url": running.address}])
    yield context.new_page()
    context.close()
    assert troubles.seen == []


@pytest.fixture
def tablet(running: Installation, table: Table, browser: Browser) -> Iterator[Page]:
    with speaking_tablet(running, browser) as page:
        page.goto(f"/tables/{table.id}")
        expect(page.locator("#sentence")).to_be_visible()
        loaded(page, "table/aloud.js", "camera/scan.js", "table/suggest.js")
        yield page


def spoken_after(page: Page, count: int) -> str:
    """The first sentence that is spoken after so many."""
    page.wait_for_function("(count) => heard.length > count", arg=count)
    return str(page.evaluate("(count) => heard[count].text", count))


def heard(page: Page) -> int:
    return int(page.evaluate("heard.length"))


@pytest.mark.nightly
def test_a_turned_card_is_spoken_and_said_again_by_a_card(running: Installation, table: Table, tablet: Page) -> None:
    # given a pile
    running.furniture.lay_in("GPB", "pile")
    running.looked_on(10)
    expect(tablet.locator("#state")).to_have_attribute("data-version", str(table.version))
    before = heard(tablet)

    # when a card is turned beside it
    running.furniture.lay_in("I03", "discard")
    said = spoken_after(tablet, before)

    # then what to do is said
    assert table.position_json("banker")["back"] == "GPB"  # type: ignore[index]
    assert said.startswith("Ada. A girder")

    # and again for whoever lays SUGGEST
    before = heard(tablet)
    scan(tablet, "MW1X05")
    assert spoken_after(tablet, before) == said


def test_what_cannot_be_is_said_with_its_reason(running: Installation, table: Table, tablet: Page) -> None:
    before = heard(tablet)

    running.furniture.lay_in("GOW", "discard")

    assert "turn the card over" in spoken_after(tablet, before)
    expect(tablet.locator("[data-proposal]")).to_contain_text("turn the card over")
    assert table.version == 1


def test_news_are_said_by_name_before_what_comes_next(table: Table, tablet: Page) -> None:
    # given a boss who comes on duty
    spoken: list[str] = []
    for command in (
        {"do": "turn_card", "card": "BOSS", "back": "GOP"},
        {"do": "turn_card", "card": "I03", "back": "GOP"},
        {"do": "done", "player": "blue", "colour": "orange", "highest": True},
        {"do": "accident", "player": "grey"},
    ):
        before = heard(tablet)
        table.submit(Request(command, "banker", "tap"))
        spoken.append(spoken_after(tablet, before))

    # then she, an award and an accident are said, each before the next action
    boss, action, award, accident = spoken
    assert boss == "The boss is on duty. From now on the highest piece wins an award. Ada. Turn up a card."
    assert action.startswith("Ada. A girder, orange or purple.")
    assert award == "Ada wins a first award. Ben. Turn up a card."
    assert accident == (
        "Ben has an accident and loses a certificate. Certificates left: 2. Ada. Clean up first: put back what fell."
    )
