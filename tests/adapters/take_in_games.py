"""A program that a test kills: it takes in one whole game after the other.

``python take_in_games.py JOURNAL``: says the id of each table that was acknowledged, and goes on until it dies.
"""

import itertools
import json
import sys
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.runtime import SystemClock
from companion.service.table.play_files import take_in
from companion.service.table.registry import Tables
from tests.engine.tiny_game import nut_game

START = {"do": "start_game", "game": "nuts", "players": ["ada", "ben"]}
ENTRIES = 400


def main() -> None:
    numbers = itertools.count()
    names = (f"{sys.argv[2]}-{number}" for number in numbers)
    journal = SqliteJournal(Path(sys.argv[1]))
    tables = Tables({"nuts": nut_game()}, journal, SystemClock(), lambda: next(names), list)
    gift = {"do": "give", "from": "bank", "to": "ben", "amount": 0}
    saved = "\n".join(map(json.dumps, [START, *[gift] * (ENTRIES - 1)])).encode()
    while True:
        sys.stdout.write(f"{take_in(tables, saved, actor='banker').id}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
