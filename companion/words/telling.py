"""Turns the ids and figures of refusals and events into words, before a sentence takes them in."""

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, TypeAlias

from companion.vision.tag import COMMAND_CARDS
from companion.words.phrases import Phrases

Json: TypeAlias = Mapping[str, Any]

MONEY = frozenset(
    {"amount", "bid", "booked", "cash", "cost", "counted", "difference", "fee", "least", "missing", "money", "most"}
    | {"owes", "paid", "premium", "price", "short", "wage", "worth"}
)
"""Fields that hold whole dollars."""

TRACK = frozenset({"wages", "limit"})
"""Fields in dollars that are told as places on the wage track: plain thousands."""

PEOPLE = frozenset({"player", "owner", "leader", "start", "first", "borrower", "chooser"})
PLACES = frozenset({"to", "from", "from_", "origin", "zone"})
CARDS = frozenset({"card", "worker", "contract", "lot", "other"})
SEVERAL_CARDS = frozenset({"choices", "cards", "workers", "contracts", "values"})
SEVERAL_PEOPLE = frozenset({"waiting", "order", "bidders", "still_in", "places"})

MISSING = "\u2013"
"""What a sentence says for a figure that nobody gave."""

HOUSE_ORDER = ("wall-1", "side-1a", "side-1b", "wall-2", "side-2a", "side-2b", "gable-1", "gable-2", "roof-1", "roof-2")


class Teller:
    """Knows who is called what, and what the cards are called."""

    def __init__(self, words: Phrases, names: Mapping[str, str], catalog: Json | None) -> None:
        """Speak with ``words``; ``names`` are the players', ``catalog`` the cards as JSON."""
        self._words = words
        self._names = names
        self._catalog = catalog or {}

    def tell(self, context: str, msgid: str, fields: Json) -> str:
        """Say the sentence known by ``msgid``; one that is not known is said as its id, readably."""
        template = self._words.template(msgid, context)
        if template == msgid:
            return self._unworded(context, msgid, fields)
        named = {field for _, field, _, _ in Formatter().parse(template) if field}
        told = template.format_map({key: self.value(key, fields[key]) if key in fields else MISSING for key in named})
        return told[:1].upper() + told[1:]

    def _unworded(self, context: str, msgid: str, fields: Json) -> str:
        """Say something that nobody has put into words: its id readably, and for an event what it holds."""
        if context != "event":
            return msgid.replace("_", " ")
        held = [f"{key.rstrip('_')} {self.value(key, one)}" for key, one in fields.items() if one not in (None, "", [])]
        said = self._words.named("event", msgid)
        return f"{said}: {', '.join(held)}" if held else said

    def event(self, event: Json) -> str:
        """Say what happened, choosing the sentence that fits the figures."""
        fields = {"from_" if key == "from" else key: held for key, held in event.items() if key != "event"}
        return self.tell("event", str(event.get("event", "")) + variant(event), fields)

    def value(self, key: str, held: Any) -> str:  # noqa: C901, PLR0912 - one line for each kind of field
        """Put one field into words."""
        words = self._words
        if key in MONEY and isinstance(held, int) and held % 1000 == 0:
            return words.money(abs(held) if key == "difference" else held)
        if key in TRACK and isinstance(held, int):
            return str(held // 1000)
        if key in PEOPLE | PLACES:
            return self.person(str(held))
        if key in CARDS:
            return self.card(str(held))
        if key in SEVERAL_CARDS and not isinstance(held, str | Mapping):
            return words.listed(self.card(str(one)) for one in held)
        if key == "players" and not isinstance(held, str):
            return words.listed(str(one.get("name") or self.person(str(one.get("id")))) for one in held)
        if key in SEVERAL_PEOPLE and not isinstance(held, str):
            return words.listed(self.person(str(one)) for one in held)
        if key == "faults" and not isinstance(held, str):
            return " ".join(self.faults(held))
        if key == "type":
            return words.say_in("workers", str(held))
        if key in {"phase", "loan"}:
            return words.say_in(key, str(held))
        if key == "section":
            return self.section(str(held))
        if key == "sections" and not isinstance(held, str | Mapping):
            return words.listed(self.section(str(one)) for one in held)
        if key in {"work", "sites"} and not isinstance(held, str | Mapping):
            return self.sites(held)
        if key == "changes" and not isinstance(held, str):
            return words.listed(f"{self.card(one['worker'])} {words.money(one['amount'], plus=True)}" for one in held)
        if isinstance(held, Iterable) and not isinstance(held, str | Mapping):
            return words.listed(str(one) for one in held)
        return str(held)

    def faults(self, held: Iterable[Json]) -> list[str]:
        """Say several refusals that came as one."""
        return [self.tell("refused", str(one["rule"]), one["details"]) for one in held]

    def person(self, who: str) -> str:
        """Name a player, or a place that something can be put to."""
        if who in self._names:
            return self._names[who]
        return self._words.say_in("place", who)

    def section(self, section: str) -> str:
        """Name a section of a building."""
        return self._words.say_in("section", section)

    def card(self, card: str) -> str:
        """Name a card by kind and number, or by what stands on it in this language."""
        for table in self._catalog.values():
            known = table.get(card) if isinstance(table, Mapping) else None
            if isinstance(known, Mapping) and "name" in known:
                return str(known.get("names", {}).get(self._words.language) or known["name"])
        worker = self._catalog.get("workers", {}).get(card)
        if worker is not None:
            return self._words.say_in("worker of number", worker["type"], number=card)
        return self._words.say_in("command card", card) if card in COMMAND_CARDS else card

    def sites(self, held: Iterable[Json]) -> str:
        """List sections by building: *Inn (wall 1, gable 1)*."""
        by_contract: dict[str, list[str]] = {}
        for one in held:
            sections = [one["section"]] if "section" in one else one.get("sections", [])
            by_contract.setdefault(str(one["contract"]), []).extend(str(section) for section in sections)
        parts = []
        for contract, sections in by_contract.items():
            ordered = sorted(sections, key=lambda name: HOUSE_ORDER.index(name) if name in HOUSE_ORDER else 99)
            parts.append(f"{self.card(contract)} ({', '.join(self.section(section) for section in ordered)})")
        return self._words.listed(parts)


def variant(event: Json) -> str:
    """Say which of an event's sentences fits: appended to its name."""
    match event:
        case {"event": "OpportunityPassed", "rest": True}:
            return ".rest"
        case {"event": "BidderLeft", "forced": True}:
            return ".forced"
        case {"event": "ContractSold", "premium": int(premium)} if premium > 0:
            return ".premium"
        case {"event": "ContractRemoved", "premium": int(premium)} if premium > 0:
            return ".premium"
        case {"event": "WagesChanged", "lasting": "game"}:
            return ".game"
        case {"event": "CashCounted", "difference": int(difference)} if difference != 0:
            return ".more" if difference > 0 else ".less"
        case {"event": "PlanLocked" | "SectionsBuilt", "work": [] | () | None}:
            return ".nothing"
        case {"event": "EventTurned", "order": [] | ()}:
            return ".nobody"
        case _:
            return _corrected(event)


def _corrected(event: Json) -> str:
    match event:
        case {"event": "ContractCorrected", "premium": int(premium)} if premium > 0:
            return ".premium"
        case {"event": "TurnCorrected", "phase": "finished"}:
            return ".finished"
        case {"event": "TurnCorrected", "called_off": str(half_done)} if half_done:
            return f".{half_done}"
        case _:
            return ""
