"""Summaries of tables in a file beside the journal: one JSON line each, the last one of a table counts.

The file only saves work.  It is not waited for, and where it is lost or unreadable tables are folded again.
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.service.ports import LatestEntry, TableSummary

log = logging.getLogger(__name__)


class SummariesFile:
    """The summaries of a data folder.  Those that another version of the program has written do not count."""

    def __init__(self, path: Path, program: str) -> None:
        """Read what is there, and write it anew, a line a table."""
        self._path, self._program = path, program
        self.kept: dict[str, TableSummary] = {}
        self._troubled = False
        try:
            lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
        except OSError as error:
            self._warn(error)
            return
        for line in lines:
            read = _read(line, program)
            if read is not None:
                self.kept[read[0]] = read[1]
        if len(lines) > len(self.kept):
            self._write_anew()

    def keep(self, table_id: str, summary: TableSummary) -> None:
        """Add a summary."""
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(self._line(table_id, summary))
        except OSError as error:
            self._warn(error)

    def _write_anew(self) -> None:
        unfinished = self._path.with_suffix(".new")
        try:
            unfinished.write_text("".join(self._line(*item) for item in self.kept.items()), encoding="utf-8")
            unfinished.replace(self._path)
        except OSError as error:
            self._warn(error)

    def _warn(self, error: OSError) -> None:
        if not self._troubled:
            log.warning("summaries of tables could not be kept (%s); tables are folded again at the next start", error)
        self._troubled = True

    def _line(self, table_id: str, summary: TableSummary) -> str:
        latest = summary.latest
        line = {
            "table": table_id,
            "program": self._program,
            "latest": [latest.seq, latest.at, latest.checksum],
            "summary": dict(summary.described),
        }
        return json.dumps(line, separators=(",", ":")) + "\n"


def _read(line: str, program: str) -> tuple[str, TableSummary] | None:
    """Return table and summary of a line; ``None`` where it is none, or of another version of the program."""
    try:
        read: Mapping[str, Any] = json.loads(line)
        seq, at, checksum = read["latest"]
        if read["program"] != program or read["summary"]["version"] != seq:
            return None
        return str(read["table"]), TableSummary(LatestEntry(int(seq), str(at), str(checksum)), read["summary"])
    except (KeyError, TypeError, ValueError, RecursionError):
        return None
