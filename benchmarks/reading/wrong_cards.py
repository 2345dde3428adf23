"""Counts wrong cards on fresh tables.

    python -m benchmarks.reading.wrong_cards FIRST_SEED TABLES [FILE]

Tables are mild, medium and hard in turn, 24 cards and two foreign codes each.  Each is seen in six frames, every time
with another half of its cards taken out of the deck: a card that is out must not be taken for one that is in.  A card
is wrong when it is told and is not on the table, or not where it lies.  After every table the counts so far are printed
as JSON, and written to FILE; with a FILE that is there already the count goes on after its last table.
"""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.arguments import create_parser
from benchmarks.scenes import DECK, Shot, shoot
from companion.qr.sighting import GreyPicture, Sighting
from companion.vision.label.tag import Deck
from companion.vision.read import limit_opencv_to_one_core, read_codes

SEVERITIES = ("mild", "medium", "hard")
FRAMES = 6


@dataclass
class Counts:
    """Counts so far: ``views`` of labels, ``out`` of them of cards that the deck lacked; of the rest ``read``.

    ``read`` and ``there`` by severity; ``wrong``: severity, seed and what was told, each a fault to be understood.
    """

    tables: int = 0
    views: int = 0
    out: int = 0
    read: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    there: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    wrong: list[str] = field(default_factory=list)

    def read_table(self, severity: str, seed: int) -> None:
        """Look at one more table."""
        shot = shoot(severity, seed, frames=FRAMES)
        random = np.random.default_rng([seed, 7])
        laid = sorted(shot.laid & {f"{DECK.game_code}1{card}" for card in DECK.cards})
        for first, second in zip(shot.frames[::2], shot.frames[1::2], strict=True):
            mixed = random.permutation(laid)
            for frame, out in ((first, mixed[::2]), (second, mixed[1::2])):
                self._read(shot, frame, frozenset(str(text) for text in out), severity, seed)
        self.tables += 1

    def _read(self, shot: Shot, frame: GreyPicture, out: frozenset[str], severity: str, seed: int) -> None:
        deck = Deck(DECK.game_code, DECK.cards - {text[3:] for text in out})
        there = shot.labels.keys() - out
        seen = read_codes(frame, "frame", deck)
        self.views += len(shot.labels)
        self.out += len(shot.labels.keys() & out)
        self.there[severity] += len(there)
        self.read[severity] += len(there & {sighting.text for sighting in seen})
        wrong = (sighting for sighting in seen if not _lies_there(sighting, shot, out))
        self.wrong += [f"{severity} {seed} {sighting.text} {sighting.confidence:.4f}" for sighting in wrong]


def _lies_there(seen: Sighting, shot: Shot, out: frozenset[str]) -> bool:
    """Return whether a card is one of the table's and, where its middle is in view, lies where it was seen."""
    if seen.text in out or seen.text not in shot.laid:
        return False
    corners = shot.labels.get(seen.text)
    return corners is None or bool(np.hypot(*(corners.mean(axis=0) - seen.centre)) < seen.side / 4)


def main() -> None:
    """Count, and print."""
    parser = create_parser(__doc__)
    parser.add_argument("first", metavar="FIRST_SEED", type=int)
    parser.add_argument("tables", metavar="TABLES", type=int)
    parser.add_argument("file", metavar="FILE", nargs="?", type=Path)
    options = parser.parse_args()
    first, tables, file = options.first, options.tables, options.file
    limit_opencv_to_one_core()
    counts = Counts(**json.loads(file.read_text(encoding="utf-8"))) if file is not None and file.exists() else Counts()
    for number in range(counts.tables, tables):
        counts.read_table(SEVERITIES[number % len(SEVERITIES)], first + number)
        line = json.dumps(asdict(counts))
        print(line, flush=True)
        if file is not None:
            file.write_text(line + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
