"""The same request sent twice counts once."""

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from companion.engine.errors import Refused
from companion.engine.journal import Entry
from companion.service.errors import KeyReused

REMEMBERED_REFUSALS = 1_000


class Repeats:
    """Answers by idempotency key.

    Entries are remembered for ever (their keys are in the journal); refusals, which changed nothing, for a
    while.  A key belongs to the one who used it first.
    """

    def __init__(self) -> None:
        """Start with nothing remembered."""
        self._entries: dict[str, Entry] = {}
        self._refusals: OrderedDict[str, tuple[str, Refused]] = OrderedDict()

    def answer(self, key: str | None, actor: str, command: Mapping[str, Any]) -> Entry | None:
        """Give the entry of the same request; raise its refusal again, or ``KeyReused`` for another one."""
        if key is None:
            return None
        entry = self._entries.get(key)
        if entry is not None:
            if _request(entry.actor, entry.command) != _request(actor, command):
                raise KeyReused
            return entry
        if key in self._refusals:
            request, refused = self._refusals[key]
            if request != _request(actor, command):
                raise KeyReused
            raise Refused(refused.rule, **refused.details)
        return None

    def remember(self, entry: Entry) -> None:
        """Remember an entry by its key."""
        if entry.key is not None:
            self._entries[entry.key] = entry

    def remember_refusal(self, key: str | None, actor: str, command: Mapping[str, Any], refused: Refused) -> None:
        """Remember a refusal by its key."""
        if key is None:
            return
        # A copy: the refusal that was raised holds on to every frame that it went through.
        self._refusals[key] = (_request(actor, command), Refused(refused.rule, **refused.details))
        if len(self._refusals) > REMEMBERED_REFUSALS:
            self._refusals.popitem(last=False)


def _request(actor: str, command: Mapping[str, Any]) -> str:
    """Write a request so that two are equal only where their JSON is: ``1`` is neither ``1.0`` nor ``true``."""
    try:
        return json.dumps([actor, dict(command)], sort_keys=True)
    except RecursionError:
        return f"{actor}: brackets within brackets without end"
