"""Processor time of drawing what follows a table after each command, beside drawing it with nothing kept, in one run.

    python -m benchmarks.drawing [COMMANDS]     # half a minute

A game of Master Builder with four players is played by random offers.  After each command the tablet, the big screen
and three phones are drawn, as pages that follow the table ask for them, in one process and without a network.  The
peer draws the same pages of the same positions with no fragment kept.
"""

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from flask import Flask

from benchmarks.arguments import parse_arguments
from benchmarks.engine.long_game import SEATS, START_COMMAND, long_game
from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import open_installation
from companion.config import DataFolder
from companion.service.access.logins import Caller
from companion.service.runtime import VersionCache
from companion.service.services import Services
from companion.service.table.table import Request, Table
from companion.web import create_app
from companion.web.http.caches import MOST_BYTES_OF_FRAGMENTS

COMMANDS, ROUNDS = 120, 5
PHONES = 3
PARTS = {"tablet": 1, "display": 1, "seat": PHONES}
"""The part of each kind of page, and how many pages of it follow the table."""


def draw(app: Flask, table: Table, token: str, part: str) -> float:
    """Return the seconds of processor time in which a part of a page is drawn."""
    path = f"/tables/{table.id}/live?part={part}"
    with app.test_request_context(path, headers={"Authorization": f"Bearer {token}"}):
        start = time.process_time()
        answer = app.full_dispatch_request()
        seconds = time.process_time() - start
    if answer.status_code != 200:  # noqa: PLR2004 - HTTP
        message = f"{path}: {answer.status}"
        raise RuntimeError(message)
    return seconds


def play(app: Flask, services: Services, commands: Sequence[Any]) -> dict[str, float]:
    """Play a game and return, for each part, the mean seconds of drawing it after a command."""
    table = services.tables.start(Request(START_COMMAND, "banker", "tap"))
    banker = services.logins.token(Caller("banker"))
    phones = [services.logins.token(Caller("player", player, table.id)) for player in SEATS[:PHONES]]
    spent: dict[str, list[float]] = {part: [] for part in PARTS}
    for command in commands:
        table.submit(Request(command, "banker", "tap"))
        for part, seconds in spent.items():
            seconds.extend(draw(app, table, token, part) for token in (phones if part == "seat" else [banker]))
    return {part: mean(seconds) for part, seconds in spent.items()}


def main() -> None:
    """Draw with and without kept fragments in turns, and print the least of several rounds."""
    number: int = parse_arguments(__doc__, commands=COMMANDS).commands
    commands = [entry.command for entry in long_game(number + 1).entries[1:]]
    kept, anew = VersionCache(MOST_BYTES_OF_FRAGMENTS), VersionCache(0)
    costs: dict[str, dict[int, float]] = {part: {} for part in PARTS}
    with tempfile.TemporaryDirectory() as folder:
        source, simulated_table = connect_camera("none")
        opened = open_installation(DataFolder(Path(folder)), source, simulated_table)
        app = create_app(opened.services)
        for _ in range(ROUNDS):
            for which, cache in enumerate((kept, anew)):
                app.extensions["companion.fragments"] = cache
                for part, seconds in play(app, opened.services, commands).items():
                    costs[part][which] = min(seconds, costs[part].get(which, seconds))
        opened.close()
    together = {which: sum(number * costs[part][which] for part, number in PARTS.items()) for which in (0, 1)}
    for part, cost in {**costs, "together": together}.items():
        ours, peer = cost.values()
        print(f"{part:8} {ours * 1e3:5.2f} ms   nothing kept {peer * 1e3:5.2f} ms   ratio {ours / peer:.2f}")


if __name__ == "__main__":
    main()
