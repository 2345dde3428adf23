"""Opens devices in a real Chromium, and writes what they show as small pictures."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from companion.service.access.logins import Caller
from tests.browser.conftest import QUIET
from tests.chromium import CHROMIUM
from tests.guide.stage import Game, Stage
from tests.pages import settled
from tests.waiting import PATIENCE_MS

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "guide" / "pictures"
TABLET, PHONE, SCREEN = (1280, 800), (390, 844), (1280, 720)
COLOURS = (160, 96, 64, 40, 24)
"""How many colours a picture may have, tried until it is small enough."""
MOST_BYTES = 60_000
BANKER = Caller("banker")


@dataclass
class CameraMan:
    """Goes round the devices of one evening.  ``written``: the bytes of each picture by its name."""

    stage: Stage
    browser: Browser
    folder: Path
    written: dict[str, int] = field(default_factory=dict[str, int])

    @contextmanager
    def device(
        self, caller: Caller, size: tuple[int, int] = TABLET, path: str = "", *, dark: bool = False
    ) -> Iterator[Page]:
        """Let a device in, and open a page on it (``""``: where the invitation leads)."""
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale="en-GB",
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        page.goto(self.stage.invitation(caller))
        if path:
            page.goto(self.stage.address + path)
        yield page
        context.close()

    @contextmanager
    def tablet(self, game: Game) -> Iterator[Page]:
        """Open the banker's tablet at a game."""
        with self.device(BANKER, path=f"/tables/{game.table.id}") as page:
            yield page

    def phone(self, game: Game, player: str, name: str) -> None:
        """Store the picture of a player's phone."""
        with self.device(Caller("player", player, game.table.id), PHONE) as page:
            self.take(page, name)

    def take(self, page: Page, name: str, of: str = "") -> None:
        """Write what a page shows, or the part ``of`` it that a selector names, in as many colours as fit."""
        self.keep(self.screenshot(page, of), name)

    def screenshot(self, page: Page, of: str = "") -> Image.Image:
        """Return what a page shows, or the part ``of`` it that a selector names."""
        page.evaluate("document.activeElement?.blur()")
        settled(page)
        taken = page.locator(of).screenshot() if of else page.screenshot(animations="disabled")
        return Image.open(io.BytesIO(taken))

    def keep(self, taken: Image.Image, name: str, most_bytes: int = MOST_BYTES) -> None:
        """Write a picture in as many colours as fit into ``most_bytes``."""
        shown = taken.convert("RGB")
        data = b""
        for colours in COLOURS:
            buffer = io.BytesIO()
            shown.quantize(colours, dither=Image.Dither.NONE).save(buffer, "PNG", optimize=True)
            data = buffer.getvalue()
            if len(data) <= most_bytes:
                break
        (self.folder / f"{name}.png").write_bytes(data)
        self.written[name] = len(data)


@contextmanager
def camera_man(stage: Stage, folder: Path) -> Iterator[CameraMan]:
    """Start Debian's Chromium, which looks for nothing outside this machine."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield CameraMan(stage, browser, folder)
        browser.close()
