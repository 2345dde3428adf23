"""How soon the big screen shows an act, and how smoothly, while bots play a whole game at table pace.

    python -m benchmarks.display [SECONDS]

A real Chromium at 1920 x 1080 watches; an act comes every SECONDS (1.5).  Frames are counted by the page itself, second
by second, beside an empty page of the same browser in the same run.
"""

import sys
import time
from statistics import median, quantiles

from playwright.sync_api import Page, sync_playwright

from benchmarks.arguments import parse_arguments
from companion.service.access.logins import Caller
from tests.browser.conftest import QUIET
from tests.chromium import CHROMIUM
from tests.guide.stage import stage

SIZE = {"width": 1920, "height": 1080}
FRAMES = """
window.frames_a_second = [];
let count = 0, since = performance.now();
const tick = (now) => {
  count += 1;
  if (now - since >= 1000) {
    window.frames_a_second.push((count * 1000) / (now - since));
    count = 0;
    since = now;
  }
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
"""
PATIENCE = 20.0


def shown_after(page: Page, version: int, begun: float) -> float:
    """Wait until the screen shows a version; seconds since ``begun``."""
    while int(page.locator("#state").get_attribute("data-version") or 0) < version:
        if time.monotonic() - begun > PATIENCE:
            break
        page.wait_for_timeout(10)
    return time.monotonic() - begun


def main() -> int:
    """Measure, and print."""
    pace: float = parse_arguments(__doc__, seconds=1.5).seconds
    with stage() as opened, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        context = browser.new_context(viewport=SIZE)
        empty = context.new_page()
        empty.add_init_script(FRAMES)
        empty.goto(opened.address + "/healthz")
        empty.wait_for_timeout(6_000)
        bare = list(empty.evaluate("frames_a_second"))
        empty.close()
        game = opened.game(4, 7)
        page = context.new_page()
        page.add_init_script(FRAMES)
        page.goto(opened.invitation(Caller("spectator", None, game.table.id)))
        waits: list[float] = []
        while True:
            begun = time.monotonic()
            if not game.play_on():
                break
            waits.append(shown_after(page, game.table.version, begun))
            page.wait_for_timeout(max(0.0, pace - (time.monotonic() - begun)) * 1_000)
        frames = list(page.evaluate("frames_a_second"))
        browser.close()
    sys.stdout.write(
        f"{len(waits)} acts: shown after {median(waits):.2f} s, 99 in 100 within {quantiles(waits, n=100)[98]:.2f} s, "
        f"the slowest {max(waits):.2f} s\n"
        f"frames a second: {median(frames):.0f}, in the worst second {min(frames):.0f}, 99 in 100 seconds from "
        f"{quantiles(frames, n=100)[0]:.0f}; an empty page {median(bare):.0f}, at worst {min(bare):.0f}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
