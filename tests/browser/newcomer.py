"""Somebody who plays by what they see: buttons that are there and can be tapped, nothing else.

What they tap is known by what the button opens or sends, so that they play in every language.  Which of several
they take is drawn, the same way for the same seed.  They look at each sheet that they open (``on_sheet``).
"""

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, TimeoutError  # noqa: A004

from tests.pages import answered
from tests.waiting import until

HIRES = ("F", "T", "MC", "A", "T", "F", "A", "MC", "T", "F")
"""The types they look for, one after the other: who has some of each can build."""
DEAREST = 24
"""They stop hiring at this many thousands of wages."""
MOST_RAISES = 0.45
IS_NO_DOUBLE_TAP = """() => {
  if (window.tapped === undefined) {
    window.tapped = performance.now();
    document.addEventListener("click", ({ timeStamp }) => (window.tapped = timeStamp), true);
  }
  return performance.now() - window.tapped > 350;
}"""
"""Returns whether 350 ms have passed since the latest tap, of which pages take the next one for a double tap's."""

Act = Callable[[Page], bool]


@dataclass
class Newcomer:
    """Taps on a player's phone or on the banker's tablet."""

    lots: random.Random
    on_sheet: Callable[[Page, str], None] = lambda _page, _sheet: None
    hired: int = 0

    def on_phone(self, phone: Page) -> bool:
        """Do what the phone asks of its player, if it asks anything that needs no card; say whether they did."""
        answered(phone)
        phone.wait_for_function(IS_NO_DOUBLE_TAP)
        acts: Sequence[Act] = (self._bid, self._loan, self._choose_contract, self._plan, self._choose, self._pass)
        return any(act(phone) for act in acts)

    def on_tablet(self, tablet: Page) -> bool:
        """Do what only the banker does: tap the cards that lie on the table."""
        answered(tablet)
        tablet.wait_for_function(IS_NO_DOUBLE_TAP)
        for sheet, tapped in (("economy", self._pick), ("reveal", self._tick), ("event", self._pick)):
            button = _up(tablet, f".acts [data-sheet={sheet}]")
            if button is not None:
                self._open(tablet, button)
                tapped(tablet)
                return True
        return self._hire(tablet) or self._choose(tablet)

    def _hire(self, page: Page) -> bool:
        button = _up(page, ".acts [data-sheet=hire]")
        if button is None:
            return False
        self._open(page, button)
        wanted = HIRES[self.hired % len(HIRES)]
        cards = page.locator(f"#sheet .card.{wanted}")
        if not cards.count():
            cards = page.locator("#sheet .card")
        self.hired += 1
        self._one_of(cards).tap()
        answered(page)
        until(lambda: _is_closed(page))  # it would go on to the next one without a phone
        return True

    def _pick(self, page: Page) -> None:
        self._one_of(page.locator("#sheet .pick")).tap()

    def _tick(self, page: Page) -> None:
        least = int(page.locator("#sheet form").get_attribute("data-most") or 1)
        labels = page.locator("#sheet .pick-mark")
        for place in sorted(self.lots.sample(range(labels.count()), least)):
            labels.nth(place).tap()
        page.locator("#sheet [data-needs]").tap()

    def _bid(self, page: Page) -> bool:
        pad = _up(page, "#pad .button.filled")
        if pad is None:
            return False
        out = _up(page, "#pad [data-command*=pass]")
        warned = page.locator("#pad .forecast.short").count()
        if out is not None and (warned or self.lots.random() > MOST_RAISES):
            out.tap()
            return True
        more = _up(page, "#pad .quick [data-add='2000']")
        if more is not None and self.lots.random() < MOST_RAISES:
            more.tap()
        pad.tap()
        return True

    def _loan(self, page: Page) -> bool:
        loans = page.locator(".loan-choice .loan button:visible")
        if loans.count():
            self._one_of(loans).tap()
            return True
        button = _up(page, ".acts .filled[data-sheet=borrow]")
        if button is None:
            return False
        self._open(page, button)
        self._pick(page)
        return True

    def _choose_contract(self, page: Page) -> bool:
        lots = page.locator("button[data-sheet=open]:visible:enabled")
        if not lots.count():
            return False
        out = _up(page, ".acts [data-command*=pass]")
        if out is not None and self.lots.random() > 0.8:
            out.tap()
            return True
        self._open(page, self._one_of(lots))
        page.locator("#sheet .over-foot .filled").tap()
        return True

    def _plan(self, page: Page) -> bool:
        button = _up(page, ".acts .filled[data-sheet=plan]")
        if button is None:
            return False
        self._open(page, button)
        page.locator("#sheet [data-suggest='1']").tap()
        page.locator("#sheet .plan-why .reasons, #sheet .plan-why .refusal").first.wait_for()
        self.on_sheet(page, "plan-suggested")
        take = _up(page, "#sheet [data-take]")
        if take is not None:
            take.tap()
            page.locator("#sheet [data-take]").wait_for(state="detached")
        lock = _up(page, "#sheet .over-foot .filled")
        (lock or page.locator("#sheet [data-then-close]").first).tap()
        return True

    def _choose(self, page: Page) -> bool:
        button = _up(page, ".acts .filled[data-sheet=workers]")
        if button is not None:
            self._open(page, button)
            form = page.locator("#sheet form")
            least = int(form.get_attribute("data-least") or 1)
            cards = page.locator("#sheet .card-mark")
            for place in sorted(self.lots.sample(range(cards.count()), least)):
                cards.nth(place).tap()
            page.locator("#sheet [data-needs]").tap()
            return True
        button = _up(page, ".acts .filled[data-sheet=sections]")
        if button is None:
            return False
        self._open(page, button)
        self._pick(page)
        return True

    def _pass(self, page: Page) -> bool:
        ways = page.locator(".acts [data-command*=pass]:visible:enabled")
        wages = page.locator(".wage-figure b").first
        if not ways.count():
            return False
        dear = wages.count() > 0 and int(wages.inner_text()) >= DEAREST
        if not dear and self.lots.random() < 0.5 and page.locator(".acts [data-sheet=hire]:visible").count():
            return False  # they would rather have a worker: they take the card, and the banker taps it
        self._one_of(ways).tap()
        return True

    def _open(self, page: Page, button: Locator) -> None:
        """Open a sheet, and look at it."""
        sheet = button.get_attribute("data-sheet") or ""
        button.tap()
        page.locator("#sheet .sheet-frame").wait_for()
        self.on_sheet(page, sheet)
        page.wait_for_function(IS_NO_DOUBLE_TAP)

    def _one_of(self, these: Locator) -> Locator:
        these.first.wait_for()
        return these.nth(self.lots.randrange(these.count()))


def _is_closed(page: Page) -> bool:
    """Tap to close the sheet that is open, if any; it may close by itself meanwhile."""
    close = _up(page, "#sheet .over-head [data-close]")
    if close is None:
        return True
    with suppress(TimeoutError):
        close.tap(timeout=2_000)
    return False


def _up(page: Page, selector: str) -> Locator | None:
    """Return the first of these that can be seen and tapped."""
    locator = page.locator(f"{selector}:visible:enabled")
    return locator.first if locator.count() else None
