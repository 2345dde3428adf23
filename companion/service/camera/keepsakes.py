"""Values kept beside the journals: automation levels and pictures of cards.  No game needs it to be played on."""

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from companion.engine.game import BANKER
from companion.service.camera.proposals import AutomationSettings
from companion.service.table.table import Table

MOST_BYTES = 64_000_000
"""What all pictures together may take: dozens of evenings to step back through, little of an SD card."""


@dataclass(frozen=True, slots=True)
class Crop:
    """The piece of a frame that an entry was read from: a JPEG, and whose eye saw it (the banker's, or a player's)."""

    picture: bytes
    viewer: str


class Keepsakes(Protocol):
    """Where dials and crops are kept, by table.  For any thread."""

    def settings(self, table_id: str) -> AutomationSettings:
        """Return how a table's dial was left; as it is at first where nobody ever turned it."""
        ...

    def keep_settings(self, table_id: str, setting: AutomationSettings) -> None:
        """Remember how a dial stands, durably before returning."""
        ...

    def crop(self, table_id: str, entry: int) -> Crop | None:
        """Return what an entry was read from; ``None`` where there is nothing (any more)."""
        ...

    def keep_crop(self, table_id: str, entry: int, crop: Crop) -> None:
        """Remember what an entry was read from; what was kept longest makes room."""
        ...

    def crops(self, table_id: str) -> Mapping[int, str]:
        """Return of which entries there is a crop, and whose eye saw each."""
        ...


class InMemoryKeepsakes:
    """Kept only as long as the program runs."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Start with nothing."""
        self._most = most_bytes
        self._held = 0
        self._lock = threading.Lock()
        self._settings: dict[str, AutomationSettings] = {}
        self._crops: OrderedDict[tuple[str, int], Crop] = OrderedDict()

    def settings(self, table_id: str) -> AutomationSettings:
        """Return how a table's dial was left."""
        return self._settings.get(table_id, AutomationSettings())

    def keep_settings(self, table_id: str, setting: AutomationSettings) -> None:
        """Remember how a dial stands."""
        self._settings[table_id] = setting

    def crop(self, table_id: str, entry: int) -> Crop | None:
        """Return what an entry was read from."""
        with self._lock:
            return self._crops.get((table_id, entry))

    def keep_crop(self, table_id: str, entry: int, crop: Crop) -> None:
        """Remember what an entry was read from; the oldest go first."""
        with self._lock:
            before = self._crops.pop((table_id, entry), None)
            self._crops[table_id, entry] = crop
            self._held += len(crop.picture) - (0 if before is None else len(before.picture))
            while self._held > self._most:
                self._held -= len(self._crops.popitem(last=False)[1].picture)

    def crops(self, table_id: str) -> Mapping[int, str]:
        """Return of which entries there is a crop, and whose eye saw each."""
        with self._lock:
            return {entry: crop.viewer for (table, entry), crop in self._crops.items() if table == table_id}


# Who may see what the camera saw of the card behind an entry.


def visible_crops(keepsakes: Keepsakes, table: Table, viewer: str) -> frozenset[int]:
    """Return the numbers of the entries whose crop a viewer may see.

    The banker sees all.  A player sees what lay on the table or before his own device, unless the entry is held back
    from him.  Who only looks on may sit elsewhere: what else lies in the picture is not his to see.
    """
    kept = keepsakes.crops(table.id)
    if viewer == BANKER:
        return frozenset(kept)
    if not kept or viewer not in table.names():
        return frozenset()
    pairs = zip(table.journal(viewer), table.entries, strict=False)
    whole = {entry.seq for shown, entry in pairs if shown["command"] == entry.command}
    return frozenset(seq for seq, viewer_then in kept.items() if viewer_then in (BANKER, viewer) and seq in whole)


def crop_picture(keepsakes: Keepsakes, table: Table, entry: int, viewer: str) -> bytes | None:
    """Return the JPEG behind an entry; ``None`` where there is none that this viewer may see."""
    if entry not in visible_crops(keepsakes, table, viewer):
        return None
    crop = keepsakes.crop(table.id, entry)
    return None if crop is None else crop.picture
