"""How a table stood after any of its entries, undone ones among them."""

from typing import Any

from companion.engine.timeline import Timeline
from companion.service.errors import UnknownVersion
from companion.service.history import fold_entry
from companion.service.offers_json import offer_json
from companion.service.table import Table


def stood_at(table: Table, version: int, viewer: str) -> dict[str, Any]:
    """Show the position right after an entry, as this viewer could have seen it then; nothing can be done there.

    What was secret then stays so, also when it has been revealed since.  Raises ``UnknownVersion``.
    """
    entries = table.entries
    if not 1 <= version <= len(entries):
        raise UnknownVersion(version)
    timeline: Timeline[Any] = Timeline()
    for entry in entries[:version]:
        timeline = fold_entry(table.edition, timeline, entry)
    position = timeline.position
    shown = None if position is None else dict(table.edition.game.view(position, viewer))
    return {"version": version, "position": shown, "offers": []}


def stood_before(table: Table, entry: int, viewer: str) -> dict[str, Any] | None:
    """Show the position that a standing entry met, and what could have been done there instead; ``None``: no game yet.

    What was amended below the entry counts: it is what another command in its place would be decided by.
    """
    position, game = table.position_before(entry), table.edition.game
    if position is None:
        return None
    offers = [offer_json(offer) for player in game.players(position) for offer in game.offers(position, player)]
    return {"position": dict(game.view(position, viewer)), "offers": offers}
