"""Summaries of tables: what lists show of a table, kept so that a list needs no journal to be folded.

A summary is right for one latest entry.  It is only ever used for a table whose latest entry in the journal has the
same number, time and checksum; otherwise the table is folded and summarised anew.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Overview
from companion.service.ports import LatestEntry
from companion.service.table.history import History


@dataclass(frozen=True, slots=True)
class TableSummary:
    """Summary of a table, and the entry that was its latest then."""

    latest: LatestEntry
    described: Mapping[str, Any]


NO_SUMMARY = TableSummary(LatestEntry(0, "", ""), {"version": 0})
"""Right for no table: entries are numbered from 1."""


class Summaries:
    """The latest summary of each table.  Thread-safe."""

    def __init__(
        self,
        kept: Mapping[str, TableSummary] | None = None,
        keep: Callable[[str, TableSummary], None] = lambda _table_id, _summary: None,
    ) -> None:
        """Store what earlier starts have kept, and what keeps a summary for later ones."""
        self._lock = threading.Lock()
        self._known = dict(kept or {})
        self._keep = keep

    def of(self, table_id: str, latest: LatestEntry | None) -> Mapping[str, Any] | None:
        """Return the summary of a table with this latest entry; ``None`` where there is none."""
        summary = self._known.get(table_id)
        return summary.described if summary is not None and summary.latest == latest else None

    def put(self, table_id: str, summary: TableSummary) -> None:
        """Remember a summary, and keep it where it is news."""
        with self._lock:
            if self._known.get(table_id) == summary:
                return
            self._known[table_id] = summary
            self._keep(table_id, summary)

    def forget(self, table_id: str) -> None:
        """Let the summary of a table go, for later starts too."""
        if table_id in self._known:
            self.put(table_id, NO_SUMMARY)


def described(table_id: str, game: str, history: History, overview: Overview | None) -> dict[str, Any]:
    """Return the summary of one version of a table, as JSON."""
    names = {} if overview is None else overview.names
    return {
        "id": table_id,
        "game": game,
        "version": history.version,
        "started_at": history.entries[0].at,
        "changed_at": history.entries[-1].at,
        "round": None if overview is None else overview.round,
        "phase": None if overview is None else overview.phase,
        "finished": overview is not None and overview.finished,
        "players": [{"id": seat, "name": names[seat]} for seat in (overview.seats if overview else ())],
        "standings": [
            {"player": place.player, **dict(place.figures), "rank": place.rank}
            for place in (overview.standings if overview else ())
        ],
    }
