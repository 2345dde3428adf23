"""How soon a card that is laid down is read, from fifteen frames a second, beside zxing-cpp on the same frames.

    python -m benchmarks.reading.laid [TABLES] [--severity hard] [--nuisances flicker,sleeves]

On each table of the simulator lie twelve cards; twelve more come, one after the other, without a hand that would hide
them.  Frames come at their times: those that pass while one is read are missed, as a camera's are.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import cv2
import numpy as np

from benchmarks.scenes import DECK, strewn
from companion.qr.zxing import decode_with_zxing
from companion.simulator.optics import ALL, NONE, Nuisances, parse_nuisances
from companion.vision.read import limit_opencv_to_one_core
from companion.vision.tracking.reader import IncrementalReader

FRAME_MS = 1000 / 15
LONGEST_MS = 4000
WANTED_MS = 2000
LYING, COMING = 12, 12
RESTING, SHOWN, COUNTED = 20, 8, 5
"""Frames of a table at rest, how often they are shown, and how many times at the end count."""
FEWEST_SEEN = 20
"""Pixels from the picture's edge that a label's middle lies at least; what is cut is no question of time."""


@dataclass(frozen=True, slots=True)
class Laid:
    """After how long a card was read, in ms, by us and by zxing-cpp frame by frame; ``None``: not in the time given.

    ``work``: ms of the processor that our reading took from the first frame that shows it.
    """

    ours: float | None
    theirs: float | None
    work: float


def laid(severity: str, seed: int, nuisances: Nuisances = NONE) -> Iterator[Laid]:
    """Lay cards down on one table, and give for each how long it took."""
    table = strewn(severity, seed, LYING + COMING, FEWEST_SEEN, nuisances)
    watcher, clock = IncrementalReader(), 0.0
    there = table.lying[:LYING]
    for _ in range(12):
        watcher.read_next(table.frame(there), DECK, round(clock))
        clock += FRAME_MS
    for card in table.lying[LYING:]:
        there = [*there, card]
        text = table.texts[card.card]
        begun, ours, theirs, work = clock, None, None, 0.0
        while clock - begun < LONGEST_MS and (ours is None or theirs is None):
            frame = table.frame(there)
            if theirs is None and text in {seen.text for seen in decode_with_zxing(frame)}:
                theirs = clock - begun
            if ours is not None:
                clock += FRAME_MS
                continue
            start = time.process_time()
            seen = watcher.read_next(frame, DECK, round(clock))
            spent = (time.process_time() - start) * 1000
            work += spent
            if text in {sighting.text for sighting in seen}:
                ours = clock - begun + spent
            clock += FRAME_MS * max(1, np.ceil(spent / FRAME_MS))
        if card.card in table.inside:
            yield Laid(ours, theirs, work)


def at_rest(severity: str, seed: int, nuisances: Nuisances = NONE) -> float:
    """Return the ms of the processor for a frame of a table at rest, 24 cards, in colours, once all has been read."""
    table = strewn(severity, seed, LYING + COMING, FEWEST_SEEN, nuisances)
    frames = [cv2.cvtColor(table.frame(table.lying), cv2.COLOR_GRAY2BGR) for _ in range(RESTING)]
    watcher, spent = IncrementalReader(), []
    for number in range(SHOWN * RESTING):
        start = time.process_time()
        watcher.read_next(np.asarray(frames[number % RESTING], np.uint8), DECK, round(number * FRAME_MS))
        spent.append((time.process_time() - start) * 1000)
    return float(np.mean(spent[-COUNTED * RESTING :]))


def main() -> None:
    """Lay cards, and print."""
    limit_opencv_to_one_core()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="?", type=int, default=9)
    parser.add_argument("--severity", default="hard")
    parser.add_argument("--nuisances", default="", help="by name, with commas, or all: see docs/reading.md")
    wish = parser.parse_args()
    nuisances = ALL if wish.nuisances == "all" else parse_nuisances(wish.nuisances.split(",") if wish.nuisances else [])
    results = [laid_card for seed in range(wish.tables) for laid_card in laid(wish.severity, 41_000 + seed, nuisances)]
    for reader, spent in (
        ("ours", [laid_card.ours for laid_card in results]),
        ("zxing-cpp", [laid_card.theirs for laid_card in results]),
    ):
        read = sorted(ms for ms in spent if ms is not None)
        soon = sum(ms <= WANTED_MS for ms in read)
        summary = f"median {median(read):.0f} ms" if read else "none"
        print(
            f"{reader:10} {wish.severity}: {len(results)} cards, read within {WANTED_MS / 1000:g} s "
            f"{100 * soon / len(results):.1f} %, ever {100 * len(read) / len(results):.1f} %, {summary}",
            flush=True,
        )
    rest = median(at_rest(wish.severity, 41_000 + seed, nuisances) for seed in range(wish.tables))
    print(
        f"a card laid down: {median(laid_card.work for laid_card in results):.0f} ms of a core; "
        f"a frame at rest: {rest:.2f} ms, {100 * rest / FRAME_MS:.1f} % of a core",
        flush=True,
    )


if __name__ == "__main__":
    main()
