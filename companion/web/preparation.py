"""What is laid ready at a table before its first act, and what of it is done."""

from collections.abc import Mapping
from typing import Any

from companion.games.master_builder.rules.preparation import Step, shown, steps
from companion.service.services import Services

Json = Mapping[str, Any]

CAMERA, MAT = "camera", "mat"
"""Steps beside the game's own: one card was read; the mat is in view."""


def is_due(position: Json) -> bool:
    """Say whether the table still waits for its first act."""
    return (
        position["round"] == 1
        and position["phase"] == "hire"
        and not any(player["workers"] or player["contracts"] for player in position["players"].values())
    )


def prepared(services: Services, table_id: str, position: Json, catalog: Json) -> list[dict[str, Any]]:
    """List the steps: ``step``, its figure ``count``, ``done``, and ``shown`` ``of`` its piles by cards in view."""
    sight = services.scanner.sight(table_id)
    here = sight["state"] == "seeing" and services.scanner.attached_to == table_id
    cards = services.preparations.saw(table_id, (one["card"] for one in sight["cards"]) if here else ())
    types = {card: str(worker["type"]) for card, worker in catalog["workers"].items()}
    told = [
        _told(services, table_id, step, shown(step, cards, types))
        for step in steps(len(position["players"]), position["variants"])
    ]
    laying = services.preferences.chosen.laying
    if here and laying == "mat":
        told.append(_told(services, table_id, MAT, (int(sight["mat"] is not None), 1)))
    if here and laying != "tap":
        told.append(_told(services, table_id, CAMERA, (min(len(cards), 1), 1)))
    return told


def _told(services: Services, table_id: str, step: Step | str, seen: tuple[int, int]) -> dict[str, Any]:
    name, count = (step, 0) if isinstance(step, str) else (step.name, step.count)
    by_hand = services.preparations.ticked(table_id, name)
    done = 0 < seen[1] == seen[0] if by_hand is None else by_hand
    return {"step": name, "count": count, "shown": seen[0], "of": seen[1], "done": done}
