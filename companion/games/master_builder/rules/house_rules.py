"""The house rules of one game: every switch with its values, the first one the default.

A field added here needs a default that means the behaviour before it existed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal, get_args, get_type_hints

from companion.engine.errors import Refused

VARIANTS = ("choosing_workers", "selective_events", "loaning_workers", "additional_events")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules in force, written into the game's first event."""

    hire_fire: Literal["three", "until_all_pass"] = "three"
    first_player: Literal["random", "chosen"] = "random"
    round1_draft: Literal["lap", "snake"] = "lap"
    wage_overflow: Literal["cap", "full", "dismiss"] = "cap"
    after_pass: Literal["move_left", "end_phase", "return_to_start"] = "move_left"  # noqa: S105 - a house rule, no password
    premium_funds_bid: bool = False
    uncontested_price: Literal["bid", "printed"] = "bid"
    unsold: Literal["premium_then_remove", "keep_forever"] = "premium_then_remove"
    plans: Literal["secret", "open"] = "secret"
    roof_timing: Literal["same_phase", "next_phase"] = "same_phase"
    roof_pair: Literal["separate", "together"] = "separate"
    city_wall_order: Literal["strict", "free"] = "strict"
    loans: Literal["wages_only", "voluntary_phase5", "voluntary_anytime_but_phase2"] = "wages_only"
    iou_supply: Literal["unlimited", "limited"] = "unlimited"
    late_when: Literal["deck_empty", "deck_and_display_empty"] = "deck_empty"
    money: Literal["open", "hidden"] = "open"
    removed_counts_for_end: bool = True
    unstarted_pays: bool = True
    final_rate: Literal["as_usual", "always_late"] = "as_usual"
    tie_break: Literal["shared", "fewer_loans", "more_buildings"] = "shared"
    event_debt: Literal["cap", "loan"] = "cap"


@cache
def values_by_key() -> Mapping[str, tuple[str | bool, ...]]:
    """Give the values of every switch, the first one the default."""
    hints = get_type_hints(Rules)
    return {
        field.name: (bool(field.default), not field.default)
        if hints[field.name] is bool
        else get_args(hints[field.name])
        for field in fields(Rules)
    }


def chosen_rules(switches: Mapping[str, str | bool]) -> Rules:
    """Read switches by key; ``Refused`` for an unknown key or value."""
    known = values_by_key()
    for key, value in switches.items():
        if key not in known:
            raise Refused("unknown_rule", key=key)
        if not any(value is option or (value == option and isinstance(value, str)) for option in known[key]):
            raise Refused("unknown_rule_value", key=key, value=str(value), allowed=tuple(map(str, known[key])))
    return Rules(**switches)  # type: ignore[arg-type]  # every value was checked against its field just now


def chosen_variants(variants: tuple[str, ...]) -> tuple[str, ...]:
    """Check the variants and sort them; ``Refused`` for an unknown one."""
    for variant in variants:
        if variant not in VARIANTS:
            raise Refused("unknown_variant", variant=variant)
    return tuple(sorted(set(variants)))
