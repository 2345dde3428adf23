"""A board of 12 x 12, a track of 40 spaces with eight markers on one, cards and chips: all of it fits every screen."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.engine.game import Amount, Offer
from companion.game_api.manifest import Manifest
from companion.game_api.messages import Actor, Holds
from companion.service.access.logins import Caller
from companion.service.services import Services
from companion.service.table.table import Table
from companion.web import create_app
from companion.web.server.server import Server
from tests.extent import in_check
from tests.games.acorns import acorns, original, with_messages, with_rules
from tests.layout.conftest import ARTIFACTS
from tests.layout.measures import MEASURES, SMALLEST
from tests.layout.test_axe import OPTIONS
from tests.layout.test_long_names import WORDS
from tests.pages import run_axe
from tests.sample_boards import VARIETIES, SampleStage, seat_four, stage_of
from tests.waiting import PATIENCE_MS, PATIENCE_S
from tests.web.conftest import PIN

__all__ = ["acorns"]  # fixture

pytestmark = pytest.mark.browser

SCREENS = {
    "tablet": ("/tables/{table}", ((1280, 800), (1024, 600)), 48),
    "phone": ("/tables/{table}/seats/red", ((390, 844), (360, 740)), 24),
    "display": ("/tables/{table}/display", ((1920, 1080), (1280, 720)), 0),
}
"""Pages with their sizes, and the least side of what is touched: twelve cells share the width of a phone."""
SHORT = ("Ada", "Ben", "Cleo", "Dan")
CASES = [(screen, scheme, names) for screen in SCREENS for scheme in ("light", "dark") for names in ("short", "long")]
DAILY = [("phone", "dark", "long")]


@dataclass(frozen=True)
class SampleHouse:
    """A running application with a table of the sample game for each set of names."""

    services: Services
    table: Table
    port: int

    def open(self, browser: Browser, screen: str, scheme: str) -> tuple[BrowserContext, Page]:
        """Open a page as whoever it is meant for."""
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{self.port}",
            color_scheme="dark" if scheme == "dark" else "light",
            reduced_motion="reduce",
            locale="de-DE",
        )
        context.set_default_timeout(PATIENCE_MS)
        if screen == "tablet":
            context.request.post("/login", form={"pin": PIN, "next": "/"})
        else:
            role = (
                Caller("player", "red", self.table.id)
                if screen == "phone"
                else Caller("spectator", None, self.table.id)
            )
            context.request.get(f"/join/{self.services.logins.join_token(self.services.guests.link(role))}")
        page = context.new_page()
        page.goto(SCREENS[screen][0].format(table=self.table.id))
        page.wait_for_selector(".surface")
        page.evaluate("document.fonts.ready.then(() => true)")
        return context, page


@contextmanager
def served(services: Services, table: Table) -> Iterator[SampleHouse]:
    """A running application."""
    server = Server(create_app(services), "127.0.0.1", 0)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield SampleHouse(services, table, server.port)
    finally:
        server.stop()
        thread.join(PATIENCE_S)


@pytest.fixture(scope="module")
def shown(acorns: Manifest) -> Iterator[dict[str, SampleHouse]]:
    """The sample game with short names and with names of 35 letters."""
    with served(*seat_four(acorns, SHORT)) as short, served(*seat_four(acorns, WORDS)) as long:
        yield {"short": short, "long": long}


def faults_on(page: Page, screen: str, name: str) -> list[str]:
    """Measure a page on its screens; keep pictures of what lies badly."""
    _, sizes, thumb = SCREENS[screen]
    faults: list[str] = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("() => document.readyState === 'complete'")
        measured = page.evaluate(MEASURES, {"target": thumb, "letters": SMALLEST})
        if measured:
            ARTIFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTIFACTS / f"boards-{screen}-{name}-{width}x{height}.png")
        faults += [f"{width}x{height} {fault}" for fault in measured]
    return faults


@pytest.mark.parametrize("case", in_check(CASES, *DAILY), ids=" ".join)
def test_a_large_board_a_track_and_cards_have_their_place(
    browser: Browser, shown: dict[str, SampleHouse], case: tuple[str, str, str]
) -> None:
    screen, scheme, names = case
    context, page = shown[names].open(browser, screen, scheme)
    faults = faults_on(page, screen, f"{scheme}-{names}")
    barriers = run_axe(page, options=OPTIONS).response["violations"]
    context.close()

    assert faults == []
    assert [(barrier["id"], barrier["nodes"][0]["html"][:200]) for barrier in barriers] == []


@pytest.mark.nightly
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("variety", VARIETIES)
def test_boards_tracks_and_cards_of_any_number_have_their_place(
    browser: Browser, acorns: Manifest, variety: str, screen: str
) -> None:
    with served(*seat_four(acorns, stage=stage_of(variety))) as house:
        context, page = house.open(browser, screen, "light")
        faults = faults_on(page, screen, variety.replace(" ", "-"))
        context.close()

    assert faults == []


def test_a_cell_is_tapped_by_keyboard(browser: Browser, acorns: Manifest) -> None:
    services, table = seat_four(acorns)
    with served(services, table) as house:
        # given the tablet, with a cell that can be tapped
        context, page = house.open(browser, "tablet", "light")
        cells = page.locator("button.cell")
        expect(cells).to_have_count(6)

        # when it has the focus, and the key is pressed
        cells.first.focus()
        page.keyboard.press("Enter")

        # then the card is taken
        expect(cells).to_have_count(5)
        assert table.version == 2
        context.close()


@dataclass(frozen=True, slots=True)
class Buy:
    """A card taken for an amount."""

    player: Actor
    card: Annotated[str, Holds("card", "cards")]
    amount: int


class BuyingStage(SampleStage):
    """The sample on which a tap leaves the amount open."""

    verb = "buy"


def test_a_tap_that_leaves_something_open_leads_to_the_form_with_its_card_chosen(
    browser: Browser, acorns: Manifest
) -> None:
    # given a game in which a card is taken for an amount
    def offers(rules: Any, position: Any, player: str) -> Sequence[Offer]:
        own = original(rules, "offers")(position, player)
        return [Offer("buy", player, fields=(*offer.fields, ("amount", Amount(0, 9, 1)))) for offer in own]

    def answer(rules: Any, position: Any, command: Buy) -> Any:
        (taken,) = original(rules, "answer")(position, command)
        return [taken]

    buying = with_rules(
        with_messages(acorns, commands=(*acorns.messages().commands, Buy)), offers=offers, answer=answer
    )
    services, table = seat_four(buying, stage=BuyingStage)
    with served(services, table) as house:
        context, page = house.open(browser, "phone", "light")
        page.set_viewport_size({"width": 390, "height": 844})

        # when a cell is tapped, then the form has its card, and one more tap takes it
        page.locator("button.cell").first.click()
        expect(page.locator("#sheet input[type=radio]:checked")).to_have_value("A01")
        page.locator("#sheet form > button").click()
        expect(page.locator("button.cell")).to_have_count(0)
        assert "A01" not in table.show("spectator")["position"]["table"]
        context.close()
