"""Whole evenings of Men at Work hold: after each command every screen shows all that it says, in its place."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.layout.evenings import DEVICES, NARROW, OURS, WIDE, SurveyedGame, faults_of

pytestmark = pytest.mark.browser

EVENINGS = (
    SurveyedGame("men_at_work", 5, WIDE, "de", "35", dark=True),
    SurveyedGame("men_at_work", 2, NARROW, "en", "18", hidden=True, motion=True),
    SurveyedGame("men_at_work", 4, OURS, "fr", "35"),
    SurveyedGame("men_at_work", 5, OURS, "fr", "scripts", dark=True, hidden=True, seed=21),
    SurveyedGame("men_at_work", 3, OURS, "de", "35", large=True, seed=22),
    SurveyedGame("men_at_work", 5, WIDE, "de", "35", seed=23, variants=("crane", "skyscraper", "foreman")),
)


@pytest.mark.nightly
@pytest.mark.parametrize("session", EVENINGS, ids=str)
def test_a_whole_evening_holds_on_every_screen(browser: Browser, tmp_path: Path, session: SurveyedGame) -> None:
    assert faults_of(browser, session, tmp_path / "data", tuple(DEVICES), None) == []
