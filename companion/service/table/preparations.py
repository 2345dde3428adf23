"""How far the tables are laid ready before their first act: ticked by hand, or shown by cards in view.

Kept in memory alone: a restart forgets it, and nothing of the game depends on it.
"""

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Laid:
    ticks: dict[str, bool] = field(default_factory=dict[str, bool])
    count: int = 0
    cards: frozenset[str] = frozenset()


class Preparations:
    """Every table's ticks and the cards that were seen.  Every call may come from any thread."""

    def __init__(self) -> None:
        """Begin with nothing laid ready."""
        self._lock = threading.Lock()
        self._tables: dict[str, _Laid] = {}

    def tick(self, table_id: str, step: str, *, done: bool) -> None:
        """Return by hand whether a step is done; that counts before what cards show."""
        with self._lock:
            laid = self._tables.setdefault(table_id, _Laid())
            laid.ticks[step] = done
            laid.count += 1

    def ticks(self, table_id: str) -> int:
        """Count what was said by hand at a table so far, so that screens notice."""
        with self._lock:
            laid = self._tables.get(table_id)
            return 0 if laid is None else laid.count

    def saw(self, table_id: str, cards: Iterable[str]) -> frozenset[str]:
        """Add the cards in view now and return all that were seen so far."""
        with self._lock:
            laid = self._tables.setdefault(table_id, _Laid())
            laid.cards |= frozenset(cards)
            return laid.cards

    def ticked(self, table_id: str, step: str) -> bool | None:
        """Return what was said by hand; ``None`` where nothing was."""
        with self._lock:
            laid = self._tables.get(table_id)
            return None if laid is None else laid.ticks.get(step)
