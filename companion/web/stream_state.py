"""The snapshot of a stream: camera, proposals and agreements as the caller may know them."""

from typing import Any

from companion.service.access.logins import Caller
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import Scanner
from companion.service.services import Services
from companion.service.table.table import Table


def snapshot_of(services: Services, table: Table, caller: Caller) -> dict[str, Any]:
    """Return the payload of the ``sight`` event: camera state, open proposals and agreements."""
    agreements = services.agreements.waiting(table, caller.viewer)
    seen = visible_camera(services.scanner, table.id, caller)
    return {**seen, "agreements": [agreement.as_json() for agreement in agreements]}


def visible_camera(scanner: Scanner, table_id: str, caller: Caller) -> dict[str, Any]:
    """Return ``{"proposals", "sight", "suggest", "readings"}``.

    The banker gets all proposals and the cards, a player the proposals of their own device, spectators the state of
    the camera only.
    """
    camera = dict(scanner.state_json(table_id))
    if caller.role != "banker":
        camera |= {"cards": [], "twins": [], "strangers": [], "faces": [], "differences": [], "resumed": False}
    viewer = caller.viewer
    asked = [] if caller.role == "spectator" else visible_proposals(scanner.proposals, table_id, viewer)
    suggest, readings = (
        scanner.proposals.open_suggestion(table_id, viewer),
        scanner.proposals.read_card_count(table_id, viewer),
    )
    return {"proposals": asked, "sight": camera, "suggest": suggest, "readings": readings}


def visible_proposals(proposals: ProposalService, table_id: str, viewer: str) -> list[dict[str, Any]]:
    """Return the proposals that a viewer may answer, each with the address of its picture if it has one."""
    return [with_picture_address(asked, table_id) for asked in proposals.pending(table_id, viewer)]


def with_picture_address(asked: dict[str, Any], table_id: str) -> dict[str, Any]:
    """Return a proposal with the address of its picture; those of a hand scanner have none."""
    picture = f"/api/v1/tables/{table_id}/proposals/{asked['id']}/picture"
    return {**asked, "picture": picture if asked["source"] == "camera" else None}
