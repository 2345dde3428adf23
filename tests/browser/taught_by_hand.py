"""Hands that teach a box on a keyboard, field by field."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import PIN
from tests.browser.screens import Troubles


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
        self.card = "?"

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
            case "series" | "cells":
                self.lay_out(field, value)
            case "teams":
                self.seat(field, value)
            case "line":
                field.locator("input").fill(value)
            case "acts":
                for at, act in enumerate(value):
                    self.act(field, at, act)
            case _:
                pass

    def seat(self, field: Locator, value: dict[str, list[str]]) -> None:
        """Enter who works where: kind by kind on the drawn building, or place by place."""
        seats = [(place, kind) for place, team in value.items() for kind in team]
        if field.locator(".teach-plan").count():
            for kind in sorted({kind for _, kind in seats}):
                self.choose(field.locator(f".teach-brush input[value='{kind}']"))
                for place in [place for place, there in seats if there == kind]:
                    self.tap(field.locator(f"[data-place='{place}']"))
        elif field.locator("[data-add-to-team]").count():
            for place, kind in seats:
                self.tap(field.locator(f"[data-place='{place}'] [data-add-to-team='{kind}']"))

    def lay_out(self, field: Locator, value: list[str]) -> None:
        if field.get_attribute("data-asked") == "series":
            for step in value[field.locator("[data-step]").count() :]:
                self.tap(field.locator(f"[data-add-step='{step}']"))
            return
        cells = ((row, at) for row, line in enumerate(value) for at, sign in enumerate(line) if sign == "X")
        for row, column in cells:
            self.tap(field.locator(f"[data-cell='{chr(ord('A') + row)}{column + 1}']"))

    @staticmethod
    def chosen(field: Locator, name: str, value: Any) -> list[str]:
        """Which choices say a value, as selectors."""
        match field.get_attribute("data-asked"):
            case "pick":
                return [f"input[value='{choice}']" for choice in ([value] if isinstance(value, str) else value)]
            case "row":
                return [f"[name='{name}.{at}'][value='{number}']" for at, number in enumerate(value)]
            case "teams" if not field.locator("[data-add-to-team], .teach-plan").count():
                return [f"[name='{name}.{place}'][value='{team[0]}']" for place, team in value.items()]
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
                for choice in [value] if isinstance(value, str) else value:
                    self.choose(part.locator(f"input[value='{choice}']"))
