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
from benchmarks.soak.machine import Taken, taken
from benchmarks.soak.session import Session, Tally
from companion import bootstrap

MINUTE_S = 60.0


@dataclass(frozen=True, slots=True)
class Minute:
    """One minute: what the server takes at its end, and what was told during it."""

    taken: Taken
    tally: Tally
    seconds: float
    busy: float


async def soak(server: Serving, minutes: float, screens: int, pause_s: float) -> list[Minute]:
    """Play, and look at the server every minute."""
    banker = str((await ask(server.port, "/api/v1/logins", {"pin": server.pin}))["token"])
    begun = time.monotonic()
    session = Session(server.port, banker, screens, pause_s)
    playing = asyncio.create_task(_games(session, begun + minutes * MINUTE_S))
    samples: list[Minute] = []
    since, before = begun, taken(server.process.pid).busy_s
    while not playing.done():
        await asyncio.wait([playing], timeout=MINUTE_S)
        now, tally, session.tally = taken(server.process.pid), session.tally, Tally()
        at = time.monotonic()
        samples.append(Minute(now, tally, at - begun, (now.busy_s - before) / (at - since)))
        since, before = at, now.busy_s
        _say(samples[-1])
    playing.result()
    return samples


async def _games(session: Session, until: float) -> None:
    games, seed = list(bootstrap.find_games().manifests.values()), 0
    while time.monotonic() < until:
        await session.play(games[seed % len(games)], seed + 1, until)
        seed += 1


def _say(minute: Minute) -> None:
    now, tally = minute.taken, minute.tally
    print(
        f"{minute.seconds / MINUTE_S:6.1f} min  memory {now.memory_mb:6.1f} MB  threads {now.threads:4}  handles"
        f" {now.handles:4}  busy {minute.busy:4.0%}  {_latency(tally)}  tapped {tally.tapped} seen {tally.seen}",
        flush=True,
    )


def _latency(tally: Tally) -> str:
    parts = []
    for name, spent in (("heard", tally.heard), ("drawn", tally.drawn)):
        cut = quantiles(spent, n=100) if len(spent) > 1 else [0.0] * 99
        parts.append(f"{name} {cut[49] * 1e3:5.0f} / {cut[98] * 1e3:5.0f} ms")
    return "  ".join(parts)


def _games_of(minutes: list[Minute]) -> int:
    return sum(minute.tally.games for minute in minutes)


def _together(minutes: list[Minute]) -> Tally:
    tally = Tally()
    for minute in minutes:
        tally.heard += minute.tally.heard
        tally.drawn += minute.tally.drawn
    return tally


def main() -> None:
    """Soak, and say how the end differs from the beginning."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", nargs="?", type=float, default=60.0)
    parser.add_argument("--screens", type=int, default=50)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between two acts")
    parser.add_argument("--camera", default="sim:1", help="none: nothing is laid, and games go by as fast as they can")
    wish = parser.parse_args()
    with serving("--camera", wish.camera) as server:
        samples = asyncio.run(soak(server, wish.minutes, wish.screens, wish.pause))
    kinds, window = len(bootstrap.find_games().manifests), max(1, len(samples) // 6)
    warm = next((at for at in range(len(samples)) if _games_of(samples[: at + 1]) >= kinds), None)
    if warm is None:
        print(f"too short: not each of {kinds} games has been played once")
        return
    early, late = samples[warm : warm + window], samples[-window:]
    for name, minutes in (("beginning", early), ("end", late)):
        now = minutes[-1].taken
        print(f"{name:10} {now.memory_mb:.1f} MB, {now.threads} threads, {now.handles} handles, ", end="")
        print(f"{_latency(_together(minutes))} (median / p99)")
    grown = late[-1].taken.memory_mb / early[-1].taken.memory_mb - 1
    print(f"{_games_of(samples)} games; memory {grown:+.1%}")


if __name__ == "__main__":
    main()
