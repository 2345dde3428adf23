"""What a page tells of the camera: whether it looks here, what it sees, and the cards that can be laid under it."""

from collections.abc import Sequence
from typing import Any

from companion.engine.journal import Json
from companion.service.services import Services


def watched(services: Services, table_id: str, sight: Json) -> dict[str, Any]:
    """Say how the camera stands to a table: ``state`` is ``none``, ``lost``, ``elsewhere`` or ``seeing``."""
    state, attached = str(sight["state"]), services.scanner.attached_to
    if state == "seeing" and attached != table_id:
        state = "elsewhere"
    return {
        "name": sight["camera"],
        "state": state,
        "here": attached == table_id,
        "simulated": services.furniture is not None,
        "zones": services.furniture.zones if services.furniture is not None else (),
        "problem": sight["problem"],
        "cards": [one["card"] for one in (*sight["cards"], *sight["faces"]) if one["card"] is not None],
        "twins": sorted({one["card"] for one in sight["twins"]}),
        "unknown": [one["like"] for one in sight["faces"] if one["card"] is None],
        "strangers": [{**one, "game": _title(services, one["game"])} for one in sight["strangers"]],
        "mat": sight["mat"],
        "differences": sight["differences"] if state == "seeing" else [],
        "moved": _moved(sight) if state == "seeing" else [],
    }


def _title(services: Services, game: str) -> str:
    opened = services.tables.editions.get(game)
    return game if opened is None else opened.manifest.title


def _moved(sight: Json) -> list[str]:
    """Name the cards that have moved while a pulled plug kept everybody from looking."""
    if not sight["resumed"]:
        return []
    return sorted({card for one in sight["differences"] for card in one.get("cards") or [one["card"]]})


def zone_asked(wish: str | None, zones: Sequence[str]) -> str | None:
    """Choose where cards are laid on a simulated mat: the zone that was asked for, or the scan tray."""
    return wish if wish in zones else next((zone for zone in zones if zone == "tray"), None)
