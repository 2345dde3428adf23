"""What the camera sees and asks, as far as the caller may know it."""

from typing import Any

from companion.service.access.logins import Caller
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import Scanner
from companion.service.services import Services
from companion.service.table.table import Table


def sight_beside(services: Services, table: Table, caller: Caller) -> dict[str, Any]:
    """Return all that a stream tells beside versions: what the camera sees and asks, and what one asks of another."""
    agreements = services.agreements.waiting(table, caller.viewer)
    seen = sight_seen(services.scanner, table.id, caller)
    return {**seen, "agreements": [one.as_json() for one in agreements]}


def sight_seen(scanner: Scanner, table_id: str, caller: Caller) -> dict[str, Any]:
    """Return ``{"proposals", "sight", "suggest", "readings"}``.

    What is asked, and the cards, go to the banker; a player gets what his own device asks; all others learn how
    the camera is.
    """
    sight = dict(scanner.sight(table_id))
    if caller.role != "banker":
        sight |= {"cards": [], "twins": [], "strangers": [], "faces": [], "differences": [], "resumed": False}
    viewer = caller.viewer
    asked = [] if caller.role == "spectator" else proposals_seen(scanner.proposals, table_id, viewer)
    suggest, readings = (
        scanner.proposals.open_suggestion(table_id, viewer),
        scanner.proposals.read_card_count(table_id, viewer),
    )
    return {"proposals": asked, "sight": sight, "suggest": suggest, "readings": readings}


def proposals_seen(asking: ProposalService, table_id: str, viewer: str) -> list[dict[str, Any]]:
    """Return the proposals that a viewer may answer, each with the address of its picture where there is one."""
    return [with_address(asked, table_id) for asked in asking.pending(table_id, viewer)]


def with_address(asked: dict[str, Any], table_id: str) -> dict[str, Any]:
    """Add the address of a proposal's picture; a hand scanner takes none."""
    picture = f"/api/v1/tables/{table_id}/proposals/{asked['id']}/picture"
    return {**asked, "picture": picture if asked["source"] == "camera" else None}
