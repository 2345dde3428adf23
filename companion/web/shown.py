"""What a table shows, as JSON text, made once a version for all who look through the same eyes."""

import threading

from flask import current_app, json

from companion.service.table.table import Table


class Shown:
    """Remembers the latest text of every table and viewer: fifty screens then cost one view, not fifty."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = threading.Lock()
        self._tables: dict[str, tuple[threading.Lock, dict[str, tuple[int, str]]]] = {}

    def text(self, table: Table, viewer: str) -> tuple[int, str]:
        """Give version and JSON text of what the viewer may see of the table now."""
        with self._lock:
            making, texts = self._tables.setdefault(table.id, (threading.Lock(), {}))
        with making:
            known = texts.get(viewer)
            if known is None or known[0] != table.version:
                seen = table.show(viewer)
                known = texts[viewer] = (int(seen["version"]), json.dumps(seen))
            return known


def shown() -> Shown:
    """Give the texts of the running application."""
    found: Shown = current_app.extensions["companion.shown"]
    return found
