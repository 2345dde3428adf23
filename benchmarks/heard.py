"""How soon a tablet speaks, from a card that is laid on the mat: the simulated camera, the program and a real Chromium.

    python -m benchmarks.heard [TIMES]

One card of each game: an instruction, a worker who is hired, a Chance card.  Each time the game is taken back by one
act and the card is laid anew.  The time runs from the moment the card lies there, half a second of which it has to
rest, until the browser is handed the sentence.
"""

import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from benchmarks.arguments import parse_arguments
from companion.service.camera.scanner import BETWEEN_FRAMES_S
from companion.service.table.table import Request
from tests.browser.conftest import PIN, QUIET, TABLET, serving
from tests.browser.speech import HEARD, heard, spoken_after
from tests.chromium import CHROMIUM

AWAY_MS = 2_000
"""How long a card is taken away before it is laid anew: it counts as gone after one second."""
APART_MS = 37
"""Hands do not keep time with frames: each card is laid at another moment between two of them."""


class MeasuredCard(NamedTuple):
    """A card and where it is laid: on which mat, after which command, and near which card that lies there."""

    seats: tuple[str, str]
    mat: str
    card: str
    zone: str
    after: Mapping[str, Any] | None = None
    near: tuple[str, str] | None = None


MEASURED = {
    "men_at_work": MeasuredCard(("blue", "grey"), "site", "I03", "discard", near=("GPB", "pile")),
    "master_builder": MeasuredCard(("red", "blue"), "table", "W01", "red"),
    "monopoly_builder": MeasuredCard(
        ("red", "green"), "town", "C05", "tray", after={"do": "roll", "player": "red", "dice": [1, 4]}
    ),
}


def wait_times(browser: Browser, game: str, measured: MeasuredCard, times: int) -> list[float]:
    """Return the seconds from a card that is laid until a tablet is handed the sentence."""
    waits: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "data", f"sim:5:{measured.mat}", pause_s=BETWEEN_FRAMES_S) as running,
    ):
        players = [{"id": seat, "name": name} for seat, name in zip(measured.seats, ("Ada", "Ben"), strict=True)]
        start = {"do": "start_game", "game": game, "first": measured.seats[0], "players": players}
        table = running.services.tables.start(Request(start, "banker", "tap"))
        if measured.after is not None:
            table.submit(Request(dict(measured.after), "banker", "tap"))
        code = table.game.rules.label_code
        card = running.simulated_table.name_of(measured.card, code)
        running.services.scanner.attach(table)
        running.services.proposals.set_level(table, "automatic")
        context = browser.new_context(viewport=TABLET, base_url=running.address)  # type: ignore[arg-type]
        context.add_init_script(HEARD)
        context.request.post("/api/v1/logins", data={"pin": PIN})
        context.add_cookies([{"name": "speech", "value": "1", "url": running.address}])
        page = context.new_page()
        page.goto(f"/tables/{table.id}")
        if measured.near is not None:
            neighbour, zone = measured.near
            running.simulated_table.lay_in(running.simulated_table.name_of(neighbour, code), zone)
        for number in range(times):
            page.wait_for_timeout(AWAY_MS + number * APART_MS % 100)
            before, version, laid = heard(page), table.version, time.time()
            running.simulated_table.lay_in(card, measured.zone)
            spoken_after(page, before)
            if table.version <= version:
                message = f"{game}: something was spoken, and the card {card} did nothing"
                raise AssertionError(message)
            waits.append(page.evaluate("(count) => heard[count].at", before) / 1000 - laid)
            running.simulated_table.take_away(card)
            table.submit(Request({"do": "undo"}, "banker", "tap"))
        context.close()
    return waits


def main() -> int:
    """Measure, and print."""
    times: int = parse_arguments(__doc__, times=15).times
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        for game, measured in MEASURED.items():
            waits = wait_times(browser, game, measured, times)
            sys.stdout.write(
                f"{game}: {times} cards: spoken after {median(waits):.2f} s, the slowest {max(waits):.2f} s\n"
            )
        browser.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
