"""Detect damaged journals: a chain of checksums over the entries, and each table's latest number noted apart."""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

NOTE_PATTERN = re.compile(r"(\S+) ([0-9]{1,9})")
LatestChecksums = dict[str, tuple[int, str]]
"""Number and checksum of the latest entry of each table; cleared when a transaction is rolled back."""


def compute_checksum(before: str, row: Sequence[Any]) -> str:
    """Return the checksum of an entry after one whose checksum is ``before``: the first half of SHA-256, hexadecimal.

    ``row``: seq, at, actor, source, command, events, key.
    """
    return _digest(_join(before, row).encode("utf-8", "surrogateescape"))


def _join(before: str, row: Sequence[Any]) -> str:
    """Return the text over which the checksum is computed."""
    seq, at, actor, source, command, events, key = row
    last = "" if key is None else key
    return f"{before}\x1f{seq}\x1f{at}\x1f{actor}\x1f{source}\x1f{command}\x1f{events}\x1f{last}"


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def store_checksum(connection: sqlite3.Connection, table_id: str, row: Sequence[Any], latest: LatestChecksums) -> None:
    """Store the checksum of an entry that was just stored; the one before is read where ``latest`` lacks it."""
    number, before = latest.get(table_id, (0, ""))
    if number != row[0] - 1:
        stored = connection.execute(
            "SELECT sum FROM sums WHERE table_id = ? AND seq = ?", (table_id, row[0] - 1)
        ).fetchone()
        before = "" if stored is None else stored[0]
    checksum = compute_checksum(before, row)
    connection.execute("INSERT INTO sums (table_id, seq, sum) VALUES (?, ?, ?)", (table_id, row[0], checksum))
    latest[table_id] = (row[0], checksum)


def find_first_changed(
    connection: sqlite3.Connection, table_id: str, after: int, rows: Iterable[Sequence[Any]]
) -> tuple[int | None, int]:
    """Compare entries with their checksums.

    Entries without a checksum, of an early version, are accepted.

    Args:
        connection: of the journal.
        table_id: whose entries they are.
        after: the number of the entry before the first of ``rows``.
        rows: consecutive entries in order.

    Returns:
        The number of the first changed entry (``None``: all are unchanged), and the number up to which all entries
        are unchanged and valid UTF-8.

    """
    sums: dict[int, str] = dict(
        connection.execute("SELECT seq, sum FROM sums WHERE table_id = ? AND seq >= ?", (table_id, after)).fetchall()
    )
    sound = after
    for row in rows:
        number, stored = row[0], sums.get(row[0])
        if stored is not None:
            text = _join(sums.get(number - 1, ""), row)
            try:
                computed = _digest(text.encode())
                sound = number if sound == number - 1 else sound
            except UnicodeEncodeError:  # bytes that are no UTF-8, from before there were checksums
                computed = _digest(text.encode("utf-8", "surrogateescape"))
            if computed != stored:
                return int(number), min(sound, number - 1)
    return None, sound


class LatestNumbers:
    """The number of each table's latest entry, in a file apart from the journal: shows if the journal loses its end.

    A line is appended for each entry and not synced: a lost line can only under-report, never over-report.
    """

    def __init__(self, path: Path) -> None:
        """Read the file, ignoring invalid lines, and write it anew with one line a table."""
        self._path = path
        self._recorded: dict[str, int] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if (note := NOTE_PATTERN.fullmatch(line)) is not None:
                    self._recorded[note[1]] = max(int(note[2]), self._recorded.get(note[1], 0))
        lines = (f"{table} {number}\n" for table, number in self._recorded.items())
        unfinished = path.with_suffix(".new")
        unfinished.write_text("".join(lines), encoding="utf-8")
        unfinished.replace(path)

    def record(self, table_id: str, number: int) -> None:
        """Append the number of a table's latest entry; raise ``OSError`` where the disk refuses."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{table_id} {number}\n")

    def find_lost(self, present: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """Return the tables with fewer entries than recorded: the number they have, and the number they had."""
        return {
            table: (present.get(table, 0), number)
            for table, number in self._recorded.items()
            if present.get(table, 0) < number
        }
