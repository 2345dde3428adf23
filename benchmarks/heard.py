"""How soon a tablet speaks, from a card that is laid on the mat: the simulated camera, the program and a real Chromium.

    python -m benchmarks.heard [TIMES]

A game of Men at Work; each time the game is taken back by one act and the card is laid anew.  The time runs from the
moment the card lies there, half a second of which it has to rest, until the browser is handed the sentence.
"""

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from benchmarks.arguments import parse_arguments
from companion.service.camera.scanner import BETWEEN_FRAMES_S
from companion.service.table.table import Request
from tests.browser.conftest import PIN, QUIET, TABLET, serving
from tests.browser.test_men_at_work_heard import HEARD, heard, spoken_after
from tests.chromium import CHROMIUM

AWAY_MS = 2_000
"""How long a card is taken away before it is laid anew: it counts as gone after one second."""
APART_MS = 37
"""Hands do not keep time with frames: each card is laid at another moment between two of them."""


def main() -> int:
    """Measure, and print."""
    times: int = parse_arguments(__doc__, times=15).times
    waits: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        serving(Path(folder) / "data", "sim:5:site", pause_s=BETWEEN_FRAMES_S) as running,
    ):
        players = [{"id": "blue", "name": "Ada"}, {"id": "grey", "name": "Ben"}]
        start = {"do": "start_game", "game": "men_at_work", "first": "blue", "players": players}
        table = running.services.tables.start(Request(start, "banker", "tap"))
        running.services.scanner.attach(table)
        running.services.proposals.set_level(table, "automatic")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        context = browser.new_context(viewport=TABLET, base_url=running.address)  # type: ignore[arg-type]
        context.add_init_script(HEARD)
        context.request.post("/api/v1/logins", data={"pin": PIN})
        context.add_cookies([{"name": "speech", "value": "1", "url": running.address}])
        page = context.new_page()
        page.goto(f"/tables/{table.id}")
        running.simulated_table.lay_in("GPB", "pile")
        for number in range(times):
            page.wait_for_timeout(AWAY_MS + number * APART_MS % 100)
            before, laid = heard(page), time.time()
            running.simulated_table.lay_in("I03", "discard")
            spoken_after(page, before)
            waits.append(page.evaluate("(count) => heard[count].at", before) / 1000 - laid)
            running.simulated_table.take_away("I03")
            table.submit(Request({"do": "undo"}, "banker", "tap"))
        browser.close()
    sys.stdout.write(f"{times} cards: spoken after {median(waits):.2f} s, the slowest {max(waits):.2f} s\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
