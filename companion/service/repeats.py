"""The same request sent twice counts once."""

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
    while.
    """

    def __init__(self) -> None:
        """Start with nothing remembered."""
        self._entries: dict[str, Entry] = {}
        self._refusals: OrderedDict[str, tuple[Mapping[str, Any], Refused]] = OrderedDict()

    def answer(self, key: str | None, command: Mapping[str, Any]) -> Entry | None:
        """Give the entry of the same request; raise its refusal again, or ``KeyReused`` for another one."""
        if key is None:
            return None
        entry = self._entries.get(key)
        if entry is not None:
            if dict(entry.command) != dict(command):
                raise KeyReused
            return entry
        if key in self._refusals:
            refused_command, refused = self._refusals[key]
            if dict(refused_command) != dict(command):
                raise KeyReused
            raise refused
        return None

    def remember(self, entry: Entry) -> None:
        """Remember an entry by its key."""
        if entry.key is not None:
            self._entries[entry.key] = entry

    def remember_refusal(self, key: str | None, command: Mapping[str, Any], refused: Refused) -> None:
        """Remember a refusal by its key."""
        if key is None:
            return
        self._refusals[key] = (dict(command), refused)
        if len(self._refusals) > REMEMBERED_REFUSALS:
            self._refusals.popitem(last=False)
