"""Games in the default UI played as people play them: by taps on what the pages offer, in a real browser."""

import random
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import Request as PageRequest

from companion.service.table.table import Request
from tests.browser.conftest import TABLET, serving
from tests.browser.plain_hands import unfold
from tests.browser.screens import PHONE, Troubles
from tests.browser.taught_by_hand import device
from tests.extent import by_night, of_all
from tests.pages import answered, flush_requests

STEPS = of_all(12, 30)
LONG = ("Bartholomew", "Anne-Sophie", "Maximilian")
CODE_PX = 300
"""A phone reads a code of this size on a screen of 1080 lines from three metres."""
SELDOM = ("Accident!", "Mortgage", "Pieces put back", "Trade")
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SEEN_WHOLE = """(selector) => {
  const part = document.querySelector(selector), box = part.getBoundingClientRect();
  return [[box.left + 2, box.top + 2], [box.right - 2, box.top + 2], [box.left + 2, box.bottom - 2],
    [box.right - 2, box.bottom - 2]].every(([x, y]) => part.contains(document.elementFromPoint(x, y)));
}"""
GAMES = {
    "men_at_work": {"players": ("blue", "grey", "red"), "rules": {"boss_at": "third"}, "variants": ["foreman"]},
    "monopoly_builder": {"players": ("red", "green", "purple"), "rules": {"rent": "auto"}, "variants": []},
}


@pytest.mark.nightly
@pytest.mark.parametrize("size", [pytest.param(TABLET, id="tablet"), pytest.param(PHONE, id="phone")])
@pytest.mark.parametrize("game", ["men_at_work", "monopoly_builder"])
def test_whatever_the_plain_face_offers_can_be_tapped(
    game: str, size: dict[str, int], browser: Browser, tmp_path: Path
) -> None:
    # given a table of people with long names, opened on a page
    lots, troubles = random.Random(7), Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, size, troubles, "en-GB") as page,
    ):
        table = running.services.tables.start(Request(begun(game), "banker", "tap"))
        page.goto(f"/tables/{table.id}")

        # when they tap whatever they are offered
        done: set[str] = set()
        for _ in range(STEPS):
            expect(page.locator("#state")).to_have_attribute("data-version", str(table.version))
            assert page.evaluate(SIDEWAYS) <= 0
            if table.overview is not None and table.overview.finished:
                break
            done.add(tapped(lots, page, table))

        # then each tap was an entry, of many kinds, and nothing went wrong on any page
        assert len(done) >= of_all(3, 4)
        assert troubles.seen == []


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["monopoly_builder", *by_night("men_at_work")])
def test_the_code_for_phones_is_large_and_covered_by_nothing_while_a_game_begins(
    game: str, browser: Browser, tmp_path: Path
) -> None:
    troubles = Troubles()
    for width, height, language in ((1920, 1080, "de-DE"), (1280, 720, "fr-FR")):
        folder, size = tmp_path / str(width), {"width": width, "height": height}
        with serving(folder, "none") as running, device(browser, running.address, size, troubles, language) as page:
            table = running.services.tables.start(Request(begun(game), "banker", "tap"))
            page.goto(f"/tables/{table.id}/display")
            page.wait_for_selector(".now-line")

            assert page.evaluate(SEEN_WHOLE, ".code-shown .qr-frame")
            assert page.evaluate(SEEN_WHOLE, ".code-shown p")
            assert page.evaluate(SEEN_WHOLE, ".code-shown .short-address b")
            box = page.locator(".code-shown .qr-frame").bounding_box()
            assert box is not None
            assert box["height"] >= CODE_PX * height / 1080
    assert troubles.seen == []


def begun(game: str) -> dict[str, Any]:
    how = GAMES[game]
    players = [{"id": seat, "name": name} for seat, name in zip(how["players"], LONG, strict=True)]
    return {"do": "start_game", "game": game, "first": players[0]["id"], **how, "players": players}


def tapped(lots: random.Random, page: Page, table: Any) -> str:
    """Do one of the things that are offered, and wait for the entry; give what it was called."""
    version = table.version
    offered = page.locator(
        ".plain-forms > .plain-act:not([data-like]), .plain-forms > form, .plain-forms .fold > :not(summary), "
        ".plain-forms > .act:not([data-like]), .plain-forms > .pick-picture, .plain-forms > .filled[data-like]"
    )
    titles = [" ".join(text.split()) for text in offered.locator("xpath=.").all_text_contents()]
    order = sorted(range(len(titles)), key=lambda at: (any(word in titles[at] for word in SELDOM), lots.random()))
    chosen = offered.nth(order[0])
    unfold(chosen)
    if chosen.evaluate("(one) => one.tagName") == "FORM":
        others = chosen.locator("fieldset:not(.dice), .bag, [data-stepper], .offer-part").count()
        by_dice_alone = chosen.locator("fieldset.dice").count() and not others
        chosen_in_fields(lots, chosen)
        if not by_dice_alone:  # with the last die it is sent, and the form may be gone
            chips_added(chosen)
            chosen.locator("button.button:not([type=button])").last.click()
    else:
        opens_pictures = chosen.get_attribute("data-like") is not None
        chosen.click()
        if opens_pictures:
            pictures, form = page.locator("#sheet .pick-picture"), page.locator("#sheet form[data-send]")
            pictures.or_(form).first.wait_for()
            if pictures.count():
                lots.choice(pictures.all()).click()
            else:
                chosen_in_fields(lots, form)
                form.locator("button.button:not([type=button])").last.click()
    expect(page.locator("#state")).to_have_attribute("data-version", str(version + 1))
    answered(page)
    return str(table.entries[-1].command["do"])


def chosen_in_fields(lots: random.Random, form: Locator) -> None:
    """Choose in every field: one of each list, a face of each die."""
    for group in form.locator("fieldset").all():
        choices = group.locator("input")
        # Of dice none is chosen yet, and with the last one the form may be gone: nothing is looked at again.
        choice = choices.nth(lots.randrange(choices.count()))
        if choice.get_attribute("data-die"):
            choice.click()
        else:
            choice.check()


def chips_added(form: Locator) -> None:
    """Put as many chips into the bag as are asked for."""
    bag = form.locator(".bag:not([data-filled])")  # elsewhere the page suggests how to pay
    if bag.count():
        wanted = int(bag.get_attribute("data-least") or 1)
        for plus in bag.locator("[data-add='1']").all():
            while wanted and plus.is_enabled():
                plus.click()
                wanted -= 1


@pytest.mark.nightly
def test_a_turn_in_which_a_deed_is_bought_takes_four_taps(browser: Browser, tmp_path: Path) -> None:
    troubles = Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, troubles, "en-GB") as page,
    ):
        table = running.services.tables.start(Request(begun("monopoly_builder"), "banker", "tap"))
        page.goto(f"/tables/{table.id}")

        # when both dice, *Buy* and *End the turn* are tapped
        dice = page.locator("fieldset.dice")
        dice.nth(0).get_by_label("1", exact=True).check()
        assert table.version == 1
        dice.nth(1).get_by_label("3", exact=True).click()
        for version, name in ((2, "Buy for 100\u00a0M"), (3, "End the turn")):
            expect(page.locator("#state")).to_have_attribute("data-version", str(version))
            answered(page)
            page.get_by_role("button", name=name).click()

        # then it is the next one's turn
        expect(page.locator("#sentence")).to_contain_text("Anne-Sophie")
        assert [entry.command["do"] for entry in table.entries] == ["start_game", "roll", "buy", "end_turn"]
        assert table.entries[1].command["dice"] == [1, 3]
    assert troubles.seen == []


@pytest.mark.nightly
def test_by_keys_a_throw_is_sent_by_its_button(browser: Browser, tmp_path: Path) -> None:
    troubles = Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, troubles, "en-GB") as page,
    ):
        table = running.services.tables.start(Request(begun("monopoly_builder"), "banker", "tap"))
        page.goto(f"/tables/{table.id}")

        # when somebody passes over other faces on the way to the one that was thrown
        sent: list[PageRequest] = []
        page.on("request", lambda asked: sent.append(asked) if asked.url.endswith("/commands") else None)
        page.locator("[name=dice-0][value='1']").press("Space")
        page.locator("[name=dice-1][value='1']").focus()
        for _ in range(4):
            page.keyboard.press("ArrowDown")

        # then nothing is sent before the button is used
        flush_requests(page)
        assert sent == []
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator("#state")).to_have_attribute("data-version", "2")
        assert table.entries[1].command["dice"] == [1, 5]
    assert troubles.seen == []


def test_a_turn_with_one_building_takes_six_taps(browser: Browser, tmp_path: Path) -> None:
    """Two dice, *Build a floor*, the cell on the drawn town, *Build*, *End the turn*."""
    troubles = Troubles()
    with (
        serving(tmp_path / "data", "none") as running,
        device(browser, running.address, TABLET, troubles, "en-GB") as page,
    ):
        table = running.services.tables.start(Request(begun("monopoly_builder"), "banker", "tap"))
        page.goto(f"/tables/{table.id}")
        dice, form = page.locator("fieldset.dice"), page.locator("#sheet form")
        dice.nth(0).get_by_label("3", exact=True).check()
        dice.nth(1).get_by_label("4", exact=True).click()
        expect(page.locator("#state")).to_have_attribute("data-version", "2")
        answered(page)

        # when the town is opened and a cell tapped, then it says what the floor costs, and the chips are chosen
        page.locator(".action-bar").get_by_role("button", name="Build a floor").click()
        expect(form.get_by_role("button", name="Build", exact=True)).to_be_disabled()
        form.locator(".plan-places input[value=C3]").click()
        expect(form.locator("[data-chosen-note]")).to_have_text("Floor 1 on C3: 2 of any kind")
        form.get_by_role("button", name="Build", exact=True).click()
        expect(page.locator("#state")).to_have_attribute("data-version", "3")
        answered(page)
        page.get_by_role("button", name="End the turn").click()
        expect(page.locator("#state")).to_have_attribute("data-version", "4")

        # then the floor stands, and it is the next one's turn
        assert [entry.command["do"] for entry in table.entries] == ["start_game", "roll", "build", "end_turn"]
        position = table.position_json("banker")
        assert position is not None
        assert position["board"] == {"C3": {"owner": "red", "height": 1}}
        answered(page)
        assert troubles.seen == []
