"""The table against the books, once it has lasted: a card on its way is no difference."""

from collections.abc import Mapping
from typing import Any

from companion.service.table import Table

LASTING_MS = 3000


class Differences:
    """What one camera has found to differ at its table.  Time is passed in; not for several threads at once."""

    def __init__(self) -> None:
        """Start with none."""
        self._since: dict[str, tuple[int, dict[str, Any]]] = {}
        self._told: tuple[dict[str, Any], ...] = ()

    def observe(self, at_ms: int, table: Table, lying: Mapping[str, str]) -> bool:
        """Compare the zones of cards at rest with the books; ``True`` if what is told has changed."""
        now = {repr(sorted(one.items())): one for one in table.differences(lying)}
        self._since = {key: self._since.get(key, (at_ms, one)) for key, one in now.items()}
        told = tuple(one for since, one in self._since.values() if at_ms - since >= LASTING_MS)
        changed, self._told = told != self._told, told
        return changed

    @property
    def told(self) -> list[dict[str, Any]]:
        """Give what has lasted, as JSON."""
        return [dict(one) for one in self._told]
