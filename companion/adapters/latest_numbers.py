"""Each table's latest entry, noted apart from the journal: a journal that came back shorter is noticed.

A note is a line at the end of a small file.  It is not waited for: one that is lost says less, and never too much.
"""

import re
from collections.abc import Mapping
from pathlib import Path

A_NOTE = re.compile(r"(\S+) ([0-9]{1,9})")


class LatestNumbers:
    """The notes of a data folder."""

    def __init__(self, path: Path) -> None:
        """Read what is there, and write it anew, a line a table; lines that are none are passed over."""
        self._path = path
        self._noted: dict[str, int] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
                if (note := A_NOTE.fullmatch(line)) is not None:
                    self._noted[note[1]] = max(int(note[2]), self._noted.get(note[1], 0))
        lines = (f"{table} {number}\n" for table, number in self._noted.items())
        beside = path.with_suffix(".new")
        beside.write_text("".join(lines), encoding="utf-8")
        beside.replace(path)

    def note(self, table_id: str, number: int) -> None:
        """Note that a table has an entry of this number; ``OSError`` where the disk takes nothing."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{table_id} {number}\n")

    def lost(self, there: Mapping[str, int]) -> dict[str, tuple[int, int]]:
        """Give the tables that have fewer entries than they had: how many they have, and how many they had."""
        return {
            table: (there.get(table, 0), number)
            for table, number in self._noted.items()
            if there.get(table, 0) < number
        }
