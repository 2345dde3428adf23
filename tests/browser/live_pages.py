"""Pages that follow a table, beside the same pages opened anew: what each shows, and what its forms hold."""

import random
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.adapters.catalogs import load_catalog
from companion.bootstrap.games import load_game
from companion.bot_games.games import bots_of
from companion.games import master_builder, men_at_work, monopoly_builder
from companion.service.access.logins import Caller
from companion.service.table.table import Request, Table
from tests.browser.conftest import PIN, TABLET, Installation, serving
from tests.browser.screens import PHONE
from tests.waiting import PATIENCE_MS

CATALOG = "house"
GAMES = {module.GAME.name: module.GAME for module in (master_builder, men_at_work, monopoly_builder)}
STRENGTH = "middle"
DEVICES = ("tablet", "display", "seat")
UNDONE = 0.1
"""Share of commands that are taken back."""

SHOWN = """(id) => {
  const TRANSIENT = new Set(["open", "style"]);
  const lines = [];
  const walk = (node, depth) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.data.replace(/\\s+/g, " ").trim();
      if (text) lines.push(`${" ".repeat(depth)}${text}`);
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const attributes = [...node.attributes]
      .filter(({ name }) => !TRANSIENT.has(name))
      .map(({ name, value }) => name === "class"
        ? `class=${value.split(/\\s+/).filter((one) => one && one !== "changed").sort().join(".")}`
        : `${name}=${value}`)
      .filter((line) => line !== "class=")
      .sort();
    const held = node.matches("input, select, textarea")
      ? [`holds ${node.value} ${node.checked ?? ""} ${node.disabled}`] : [];
    lines.push(`${" ".repeat(depth)}<${node.nodeName} ${[...attributes, ...held].join(" ")}>`);
    node.childNodes.forEach((child) => walk(child, depth + 1));
  };
  walk(document.getElementById(id), 0);
  return lines;
}"""
OPENS = """(sheet) => {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.dataset.sheet = sheet;
  document.body.append(button);
  button.click();
  button.remove();
}"""
TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""


@dataclass
class Pages:
    """A table with its pages: ``live`` ones that follow it, and ``fresh`` ones that are opened anew each time."""

    running: Installation
    table: Table
    live: dict[str, Page] = field(default_factory=dict[str, Page])
    fresh: dict[str, Page] = field(default_factory=dict[str, Page])

    def differences(self, name: str) -> list[tuple[str, str]]:
        """Return where a page that has followed the table differs from one that is opened now."""
        live, fresh = self.live[name], self.fresh[name]
        version = str(self.table.version)
        expect(live.locator("#state")).to_have_attribute("data-version", version)
        fresh.reload()
        expect(fresh.locator("#state")).to_have_attribute("data-version", version)
        fresh.wait_for_function("() => Boolean(document.getElementById('page').sight)")
        assert live.evaluate(TWICE) == [], "two elements have one id"
        return compare(live, fresh, "live")

    def sheet_differences(self, sheet: str) -> list[tuple[str, str]]:
        """Return where a sheet that stayed open over the tablet differs from one that is opened now."""
        live, fresh = self.live["tablet"], self.fresh["tablet"]
        version = str(self.table.version)
        for page in (live, fresh):
            if page is fresh:
                page.reload()
                open_sheet(page, sheet)
            expect(page.locator("#sheet [data-version]").first).to_have_attribute("data-version", version)
        return compare(live, fresh, "sheet")


def compare(live: Page, fresh: Page, place: str) -> list[tuple[str, str]]:
    """Return the pairs of lines in which a place of two pages differs, by its id."""
    followed, opened = live.evaluate(SHOWN, place), fresh.evaluate(SHOWN, place)
    differing = [pair for pair in zip(followed, opened, strict=False) if pair[0] != pair[1]]
    if not differing and len(followed) != len(opened):
        return [(f"{len(followed)} lines", f"{len(opened)} lines")]
    return differing


def open_sheet(page: Page, sheet: str) -> None:
    """Open a sheet over the tablet, wherever its button is."""
    page.evaluate(OPENS, sheet)
    expect(page.locator("#sheet .over-head")).to_be_visible()


@contextmanager
def pages_of(
    browser: Browser, game: str, folder: Path, *, live: Collection[str] = DEVICES, fresh: Collection[str] = DEVICES
) -> Iterator[Pages]:
    """Start a game with bots at its seats; open the tablet, the big screen and the first player's phone.

    ``live``, ``fresh``: the devices of which a page is opened that follows the table, and one that is opened anew.
    """
    with serving(folder, "none") as running:
        bots = bots_of(GAMES[game])
        start = {**bots.beginning(3), "catalog": CATALOG}
        table = running.services.tables.start(Request(start, "banker", "test"))
        overview = table.overview
        assert overview is not None
        banker = device(browser, running, TABLET)
        banker.request.post("/login", form={"pin": PIN, "next": "/"})
        phone = device(browser, running, PHONE)
        seat = overview.seats[0]
        phone.request.get(f"/join/{running.services.logins.join_token(Caller('player', seat, table.id))}")
        pages = Pages(running, table)
        places = {
            "tablet": (banker, f"/tables/{table.id}"),
            "display": (banker, f"/tables/{table.id}/display"),
            "seat": (phone, f"/tables/{table.id}/seats/{seat}"),
        }
        for name, (context, address) in places.items():
            for kind, wanted in ((pages.live, live), (pages.fresh, fresh)):
                if name not in wanted:
                    continue
                kind[name] = context.new_page()
                kind[name].goto(address)
                expect(kind[name].locator("#state")).to_be_visible()
        try:
            yield pages
        finally:
            for context in (banker, phone):
                context.close()


def device(browser: Browser, running: Installation, size: dict[str, int]) -> BrowserContext:
    """Open a browser whose pages do not move."""
    context = browser.new_context(
        viewport=size,  # type: ignore[arg-type]
        base_url=running.address,
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE_MS)
    return context


def bot_commands(table: Table, game: str, act: Callable[[dict[str, Any]], None], seed: int) -> Iterator[None]:
    """Let bots ``act``, one command each time this is asked for the next; now and then the banker takes one back."""
    lots, manifest = random.Random(seed), GAMES[game]
    bots, cards = bots_of(manifest), manifest.cards()
    assert table.overview is not None
    catalog = load_catalog(cards.bundled[CATALOG], cards)
    piles = bots.shuffled(catalog, seed)
    codec = load_game(manifest, {CATALOG: catalog}).codec
    strengths = dict.fromkeys(table.overview.seats, STRENGTH)
    while table.position is not None:
        due = bots.next_act(table.position, piles, strengths, lots.randrange)
        if due is None:
            return
        act(codec.command_json(due.command))
        yield
        if lots.random() < UNDONE:
            act({"do": "undo"})
            yield
