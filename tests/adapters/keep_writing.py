"""A program that a test kills: it gives commands at a table and says each entry that was acknowledged.

``python keep_writing.py JOURNAL``: resumes the table that is there, or begins one, and goes on until it dies.
"""

import itertools
import sys
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.engine.tiny_game import nut_game
from tests.fakes import readable_tables

START = {"do": "start_game", "game": "nuts", "players": ["ada", "ben"]}


def main() -> None:
    tables = Tables({"nuts": nut_game()}, SqliteJournal(Path(sys.argv[1])), SystemClock(), lambda: "t", list)
    table = readable_tables(tables)[0] if readable_tables(tables) else tables.start(Request(START, "banker", "child"))
    for number in itertools.count():
        gift = {"do": "give", "from": "bank" if number % 2 else "ada", "to": "ben", "amount": 0}
        said = table.submit(Request(gift, "banker", "child", key=f"{table.version}"))["seq"]
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
