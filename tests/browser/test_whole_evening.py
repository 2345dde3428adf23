"""A whole evening by taps alone, in a real browser: from a fresh data folder and the lobby to the export."""

import random
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Installation, serving
from tests.browser.newcomer import Newcomer
from tests.browser.screens import PHONE, SCREEN, Album, Screens

pytestmark = pytest.mark.browser

NAMES = {"red": "Ada", "blue": "Ben"}
PICTURES = Path(__file__).resolve().parents[2] / "build" / "evening"
MOST_TAPS = 400


@dataclass
class Evening:
    """Two players, their phones, the tablet and the display."""

    installation: Installation
    screens: Screens
    album: Album
    newcomer: Newcomer
    told: list[str] = field(default_factory=list[str])

    def play(self, rounds: int = 6) -> None:
        """Go on until the game or so many rounds are over."""
        for _ in range(MOST_TAPS):
            at = self.position
            if at["finished"] or at["round"] > rounds:
                return
            self.look()
            self.tap()
        raise AssertionError("the evening does not end")

    @property
    def position(self) -> dict[str, object]:
        return dict(self.installation.table.position_json("banker") or {})

    def tap(self) -> None:
        """Let somebody do what a screen asks of him; every screen follows."""
        before = self.screens.version()
        done = any(self.newcomer.on_phone(phone) for phone in self.screens.phones.values())
        assert done or self.newcomer.on_tablet(self.screens.tablet), f"nobody can go on: {self.screens.sentences()}"
        self.wait_past(before)
        self.screens.come_to(self.screens.version())

    def wait_past(self, before: int) -> None:
        self.screens.tablet.wait_for_function(
            "before => Number(document.getElementById('state').dataset.version) > before", arg=before
        )

    def look(self) -> None:
        """All screens tell the same, and say who is waited for."""
        at = self.position
        self.album.keep(self.screens, moment(at))
        cash = {NAMES[seat]: str(one["cash"]) for seat, one in at["players"].items()}
        for screen, told in self.screens.figures().items():
            assert told == {name: cash[name] for name in told}, screen
            assert told or screen == "tablet", screen
        waiting = {NAMES[seat] for seat in at["waiting_for"]}
        for screen, said in self.screens.sentences().items():
            own = screen.removeprefix("phone-")
            assert said, screen
            if own in waiting or (own in NAMES.values() and at["phase"] == "build"):
                assert not said.startswith("Waiting") or own not in waiting, (screen, said)
            else:
                assert all(name in said for name in waiting), (screen, said, waiting)
        for screen, filled in self.screens.filled().items():
            assert len(filled) <= 1, (screen, filled)
        assert self.screens.troubles.told == []


def moment(at: dict[str, object]) -> str:
    """Name a moment by what pages look different for."""
    if at["finished"]:
        return "finished"
    late = "" if at["round"] == 1 else "-later"
    auction = "-auction" if at["auction"] else ""
    return f"{at['phase']}{late}{auction}-" + "-".join(sorted(at["expects"]))


def test_a_whole_game_is_played_by_two_phones_and_a_tablet_by_taps_alone(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as installation:
        screens = Screens(browser, installation.address)
        screens.sign_in()
        evening = Evening(installation, screens, Album(PICTURES / "en"), Newcomer(random.Random(4)))
        screens.start(NAMES)
        for seat, name in NAMES.items():
            screens.phones[name] = screens.invite(seat, name, PHONE)
        screens.display = screens.invite("spectator", "display", SCREEN)
        evening.play()
        evening.look()
