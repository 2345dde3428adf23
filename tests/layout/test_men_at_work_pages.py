"""Pages of Men at Work at single moments of an evening: words whole, the action large."""

from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from companion.service.table.table import Request
from tests.browser.live_pages import bot_commands
from tests.extent import by_night, of_all
from tests.layout.evenings import DEVICES, OURS, WIDE, SurveyedGame, survey_of

pytestmark = pytest.mark.browser

SESSION = SurveyedGame("men_at_work", 5, WIDE, "de", "35", dark=True)
LARGE = 0.4
"""Share of a phone's height that the picture of a girder in two colours has: it leans two metres away."""
PHONE_SIZES: tuple[ViewportSize, ...] = (
    {"width": 390, "height": 844},
    {"width": 360, "height": 740},
    {"width": 390, "height": 664},
)
UNDER_THE_BAND = """() => document.querySelector(".stage-act > .tell").getBoundingClientRect().bottom
  - document.querySelector(".seat-main").getBoundingClientRect().bottom"""
SPELL = """(letters) => {
  document.querySelector(".short-address b").textContent = letters;
  dispatchEvent(new Event("resize"));
}"""


def test_any_letters_of_the_short_address_are_whole_on_a_small_big_screen(browser: Browser, tmp_path: Path) -> None:
    # given the question for the back, in a wide typeface, while others may still join
    with survey_of(browser, SESSION, tmp_path / "data", ("small screen",)) as (table, survey):

        def act(command: dict[str, Any]) -> None:
            table.submit(Request(command, "banker", "test"))

        list(islice(bot_commands(table, "men_at_work", act, seed=SESSION.seed), 1))
        survey.update(table)
        page = survey.pages["small screen"]

        # then whichever letters it has, they are whole, and the headline is as large as with any others
        sizes = set()
        for letters in ("WWWW", "YSWF", "IIII"):
            page.evaluate(SPELL, letters)
            assert survey.measured(page, "small screen") == [], letters
            sizes.add(page.evaluate("getComputedStyle(document.querySelector('.headline')).fontSize"))
        assert len(sizes) == 1


@pytest.mark.parametrize("language", ["de", *by_night("en", "fr")])
def test_what_is_to_be_done_is_whole_beside_its_picture_on_a_phone(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    # given the phone of whoever builds, in a wide typeface
    session = replace(SESSION, language=language, dark=False)
    with survey_of(browser, session, tmp_path / "data", ("phone",)) as (table, survey):
        page = survey.pages["phone"]

        # when each card is turned up
        for card in of_all(("I01", "I07"), tuple(table.catalog_json()["cards"])):
            table.submit(Request({"do": "turn_card", "card": card, "back": "GBW"}, "banker", "test"))
            survey.update(table)

            # then nothing of its sentence lies under the band at the foot, also while a browser's bars are in sight
            for size in PHONE_SIZES:
                page.set_viewport_size(size)
                assert survey.measured(page, "phone") == [], (card, size)
                assert page.evaluate(UNDER_THE_BAND) <= 1, (card, size)
            table.submit(Request({"do": "undo"}, "banker", "test"))


@pytest.mark.nightly
def test_the_girder_to_be_placed_is_large_on_the_phone_of_whoever_builds(browser: Browser, tmp_path: Path) -> None:
    # given an action in two colours, beside which pieces may be put back that nobody asks for
    session = replace(SESSION, players=4, font=OURS, names="18", dark=False)
    with survey_of(browser, session, tmp_path / "data", ("phone",)) as (table, survey):
        cards = table.catalog_json()["cards"]
        card = next(card for card, values in cards.items() if values["girder"] == "become_highest")
        table.submit(Request({"do": "turn_card", "card": card, "back": "GBW"}, "banker", "test"))
        survey.update(table)
        page = survey.pages["phone"]

        # then the picture has two fifths of the screen
        expect(page.locator(".plain-form .bag")).to_have_count(1)
        box = page.locator(".stage-picture").bounding_box()
        assert box is not None
        assert box["height"] >= LARGE * DEVICES["phone"][1]
        assert survey.faults == {}
