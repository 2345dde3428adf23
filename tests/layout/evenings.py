"""Whole evenings on every screen: bots play, and after each command each changed page is measured."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.bot_games.games import bots_of
from companion.service.access.logins import Caller
from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN, Installation, serving
from tests.browser.live_pages import CATALOG, GAMES, bot_commands
from tests.hidden_games import HIDING
from tests.layout.conftest import ARTIFACTS
from tests.layout.measures import ALLOWED, MEASURES, OUT_OF_REACH, THUMB, VERY_LARGE
from tests.layout.places import DRESSED
from tests.waiting import PATIENCE_MS

SURVEY_SCRIPT = Path(__file__).with_name("evening.js").read_text(encoding="utf-8")
CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
TABLETS = {"tablet": (1280, 800), "small tablet": (1024, 600)}
SCREENS = {"big screen": (1920, 1080), "small screen": (1280, 720)}
PHONES = {"phone": (390, 844), "small phone": (360, 740)}
DEVICES = {**TABLETS, **SCREENS, **PHONES}
SAMPLE = ("small tablet", "small screen", "small phone")
SAMPLE_COMMANDS = 3

OURS, WIDE, NARROW = "", "DejaVu Sans", "DejaVu Sans Condensed"
FORCED = """(() => {
  const style = new CSSStyleSheet();
  style.replaceSync(":root { --voice: 'FAMILY' !important; --ledger: 'FAMILY' !important }");
  document.adoptedStyleSheets = [style];
})()"""
IS_INSTALLED = """(family) => {
  const wide = (font) => {
    const drawing = document.createElement("canvas").getContext("2d");
    drawing.font = `40px ${font}`;
    return drawing.measureText("Maximiliane will").width;
  };
  return wide(`"${family}", monospace`) !== wide("monospace");
}"""
SETTLED = f"""(version) => document.getElementById("state")?.dataset.version === version
  && !document.body.classList.contains("busy")
  && ({DRESSED})()
  && document.fonts.status === "loaded"
  && [...document.images].every((image) => image.complete)
  && document.getAnimations().every((each) =>
    each.playState !== "running" || each.effect.getTiming().iterations === Infinity)"""
"""Shown are this version, in its style and type, all its pictures, and nothing moves any more."""
SHOWN = "[document.documentElement.dataset.theme, document.getElementById('page').outerHTML].join()"
TAP_ON_REVEAL = """() => {
  const revealed = document.getElementById("stage");
  revealed?.click();
  return Boolean(revealed);
}"""
"""Ends what is told over a page; whether there was any, for it ends by itself too."""
ALLOWED_WHERE_LARGE = (ALLOWED, "below the fold", "covered: div.tell")
"""With *Very large* text one scrolls to what does not fit, but for the menu."""

NAMES = {
    "8": ("Benedikt", "Federica", "Theodora", "Leopolda", "Casimira"),
    "18": ("Maximiliane-Sophie", "Bartholomew", "Anne-Sophie", "Wolfgang-Amadeus", "Guillermo"),
    "35": (
        "Donaudampfschifffahrtsgesellschafts",
        "Bartholomew von Hohenstein-Lichtenb",
        "Rechtsschutzversicherungsgesellscha",
        "Maximiliane-Charlotte Sophie Amalie",
        "Mississippidampferkapitaenswitwenre",
    ),
    "scripts": (
        "عبد الرحمن محمد الفارسي",
        "Donaudampfschifffahrtsgesellschafts",
        "लक्ष्मीनारायण विश्वनाथन",
        "👷🏽‍♀️ Zoë 🏗️",
        "欧阳司马上官诸葛东方皇甫尉迟公孙慕容",
    ),
}
"""Names by the letters of the longest of them, and names of many scripts."""


@dataclass(frozen=True)
class SurveyedGame:
    """A game as somebody may play it, and on what it is looked at."""

    game: str
    players: int
    font: str
    language: str
    names: str
    dark: bool = False
    hidden: bool = False
    motion: bool = False
    large: bool = False
    """With *Very large* text, as set in the browser of tablets and phones."""
    seed: int = 3
    variants: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return its name, as tests are called."""
        font = {OURS: "ours", WIDE: "wide", NARROW: "narrow"}[self.font]
        wishes = [wish for wish in ("dark", "hidden", "motion", "large") if getattr(self, wish)]
        return "-".join([self.game, str(self.players), font, self.language, self.names, *wishes, *self.variants])

    def begin(self, running: Installation) -> Table:
        """Begin a table with these players."""
        command = {**bots_of(GAMES[self.game]).beginning(self.players), "catalog": CATALOG}
        command |= {"variants": list(self.variants)} if self.variants else {}
        for player, name in zip(command["players"], NAMES[self.names], strict=False):
            player["name"] = name
        return running.services.tables.start(
            Request({**command, **(HIDING[self.game] if self.hidden else {})}, "banker", "test")
        )

    def device(self, browser: Browser, running: Installation) -> BrowserContext:
        """Open a browser as one device has it."""
        context = browser.new_context(
            base_url=running.address,
            locale={"en": "en-GB", "fr": "fr-FR", "de": "de-DE"}[self.language],
            color_scheme="dark" if self.dark else "light",
            reduced_motion="no-preference" if self.motion else "reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(Axe().axe_script)
        if self.font:
            context.add_init_script(FORCED.replace("FAMILY", self.font))
        return context


@dataclass
class Survey:
    """Pages of an evening: how often they were measured, and each fault with when it was first there."""

    session: SurveyedGame
    pages: dict[str, Page]
    taken: int = 0
    faults: dict[str, str] = field(default_factory=dict[str, str])
    seen: dict[str, str] = field(default_factory=dict[str, str])

    def update(self, table: Table) -> None:
        """Look at every page that has changed, as soon as it stands still."""
        for device, page in self.pages.items():
            page.wait_for_function(SETTLED, arg=str(table.version))
            shown = page.evaluate(SHOWN)
            if self.seen.get(device) == shown:
                continue
            self.seen[device] = shown
            self.taken += 1
            self.keep(device, table.version, self.measured(page, device))
            if page.evaluate(TAP_ON_REVEAL):
                # a tap on what is told leads to what lies below
                self.keep(device, table.version, self.measured(page, device))
            shows = page.locator("dialog.told-elsewhere button")
            if shows.count():
                # the end that a big screen tells is shown here on demand
                shows.click()
                self.keep(device, table.version, self.measured(page, device))

    def measured(self, page: Page, device: str) -> list[str]:
        """Return what lies badly on a page."""
        target = 0 if device in SCREENS else THUMB
        faults = page.evaluate(MEASURES, {"target": target, "letters": 0}) + page.evaluate(SURVEY_SCRIPT)
        if self.session.large and device not in SCREENS:
            faults = [fault for fault in faults if not fault.startswith(ALLOWED_WHERE_LARGE)] + page.evaluate(
                OUT_OF_REACH
            )
        if self.session.names == "scripts":
            # a script without a font of its own is drawn in wide blanks, and its words are broken
            faults = [fault for fault in faults if not fault.startswith(ALLOWED)]
        faults += [f"contrast: {element}" for element in page.evaluate(CONTRAST)]
        return list(faults)

    def keep(self, device: str, version: int, faults: list[str]) -> None:
        """Keep what is new of these faults, with a picture; behind a comma ``device`` says what was opened there."""
        new = [f"{device}: {fault}" for fault in faults if f"{device}: {fault}" not in self.faults]
        if not new:
            return
        folder = ARTIFACTS / f"evening-{self.session}"
        folder.mkdir(parents=True, exist_ok=True)
        picture = folder / f"{version:03}-{device.replace(' ', '-')}.png"
        self.pages[device.partition(",")[0]].screenshot(path=picture)
        self.faults |= dict.fromkeys(new, f"entry {version}")
        lines = [f"{when} {fault}\n" for fault, when in self.faults.items()]
        (folder / "faults.txt").write_text("".join(lines), encoding="utf-8")


@contextmanager
def survey_of(
    browser: Browser, session: SurveyedGame, folder: Path, devices: tuple[str, ...]
) -> Iterator[tuple[Table, Survey]]:
    """Begin an evening with its pages open."""
    with serving(folder, "none") as running:
        table = session.begin(running)
        with survey_pages(browser, session, running, table, devices) as survey:
            yield table, survey


@contextmanager
def survey_pages(
    browser: Browser, session: SurveyedGame, running: Installation, table: Table, devices: tuple[str, ...]
) -> Iterator[Survey]:
    """Open the pages of a table."""
    seats = list(table.names())
    banker = session.device(browser, running)
    banker.request.post("/login", form={"pin": PIN, "next": "/"})
    contexts, pages = [banker], dict[str, Page]()
    try:
        for device in devices:
            context, address = banker, f"/tables/{table.id}"
            if device in SCREENS:
                address += "/display"
            elif device in PHONES:
                context = session.device(browser, running)
                contexts.append(context)
                seat = seats[0 if device == "phone" else -1]
                address += f"/seats/{seat}"
                context.request.get(f"/join/{running.services.logins.join_token(Caller('player', seat, table.id))}")
            pages[device] = page = context.new_page()
            width, height = DEVICES[device]
            page.set_viewport_size({"width": width, "height": height})
            if session.large and device not in SCREENS:
                sizes = {"fontSizes": {"standard": VERY_LARGE, "fixed": VERY_LARGE}}
                page.context.new_cdp_session(page).send("Page.setFontSizes", sizes)
            page.goto(address)
            expect(page.locator("#state")).to_be_visible()
            if session.font and not page.evaluate(IS_INSTALLED, session.font):
                pytest.skip(f"{session.font} is missing: sudo apt install fonts-dejavu")
        yield Survey(session, pages)
    finally:
        for context in contexts:
            context.close()


def faults_of(
    browser: Browser, session: SurveyedGame, folder: Path, devices: tuple[str, ...], commands: int | None
) -> list[str]:
    """Let bots play an evening, look after each command, and return what lay badly."""
    with survey_of(browser, session, folder, devices) as (table, survey):

        def act(command: dict[str, Any]) -> None:
            table.submit(Request(command, "banker", "test"))

        survey.update(table)
        for _ in islice(bot_commands(table, session.game, act, seed=session.seed), commands):
            survey.update(table)
        print(f"{session}: {table.version} commands, {survey.taken} looks, {len(survey.faults)} faults")  # noqa: T201 - figures of a long run
        return [f"{when}, {fault}" for fault, when in survey.faults.items()]
