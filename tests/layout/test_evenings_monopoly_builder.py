"""Whole evenings of Monopoly Builder hold: after each command every screen shows all that it says, in its place."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.layout.evenings import DEVICES, NARROW, OURS, WIDE, Evening, faults_of

pytestmark = pytest.mark.browser

EVENINGS = (
    Evening("monopoly_builder", 4, WIDE, "de", 35, hidden=True),
    Evening("monopoly_builder", 3, NARROW, "en", 35, dark=True),
    Evening("monopoly_builder", 2, OURS, "fr", 18, motion=True),
)


@pytest.mark.nightly
@pytest.mark.parametrize("session", EVENINGS, ids=str)
def test_a_whole_evening_holds_on_every_screen(browser: Browser, tmp_path: Path, session: Evening) -> None:
    assert faults_of(browser, session, tmp_path / "data", tuple(DEVICES), None) == []
