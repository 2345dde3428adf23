"""Pages hold for names that are longer than Ada, on every screen, zoomed too."""

import pytest
from playwright.sync_api import Page, expect

from companion.service.services import Services
from companion.service.table.table import Request
from tests.extent import by_night
from tests.layout.conftest import Visit
from tests.layout.places import PLACES

pytestmark = pytest.mark.browser

NAMES = ("Bartholomew", "Anne-Sophie", "Maximiliane-Sophie", "Wolfgang-Amadeus")
WORDS = (
    "Donaudampfschifffahrtsgesellschafts",
    "Rechtsschutzversicherungsgesellscha",
    "Hottentottenstottertrottelmutterbeu",
    "Mississippidampferkapitaenswitwenre",
)
"""Words of 35 letters."""
SIZES = ((1280, 800), (640, 400), (800, 1280), (390, 844), (320, 640))
"""The second is a tablet at 200 %."""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
CUT = """[...document.querySelectorAll(".name")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""

LINES = """[...document.querySelectorAll(".others .second")].map((cell) => {
  const text = document.createRange();
  text.selectNodeContents(cell);
  return new Set([...text.getClientRects()].map((line) => Math.round(line.top))).size;
})"""
OWN_NAME = CUT.replace(".name", ".seat-head h2")


@pytest.mark.parametrize("name", ["tablet_first_hire", *by_night("seat_first_hire", "display_first_hire")])
def test_a_page_with_long_names_is_never_moved_sideways_and_on_a_tablet_cuts_none(
    visit: Visit, services: Services, name: str
) -> None:
    # given a place at which people have long names
    page = visit(next(place for place in PLACES if place.name == name), "de")
    table = services.tables.get(page.url.split("/tables/")[1].split("/")[0].split("?")[0])
    for player, called in zip(table.names(), NAMES, strict=False):
        command = {"do": "rename_player", "player": player, "name": called}
        table.submit(Request(command, "banker", "test"))
    expect(page.locator("body")).to_contain_text("Anne-Sophie")

    # then nothing sticks out on any screen, and where there is room every name is whole
    assert {size: moved for size in SIZES if (moved := sideways(page, size))} == {}
    page.set_viewport_size({"width": 1280, "height": 800})
    assert page.evaluate(CUT) == []


def test_a_phone_shows_its_own_name_whole(visit: Visit, services: Services) -> None:
    # given a seat with a name of eleven letters
    page = visit(next(place for place in PLACES if place.name == "seat_first_hire"), "de")
    table = services.tables.get(page.url.split("/tables/")[1].split("/")[0].split("?")[0])
    player = page.locator("#state").get_attribute("data-seat")
    table.submit(Request({"do": "rename_player", "player": player, "name": "Bartholomew"}, "banker", "test"))
    page.set_viewport_size({"width": 390, "height": 844})

    # then the head of the page has room for it
    expect(page.locator(".seat-head h2")).to_have_text("Bartholomew")
    assert page.evaluate(OWN_NAME) == []


def sideways(page: Page, size: tuple[int, int]) -> int:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    return int(page.evaluate(SIDEWAYS))


@pytest.mark.parametrize(
    "name", ["seat_first_hire", *by_night("tablet_first_hire", "tablet_build", "display_first_hire")]
)
def test_a_word_of_35_letters_fits_every_page(visit: Visit, services: Services, name: str) -> None:
    # given a place at which everybody is called by one long word
    page = visit(next(place for place in PLACES if place.name == name), "de")
    table = services.tables.get(page.url.split("/tables/")[1].split("/")[0].split("?")[0])
    for player, word in zip(table.names(), WORDS, strict=False):
        if table.names()[player] != word:
            table.submit(Request({"do": "rename_player", "player": player, "name": word}, "banker", "test"))
    expect(page.locator(".long-word").first).to_be_visible()

    # then nothing sticks out on any screen
    assert {size: moved for size in SIZES if (moved := sideways(page, size))} == {}


@pytest.mark.parametrize("language", ["en", *by_night("de", "fr")])
def test_on_a_phone_the_wages_of_the_others_stand_on_one_line(visit: Visit, services: Services, language: str) -> None:
    # given a seat among people with one long word for a name
    page = visit(next(place for place in PLACES if place.name == "seat_later_hire"), language)
    table = services.tables.get(page.url.split("/tables/")[1].split("/")[0].split("?")[0])
    for player, word in zip(table.names(), WORDS, strict=False):
        if table.names()[player] != word:
            table.submit(Request({"do": "rename_player", "player": player, "name": word}, "banker", "test"))
    expect(page.locator(".others .long-word").last).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})

    # then of everybody else they stand on one line
    lines = page.evaluate(LINES)
    assert lines == [1] * (len(table.names()) - 1)
    assert sideways(page, (360, 740)) == 0
