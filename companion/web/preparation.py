"""The steps of setting a table before its first act, and which of them are done."""

from typing import Any

from companion.game_api.capabilities import PreparationStep
from companion.service.services import Services
from companion.service.table.table import Table

CAMERA, MAT = "camera", "mat"
"""Steps besides the game's own: one card was read; the mat is in view."""


def is_due(table: Table) -> bool:
    """Return whether the table still waits for its first act."""
    sets, position = table.game.can.preparation, table.position
    return sets is not None and position is not None and sets.is_due(position)


def preparation_steps(services: Services, table: Table) -> list[dict[str, Any]]:
    """Return the steps: ``step``, ``count``, ``done``, and how many ``of`` its piles cards in view have ``shown``."""
    camera = services.scanner.state_json(table.id)
    attached = camera["state"] == "seeing" and services.scanner.attached_to == table.id
    cards = services.preparations.saw(table.id, (card["card"] for card in camera["cards"]) if attached else ())
    sets, position = table.game.can.preparation, table.position
    steps = [] if sets is None or position is None else sets.steps(position, cards)
    described = [_step_json(services, table.id, step) for step in steps]
    layout = services.preferences.chosen.layout
    if attached and layout == "mat":
        described.append(_step_json(services, table.id, PreparationStep(MAT, 0, int(camera["mat"] is not None), 1)))
    if attached and layout != "tap":
        described.append(_step_json(services, table.id, PreparationStep(CAMERA, 0, min(len(cards), 1), 1)))
    return described


def _step_json(services: Services, table_id: str, step: PreparationStep) -> dict[str, Any]:
    by_hand = services.preparations.ticked(table_id, step.name)
    done = 0 < step.of == step.shown if by_hand is None else by_hand
    return {"step": step.name, "count": step.count, "shown": step.shown, "of": step.of, "done": done}
