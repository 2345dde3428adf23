"""A sum for every entry, over itself and the sum before it: a byte that changed on the disk shows, and where."""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def compute_checksum(before: str, row: Sequence[Any]) -> str:
    """Give the sum of an entry behind one whose sum is ``before``: SHA-256, half of it.

    ``row``: seq, at, actor, source, command, events, key.
    """
    return _sum(_said(before, row).encode("utf-8", "surrogateescape"))


def _said(before: str, row: Sequence[Any]) -> str:
    seq, at, actor, source, command, events, key = row
    last = "" if key is None else key
    return f"{before}\x1f{seq}\x1f{at}\x1f{actor}\x1f{source}\x1f{command}\x1f{events}\x1f{last}"


def _sum(said: bytes) -> str:
    return hashlib.sha256(said).hexdigest()[:32]


LatestChecksums = dict[str, tuple[int, str]]
"""Number and sum of the entry that was added last, by table; forgotten where a block was rolled back."""


def store_checksum(connection: sqlite3.Connection, table_id: str, row: Sequence[Any], latest: LatestChecksums) -> None:
    """Store the sum of an entry that was just stored; the one before it is asked for where it is not the ``latest``."""
    number, before = latest.get(table_id, (0, ""))
    if number != row[0] - 1:
        kept = connection.execute(
            "SELECT sum FROM sums WHERE table_id = ? AND seq = ?", (table_id, row[0] - 1)
        ).fetchone()
        before = "" if kept is None else kept[0]
    added = compute_checksum(before, row)
    connection.execute("INSERT INTO sums (table_id, seq, sum) VALUES (?, ?, ?)", (table_id, row[0], added))
    latest[table_id] = (row[0], added)


def find_first_changed(
    connection: sqlite3.Connection, table_id: str, after: int, rows: Iterable[Sequence[Any]]
) -> tuple[int | None, int]:
    """Give the number of the first of these entries that is not as it was stored (``None``: all are).

    Then the number of the last one up to which all are, and are texts throughout.  One without a sum, of a version that
    had none, is taken as it is.  ``rows``: the entries behind ``after``, in order.
    """
    sums: dict[int, str] = dict(
        connection.execute("SELECT seq, sum FROM sums WHERE table_id = ? AND seq >= ?", (table_id, after)).fetchall()
    )
    sound = after
    for row in rows:
        number, kept = row[0], sums.get(row[0])
        if kept is not None:
            said = _said(sums.get(number - 1, ""), row)
            try:
                found = _sum(said.encode())
                sound = number if sound == number - 1 else sound
            except UnicodeEncodeError:  # bytes that are no text, from before there were sums
                found = _sum(said.encode("utf-8", "surrogateescape"))
            if found != kept:
                return int(number), min(sound, number - 1)
    return None, sound


# --- latest_numbers
# Each table's latest entry, noted apart from the journal: a journal that came back shorter is noticed. A note
# is a line at the end of a small file. It is not waited for: one that is lost says less, and never too much.

NOTE_PATTERN = re.compile(r"(\S+) ([0-9]{1,9})")


class LatestNumbers:
    """The notes of a data folder."""

    def __init__(self, path: Path) -> None:
        """Read what is there, and write it anew, a line a table; lines that are none are passed over."""
        self._path = path
        self._noted: dict[str, int] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if (note := NOTE_PATTERN.fullmatch(line)) is not None:
                    self._noted[note[1]] = max(int(note[2]), self._noted.get(note[1], 0))
        lines = (f"{table} {number}\n" for table, number in self._noted.items())
        beside = path.with_suffix(".new")
        beside.write_text("".join(lines), encoding="utf-8")
        beside.replace(path)

    def record(self, table_id: str, number: int) -> None:
        """Note that a table has an entry of this number; ``OSError`` where the disk takes nothing."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{table_id} {number}\n")

    def find_lost(self, there: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """Give the tables that have fewer entries than they had: how many they have, and how many they had."""
        return {
            table: (there.get(table, 0), number)
            for table, number in self._noted.items()
            if there.get(table, 0) < number
        }
