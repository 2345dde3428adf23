"""What Monopoly Builder tells beyond its field types: chips by kind, dice, both sides of a trade."""

from collections.abc import Mapping
from typing import Any

from companion.engine.journal import Json
from companion.game_api.ui import Speaks, Telling

BY_FIELD = {"Freed": "by", "GameEnded": "by"}
"""Events with a sentence for each value of a field."""
MORE_OR_LESS = frozenset({"CashCounted"})
VARIANTS = (
    ("ChanceDrawn", "kept", True, ".kept"),
    ("FloorBuilt", "height", 5, ".penthouse"),
    ("DeedCorrected", "mortgaged", True, ".mortgaged"),
    ("BlockCorrected", "height", 0, ".empty"),
    ("PositionCorrected", "in_jail", True, ".jail"),
)
"""Events with a sentence of their own where a field holds this."""


class MonopolyBuilderTells:
    """How Monopoly Builder's events and cards are told."""

    def variant(self, event: Json) -> str:
        """Say which of an event's sentences fits."""
        name = event["event"]
        if name in BY_FIELD:
            return f".{event[BY_FIELD[name]]}"
        if name in MORE_OR_LESS and event["difference"]:
            return ".more" if event["difference"] > 0 else ".less"
        if name == "ChipsChosen":
            return ".nothing" if not event["chips"] else ".return" if event["what"] == "return_chips" else ""
        found = (variant for kind, field, value, variant in VARIANTS if (kind, event.get(field)) == (name, value))
        if name == "TurnBegan" and event["doubles"]:
            return ".extra"
        return ".exchange" if name == "ChancePlayed" and event["from"] else next(found, "")

    def record(self, of: str, held: Any, telling: Telling) -> str:
        """Tell chips, dice, bundles, places of chips and differences."""
        words = telling.words
        match of:
            case "chips":
                return chips(held, words)
            case "dice":
                return " + ".join(str(die) for die in held)
            case "bundle":
                return bundle(held, telling)
            case "heap":
                return words.say_in("place", "space", number=held) if isinstance(held, int) else telling.person(held)
            case "difference":
                return words.money(abs(held))
            case _:
                return ""

    def card(self, card: str, catalog: Json, words: Speaks) -> str | None:
        """Leave cards to the catalog: both kinds have names."""
        del card, catalog, words
        return None


def chips(held: Mapping[str, int], words: Speaks) -> str:
    """List chips: *2 red and 1 green*."""
    return words.listed(f"{count} {words.say_in('kind', kind)}" for kind, count in held.items() if count)


def bundle(held: Json, telling: Telling) -> str:
    """List one side of a trade."""
    words = telling.words
    parts = [words.money(held["money"])] if held.get("money") else []
    parts += [chips(held["chips"], words)] if held.get("chips") else []
    parts += [telling.card(card) for card in (*held.get("deeds", ()), *held.get("cards", ()))]
    return words.listed(parts) or words.say("nothing")
