"""Sheets of Men at Work and Monopoly Builder in the middle of a game, with long names, by day and by night."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.service.table.table import Request, Table
from tests.browser.live_pages import bot_commands
from tests.layout import evenings
from tests.layout.places import DRESSED, OPEN
from tests.layout.test_men_at_work_pages import SESSION

pytestmark = [pytest.mark.browser, pytest.mark.nightly]

GAMES = ("men_at_work", "monopoly_builder")
PLAYED = 40
Asked = Callable[[Table], dict[str, str]]
NOTHING: Asked = lambda _: {}  # noqa: E731 - what is asked for besides the sheet
OF_TABLET: dict[str, tuple[str, Asked]] = {
    "menu": ("menu", NOTHING),
    "prepare": ("prepare", NOTHING),
    "phones": ("phones", NOTHING),
    "journal": ("journal", NOTHING),
    "then": ("then", lambda table: {"seq": str(table.version - 2)}),
    "correct": ("correct", NOTHING),
    "correct a player": ("correct", lambda table: {"player": next(iter(table.names()))}),
    "camera": ("camera", NOTHING),
    "device": ("device", NOTHING),
}
OF_MONEY: dict[str, tuple[str, Asked]] = {
    "correct the turn": ("correct", lambda _: {"figure": "turn"}),
    "count": ("count", lambda table: {"player": next(iter(table.names()))}),
    "bank explained": ("explain", lambda _: {"account": "bank"}),
    "cash explained": ("explain", lambda table: {"account": f"player:{next(iter(table.names()))}"}),
}
OF_PHONES = {name: OF_TABLET[name] for name in ("then", "journal", "device")} | {"menu": ("seat_menu", NOTHING)}
DEVICES = ("tablet", "small tablet", "phone", "small phone")


@pytest.mark.parametrize("dark", [False, True], ids=["day", "night"])
@pytest.mark.parametrize("language", ["en", "fr", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_sheets_lie_well_in_the_middle_of_a_game(
    browser: Browser, tmp_path: Path, game: str, language: str, *, dark: bool
) -> None:
    session = replace(SESSION, game=game, players=4, font=evenings.OURS, language=language, dark=dark)
    with evenings.survey_of(browser, session, tmp_path / "data", DEVICES) as (table, survey):

        def act(command: dict[str, Any]) -> None:
            table.submit(Request(command, "banker", "test"))

        list(islice(bot_commands(table, game, act, seed=session.seed), PLAYED))
        survey.update(table)
        survey.faults.clear()
        for device, page in survey.pages.items():
            sheets = OF_PHONES if "phone" in device else OF_TABLET | (OF_MONEY if game == "monopoly_builder" else {})
            for name, (sheet, asked) in sheets.items():
                page.evaluate(OPEN, [sheet, asked(table)])
                expect(page.locator("#sheet")).to_be_visible()
                page.wait_for_function(DRESSED)
                page.evaluate("document.fonts.ready.then(() => true)")
                survey.keep(f"{device}, {name}", table.version, survey.measured(page, device))

    assert list(survey.faults) == []
