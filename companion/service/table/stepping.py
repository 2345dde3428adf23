"""How a table stood after any of its entries, undone ones among them."""

from typing import Any

from companion.engine.game import BANKER, Overview
from companion.engine.timeline import position_of
from companion.service.ports import UnknownVersion
from companion.service.table.listing import offer_json, open_to
from companion.service.table.table import Table


def stood_at(table: Table, version: int, viewer: str) -> dict[str, Any]:
    """Show the position right after an entry, as this viewer could have seen it then; nothing can be done there.

    What was secret then stays so, also when it has been revealed since.  Raises ``UnknownVersion``.
    """
    steps = table.history.steps
    if not 1 <= version <= len(steps):
        raise UnknownVersion(version)
    step = steps[version - 1]
    position = position_of(step.line if step else None)
    shown = None if position is None else table.game.view(position, viewer)
    return {"version": version, "position": shown, "offers": []}


def overview_at(table: Table, version: int) -> Overview:
    """Outline the position right after an entry; ``UnknownVersion``."""
    steps = table.history.steps
    step = steps[version - 1] if 1 <= version <= len(steps) else None
    if step is None:
        raise UnknownVersion(version)
    return table.game.rules.overview(step.line.position)


def stood_before(table: Table, entry: int, viewer: str) -> dict[str, Any] | None:
    """Show the position that a standing entry met, and what could have been done there instead; ``None``: no game yet.

    What was amended below the entry counts: it is what another command in its place would be decided by.
    """
    position, game = table.position_before(entry), table.game.rules
    if position is None:
        return None
    offers = [offer_json(offer) for offer in open_to(game, position, BANKER)]
    return {"position": table.game.view(position, viewer), "offers": offers, "overview": game.overview(position)}
