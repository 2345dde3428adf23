"""Entries: what was asked, by whom, and what it led to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from companion.engine.json_values import Json


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
        held = cast("Json", json)
        return {key: own_copy(one) for key, one in held.items()}
    if isinstance(json, list | tuple):
        return [own_copy(one) for one in cast("Sequence[Any]", json)]
    return json
