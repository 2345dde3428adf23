"""The house rules in words: every switch with its values for the lobby, and what a table does not play as printed."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeAlias, get_args, get_type_hints

from companion.games.master_builder.rules.house_rules import VARIANTS, Rules
from companion.words import Words

Value: TypeAlias = str | bool

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("start", ("first_player", "money", "round1_draft")),
    ("hire", ("hire_fire", "wage_overflow")),
    ("contracts", ("after_pass", "uncontested_price", "premium_funds_bid", "unsold")),
    ("events", ("event_debt",)),
    ("build", ("plans", "roof_timing", "roof_pair", "city_wall_order")),
    ("income", ("loans", "iou_supply", "late_when")),
    ("end", ("removed_counts_for_end", "unstarted_pays", "final_rate", "tie_break")),
)
"""The switches by where they matter; a test sees to it that none is left out."""

SOURCES = {
    "hire_fire.three": "full",
    "hire_fire.until_all_pass": "summary",
    "first_player.random": "summary",
    "first_player.chosen": "full",
    "wage_overflow.cap": "full",
    "uncontested_price.bid": "french",
    "uncontested_price.printed": "english",
    "unsold.premium_then_remove": "both",
    "city_wall_order.strict": "both",
    "late_when.deck_empty": "full",
    "late_when.deck_and_display_empty": "summary",
}
"""Which of the texts says so, where one does; all the rest fills what they leave open."""

SUMMARY = {"hire_fire": "until_all_pass", "late_when": "deck_and_display_empty"}
"""What the summary plays otherwise than the full rules."""

PHASES = frozenset({"hire", "contracts", "events", "build", "income"})


def switches() -> dict[str, tuple[Value, ...]]:
    """Give every switch with its values, the printed one first."""
    hints = get_type_hints(Rules)
    printed = Rules()
    found: dict[str, tuple[Value, ...]] = {}
    for field in fields(Rules):
        first: Value = getattr(printed, field.name)
        values: tuple[Value, ...] = (True, False) if hints[field.name] is bool else get_args(hints[field.name])
        found[field.name] = (first, *(value for value in values if value != first))
    return found


def written(value: Value) -> str:
    """Write a value as the pages' forms hold it: ``true`` and ``false`` for the switches that are on or off."""
    return str(value).lower() if isinstance(value, bool) else value


def lobby_rules(words: Words) -> dict[str, Any]:
    """Lay out the sheet of the lobby: groups of switches with their values in words, and the variants."""
    known = switches()
    return {
        "groups": [
            {
                "title": words.say_in("phase" if group in PHASES else "rule group", group),
                "switches": [{"key": key, "title": _title(words, key), "values": _values(words, key)} for key in keys],
            }
            for group, keys in GROUPS
        ],
        "variants": [
            {"key": key, "title": words.say_in("variant", key), "says": words.say_in("variant says", key)}
            for key in VARIANTS
        ],
        "summary": SUMMARY,
        "count": len(known),
    }


def table_rules(words: Words, position: Mapping[str, Any]) -> list[dict[str, str]]:
    """List what a table does not play as printed: house rules, then variants."""
    chosen = position.get("rules", {}).items()
    rows = [{"title": _title(words, key), "says": _says(words, key, value)} for key, value in chosen]
    played = [one for one in VARIANTS if one in position.get("variants", ())]
    return rows + [{"title": words.say_in("variant", key), "says": words.say_in("variant says", key)} for key in played]


def _values(words: Words, key: str) -> list[dict[str, Any]]:
    return [
        {
            "value": written(value),
            "says": _says(words, key, value),
            "printed": place == 0,
            "source": _source(words, f"{key}.{written(value)}"),
        }
        for place, value in enumerate(switches()[key])
    ]


def _title(words: Words, key: str) -> str:
    return words.say_in("rule", key)


def _says(words: Words, key: str, value: Value) -> str:
    return words.say_in("rule value", f"{key}.{written(value)}")


def _source(words: Words, value: str) -> str:
    return words.say_in("rule source", SOURCES[value]) if value in SOURCES else ""
