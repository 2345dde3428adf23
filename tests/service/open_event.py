"""A program that a test kills: it opens the tables of an event and says how many are open after each.

``python open_event.py WHERE``: a file for SQLite, or the address of a PostgreSQL database.
"""

import secrets
import sys
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.ports import Journal
from companion.service.runtime import SystemClock
from companion.service.table.club_events import ClubEvents
from companion.service.table.event_seating import EventPlan, EventTable
from companion.service.table.registry import Tables
from tests.service.house_tables import house_game

TABLES = 12
KEY = "banker:one"
PLAN = EventPlan(
    name="Winter meeting",
    when="",
    game="master_builder",
    catalog="house",
    rules={},
    variants=(),
    tables=tuple(EventTable(f"{number}", ("Ada", "Ben")) for number in range(1, TABLES + 1)),
)


def open_journal(where: str) -> Journal:
    """Open a journal where the program and the test that kills it both find it."""
    if where.endswith(".sqlite"):
        return SqliteJournal(Path(where))
    from companion.adapters.journal.postgres import PostgresJournal

    return PostgresJournal(where, "1.0")


def open_events(journal: Journal) -> ClubEvents:
    """Return the events of a program that has just started."""
    games = {"master_builder": house_game()}
    return ClubEvents(Tables(games, journal, SystemClock(), lambda: secrets.token_hex(4), list), journal)


def main() -> None:
    """Open one table after the other."""
    events = open_events(open_journal(sys.argv[1]))
    event = events.keep(PLAN, KEY)
    opened = events.count_opened(event)
    while opened < TABLES:
        opened = events.open_some(event, "program", budget_s=0)
        sys.stdout.write(f"{opened}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
