"""The state of a table beside its position: the steps of setting it, and the snapshot that streams send."""

from collections.abc import Mapping
from typing import Any

from companion.game_api.capabilities import PreparationStep
from companion.service.access.logins import Caller
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import NO_CAMERA, Scanner
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
    by_hand = services.preparations.tick_of(table_id, step.name)
    done = 0 < step.of == step.shown if by_hand is None else by_hand
    return {"step": step.name, "count": step.count, "shown": step.shown, "of": step.of, "done": done}


# The snapshot of a stream: camera, proposals and agreements as the caller may know them


def snapshot_of(services: Services, table: Table, caller: Caller) -> dict[str, Any]:
    """Return the payload of the ``sight`` event: camera state, open proposals and agreements."""
    agreements = services.consents.open_for(table, caller.viewer)
    seen = visible_camera(services.scanner, table.id, caller)
    return {**seen, "agreements": [agreement.as_json() for agreement in agreements]}


def visible_camera(scanner: Scanner, table_id: str, caller: Caller) -> dict[str, Any]:
    """Return ``{"proposals", "sight", "suggest", "readings"}``.

    The banker gets all proposals and the cards, a player the proposals of their own device, spectators the state of
    the camera only.
    """
    camera = dict(scanner.state_json(table_id))
    if caller.role == "host" and scanner.attached_to != table_id:
        camera = dict(NO_CAMERA)  # it is another table's
    if not caller.is_banker:
        camera |= {"cards": [], "twins": [], "strangers": [], "faces": [], "differences": [], "resumed": False}
    if not caller.is_organiser:
        camera |= _without_query(camera)
    viewer = caller.viewer
    asked = [] if caller.role == "spectator" else visible_proposals(scanner.proposals, table_id, viewer)
    suggest, readings = (
        scanner.proposals.open_suggestion(table_id, viewer),
        scanner.proposals.read_card_count(table_id, viewer),
    )
    return {"proposals": asked, "sight": camera, "suggest": suggest, "readings": readings}


def _without_query(camera: Mapping[str, Any]) -> dict[str, Any]:
    """Return name and problem of a camera without what follows a question mark in its address: often a password."""
    name, problem = camera["camera"], camera["problem"]
    if name is None:
        return {}
    shown = name.partition("?")[0]
    return {"camera": shown, "problem": problem and problem.replace(name, shown)}


def visible_proposals(proposals: ProposalService, table_id: str, viewer: str) -> list[dict[str, Any]]:
    """Return the proposals that a viewer may answer, each with the address of its picture if it has one."""
    return [with_picture_address(asked, table_id) for asked in proposals.pending(table_id, viewer)]


def with_picture_address(asked: dict[str, Any], table_id: str) -> dict[str, Any]:
    """Return a proposal with the address of its picture; those of a hand scanner have none."""
    picture = f"/api/v1/tables/{table_id}/proposals/{asked['id']}/picture"
    return {**asked, "picture": picture if asked["source"] == "camera" else None}
