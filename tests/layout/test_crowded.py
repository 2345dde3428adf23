"""A full table holds: long names, six figures of money, four contracts, five lots, on tablet and big screen."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page

from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.extent import by_night
from tests.layout.crowded import CONTRACTS, LOTS, MOST_OF_ONE, SHELVES, crowded, full_shelves
from tests.layout.measures import MEASURES, THUMB
from tests.layout.test_long_names import sideways
from tests.web.conftest import PIN

pytestmark = pytest.mark.browser

LANGUAGES = ("de", *by_night("en", "fr"))
HIDDEN = """(inside) => [...document.querySelectorAll(inside)].flatMap((box) => {
  const room = box.getBoundingClientRect();
  return [...box.querySelectorAll("h2, .cash, .sites li:not(.paid) b, .sites li.paid, b.name, .lots b")]
    .filter((one) => one.getClientRects().length)
    .map((one) => [one.textContent.trim(), one.getBoundingClientRect(), one])
    .filter(([, at, one]) => at.bottom > room.bottom + 2 || at.right > room.right + 2 || at.top < room.top - 2
      || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === "hidden")
    .map(([text]) => text);
})"""
OUTSIDE = """[...document.querySelectorAll(".lots article, .display-foot section")]
  .map((one) => one.getBoundingClientRect())
  .filter((at) => at.right > innerWidth || at.bottom > innerHeight).length"""


@pytest.fixture
def opened(contexts: Callable[[str], BrowserContext]) -> Iterator[Page]:
    context = contexts("banker")
    context.request.post("/login", form={"pin": PIN, "next": "/"})
    page = context.new_page()
    yield page
    page.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_amount_and_contract_of_a_full_table_is_seen_whole(
    opened: Page, tables: Tables, language: str
) -> None:
    # given a table of four at which two hold four contracts each
    table = crowded(tables, "hire")
    seen = (table.position_json("banker") or {})["players"]
    assert sorted(len(player["contracts"]) for player in seen.values())[-2:] == [CONTRACTS, CONTRACTS]
    opened.goto(f"/tables/{table.id}?lang={language}")

    # then all of them are seen on tablets, and nothing sticks out, zoomed to 200 % too
    assert opened.locator(".sites li:not(.paid)").count() == sum(len(player["contracts"]) for player in seen.values())
    for width, height in ((1280, 800), (1024, 600)):
        opened.set_viewport_size({"width": width, "height": height})
        assert opened.evaluate(HIDDEN, ".panel") == [], (width, height)
    assert sideways(opened, (640, 400)) == 0
    assert sideways(opened, (390, 844)) == 0


@pytest.mark.parametrize("players", [*by_night(2, 3), 4])
def test_shelves_hold_six_finished_buildings_and_six_contracts(opened: Page, tables: Tables, players: int) -> None:
    # given somebody with six finished buildings, somebody with six contracts, and others with few or none
    table = full_shelves(tables, players)

    # then each is seen whole, on tablets and on big screens
    for address, sizes in (("", ((1280, 800), (1024, 600))), ("/display", ((1920, 1080), (1280, 720)))):
        opened.goto(f"/tables/{table.id}{address}?lang=de")
        opened.evaluate("document.fonts.ready.then(() => true)")
        for width, height in sizes:
            opened.set_viewport_size({"width": width, "height": height})
            assert opened.evaluate(HIDDEN, ".panel, .seat") == [], (width, height)
            target = 0 if address else THUMB
            assert opened.evaluate(MEASURES, {"target": target, "letters": 12}) == [], (width, height)
        if not address:
            drawn = opened.locator(".panel .sites")
            contracts = sum(contracts for _, contracts in SHELVES[players])
            assert drawn.locator("li:not(.paid, .none)").count() == contracts
            assert drawn.first.locator("li.paid .building").count() == MOST_OF_ONE


@pytest.mark.parametrize("language", LANGUAGES)
def test_five_lots_have_room_on_the_big_screen(opened: Page, tables: Tables, language: str) -> None:
    table = crowded(tables, "contracts")
    assert len((table.position_json("banker") or {})["display"]) == LOTS
    opened.goto(f"/tables/{table.id}/display?lang={language}")

    assert opened.locator(".lots article").count() == LOTS
    for width, height in ((1920, 1080), (1280, 720)):
        opened.set_viewport_size({"width": width, "height": height})
        assert opened.evaluate(OUTSIDE) == 0, (width, height)
        assert opened.evaluate(HIDDEN, ".lots article, .display-foot section") == [], (width, height)


IN_SIGHT = """() => {
  const foot = document.querySelector(".now-bar").getBoundingClientRect().top;
  return [...document.querySelectorAll(".lots .button, .side")].filter((one) => {
    const at = one.getBoundingClientRect();
    const [x, y] = [at.left + at.width / 2, at.top + at.height / 2];
    return at.bottom <= foot && (one.matches(".side") || one.contains(document.elementFromPoint(x, y)));
  }).length;
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_five_lots_are_in_sight_on_tablets_without_scrolling(opened: Page, tables: Tables, language: str) -> None:
    # given five contracts to choose from
    table = crowded(tables, "contracts")
    economy = next(offer for offer in table.show("banker")["offers"] if offer["do"] == "turn_economy")
    card = economy["fields"]["card"]["values"][0]
    table.submit(Request({"do": "turn_economy", "card": card}, "banker", "test"))
    assert len((table.position_json("banker") or {})["display"]) == LOTS

    # then each can be opened at once, and the journal stands beside them
    opened.goto(f"/tables/{table.id}?lang={language}")
    assert opened.locator(".lots article").count() == LOTS
    for width, height in ((1280, 800), (1024, 600)):
        opened.set_viewport_size({"width": width, "height": height})
        assert opened.evaluate(IN_SIGHT) == LOTS + 1, (width, height)
        assert opened.evaluate(HIDDEN, ".lots article") == [], (width, height)


def test_what_the_banker_corrects_is_no_part_of_an_event(opened: Page, tables: Tables) -> None:
    table = crowded(tables, "build")
    opened.goto(f"/tables/{table.id}/display?lang=en")
    assert "Corrected" not in opened.locator(".event-card").inner_text()
