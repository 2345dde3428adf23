"""An evening of a game in the default UI: a tablet, a big screen and a phone for each player, all tapped by people."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from companion.service.access.logins import Caller
from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN, TABLET, Installation, serving
from tests.browser.plain_hands import Json, give
from tests.browser.screens import PHONE, Troubles

SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SCREEN = {"width": 1280, "height": 720}
COUNT_SCROLLS = """
window.scrolls = 0;
document.addEventListener("scroll", () => { window.scrolls += 1; }, true);
"""


@dataclass
class PlainEvening:
    """A table with its devices."""

    table: Table
    tablet: Page
    phones: dict[str, Page]
    display: Page
    scrolled: set[tuple[str, bool]] = field(default_factory=set[tuple[str, bool]])
    """Commands for which a page had to be scrolled, and whether a known back named which cards they may be about."""

    @property
    def pages(self) -> list[Page]:
        return [self.tablet, *self.phones.values(), self.display]

    def at(self, key: str) -> Any:
        position = self.table.position_json("banker")
        assert position is not None
        return position[key]

    @property
    def _knows_back(self) -> bool:
        """Return whether a back of Men at Work is turned up, which few cards have."""
        return (self.table.position_json("banker") or {}).get("back") is not None

    def by(self, player: str | None, command: Json) -> None:
        """Submit a command at a player's phone, or at the tablet; every device shows what came of it."""
        self.tap(player, {**command, **({} if player is None else {"player": player})})

    def tap(self, phone: str | None, command: Json) -> None:
        """Submit a command as it is at somebody's phone, or at the tablet; every device shows what came of it."""
        page = self.tablet if phone is None else self.phones[phone]
        version = self.table.version
        expect(page.locator("#state")).to_have_attribute("data-version", str(version))
        before, knows_back = page.evaluate("window.scrolls"), self._knows_back
        give(page, command)
        other = command.get("with")
        if other is not None and phone is not None:
            self.phones[other].locator("[data-agree=yes]").click()
        if page.evaluate("window.scrolls") != before:
            self.scrolled.add((command["do"], knows_back))
        for screen in self.pages:
            expect(screen.locator("#state")).to_have_attribute("data-version", str(version + 1))

    def nothing_is_cut(self) -> None:
        """See that no page scrolls sideways, and no button is narrower than its words."""
        for page in self.pages:
            assert page.evaluate(SIDEWAYS) <= 0
            cut = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)"
            assert page.locator(".plain .button:visible").evaluate_all(cut) == []


@contextmanager
def open_table(browser: Browser, folder: Path, start: Json, troubles: Troubles) -> Iterator[PlainEvening]:
    """Begin a game with a phone for each player, a tablet and a big screen."""
    with serving(folder / "data", "none") as running, ExitStack() as devices:
        table = running.services.tables.start(Request(start, "banker", "tap"))

        def device(name: str, size: Json, path: str, caller: Caller | None = None) -> Page:
            context = browser.new_context(viewport=size, base_url=running.address, locale="en-GB")  # type: ignore[arg-type]
            devices.callback(context.close)
            troubles.watch(name, context)
            context.add_init_script(COUNT_SCROLLS)
            if caller is None:
                context.request.post("/api/v1/logins", data={"pin": PIN})
            page = context.new_page()
            page.goto(invitation(running, caller) if caller else path)
            expect(page.locator("#state")).to_be_visible()
            return page

        tablet = device("tablet", dict(TABLET), f"/tables/{table.id}")
        phones = {seat: device(seat, dict(PHONE), "", Caller("player", seat, table.id)) for seat in table.names()}
        yield PlainEvening(table, tablet, phones, device("display", SCREEN, "", Caller("spectator", None, table.id)))


def invitation(running: Installation, caller: Caller) -> str:
    """Return the address that a guest's code leads to."""
    return f"/join/{running.services.logins.join_token(caller)}"
