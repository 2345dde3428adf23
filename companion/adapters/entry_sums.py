"""A sum for every entry, over itself and the sum before it: a byte that changed on the disk shows, and where."""

import hashlib
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any


def sum_of(before: str, row: Sequence[Any]) -> str:
    """Give the sum of an entry behind one whose sum is ``before``: SHA-256, half of it.

    ``row``: seq, at, actor, source, command, events, key.
    """
    said = "\x1f".join("" if one is None else str(one) for one in (before, *row))
    return hashlib.sha256(said.encode("utf-8", "surrogateescape")).hexdigest()[:32]


Latest = dict[str, tuple[int, str]]
"""Number and sum of the entry that was added last, by table; forgotten where a block was rolled back."""


def add_sum(connection: sqlite3.Connection, table_id: str, row: Sequence[Any], latest: Latest) -> None:
    """Store the sum of an entry that was just stored; the one before it is asked for where it is not the ``latest``."""
    number, before = latest.get(table_id, (0, ""))
    if number != row[0] - 1:
        kept = connection.execute(
            "SELECT sum FROM sums WHERE table_id = ? AND seq = ?", (table_id, row[0] - 1)
        ).fetchone()
        before = "" if kept is None else kept[0]
    added = sum_of(before, row)
    connection.execute("INSERT INTO sums (table_id, seq, sum) VALUES (?, ?, ?)", (table_id, row[0], added))
    latest[table_id] = (row[0], added)


def first_changed(
    connection: sqlite3.Connection, table_id: str, after: int, rows: Iterable[Sequence[Any]]
) -> int | None:
    """Give the number of the first of these entries that is not as it was stored; ``None``: all are.

    ``rows``: the entries behind ``after``, in order.  One without a sum, of a version that had none, is taken as it is.
    """
    sums: dict[int, str] = dict(
        connection.execute("SELECT seq, sum FROM sums WHERE table_id = ? AND seq >= ?", (table_id, after)).fetchall()
    )
    for row in rows:
        kept = sums.get(row[0])
        if kept is not None and kept != sum_of(sums.get(row[0] - 1, ""), row):
            return int(row[0])
    return None
