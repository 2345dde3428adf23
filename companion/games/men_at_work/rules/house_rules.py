"""The rules of the house: switches by key, the first value the default, and the variants."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal, get_args, get_type_hints

from companion.engine.errors import Refused

VARIANTS = ("crane", "foreman", "skyscraper")


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table has agreed on (rulings MW-D03, D04, D09, D14, D16, D18, D19, D21, D27)."""

    expert_certificates: Literal[2, 1] = 2
    boss_at: Literal["quarter", "third", "half"] = "quarter"
    exhausted: Literal["needed", "one_kind", "workers_or_all"] = "needed"
    cleaning_accident: Literal["certificate", "turn_only"] = "certificate"
    award_after_accident: Literal["never", "asked"] = "never"
    two_ends: Literal["award_first", "stop_first"] = "award_first"
    eliminated: Literal["last", "by_total"] = "last"
    foreman_plays: Literal["one", "any"] = "one"
    counts: bool = True


@cache
def values_by_key() -> Mapping[str, tuple[str | bool | int, ...]]:
    """Give the values of every switch, the default first."""
    hints = get_type_hints(Rules)
    return {
        field.name: (True, False) if hints[field.name] is bool else get_args(hints[field.name])
        for field in fields(Rules)
    }


def chosen_rules(switches: Mapping[str, str | bool | int]) -> Rules:
    """Read switches by key; ``Refused`` for an unknown key or value (``true`` is no number)."""
    known = values_by_key()
    for key, value in switches.items():
        if key not in known:
            raise Refused("unknown_rule", key=key)
        if not any(value == option and type(value) is type(option) for option in known[key]):
            raise Refused("unknown_rule_value", key=key, value=str(value), allowed=tuple(map(str, known[key])))
    return Rules(**switches)  # type: ignore[arg-type]  # every value was checked against its field just now


def chosen_variants(variants: tuple[str, ...]) -> tuple[str, ...]:
    """Check the variants and sort them; ``Refused`` for an unknown one, or one that is named twice."""
    for variant in variants:
        if variant not in VARIANTS:
            raise Refused("unknown_variant", variant=variant)
    if len(set(variants)) != len(variants):
        raise Refused("variant_twice")
    return tuple(sorted(variants))
