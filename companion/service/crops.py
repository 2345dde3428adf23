"""What the camera saw of the cards behind the latest entries.  Kept in memory: a restart forgets it."""

import threading
from collections import OrderedDict

MOST_KEPT = 600
"""Pictures of a few kilobytes each: more than a long evening has cards."""


class Crops:
    """The pictures of cards by table and entry, the oldest forgotten first.  For any thread."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        """Start with none."""
        self._most = most
        self._lock = threading.Lock()
        self._pictures: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def keep(self, table_id: str, entry: int, picture: bytes) -> None:
        """Remember what an entry was read from; nothing where no picture was taken."""
        if not picture:
            return
        with self._lock:
            self._pictures[table_id, entry] = picture
            while len(self._pictures) > self._most:
                self._pictures.popitem(last=False)

    def picture(self, table_id: str, entry: int) -> bytes | None:
        """Give the JPEG behind an entry; ``None`` where there is none (any more)."""
        with self._lock:
            return self._pictures.get((table_id, entry))
