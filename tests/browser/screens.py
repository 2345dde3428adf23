"""The screens of one evening: a tablet, phones that came in by the QR code, and the display."""

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, Request, Response, expect

from tests.browser.conftest import PIN, TABLET
from tests.waiting import PATIENCE_MS

PHONE = {"width": 390, "height": 844}
SCREEN = {"width": 1280, "height": 720}
WELCOME = ("language", "camera", "deck", "laying")

FIGURES = """() => {
  const money = (text) => text.replace(/[^0-9•]/g, "");
  const figures = {};
  const take = (rows, name, cash) => document.querySelectorAll(rows).forEach((row) => {
    const [who, figure] = [row.querySelector(name), row.querySelector(cash)];
    if (row.closest("#stage")) return; // plans that open over the big screen show the money of that moment
    if (who && figure) figures[(who.querySelector(".name") || who).textContent.trim()] = money(figure.textContent);
  });
  take(".panel", "h2", ".purse .cash");
  take(".bidder", "h2", ".cash");
  take(".seat-head", "h2", ".purse .cash");
  take(".others tr", "th > span:last-child", "td");
  take(".display-foot:not(.ranked) section", "h2", ".cash");
  take(".settled tbody tr", "th b", ".cash");
  take(".reckoning tbody tr", "th b", "td .figure-button");
  return figures;
}"""
WORTH = """() => {
  const figures = {};
  document.querySelectorAll(".reckoning tbody tr").forEach((row) => {
    const last = row.querySelector("td:last-child");
    figures[row.querySelector("th b").textContent] = last.textContent.replace(/[^0-9]/g, "");
  });
  document.querySelectorAll(".final li").forEach((row) => {
    const name = row.querySelector(".stays-over b").textContent;
    figures[name] = row.querySelector(".cash").textContent.replace(/[^0-9]/g, "");
  });
  return figures;
}"""
SEEN_FILLED = """() => [...document.querySelectorAll(".filled")]
  .filter((one) => one.checkVisibility() && (!document.querySelector("dialog[open]") || one.closest("dialog[open]")))
  .map((one) => one.textContent.trim())"""


@dataclass
class Troubles:
    """Faults on any page: errors of its code, and whatever the server did not answer well."""

    seen: list[str] = field(default_factory=list[str])

    def watch(self, name: str, context: BrowserContext) -> None:
        """Listen to every page of a device."""

        def failed(request: Request) -> None:
            if request.failure != "net::ERR_ABORTED":  # a page that is left lets go of what it was fetching
                self.seen.append(f"{name}: {request.resource_type} {request.url} {request.failure}")

        def answered(response: Response) -> None:
            if response.status >= 400:
                self.seen.append(f"{name}: {response.url} answered {response.status}")

        def listen(page: Page) -> None:
            page.on("pageerror", lambda error: self.seen.append(f"{name}: {error}"))
            page.on("console", lambda line: self.seen.append(f"{name}: {line.text}") if line.type == "error" else None)

        context.on("page", listen)
        context.on("requestfailed", failed)
        context.on("response", answered)


@dataclass
class Screens:
    """Opens devices as people do, and compares what they show."""

    browser: Browser
    address: str
    locale: str = "en-GB"
    dark: bool = False
    troubles: Troubles = field(default_factory=Troubles)
    tablet: Page = field(init=False)
    display: Page = field(init=False)
    phones: dict[str, Page] = field(default_factory=dict[str, Page])
    contexts: list[BrowserContext] = field(default_factory=list[BrowserContext])

    def __iter__(self) -> Iterator[tuple[str, Page]]:
        """Return every screen with its name."""
        yield "tablet", self.tablet
        yield "display", self.display
        yield from ((f"phone-{name}", page) for name, page in self.phones.items())

    def device(self, name: str, size: Mapping[str, int]) -> Page:
        """Open a browser of its own, with fingers for a mouse."""
        about: dict[str, Any] = {"viewport": size, "locale": self.locale, "reduced_motion": "reduce"}
        context = self.browser.new_context(
            base_url=self.address, has_touch=True, color_scheme="dark" if self.dark else "light", **about
        )
        context.set_default_timeout(PATIENCE_MS)
        self.contexts.append(context)
        self.troubles.watch(name, context)
        return context.new_page()

    def sign_in(self, album: "Album | None" = None, *, welcomed: bool = False) -> None:
        """Come in at the tablet by the PIN; where the companion welcomes whoever comes first, skip its questions."""
        self.tablet = self.device("tablet", TABLET)
        self.tablet.goto("/")
        self.tablet.locator("input[name=pin]").fill(PIN)
        self.tablet.locator("form button").last.tap()
        for step in WELCOME if welcomed else ():
            self.tablet.locator(f".step-{step}").wait_for()
            if album:
                album.take(self.tablet, "tablet", f"welcome-{step}")
            self.tablet.locator(".welcome .skip, .welcome [name=leave]").first.tap()
        self.tablet.locator("#start").wait_for()
        if album:
            album.take(self.tablet, "tablet", "lobby")

    def start(self, names: Mapping[str, str]) -> None:
        """Name the players in the lobby, by the places that it proposes, and start."""
        page = self.tablet
        page.locator("li.seat").first.wait_for()
        while page.locator("li.seat").count() > len(names):
            page.locator("li.seat [data-act=remove]").last.tap()
        for place, name in enumerate(names.values()):
            page.locator("li.seat .seat-name").nth(place).fill(name)
        page.locator("#start").tap()
        page.wait_for_url(re.compile(r"/tables/\w+$"))
        page.locator("#sentence").wait_for()

    def invite(self, guest: str, name: str, size: Mapping[str, int]) -> Page:
        """Open what a guest's code says on a device of their own."""
        device = self.device(name, size)
        device.goto(self.invitation(guest))
        device.locator("#state").wait_for()
        return device

    def invitation(self, guest: str) -> str:
        """Show a guest's code on the tablet; give the address in it."""
        page = self.tablet
        page.locator(".bar-tools [data-sheet=menu]").tap()
        page.locator("#sheet [data-sheet=phones]").tap()
        page.locator(f"#sheet [data-guest={guest}]").tap()
        page.locator(f"#sheet [data-guest={guest}][aria-pressed=true]").wait_for()
        address = scanned(page.locator("#sheet .qr-frame").screenshot())
        page.locator("#sheet [data-close]").tap()
        return address

    def version(self) -> int:
        """Return which version the tablet shows."""
        return int(self.tablet.locator("#state").get_attribute("data-version") or 0)

    def come_to(self, version: int) -> None:
        """Wait until every screen shows a version by itself."""
        for _, page in self:
            expect(page.locator("#state")).to_have_attribute("data-version", str(version))

    def figures(self) -> dict[str, dict[str, str]]:
        """Return what every screen tells of everybody's cash, by name."""
        return {name: page.evaluate(FIGURES) for name, page in self}

    def sentences(self) -> dict[str, str]:
        """Return the one sentence of every screen."""
        return {name: page.locator("#sentence, .sentence").first.inner_text() for name, page in self}

    def filled(self) -> dict[str, list[str]]:
        """Return which buttons of every screen stand out as the one to tap."""
        return {name: page.evaluate(SEEN_FILLED) for name, page in self}

    def close(self) -> None:
        """Put every device away."""
        for context in self.contexts:
            context.close()


def scanned(picture: bytes) -> str:
    """Read the QR code in a picture, as a phone does."""
    image = Image.open(io.BytesIO(picture)).convert("L")
    (barcode,) = zxingcpp.read_barcodes(image, formats=zxingcpp.barcode_formats_from_str("QRCode"))
    return str(barcode.text)


@dataclass
class Album:
    """Keeps the first picture of each page in each moment; the folder is made anew for each evening."""

    folder: Path
    taken: set[str] = field(default_factory=set[str])

    def keep(self, screens: Screens, moment: str) -> None:
        """Store a picture of every screen, if this moment is new to it."""
        for name, page in screens:
            self.take(page, name, moment)

    def take(self, page: Page, name: str, moment: str) -> None:
        """Store a picture of one screen, if this moment is new to it."""
        key = f"{name}-{moment}"
        if key not in self.taken:
            self.taken.add(key)
            self.folder.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=self.folder / f"{len(self.taken):03}-{key}.png")
