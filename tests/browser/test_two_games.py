"""One evening with two games on one installation: each table has its own, and the tablet stays the same page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.table.table import Request, Table
from tests.browser.conftest import Installation, serving
from tests.browser.speech import speaking_tablet, spoken_after

STARTS = {
    "master_builder": [("blue", "Bartholomew"), ("yellow", "Anne-Sophie")],
    "men_at_work": [("blue", "Bartholomew"), ("grey", "Maximilian")],
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    with serving(tmp_path_factory.mktemp("two games") / "data", "sim:5") as installation:
        yield installation


@pytest.fixture
def tablet(running: Installation, browser: Browser) -> Iterator[Page]:
    with speaking_tablet(running, browser) as page:
        yield page


def begun(running: Installation, game: str) -> Table:
    players = [{"id": seat, "name": name} for seat, name in STARTS[game]]
    start = {"do": "start_game", "game": game, "first": players[0]["id"], "players": players}
    return running.services.tables.start(Request(start, "banker", "tap"))


def opened(page: Page, table: Table) -> None:
    """Open a table from the list of games, as people do, and let the camera look there."""
    page.goto("/")
    page.locator(f"a[href='/tables/{table.id}']").first.click()
    expect(page.locator("#sentence")).to_be_visible()
    page.request.post(f"/api/v1/tables/{table.id}/camera")


@pytest.mark.nightly
def test_the_table_changes_its_game_and_a_card_of_the_other_one_is_told(running: Installation, tablet: Page) -> None:
    # given an evening with a game of each kind
    building, stacking = begun(running, "master_builder"), begun(running, "men_at_work")

    # when they sit down to Master Builder, its cards are read
    opened(tablet, building)
    running.simulated_table.lay_on_tray("W07")
    expect(tablet.locator("[data-proposal]")).to_be_visible()
    expect(tablet.locator("#stranger")).to_have_count(0)

    # and a card of Men at Work among them is told, aloud too, and nothing comes of it
    before = int(tablet.evaluate("heard.length"))
    running.simulated_table.lay("I03", 900, 480)
    expect(tablet.locator("#stranger")).to_contain_text("I03 belongs to another game: Men at Work")
    assert "another game" in spoken_after(tablet, before)
    assert (building.version, stacking.version) == (1, 1)

    # when they go over to Men at Work, with no restart, and leave everything where it lies
    opened(tablet, stacking)

    # then its card is its own again, and what is left of the other game is told
    expect(tablet.locator("[data-proposal]")).to_be_visible()
    expect(tablet.locator("#stranger")).to_contain_text("W07 belongs to another game: Master Builder")
    assert (building.version, stacking.version) == (1, 1)

    # and back at the first table nothing is lost
    running.simulated_table.take_away("I03")
    opened(tablet, building)
    expect(tablet.locator("[data-proposal]")).to_be_visible()
    expect(tablet.locator("#stranger")).to_have_count(0)
