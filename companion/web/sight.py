"""What the camera sees and asks, as far as the caller may know it."""

from typing import Any

from companion.service.logins import Caller
from companion.service.scanner import Scanner
from companion.service.services import Services
from companion.service.table import Table


def told_beside(services: Services, table: Table, caller: Caller) -> dict[str, Any]:
    """Give all that a stream tells beside versions: what the camera sees and asks, and what one asks of another."""
    agreements = services.agreements.waiting(table, caller.viewer)
    seen = sight_seen(services.scanner, table.id, caller)
    return {**seen, "agreements": [one.as_json() for one in agreements]}


def sight_seen(scanner: Scanner, table_id: str, caller: Caller) -> dict[str, Any]:
    """Give ``{"proposals", "sight"}``.  Questions and cards go to the banker; others learn how the camera is."""
    sight = dict(scanner.sight(table_id))
    if caller.role != "banker":
        return {"proposals": [], "sight": {**sight, "cards": []}}
    return {"proposals": proposals_seen(scanner, table_id), "sight": sight}


def proposals_seen(scanner: Scanner, table_id: str) -> list[dict[str, Any]]:
    """Give the proposals, each with the address of its picture."""
    address = f"/api/v1/tables/{table_id}/proposals"
    return [{**asked, "picture": f"{address}/{asked['id']}/picture"} for asked in scanner.proposals(table_id)]
