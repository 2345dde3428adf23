"""A live update moves nothing that a finger holds, and leaves each page as one that is opened anew."""

from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from companion.service.table.table import Request, Table
from companion.web.default_ui.ui import MOST_PICTURES, DefaultUI
from tests.browser.live_pages import Pages, bot_commands, open_sheet, pages_of
from tests.browser.plain_hands import give
from tests.extent import by_night, of_all
from tests.pages import answered, flush_requests, follows
from tests.waiting import until

pytestmark = pytest.mark.browser

RESTS_MS = 6_000
"""How long a finger rests on a button: an update is there long before."""
STEPS = of_all(2, 80)
"""Commands of a game after each of which all its pages are compared."""


@pytest.fixture
def long_lists_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no game draw a long list, as one without pictures: it stands on the page itself, to be ticked."""
    draw = DefaultUI._pictures

    def draw_few(ui: DefaultUI, *asked: Any) -> Any:
        drawn = draw(ui, *asked)
        return drawn if len(drawn) <= MOST_PICTURES else {}

    monkeypatch.setattr(DefaultUI, "_pictures", draw_few)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["master_builder", *by_night("men_at_work", "monopoly_builder")])
def test_after_every_update_a_page_is_as_one_that_is_opened_anew(game: str, browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, game, tmp_path / "data") as pages:
        tablet = pages.live["tablet"]

        # when bots play, on default pages by taps on the tablet
        def act(command: dict[str, Any]) -> None:
            # a bot need not say with which colour somebody is done; the buttons do
            if game == "master_builder" or command["do"] in {"undo", "done"}:
                submit(pages.table, command)
                return
            version = pages.table.version
            give(tablet, command)
            expect(tablet.locator("#state")).to_have_attribute("data-version", str(version + 1))
            answered(tablet)

        for _ in islice(bot_commands(pages.table, game, act, seed=5), STEPS):
            # then each page shows the same as one that is opened now, and its forms hold the same
            for name in pages.live:
                differences = pages.differences(name)
                assert differences == [], (name, pages.table.version, differences[:6])


@pytest.mark.nightly
@pytest.mark.parametrize("sheet", ["menu", "journal", "correct", "prepare", "phones"])
@pytest.mark.parametrize("game", ["master_builder", "men_at_work", "monopoly_builder"])
def test_after_every_update_an_open_sheet_is_as_one_that_is_opened_anew(
    game: str, sheet: str, browser: Browser, tmp_path: Path
) -> None:
    # given a sheet that is open over the tablet
    with pages_of(browser, game, tmp_path / "data", live=("tablet",), fresh=("tablet",)) as pages:
        open_sheet(pages.live["tablet"], sheet)

        # when bots play, and some of their commands are taken back
        for _ in islice(bot_commands(pages.table, game, partial(submit, pages.table), seed=7), STEPS // 8):
            # then it shows the same as one that is opened now, and its forms hold the same
            differences = pages.sheet_differences(sheet)
            assert differences == [], (pages.table.version, differences[:6])


def submit(table: Table, command: dict[str, Any]) -> None:
    """Let somebody else act, on no page of these tests."""
    table.submit(Request(command, "banker", "test"))


def is_drawn(page: Page, table: Table) -> None:
    expect(page.locator("#state")).to_have_attribute("data-version", str(table.version))


def building(pages: Pages) -> Page:
    """Return the tablet of Monopoly Builder at a moment at which red may build on many cells."""
    page, table = pages.live["tablet"], pages.table
    submit(table, {"do": "roll", "player": "red", "dice": [1, 3]})
    submit(table, {"do": "buy", "player": "red"})
    is_drawn(page, table)
    follows(page)
    return page


def test_a_chosen_cell_stays_chosen_while_others_change_beneath_it(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "monopoly_builder", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        # given somebody who has chosen where to build and how many chips, and has not sent it yet
        page, table = building(pages), pages.table
        page.get_by_role("button", name="Build a floor").click()
        form = page.locator("#sheet form[data-send*='\"build\"']")
        chosen = form.locator("input[name=cell]").nth(3)
        cell = chosen.get_attribute("value")
        chosen.check()
        expect(form.locator("[data-pays]")).to_be_enabled()
        note = form.locator("[data-chosen-note]").text_content()

        # when a cell before it is taken, and a name is written anew
        first = form.locator("input[name=cell]").first.get_attribute("value")
        submit(table, {"do": "correct_block", "cell": first, "owner": "green", "height": 1, "reason": "stood there"})
        is_drawn(page, table)

        # then the same cell is chosen, no other one
        expect(form.locator(f"input[name=cell][value={first}]")).to_have_count(0)
        expect(form.locator("input[name=cell]:checked")).to_have_count(1)
        expect(form.locator("input[name=cell]:checked")).to_have_attribute("value", str(cell))

        # and it can be built on, as it could before
        expect(form.locator("[data-pays]")).to_be_enabled()
        expect(form.locator("[data-chosen-note]")).to_have_text(str(note))

        # when it is taken itself, then none is chosen
        submit(table, {"do": "correct_block", "cell": cell, "owner": "green", "height": 1, "reason": "stood there"})
        is_drawn(page, table)
        expect(form.locator("input[name=cell]:checked")).to_have_count(0)
        expect(form.locator("[data-pays]")).to_be_disabled()


def test_the_chips_that_somebody_set_for_a_floor_stay_while_others_book(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "monopoly_builder", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        # given somebody who has taken away one of the chips that the page suggests for the cell they chose
        page, table = building(pages), pages.table
        chips = {"do": "correct_chips", "kind": "purple", "count": 3, "from": "bank", "to": "red", "reason": "dealt"}
        submit(table, chips)
        is_drawn(page, table)
        page.get_by_role("button", name="Build a floor").click()
        form = page.locator("#sheet form:has([data-filled])")
        form.locator("input[name=cell]").first.check()
        bag, floor = form.locator("[data-filled] [data-of]"), form.locator("[data-pays]")
        counts = [int(field.input_value()) for field in bag.all()]
        assert sum(counts) == 2
        most = counts.index(max(counts))
        stepper = form.locator("[data-filled] [data-stepper]").nth(most)
        stepper.locator("[data-add='-1']").click()
        expect(floor).to_be_disabled()

        # when something is booked meanwhile
        submit(table, {"do": "count_cash", "player": "green", "amount": 900})
        expect(page.locator("#sheet [data-version]")).to_have_attribute("data-version", str(table.version))

        # then the bag is there with what they left in it, and waits for the other chip
        expect(form.locator("[data-filled]")).to_be_visible()
        expect(bag.nth(most)).to_have_value(str(counts[most] - 1))
        expect(floor).to_be_disabled()
        stepper.locator("[data-add='1']").click()
        expect(floor).to_be_enabled()


@pytest.mark.nightly
@pytest.mark.usefixtures("long_lists_in_words")
def test_no_card_is_chosen_for_the_next_player(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "men_at_work", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        # given a card that was chosen on the tablet, while the player has turned up another one
        page, table = pages.live["tablet"], pages.table
        player = (table.show("banker")["position"]["waiting_for"] or [""])[0]
        form = page.locator("form[data-send*='turn_card']")
        form.locator("input[value=I05]").check()
        colours = (("turn_card", {"card": "I03"}), ("show_back", {"back": "GPB"}), ("done", {"player": player}))
        for name, fields in colours:
            submit(table, {"do": name, **fields})
            is_drawn(page, table)
        submit(table, {"do": "say_colour", "player": player, "colour": "black"})
        is_drawn(page, table)

        # then for the next one nothing is chosen: each card that may come is a button of its own
        expect(page.locator(".plain-forms input:checked")).to_have_count(0)
        expect(page.locator("[data-command*='turn_card']").first).to_be_visible()
        expect(page.locator('[data-command=\'{"do":"turn_card"}\']')).to_have_count(0)


@pytest.mark.usefixtures("long_lists_in_words")
def test_a_card_that_was_booked_by_a_tap_is_not_chosen_for_the_next_one(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "men_at_work", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        page, table = pages.live["tablet"], pages.table
        form = page.locator("form[data-send*='turn_card']")
        form.locator("input[value=I05]").check()
        form.locator("button.button:not([type=button])").click()
        until(lambda: page.title() and table.version == 2)
        is_drawn(page, table)

        # then nothing is chosen in the form that comes next, nor in the same one when it is back
        expect(page.locator("[data-command*='show_back']").first).to_be_visible()
        expect(page.locator(".plain-forms input:checked")).to_have_count(0)
        submit(table, {"do": "undo"})
        is_drawn(page, table)
        expect(form).to_be_visible()
        expect(page.locator(".plain-forms input:checked")).to_have_count(0)


@pytest.mark.usefixtures("long_lists_in_words")
def test_what_is_refused_stays_chosen(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "men_at_work", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        # given a choice that the companion refuses
        page = pages.live["tablet"]
        form = page.locator("form[data-send*='turn_card']")
        form.locator("input[value=I05]").check()
        page.route("**/commands", lambda route: route.fulfill(status=422, json={"detail": "Not now."}))
        form.locator("button.button:not([type=button])").click()
        expect(page.locator("#toast")).to_contain_text("Not now.")
        answered(page)

        expect(form.locator("input:checked")).to_have_attribute("value", "I05")


def test_pieces_that_were_counted_and_not_sent_are_not_lost_to_another_tap(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "men_at_work", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        # given an accident after which a girder was counted, and not yet put back
        page, table = pages.live["tablet"], pages.table
        player = (table.show("banker")["position"]["waiting_for"] or [""])[0]
        cards = table.catalog_json()["cards"]
        card = next(card for card, values in cards.items() if values["girder"] == "become_highest")
        submit(table, {"do": "turn_card", "card": card, "back": "GBW"})
        submit(table, {"do": "accident", "player": player, "colour": "white"})
        is_drawn(page, table)
        pieces = page.locator("form[data-send*='fallen']")
        pieces.locator("[data-stepper]").first.locator("[data-add='1']").click()
        version = table.version

        # when somebody taps that all is cleaned up, then that is said first, and nothing is booked
        cleaned = page.locator(".acts [data-command*='cleaned']")
        cleaned.click()
        expect(page.locator("#toast")).to_contain_text("Not sent yet: Pieces put back")
        flush_requests(page)
        assert table.version == version

        # and a second tap goes on
        cleaned.click()
        until(lambda: page.title() and table.version == version + 1)
        assert table.entries[-1].command["do"] == "cleaned"


def test_a_button_that_a_finger_is_on_does_not_become_another_one(browser: Browser, tmp_path: Path) -> None:
    with pages_of(browser, "monopoly_builder", tmp_path / "data", live=["tablet"], fresh=[]) as pages:
        # given a finger on *Buy*, while somebody else books that it was declined
        page, table = pages.live["tablet"], pages.table
        submit(table, {"do": "roll", "player": "red", "dice": [1, 3]})
        is_drawn(page, table)
        sent: list[object] = []

        def note(route: Route) -> None:
            sent.append(route.request.post_data_json)
            route.continue_()

        page.route("**/commands", note)
        buy = page.get_by_role("button", name="Buy for")
        box = buy.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        before = page.locator("#live").inner_html()
        submit(table, {"do": "undo"})

        # when it rests there, then nothing is drawn anew, and the page says that it may be old
        page.wait_for_timeout(RESTS_MS)
        assert page.locator("#live").inner_html() == before
        expect(page.locator("#banner")).to_contain_text("may be out of date")

        # when it is lifted, then what was meant is sent, and refused, because the table has moved on
        page.mouse.up()
        is_drawn(page, table)
        answered(page)
        assert [command["do"] for command in sent if isinstance(command, dict)] == ["buy"]
        assert table.entries[-1].command["do"] == "undo"
