"""Whole evenings of Master Builder hold: after each command every screen shows all that it says, in its place."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.layout.evenings import DEVICES, NARROW, OURS, SAMPLE, SAMPLE_COMMANDS, WIDE, SurveyedGame, faults_of

pytestmark = pytest.mark.browser

EVENINGS = (
    SurveyedGame("master_builder", 4, WIDE, "de", "35"),
    SurveyedGame("master_builder", 3, NARROW, "fr", "18", dark=True, motion=True),
    SurveyedGame("master_builder", 4, OURS, "fr", "35", hidden=True),
    SurveyedGame("master_builder", 2, OURS, "en", "8", dark=True, motion=True),
    SurveyedGame("master_builder", 4, OURS, "de", "scripts", dark=True, hidden=True, seed=31),
    SurveyedGame("master_builder", 4, WIDE, "fr", "35", large=True, seed=201),
    SurveyedGame("master_builder", 2, NARROW, "de", "35", large=True, seed=158),
)


@pytest.mark.slow
def test_the_first_commands_of_an_evening_hold_in_a_wide_font(browser: Browser, tmp_path: Path) -> None:
    session = SurveyedGame("master_builder", 4, WIDE, "de", "35")
    assert faults_of(browser, session, tmp_path / "data", SAMPLE, SAMPLE_COMMANDS) == []


@pytest.mark.nightly
@pytest.mark.parametrize("session", EVENINGS, ids=str)
def test_a_whole_evening_holds_on_every_screen(browser: Browser, tmp_path: Path, session: SurveyedGame) -> None:
    assert faults_of(browser, session, tmp_path / "data", tuple(DEVICES), None) == []
