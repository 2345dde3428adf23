"""A whole box is taught without a mouse, in two sittings on two devices, and played with."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PIN, TABLET, serving
from tests.browser.screens import PHONE, Troubles
from tests.service.taught import printed

SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
MOST_TAPS = {"W": 3.0, "Y": 3.0, "C": 14.0, "E": 6.0}
"""On the average of the House deck's cards of a kind; typed words are not counted."""


@contextmanager
def device(browser: Browser, address: str, size: dict[str, int], troubles: Troubles, locale: str) -> Iterator[Page]:
    context = browser.new_context(viewport=size, base_url=address, locale=locale)  # type: ignore[arg-type]
    troubles.watch(locale, context)
    page = context.new_page()
    page.goto("/login")
    page.fill("input[name=pin]", PIN)
    page.keyboard.press("Enter")
    page.wait_for_url("**/")
    yield page
    context.close()


class Hands:
    """Fingers on a keyboard: each tap is a key pressed on something that has the focus."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps: Counter[str] = Counter()
        self.card = ""

    def tap(self, place: Locator, key: str = "Enter") -> None:
        place.focus()
        place.press(key)
        self.taps[self.card[0]] += 1

    def choose(self, choice: Locator) -> None:
        if not choice.is_checked():
            self.tap(choice, "Space")

    def number(self, field: Locator, value: int) -> None:
        wanted = str(value // int(field.locator("[data-unit]").get_attribute("data-unit") or 1))
        if field.locator("input").input_value() != wanted:
            for digit in wanted:
                self.tap(field.locator(f"[data-digit='{digit}']"))

    def teach(self, card: str, values: dict[str, Any]) -> None:
        self.card = card
        form = self.page.locator(".teach-card")
        expect(form).to_have_attribute("data-card", card)
        for name, value in values.items():
            self.fill(form.locator(f"[data-name='{name}']"), name, value)
        self.tap(form.locator(".teach-foot .filled"))

    def fill(self, field: Locator, name: str, value: Any) -> None:
        for choice in self.chosen(field, name, value):
            self.choose(field.locator(choice))
        match field.get_attribute("data-asked"):
            case "number":
                self.number(field, value)
            case "teams":
                for place, kind in [(place, kind) for place, team in value.items() for kind in team]:
                    self.tap(field.locator(f"[data-place='{place}'] [data-add-to-team='{kind}']"))
            case "line":
                field.locator("input").fill(value)
            case "acts":
                for at, act in enumerate(value):
                    self.act(field, at, act)
            case _:
                pass

    @staticmethod
    def chosen(field: Locator, name: str, value: Any) -> list[str]:
        """Which choices say a value, as selectors."""
        match field.get_attribute("data-asked"):
            case "pick":
                return [f"input[value='{one}']" for one in ([value] if isinstance(value, str) else value)]
            case "row":
                return [f"[name='{name}.{at}'][value='{number}']" for at, number in enumerate(value)]
            case _:
                return []

    def act(self, field: Locator, at: int, act: dict[str, Any]) -> None:
        slot = field.locator(f"[data-act-at='{at}']")
        self.choose(slot.locator(f"[name$='.{at}.do'][value='{act['do']}']"))
        for name, value in act.items():
            part = slot.locator(f"[data-verb='{act['do']}'] [data-part='{name}']")
            if name == "do":
                continue
            if isinstance(value, int):
                if value < 0:
                    self.tap(part.locator("[data-sign]"))
                for digit in str(abs(value) // int(part.locator("[data-unit]").get_attribute("data-unit") or 1)):
                    self.tap(part.locator(f"[data-digit='{digit}']"))
            else:
                for one in [value] if isinstance(value, str) else value:
                    self.choose(part.locator(f"input[value='{one}']"))


@pytest.mark.slow
def test_a_box_is_taught_in_two_sittings_and_played_with(browser: Browser, tmp_path: Path) -> None:
    troubles, cards = Troubles(), list(printed("master_builder").items())
    taps: Counter[str] = Counter()
    with serving(tmp_path / "data", "none") as running:
        # given the first half taught on the tablet
        with device(browser, running.address, TABLET, troubles, "en-GB") as page:
            page.goto("/boxes")
            page.locator("[name=name]").fill("Our own box")
            page.locator("[name=name]").press("Enter")
            page.wait_for_url("**/boxes/our-own-box")
            hands = Hands(page)
            for card, values in cards[:45]:
                hands.teach(card, values)
            expect(page.locator(".teach-card")).to_have_attribute("data-card", cards[45][0])
            assert page.evaluate(SIDEWAYS) <= 0
            taps += hands.taps

        # when the rest is taught on a phone, with one wrong entry
        with device(browser, running.address, PHONE, troubles, "de-DE") as page:
            page.goto("/boxes")
            page.locator(".box-line .filled").focus()
            page.keyboard.press("Enter")
            page.wait_for_url("**/boxes/our-own-box")
            hands = Hands(page)
            for card, values in cards[45:]:
                assert page.evaluate(SIDEWAYS) <= 0
                hands.teach(card, values)
            taps += hands.taps
            expect(page.locator("#teach")).to_contain_text("79 von 79")  # the last card is kept
            page.goto("/boxes/our-own-box?card=W01")
            hands.fill(page.locator("[data-name='type']"), "type", "A")
            page.locator(".teach-foot .filled").press("Enter")

            # then the sums tell it, it is mended, and the box can be chosen for a game
            expect(page.locator(".teach-sums li").first).to_contain_text("workers of type")
            hands.teach("W01", dict(cards)["W01"])
            page.locator("[data-finish]").focus()
            page.keyboard.press("Enter")
            page.wait_for_url("**/boxes")
            page.goto("/")
            expect(page.locator("input[name=catalog][value='our-own-box']")).to_be_attached()

    counts = Counter(card[0] for card, _ in cards)
    assert {kind: taps[kind] / counts[kind] <= most for kind, most in MOST_TAPS.items()} == dict.fromkeys(
        MOST_TAPS, True
    ), {kind: round(taps[kind] / counts[kind], 1) for kind in MOST_TAPS}
    assert troubles.seen == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_can_be_used_by_everybody(browser: Browser, tmp_path: Path, scheme: str) -> None:
    with serving(tmp_path / "data", "none") as running:
        boxes = running.services.boxes
        assert boxes is not None
        boxes.begin("master_builder", "Box")
        boxes.begin("men_at_work", "Site")
        with device(browser, running.address, TABLET, Troubles(), "fr-FR") as page:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]  # light or dark
            for path in ("/boxes", "/boxes/box", "/boxes/box?card=C03", "/boxes/box?card=E05", "/boxes/site"):
                page.goto(path)
                assert Axe().run(page).response["violations"] == [], path
                assert page.evaluate(SIDEWAYS) <= 0
