"""Texts beyond the field types: building sites, changed wages, workers, and the choice of the sentence that fits."""

from collections.abc import Mapping
from typing import Any

from companion.game_api.ui import Language, TextContext

HOUSE_ORDER = ("wall-1", "side-1a", "side-1b", "wall-2", "side-2a", "side-2b", "gable-1", "gable-2", "roof-1", "roof-2")

STEP = 1000


class MasterBuilderEventTexts:
    """How Master Builder's events and cards are told."""

    def variant(self, event: Mapping[str, Any]) -> str:
        """Return which of an event's sentences fits."""
        match event:
            case {"event": "OpportunityPassed", "rest": True}:
                return ".rest"
            case {"event": "BidderLeft", "forced": True}:
                return ".forced"
            case {"event": "ContractSold" | "ContractRemoved" | "ContractCorrected", "premium": int(premium)}:
                return ".premium" if premium > 0 else ""
            case {"event": "CashCounted", "difference": int(difference)} if difference != 0:
                return ".more" if difference > 0 else ".less"
            case {"event": "PlanLocked" | "SectionsBuilt", "work": [] | () | None} | {
                "event": "SectionsRazed",
                "sites": [] | (),
            }:
                return ".nothing"
            case (
                {"event": "EventTurned", "order": [] | ()}
                | {
                    "event": "WorkersDismissed" | "WorkersMadeUnavailable",
                    "workers": [] | (),
                }
                | {"event": "WagesChanged", "changes": [] | ()}
            ):
                return ".nobody"
            case {"event": "WagesChanged", "lasting": "game"}:
                return ".game"
            case {"event": "TurnCorrected", "phase": "finished"}:
                return ".finished"
            case {"event": "TurnCorrected", "called_off": str(half_done), "waiting": waiting}:
                return (f".{half_done}" if half_done else "") + ("" if waiting else ".on")
            case _:
                return ""

    def record(self, of: str, value: Any, telling: TextContext) -> str:
        """Describe sections by building, wages by worker, and amounts that are no plain ones."""
        words = telling.words
        match of:
            case "sites":
                return sites(value, telling)
            case "changes":
                return words.listed(
                    f"{telling.card(record['worker'])} {words.money(record['amount'], plus=True)}" for record in value
                )
            case "difference":
                return words.money(abs(value))
            case "said":
                return str(value) if value % STEP else words.money(value)
            case _:
                return str(value)

    def card(self, card: str, catalog: Mapping[str, Any], words: Language) -> str | None:
        """Return a worker by type and number."""
        worker = catalog.get("workers", {}).get(card)
        return None if worker is None else words.say_in("worker of number", worker["type"], number=card)


def sites(value: Any, telling: TextContext) -> str:
    """List sections by building: *Inn (wall 1, gable 1)*."""
    by_contract: dict[str, list[str]] = {}
    for record in value:
        sections = [record["section"]] if "section" in record else record.get("sections", [])
        by_contract.setdefault(str(record["contract"]), []).extend(str(section) for section in sections)
    parts = []
    for contract, sections in by_contract.items():
        ordered = sorted(sections, key=lambda name: HOUSE_ORDER.index(name) if name in HOUSE_ORDER else 99)
        named = ", ".join(telling.words.say_in("section", section) for section in ordered)
        parts.append(f"{telling.card(contract)} ({named})")
    return telling.words.listed(parts)
