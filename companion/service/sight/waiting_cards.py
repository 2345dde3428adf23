"""Where the questions about cards wait: a port, so that several processes may share them one day."""

from collections.abc import Mapping
from typing import Protocol

from companion.service.sight.proposal import Proposal


class WaitingCards(Protocol):
    """Where proposals are kept, by table.  Called by one thread at a time."""

    def number(self) -> int:
        """Give a number that was never given before."""
        ...

    def of(self, table_id: str) -> Mapping[int, Proposal]:
        """Give the proposals of a table by number, oldest first."""
        ...

    def keep(self, table_id: str, waiting: Mapping[int, Proposal]) -> None:
        """Let these be the proposals of a table."""
        ...


class PassingCards:
    """Kept only as long as the program runs: after a restart the cards are seen anew."""

    def __init__(self) -> None:
        """Start with none."""
        self._waiting: dict[str, Mapping[int, Proposal]] = {}
        self._given = 0

    def number(self) -> int:
        """Give the next number."""
        self._given += 1
        return self._given

    def of(self, table_id: str) -> Mapping[int, Proposal]:
        """Give the proposals of a table by number, oldest first."""
        return self._waiting.get(table_id, {})

    def keep(self, table_id: str, waiting: Mapping[int, Proposal]) -> None:
        """Let these be the proposals of a table."""
        self._waiting[table_id] = waiting
