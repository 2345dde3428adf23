"""Whole evenings of Monopoly Builder hold: after each command every screen shows all that it says, in its place."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from companion.games.monopoly_builder import GAME
from companion.games.monopoly_builder.drawings.game import auction_picture
from companion.service.table.table import Request
from companion.web.default_ui.drawing_view import as_svg
from companion.words import Words
from tests.games.monopoly_builder.town import Town
from tests.layout.evenings import DEVICES, NARROW, OURS, TABLETS, WIDE, SurveyedGame, faults_of, survey_of

pytestmark = pytest.mark.browser

EVENINGS = (
    SurveyedGame("monopoly_builder", 4, WIDE, "de", "35", hidden=True),
    SurveyedGame("monopoly_builder", 3, NARROW, "en", "35", dark=True),
    SurveyedGame("monopoly_builder", 2, OURS, "fr", "18", motion=True),
    SurveyedGame("monopoly_builder", 4, OURS, "de", "35", dark=True, hidden=True, seed=11),
    SurveyedGame("monopoly_builder", 2, OURS, "de", "18", hidden=True, large=True, seed=13),
)

STEALING = 19
"""The space of the bundled board where one steals a chip."""
CHANCE = 5
DEED = 4
CARDS_IN_A_LIST = 8
CLEAR = """(amount) => {
  const figure = [...document.querySelectorAll("svg text")].find((text) => text.textContent === amount).getBBox();
  const others = [...document.querySelectorAll("svg :is(polygon, polyline, rect, circle)")]
    .map((shape) => shape.getBBox())
    .filter(({ x, y, height }) => x > figure.x && y < figure.y + figure.height && y + height > figure.y);
  const end = document.querySelector("svg").viewBox.baseVal.width;
  return Math.min(end, ...others.map(({ x }) => x)) - figure.x - figure.width;
}"""
"""How far beside the end of the highest bid, in mm, whatever stands right of it begins, or the picture ends."""


@pytest.mark.nightly
@pytest.mark.parametrize("session", EVENINGS, ids=str)
def test_a_whole_evening_holds_on_every_screen(browser: Browser, tmp_path: Path, session: SurveyedGame) -> None:
    assert faults_of(browser, session, tmp_path / "data", tuple(DEVICES), None) == []


@pytest.mark.parametrize("font", [WIDE, NARROW])
@pytest.mark.parametrize("amount", ["40 M", "1,200 M"])
@pytest.mark.parametrize("is_narrow", [True, False])
def test_the_highest_bid_stands_clear_of_earlier_ones_in_any_typeface(
    browser: Browser, font: str, amount: str, *, is_narrow: bool
) -> None:
    # given the picture of an auction, with the highest bid in large figures and five earlier ones beside or below it
    bids = [("red", "D", amount), *[("yellow", "R", "35 M")] * 5]
    catalog = Town().table.catalog_json()
    drawn = auction_picture(next(iter(catalog["deeds"])), bids, catalog, Words("en", GAME), is_narrow=is_narrow)
    page = browser.new_page()
    page.set_content(f"<body style=\"font-family: '{font}'\">{as_svg(drawn)}")

    # then it ends before they begin
    assert page.evaluate(CLEAR, amount) >= 0
    page.close()


@pytest.mark.nightly
@pytest.mark.slow
def test_nine_chips_to_steal_are_all_at_the_thumb_and_say_from_whom(browser: Browser, tmp_path: Path) -> None:
    # given four people with long names, the first of whom comes to the space where one steals
    session = SurveyedGame("monopoly_builder", 4, WIDE, "de", "35")
    with survey_of(browser, session, tmp_path / "data", ("phone", "small tablet")) as (table, survey):
        thief, *others = table.names()

        def act(**command: object) -> dict[str, Any]:
            table.submit(Request(command, "banker", "test"))
            return dict((table.position_json("banker") or {})["players"])

        act(do="correct_position", player=thief, space=STEALING - 3, reason="moved")
        players = act(do="roll", player=thief, dice=[1, 2])

        # when each of the others has chips of three kinds
        for other in others:
            counts = players[other]["chips"]
            missing = [kind for kind, count in counts.items() if not count]
            for kind in missing[: len(missing) - 1]:
                chips = {"kind": kind, "count": 1, "from": "bank", "to": other, "reason": "dealt"}
                act(do="correct_chips", **chips)
        survey.update(table)

        # then each chip is a button that shows whose it is, and all of them are on the screen
        acts = survey.pages["phone"].locator(".acts .act:has(.act-picture)")
        expect(acts).to_have_count(9)
        assert [acts.nth(place).locator(".badge").count() for place in range(9)] == [1] * 9
        assert survey.faults == {}


@pytest.mark.nightly
@pytest.mark.slow
def test_what_draws_a_card_is_on_a_low_phone_however_many_cards_there_are(browser: Browser, tmp_path: Path) -> None:
    # given somebody who comes to Chance with a roll that brings chips to three people with long names
    session = SurveyedGame("monopoly_builder", 3, NARROW, "en", "35")
    with survey_of(browser, session, tmp_path / "data", ("phone",)) as (table, survey):
        players, catalog = list(table.names()), table.catalog_json()
        bringing = {
            total: [deed for deed, values in catalog["deeds"].items() if total in values["numbers"]]
            for total in range(2, 13)
        }
        total, deeds = max(bringing.items(), key=lambda each: len(each[1]))
        commands = [
            {"do": "correct_card", "card": deed, "to": players[place % 3], "reason": "bought"}
            for place, deed in enumerate(deeds)
        ]
        space = (CHANCE - total) % len(catalog["spaces"])
        commands.append({"do": "correct_position", "player": players[0], "space": space, "reason": "moved"})
        commands.append({"do": "roll", "player": players[0], "dice": [total // 2, total - total // 2]})
        for command in commands:
            table.submit(Request(command, "banker", "test"))

        # when the phone is a low one
        page = survey.pages["phone"]
        page.set_viewport_size({"width": 360, "height": 520})
        survey.update(table)

        # then the button stands below the part of the cards that is seen
        draws = page.get_by_role("button", name="Draw a Chance card")
        expect(draws).to_be_in_viewport(ratio=0.99)
        assert survey.faults == {}


OUT_OF_SIGHT = """() => [...document.querySelectorAll(".seat-card, .plain-form .button, .action-bar .button")]
  .filter((one) => one.checkVisibility() && !one.closest(".side .plain-forms"))
  .filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    for (let around = one.parentElement; around; around = around.parentElement) {
      const room = around.getBoundingClientRect();
      const hides = getComputedStyle(around).overflowY !== "visible";
      if (hides && (bottom > room.bottom + 1.5 || top < room.top - 1.5)) return true;
    }
    return bottom > innerHeight + 1.5 || top < 0;
  })
  .map((one) => one.textContent.trim().replace(/\\s+/g, " ").slice(0, 30))"""
"""Players, and what can be done now, that are not wholly in sight without scrolling."""


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(("players", "language"), [(4, "de"), (4, "fr"), (3, "de"), (2, "fr")])
def test_players_stay_in_sight_while_dice_cards_and_bids_are_chosen(
    browser: Browser, tmp_path: Path, players: int, language: str
) -> None:
    # given two tablets at a table of people with long names, before the first throw
    session = SurveyedGame("monopoly_builder", players, WIDE, language, "35")
    with survey_of(browser, session, tmp_path / "data", tuple(TABLETS)) as (table, survey):
        first = next(iter(table.names()))

        def act(**command: object) -> list[str]:
            """Do something, and return what of it is out of sight afterwards, by tablet."""
            table.submit(Request(command, "banker", "test"))
            survey.update(table)
            return [f"{name}: {lost}" for name, page in survey.pages.items() for lost in page.evaluate(OUT_OF_SIGHT)]

        survey.update(table)
        assert [page.evaluate(OUT_OF_SIGHT) for page in survey.pages.values()] == [[], []]

        # when a card is drawn, and a deed auctioned
        act(do="correct_position", player=first, space=CHANCE - 3, reason="moved")
        assert act(do="roll", player=first, dice=[1, 2]) == []
        assert survey.pages["tablet"].locator(".in-place input").count() > CARDS_IN_A_LIST
        act(do="undo")
        act(do="correct_position", player=first, space=DEED - 3, reason="moved")
        act(do="roll", player=first, dice=[1, 2])
        assert act(do="decline", player=first) == []

        # then one form takes the bids of all, and all of it lies well
        assert survey.pages["tablet"].locator(".by-whom input").count() == players
        assert survey.faults == {}
