"""Games that bring rules, cards and words alone lie well on every screen, whatever their players are called."""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser

from companion.adapters.journal.memory import InMemoryJournal
from companion.service.access.logins import Logins
from companion.service.table.table import Request
from tests.browser.conftest import PIN, Installation
from tests.elsewhere.test_outsiders import GAMES, opened, played
from tests.every_game import services_over
from tests.extent import in_check, of_all
from tests.layout.evenings import DEVICES, NAMES, OURS, SAMPLE, WIDE, SurveyedGame, survey_pages
from tests.layout.test_boards import served
from tests.web.conftest import SECRET, ManualClock

pytestmark = pytest.mark.browser

SAMPLED = SurveyedGame("tea_house", 3, OURS, "de", "18")
EVENINGS = (
    SAMPLED,
    SurveyedGame("tea_house", 4, WIDE, "de", "35"),
    SurveyedGame("tea_house", 2, OURS, "fr", "scripts", dark=True),
    SurveyedGame("night_harbour", 3, OURS, "en", "35"),
    SurveyedGame("flea_market", 4, OURS, "fr", "35"),
    SurveyedGame("flea_market", 3, WIDE, "en", "8", dark=True),
)
SEED = 3
LOOK_AFTER = 7
"""Commands between two looks, beside those at each new phase: most of them change a figure alone."""


@pytest.mark.parametrize("session", in_check(EVENINGS, SAMPLED), ids=str)
def test_an_evening_of_a_game_without_pages_of_its_own_holds(browser: Browser, session: SurveyedGame) -> None:
    # given a game of which nothing is known but its rules and cards, with money and hands hidden
    manifest = GAMES[session.game]
    seats = manifest.seats.colours[: session.players]
    players = [{"id": seat, "name": name} for seat, name in zip(seats, NAMES[session.names], strict=False)]
    start = {"do": "start_game", "game": manifest.name, "first": seats[0], "players": players}
    tables = opened(manifest, InMemoryJournal())
    table = tables.start(Request(start, "banker", "test"))
    services = replace(services_over(tables), logins=Logins(PIN, SECRET, ManualClock()))

    # when it is played, then each page shows what it says in its place, in each phase
    devices = of_all(("tablet", *SAMPLE[1:]), tuple(DEVICES))
    with served(services, table) as house:
        running = Installation(f"http://127.0.0.1:{house.port}", services, None, "")
        with survey_pages(browser, session, running, table, devices) as survey:
            survey.update(table)
            phases: set[str] = set()
            for number in played(manifest, table, SEED):
                assert table.overview is not None
                if table.overview.phase not in phases or number % of_all(10 * LOOK_AFTER, LOOK_AFTER) == 0:
                    phases.add(table.overview.phase)
                    survey.update(table)
    assert survey.faults == {}
    assert "finished" in phases
