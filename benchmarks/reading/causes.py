"""Why labels stay unread, told for labels that were spoilt in a known way.

    python -m benchmarks.reading.causes [EACH]

One label a table: in mild light, on the simulator's tables and on those rendered elsewhere, if they are there.  Each
table is watched for a moment, as the program watches it: what is read from several frames is read.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator

import numpy as np

from benchmarks.arguments import parse_arguments
from benchmarks.reading.rendered import TABLES, grey_in
from benchmarks.scenes import DECK, shoot
from companion.qr.sighting import GreyPicture, Sighting
from companion.vision.read import limit_opencv_to_one_core
from companion.vision.tracking.reader import IncrementalReader
from companion.vision.tracking.unread import find_unread_labels
from tests.vision.spoilt import SPOIL, Quad, spoilt_frames

EACH = 24
FRAMES, MS = 9, 67
"""Frames of each table, and the milliseconds from one to the next."""


def labels(count: int) -> Iterator[tuple[GreyPicture, str, Quad]]:
    """Return so many tables with one label each that is to be spoilt: what it says, and the corners of its symbol."""
    random = np.random.default_rng(17)
    samples: list[tuple[GreyPicture, str, Quad]] = []
    if (TABLES / "truth.json").exists():
        for table in json.loads((TABLES / "truth.json").read_text(encoding="utf-8")):
            cards = [card for card in table["cards"] if table["level"] == "mild"]
            for number in random.permutation(len(cards))[: count // 2 // 8 + 1]:
                chosen_card = cards[number]
                samples.append(
                    (grey_in(table["files"][0]), f"MB1{chosen_card['card']}", np.array(chosen_card["quad"], np.float64))
                )
    yield from samples[: count // 2]
    for seed in range(count - min(len(samples), count // 2)):
        shot = shoot("mild", 700 + seed)
        text = sorted(shot.labels)[int(random.integers(len(shot.labels)))]
        yield shot.frames[0], text, np.array(shot.labels[text], np.float64)


def main() -> None:
    """Print for each cause what was told."""
    each: int = parse_arguments(__doc__, each=EACH).each
    limit_opencv_to_one_core()
    for why in SPOIL:
        reasons: Counter[str] = Counter()
        for number, (grey, text, quad) in enumerate(labels(each)):
            frames, moved = spoilt_frames(grey, quad, why, number, FRAMES)
            watcher = IncrementalReader()
            seen: tuple[Sighting, ...] = ()
            for at, frame in enumerate(frames):
                seen = watcher.read_next(frame, DECK, at * MS)
            if text in {sighting.text for sighting in seen}:
                reasons["read all the same"] += 1
                continue
            side, middle = np.linalg.norm(moved[1] - moved[0]), moved.mean(axis=0)
            position = [
                label.reason
                for label in find_unread_labels(frames[-1] if watcher.mean_frame is None else watcher.mean_frame, seen)
                if np.linalg.norm(np.mean(label.corners, axis=0) - middle) < side / 2
            ]
            reasons[position[0] if position else "nothing"] += 1
        sys.stdout.write(f"{why}: {dict(reasons.most_common())}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
