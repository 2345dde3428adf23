"""Games of others are played through by taps: whatever their rules offer can be given on a player's own phone."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.adapters.journal.memory import InMemoryJournal
from companion.game_api.manifest import Manifest
from companion.service.access.logins import Caller, Logins
from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN
from tests.browser.plain_hands import give
from tests.browser.screens import PHONE, Troubles
from tests.elsewhere.new_game import imported
from tests.elsewhere.test_outsiders import GAMES, SEATS, opened, played
from tests.every_game import services_over
from tests.extent import by_night
from tests.layout.test_boards import served
from tests.pages import answered
from tests.web.conftest import SECRET, ManualClock

pytestmark = pytest.mark.browser
SEEDS = {"nut_market": 1, "tea_house": 7}
"""Games in which two have nothing to sell, and in which two trades are made."""


@contextmanager
def phones_of(browser: Browser, manifest: Manifest, troubles: Troubles) -> Iterator[tuple[Table, dict[str, Page]]]:
    """Begin a game of three; each has a phone."""
    tables = opened(manifest, InMemoryJournal())
    players = [{"id": seat, "name": seat.title()} for seat in SEATS]
    start = {"do": "start_game", "game": manifest.name, "first": SEATS[0], "players": players}
    table = tables.start(Request(start, "banker", "test"))
    services = replace(services_over(tables), logins=Logins(PIN, SECRET, ManualClock()))
    with served(services, table) as house, ExitStack() as devices:
        phones: dict[str, Page] = {}
        for seat in SEATS:
            context = browser.new_context(
                viewport=dict(PHONE),  # type: ignore[arg-type]
                base_url=f"http://127.0.0.1:{house.port}",
                locale="en-GB",
            )
            devices.callback(context.close)
            troubles.watch(seat, context)
            phones[seat] = context.new_page()
            phones[seat].goto(f"/join/{services.logins.join_token(Caller('player', seat, table.id))}")
        yield table, phones


@pytest.mark.parametrize("name", ["nut_market", *by_night(*GAMES)])
def test_a_whole_game_is_played_by_taps_on_phones(browser: Browser, name: str) -> None:
    troubles = Troubles()
    manifest = GAMES.get(name) or imported()
    with phones_of(browser, manifest, troubles) as (table, phones):

        def tap(command: dict[str, Any]) -> None:
            page, version = phones[command["player"]], table.version
            expect(page.locator("#state")).to_have_attribute("data-version", str(version))
            give(page, command)
            if (other := command.get("with")) is not None:
                phones[other].locator("[data-agree=yes]").click()
            expect(page.locator("#state")).to_have_attribute("data-version", str(version + 1))
            answered(page)

        # when bots choose and people tap, then each command is an entry, to the end
        for _ in played(manifest, table, SEEDS.get(name, 3), tap):
            pass
        assert table.overview is not None
        assert table.overview.finished
    assert troubles.seen == []
