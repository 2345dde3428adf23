"""The same request sent twice counts once."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.service.errors import KeyReused
from companion.service.ports import Journal, KeptRefusal


class Repeats:
    """Answers of one table by idempotency key.

    Entries are remembered for ever and refusals, which changed nothing, for a while; both lie in the journal's store.
    A key belongs to the one who used it first.
    """

    def __init__(self, table_id: str, journal: Journal, now: Callable[[], str]) -> None:
        """Take where refusals are kept, and the time of day."""
        self._table = table_id
        self._journal = journal
        self._now = now
        self._entries: dict[str, Entry] = {}

    def answer(self, key: str | None, actor: str, command: Mapping[str, Any]) -> Entry | None:
        """Give the entry of the same request; raise its refusal again, or ``KeyReused`` for another one."""
        if key is None:
            return None
        entry = self._entries.get(key)
        if entry is not None:
            if _request(entry.actor, entry.command) != _request(actor, command):
                raise KeyReused
            return entry
        kept = self._journal.refusal(self._table, key)
        if kept is not None:
            if kept.request != _request(actor, command):
                raise KeyReused
            raise Refused(kept.refused.rule, **kept.refused.details)
        return None

    def entry(self, key: str | None) -> Entry | None:
        """Give the entry that was stored under a key, whoever asks."""
        return None if key is None else self._entries.get(key)

    def remember(self, entry: Entry) -> None:
        """Remember an entry by its key."""
        if entry.key is not None:
            self._entries[entry.key] = entry

    def remember_refusal(self, key: str | None, actor: str, command: Mapping[str, Any], refused: Refused) -> None:
        """Remember a refusal by its key."""
        if key is not None:
            self._journal.keep_refusal(self._table, key, KeptRefusal(_request(actor, command), refused), self._now())


def _request(actor: str, command: Mapping[str, Any]) -> str:
    """Write a request so that two are equal only where their JSON is: ``1`` is neither ``1.0`` nor ``true``."""
    try:
        return json.dumps([actor, dict(command)], sort_keys=True)
    except RecursionError:
        return f"{actor}: brackets within brackets without end"
