"""How soon fifty screens show a command, and how much memory the server takes, beside a bare server in one run.

    python -m benchmarks.screens [COMMANDS] [--screens 50]

A table of four is served without a camera by a process of its own.  Of fifty screens ten are tablets, eight phones and
thirty-two displays, in three languages.  Each hears the event and then fetches its part of the page anew, as the pages'
code does.  Commands go one after the other, in a game that a bot plays.
"""

import argparse
import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import quantiles

from benchmarks.engine.long_game import SEATS, START_COMMAND, long_game
from benchmarks.screens.screen import Screen, ask
from benchmarks.serving import lines, serving

COMMANDS, LANGUAGES = 60, ("en", "fr", "de")
SCREENS, PHONES, TABLETS_OF_THE_REST = 50, 2, 0.24
PAUSE_SECONDS = 0.25


class Measured:
    """Seconds from a command until each screen heard of it, and until each had its part of the page."""

    def __init__(self, screens: Sequence[Screen], sent: dict[int, float]) -> None:
        """Store the times that the screens noted."""
        self.heard = [screen.heard[version] - begun for version, begun in sent.items() for screen in screens]
        self.drawn = [screen.drawn[version] - begun for version, begun in sent.items() for screen in screens]


async def hammered(screens: Sequence[Screen], commands: Sequence[object], path: str, token: str) -> Measured:
    """Send commands while screens follow; every screen gets every version, or this never ends."""
    followers = [asyncio.create_task(screen.follow()) for screen in screens]
    await _all_at(screens, followers, 1)
    sent: dict[int, float] = {}
    for version, command in enumerate(commands, start=1):
        sent[version + 1] = time.monotonic()
        await ask(screens[0].port, path, command, token, **{"If-Match": str(version)})
        await _all_at(screens, followers, version + 1)
        await asyncio.sleep(PAUSE_SECONDS)
    for follower in followers:
        follower.cancel()
    await asyncio.gather(*followers, return_exceptions=True)
    return Measured(screens, sent)


async def _all_at(screens: Sequence[Screen], followers: Sequence["asyncio.Task[None]"], version: int) -> None:
    while not all(version in screen.drawn for screen in screens):
        for follower in followers:
            if follower.done():
                follower.result()
        await asyncio.sleep(0.002)


async def ours(port: int, pin: str, commands: Sequence[object], count: int) -> tuple[Measured, int, int]:
    """Measure the app; give also the characters of an event and of a part, on the average."""
    banker = str((await ask(port, "/api/v1/logins", {"pin": pin}))["token"])
    table = str((await ask(port, "/api/v1/tables", START_COMMAND, banker))["id"])

    async def login(invitation: object) -> str:
        invited = await ask(port, f"/api/v1/tables/{table}/invitations", invitation, banker)
        return str((await ask(port, "/api/v1/logins", {"join": invited["token"]}))["token"])

    tablets = round((count - PHONES * len(SEATS)) * TABLETS_OF_THE_REST)
    kinds = [(banker, "tablet")] * tablets
    kinds += [(await login({"spectator": True}), "display") for _ in range(count - PHONES * len(SEATS) - tablets)]
    for seat in SEATS:
        kinds += [(await login({"player": seat}), "seat")] * PHONES
    screens = [Screen(port, table, token, part, LANGUAGES[number % 3]) for number, (token, part) in enumerate(kinds)]
    measured = await hammered(screens, commands, f"/api/v1/tables/{table}/commands", banker)
    event = len(str(await ask(port, f"/api/v1/tables/{table}", token=banker)))
    return measured, event, sum(screen.characters for screen in screens) // len(screens)


def memory_mb(process: "subprocess.Popen[str]") -> float:
    """Return the memory that a process holds, in megabytes (resident, Linux)."""
    status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def tell(server: str, measured: Measured, memory: float) -> None:
    """Print a server's figures."""
    for what, spent in (("heard", measured.heard), ("drawn", measured.drawn)):
        parts = quantiles(spent, n=100)
        print(f"{server:24} {what}  median {parts[49] * 1e3:6.1f} ms   p99 {parts[98] * 1e3:6.1f} ms", flush=True)
    print(f"{server:24} memory {memory:.0f} MB", flush=True)


def main() -> None:
    """Run both and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commands", nargs="?", type=int, default=COMMANDS)
    parser.add_argument("--screens", type=int, default=SCREENS)
    wish = parser.parse_args()
    screens: int = wish.screens
    game = long_game(wish.commands)
    commands = [entry.command for entry in game.entries[1:]]
    with serving("--camera", "none") as (process, port, pin):
        measured, event, part = asyncio.run(ours(port, pin, commands, screens))
        memory = memory_mb(process)
    tell("companion", measured, memory)
    program = [sys.executable, "-m", "benchmarks.screens.bare", str(event), str(part)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            port = int(next(lines(process.stdout)))
            followers = [Screen(port, "t", "", "p", "en") for _ in range(screens)]
            bare = asyncio.run(hammered(followers, commands, "/", ""))
            bare_memory = memory_mb(process)
        finally:
            process.terminate()
    tell("http.server, same bytes", bare, bare_memory)
    ratio = quantiles(measured.drawn, n=100)[98] / quantiles(bare.drawn, n=100)[98]
    print(f"p99 until drawn, companion / http.server: {ratio:.2f}")


if __name__ == "__main__":
    main()
