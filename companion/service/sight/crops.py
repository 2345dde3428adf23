"""Who may see what the camera saw of the card behind an entry."""

from companion.engine.game import BANKER
from companion.service.sight.keepsakes import Keepsakes
from companion.service.table.table import Table


def visible(keepsakes: Keepsakes, table: Table, viewer: str) -> frozenset[int]:
    """Name the entries whose crop a viewer may see.

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
    return frozenset(seq for seq, whose in kept.items() if whose in (BANKER, viewer) and seq in whole)


def picture(keepsakes: Keepsakes, table: Table, entry: int, viewer: str) -> bytes | None:
    """Give the JPEG behind an entry; ``None`` where there is none that this viewer may see."""
    if entry not in visible(keepsakes, table, viewer):
        return None
    found = keepsakes.crop(table.id, entry)
    return None if found is None else found.picture
