"""A whole evening by taps alone, in a real browser: from a fresh data folder and the lobby to the export."""

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page

from companion.cli.play import play
from tests.browser.conftest import Installation, serving
from tests.browser.newcomer import Newcomer
from tests.browser.screens import PHONE, SCREEN, WORTH, Album, Screens

pytestmark = pytest.mark.browser

NAMES = {"red": "Ada", "blue": "Ben"}
PICTURES = Path(__file__).resolve().parents[2] / "build" / "evening"
MOST_TAPS = 400


@dataclass
class TappedGame:
    """Two players, their phones, the tablet and the display."""

    installation: Installation
    screens: Screens
    album: Album
    lots: random.Random

    def __post_init__(self) -> None:
        self.newcomer = Newcomer(self.lots, self.looked)

    @property
    def position(self) -> dict[str, Any]:
        return dict(self.installation.table.position_json("banker") or {})

    def begin(self) -> None:
        """Sign in, skip the welcome, name the players, hand out the codes."""
        self.installation.services.preferences.choose(welcomed=False)
        self.screens.sign_in(self.album, welcomed=True)
        self.screens.start(NAMES)
        for seat, name in NAMES.items():
            self.screens.phones[name] = self.screens.invite(seat, name, PHONE)
        self.screens.display = self.screens.invite("spectator", "display", SCREEN)

    def play(self, rounds: int) -> None:
        """Go on until the game or so many rounds are over."""
        for _ in range(MOST_TAPS):
            at = self.position
            self.check_screens(at)
            if at["finished"] or at["round"] > rounds:
                return
            self.tap()
        raise AssertionError("the evening does not end")

    def tap(self) -> None:
        """Let somebody do what a screen asks of them; every screen follows."""
        before = self.screens.version()
        done = any(self.newcomer.on_phone(phone) for phone in self.screens.phones.values())
        assert done or self.newcomer.on_tablet(self.screens.tablet), f"nobody can go on: {self.screens.sentences()}"
        self.screens.tablet.wait_for_function(
            "before => Number(document.getElementById('state').dataset.version) > before", arg=before
        )
        self.screens.come_to(self.screens.version())

    def looked(self, page: Page, sheet: str) -> None:
        """Keep a picture of a sheet."""
        device = next(name for name, screen in self.screens if screen is page)
        self.album.take(page, device, f"sheet-{sheet}")

    def check_screens(self, at: dict[str, Any]) -> None:
        """All screens tell the same, and say who is waited for."""
        self.album.keep(self.screens, moment(at))
        cash = {NAMES[seat]: str(state["cash"]) for seat, state in at["players"].items()}
        for screen, figures in self.screens.figures().items():
            assert figures == {name: cash[name] for name in figures}, screen
            assert figures or at["phase"] in {"income", "finished"}, screen
        waiting = {NAMES[seat] for seat in at["waiting_for"]}
        for screen, said in self.screens.sentences().items():
            mine = screen.removeprefix("phone-") in waiting
            locked = screen.startswith("phone-") and at["phase"] == "build"
            assert said, screen
            assert mine or locked or all(name in said for name in waiting), (screen, said, waiting)
        for screen, filled in self.screens.filled().items():
            assert len(filled) <= 1, (screen, filled)
        assert self.screens.troubles.seen == []


def moment(at: dict[str, Any]) -> str:
    """Name a moment by what pages look different for."""
    if at["finished"]:
        return "finished"
    late = "" if at["round"] == 1 else "-later"
    auction = "-auction" if at["auction"] else ""
    return f"{at['phase']}{late}{auction}-" + "-".join(sorted(at["expects"]))


def evening_at(installation: Installation, browser: Browser, locale: str, seed: int) -> TappedGame:
    """Set a table in a language; in French the evening is dark."""
    screens = Screens(browser, installation.address, locale, dark=locale == "fr-FR")
    session = TappedGame(installation, screens, Album(PICTURES / locale[:2]), random.Random(seed))
    session.begin()
    return session


def saved(tablet: Page, path: Path) -> list[dict[str, Any]]:
    """Tap *Export*, keep what is saved, and decide it again from its first line."""
    with tablet.expect_download() as download:
        tablet.locator(".acts a[download]").tap()
    download.value.save_as(path)
    answer = CliRunner().invoke(play, [str(path), "--strict"], standalone_mode=False, catch_exceptions=False)
    assert answer.return_value == 0, answer.output
    return [json.loads(line) for line in answer.stdout.splitlines()]


@pytest.mark.nightly
def test_the_first_rounds_are_played_by_two_phones_and_a_tablet_by_taps_alone(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path / "data", "none") as installation:
        session = evening_at(installation, browser, "en-GB", 4)
        session.play(rounds=1)
        assert session.position["round"] == 2
        session.screens.close()


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "seed"), [("en-GB", 4), ("de-DE", 5), ("fr-FR", 6)])
def test_a_whole_game_is_played_by_taps_alone_to_the_reckoning_and_the_export(
    browser: Browser, tmp_path: Path, locale: str, seed: int
) -> None:
    with serving(tmp_path / "data", "none") as installation:
        # given an evening that comes to its end
        session = evening_at(installation, browser, locale, seed)
        session.play(rounds=6)
        at, tablet = session.position, session.screens.tablet
        assert at["finished"]
        worth = {NAMES[line["player"]]: str(line["worth"]) for line in at["standings"]}

        # then every screen tells the same fortunes
        for screen, page in session.screens:
            assert page.evaluate(WORTH) == worth, screen

        # when it is exported, then the same game comes out of it
        end = saved(tablet, tmp_path / "game.jsonl")[-1]["position"]
        assert end["standings"] == at["standings"]

        # when it is printed, then the page tells the winner
        with tablet.context.expect_page() as printed:
            tablet.locator(".acts a[target=_blank]").tap()
        session.album.take(printed.value, "tablet", "report")
        printed.value.close()

        # when they would play again, then the lobby keeps this game
        tablet.locator(".acts a.filled").tap()
        tablet.locator("#start").wait_for()
        assert tablet.locator(f"a[href='/tables/{installation.table.id}']").count() == 1
        session.album.take(tablet, "tablet", "lobby-after")
        assert session.screens.troubles.seen == []
        session.screens.close()
