"""Games for as long as asked, with the simulated camera and fifty screens: does it take more and more.

    python -m benchmarks.soak [MINUTES] [--screens 50] [--pause 1.0] [--camera sim:1]

Games of all kinds are played by bots one after the other at one server, in a process of its own.  Cards are laid under
its simulated camera and its questions answered; what no card can say is tapped.  Every screen hears of each command
and fetches its part of the page anew.  A line a minute; at the end the beginning, when each game
has been played once and is in memory, and the end beside each other.
"""

import argparse
import asyncio
import time
from dataclasses import dataclass
from statistics import quantiles

from benchmarks.screens.screen import ask
from benchmarks.serving import Serving, serving
from benchmarks.soak.evening import Evening, Told
from benchmarks.soak.machine import Taken, taken
from companion import bootstrap

MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Minute:
    """One minute: what the server takes at its end, and what was told during it."""

    taken: Taken
    told: Told
    seconds: float
    busy: float


async def soak(server: Serving, minutes: float, screens: int, pause_s: float) -> list[Minute]:
    """Play, and look at the server every minute."""
    banker = str((await ask(server.port, "/api/v1/logins", {"pin": server.pin}))["token"])
    begun = time.monotonic()
    evening = Evening(server.port, banker, screens, pause_s)
    playing = asyncio.create_task(_games(evening, begun + minutes * MINUTE_S))
    found: list[Minute] = []
    since, before = begun, taken(server.process.pid).busy_s
    while not playing.done():
        await asyncio.wait([playing], timeout=MINUTE_S)
        now, told, evening.told = taken(server.process.pid), evening.told, Told()
        at = time.monotonic()
        found.append(Minute(now, told, at - begun, (now.busy_s - before) / (at - since)))
        since, before = at, now.busy_s
        _say(found[-1])
    playing.result()
    return found


async def _games(evening: Evening, until: float) -> None:
    games, seed = list(bootstrap.find_games().manifests.values()), 0
    while time.monotonic() < until:
        await evening.play(games[seed % len(games)], seed + 1, until)
        seed += 1


def _say(one: Minute) -> None:
    now, told = one.taken, one.told
    print(
        f"{one.seconds / MINUTE_S:6.1f} min  memory {now.memory_mb:6.1f} MB  threads {now.threads:4}  handles"
        f" {now.handles:4}  busy {one.busy:4.0%}  {_latency(told)}  tapped {told.tapped} seen {told.seen}",
        flush=True,
    )


def _latency(told: Told) -> str:
    parts = []
    for name, spent in (("heard", told.heard), ("drawn", told.drawn)):
        cut = quantiles(spent, n=100) if len(spent) > 1 else [0.0] * 99
        parts.append(f"{name} {cut[49] * 1e3:5.0f} / {cut[98] * 1e3:5.0f} ms")
    return "  ".join(parts)


def _games_of(minutes: list[Minute]) -> int:
    return sum(one.told.games for one in minutes)


def _together(minutes: list[Minute]) -> Told:
    told = Told()
    for one in minutes:
        told.heard += one.told.heard
        told.drawn += one.told.drawn
    return told


def main() -> None:
    """Soak, and say how the end differs from the beginning."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=60.0)
    parser.add_argument("--screens", type=int, default=50)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two acts")
    parser.add_argument("--camera", default="sim:1", help="none: nothing is laid, and games go by as fast as they can")
    wish = parser.parse_args()
    with serving("--camera", wish.camera) as server:
        found = asyncio.run(soak(server, wish.minutes, wish.screens, wish.pause))
    kinds, window = len(bootstrap.find_games().manifests), max(1, len(found) // 6)
    warm = next((at for at in range(len(found)) if _games_of(found[: at + 1]) >= kinds), None)
    if warm is None:
        print(f"too short: not each of {kinds} games has been played once")
        return
    early, late = found[warm : warm + window], found[-window:]
    for name, minutes in (("beginning", early), ("end", late)):
        now = minutes[-1].taken
        print(f"{name:10} {now.memory_mb:.1f} MB, {now.threads} threads, {now.handles} handles, ", end="")
        print(f"{_latency(_together(minutes))} (median / p99)")
    grown = late[-1].taken.memory_mb / early[-1].taken.memory_mb - 1
    print(f"{_games_of(found)} games; memory {grown:+.1%}")


if __name__ == "__main__":
    main()
