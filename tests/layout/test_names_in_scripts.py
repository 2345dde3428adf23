"""Names of one long word fit every page of tablets and phones, in whatever script they are written."""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.service.services import Services
from companion.service.table.table import Request, Table
from tests.browser.live_pages import bot_commands, pages_of
from tests.layout.conftest import ARTIFACTS, Visit
from tests.layout.measures import MEASURES, THUMB
from tests.layout.moments import Moments
from tests.layout.places import PLACES, Place

pytestmark = pytest.mark.browser

LETTERS = 35
PERSIAN = "محمدرضاعلی‌اکبرحسین‌زادهٔاصفهانی‌نژاد"
ANOTHER_PERSIAN = "علیرضامحمد‌اکبرحسین‌زادهٔاصفهانی‌نژاد"
MALAYALAM = "ശ്രീലക്ഷ്മീനാരായണൻകുട്ടിപ്പിള്ളതമ്പുരാ"
THAI = "กรุงเทพมหานครอมรรัตนโกสินทร์มหินทรา"
CHINESE = "欧阳司马上官诸葛东方皇甫尉迟公孙慕容令狐宇文长孙轩辕夏侯独孤南宫百里氏"
FAMILIES = "👩‍👩‍👧‍👦" * 5
LATIN_AND_DIGITS = "Q7" * 17 + "Q"
SCRIPTS = {
    "joined": (PERSIAN, MALAYALAM, FAMILIES, LATIN_AND_DIGITS),
    "unspaced": (THAI, CHINESE, "Donaudampfschifffahrtsgesellschafts", ANOTHER_PERSIAN),
}
SIZES = ((1280, 800), (1024, 600), (390, 844), (360, 740))
ALLOWED = ("small letters", "broken word", "small target")
"""Pictures of a game are scaled; a word that is too long for a line is broken; both are measured elsewhere."""
DEVICES = ("tablet", "seat")
IN_A_BADGE = ".badge text"
"""Without a font of emoji the four faces of a family are four boxes beside each other."""

SAMPLE = {("tablet_auction", "unspaced")}
EVERY_PLACE = [
    pytest.param(
        place, script, id=f"{place}-{script}", marks=() if (place.name, script) in SAMPLE else pytest.mark.nightly
    )
    for place in PLACES
    for script in SCRIPTS
    # what waits for an answer is given up when somebody is renamed, so such a place shows no question any more
    if place.role in {"banker", "seat"} and place.path.startswith("/tables/") and not place.mark
]


def rename_all(table: Table, script: str) -> None:
    """Rename everybody at a table to one long word each."""
    for player, word in zip(table.names(), SCRIPTS[script], strict=False):
        if table.names()[player] != word:
            command = {"do": "rename_player", "player": player, "name": word}
            table.submit(Request(command, "banker", "test"))


def faults_on(page: Page, name: str) -> list[str]:
    """Return what lies badly on a page at every size; a picture of that is kept."""
    all_faults: list[str] = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        measured = page.evaluate(MEASURES, {"target": THUMB, "letters": 0})
        faults = [fault for fault in measured if not fault.startswith(ALLOWED) and IN_A_BADGE not in fault]
        if faults:
            ARTIFACTS.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=ARTIFACTS / f"names-{name}-{width}x{height}.png")
        all_faults += [f"{name} {width}x{height} {fault}" for fault in faults]
    return all_faults


def test_words_are_as_long_as_a_name_may_be() -> None:
    assert {word: len(word) for words in SCRIPTS.values() for word in words if len(word) < LETTERS} == {}


@pytest.mark.parametrize(("place", "script"), EVERY_PLACE)
def test_a_long_word_of_any_script_fits(
    visit: Visit, services: Services, played: Moments, place: Place, script: str
) -> None:
    table, _ = played.at(place.moment)
    rename_all(services.tables.get(table), script)
    page = visit(place, "de")
    expect(page.locator(".long-word").first).to_be_attached()

    assert faults_on(page, f"{place}-{script}") == []


@pytest.mark.nightly
@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("game", ["men_at_work", "monopoly_builder"])
def test_a_long_word_of_any_script_fits_a_plain_game(browser: Browser, tmp_path: Path, game: str, script: str) -> None:
    with pages_of(browser, game, tmp_path / "data", live=(), fresh=DEVICES) as pages:

        def act(command: dict[str, Any]) -> None:
            pages.table.submit(Request(command, "banker", "test"))

        # given a game of a few commands at which everybody has such a name
        for _ in islice(bot_commands(pages.table, game, act, seed=4), 6):
            pass
        rename_all(pages.table, script)

        for device in DEVICES:
            page = pages.fresh[device]
            page.goto(f"{page.url.split('?')[0]}?lang=de")
            expect(page.locator(".long-word").first).to_be_attached()
            assert faults_on(page, f"{game}-{device}-{script}") == []
