"""A clock that goes backwards: a Raspberry Pi has none of its own, and learns the time in the midst of an evening."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.adapters.journal.sqlite import SqliteJournal
from companion.service.table.registry import Tables
from companion.service.table.table import Request
from tests.engine.tiny_game import nut_game
from tests.service.house_tables import NUTS

GIFT = {"do": "give", "from": "bank", "to": "ben", "amount": 0}
MOMENT = datetime(2026, 11, 23, 20, 0, tzinfo=UTC)


class Leaping:
    """A clock that leaps with each look: years ahead, back to 1970, and on to tonight."""

    def __init__(self) -> None:
        self._times = self._leaps()

    def _leaps(self) -> Iterator[datetime]:
        while True:
            yield from (datetime(2031, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, 0, 1, tzinfo=UTC))
            yield from (MOMENT, MOMENT - timedelta(seconds=1))

    def now(self) -> str:
        return next(self._times).isoformat(timespec="seconds")


def test_entries_stand_in_the_order_in_which_they_came_whatever_the_clock_says(tmp_path: Path) -> None:
    # given a table whose clock leaps about
    path = tmp_path / "journal.sqlite"
    journal = SqliteJournal(path)
    table = Tables({"nuts": nut_game()}, journal, Leaping(), lambda: "t", list).start(Request(NUTS, "banker", "tap"))
    for number in range(8):
        table.submit(Request(GIFT, "banker", "tap", key=f"key-{number}"))

    # when a command is sent again, one is undone, and all is read from the disk
    again = table.submit(Request(GIFT, "banker", "tap", key="key-3"))
    assert again["seq"] == 5
    table.submit(Request({"do": "undo"}, "banker", "tap"))
    shown = table.show("banker")
    journal.close()
    read = SqliteJournal(path)
    kept = Tables({"nuts": nut_game()}, read, Leaping(), lambda: "t", list)

    # then numbers rule: nothing is lost, doubled or out of order, and no table counts as damaged
    assert kept.torn == {}
    assert [entry.seq for entry in kept.get("t").entries] == list(range(1, 11))
    assert kept.get("t").show("banker") == shown
    times = [entry.at for entry in kept.get("t").entries]
    assert times != sorted(times), "the clock did leap"
    read.close()
