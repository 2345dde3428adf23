"""Entries: what was asked, by whom, and what it led to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Json: TypeAlias = "Mapping[str, Any]"


@dataclass(frozen=True, slots=True)
class Entry:
    """One numbered line of a journal, in the form in which it is stored.

    ``at`` is UTC in ISO 8601, for people only: the order is that of ``seq``.  ``actor`` is ``banker`` or a
    player id; ``source`` says from where it came (``tap``, ``camera``, ``play``).  ``key`` is the sender's
    own name for this request, so that the same tap never counts twice.
    """

    seq: int
    at: str
    actor: str
    source: str
    command: Json
    events: tuple[Json, ...]
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Give the entry as interfaces show it."""
        return {
            "seq": self.seq,
            "at": self.at,
            "actor": self.actor,
            "source": self.source,
            "command": dict(self.command),
            "events": [dict(event) for event in self.events],
        }


def own_copy(json: Any) -> Any:
    """Copy what a sender gave: he may change his own afterwards, but not the journal."""
    if isinstance(json, Mapping):
        return {key: own_copy(held) for key, held in json.items()}
    return [own_copy(held) for held in json] if isinstance(json, list | tuple) else json
