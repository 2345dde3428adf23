"""By which rules bots play: as printed, as somebody says, or as the lot falls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from random import Random

from companion.games.master_builder.rules.house_rules import VARIANTS, chosen_rules, chosen_variants, values_by_key


@dataclass(frozen=True, slots=True)
class Rulebook:
    """House rules by key, and variants."""

    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()


AS_PRINTED = Rulebook()


def drawn(lots: Random) -> Rulebook:
    """Draw a value for every switch, and every variant with an even chance."""
    rules = {key: lots.choice(values) for key, values in values_by_key().items()}
    return Rulebook(rules, tuple(variant for variant in VARIANTS if lots.random() < 1 / 2))


def read(settings: Iterable[str]) -> Rulebook:
    """Read ``key=value`` and ``variant`` words; ``Refused`` for what no rules know."""
    rules: dict[str, str | bool] = {}
    variants: list[str] = []
    for setting in settings:
        key, equals, value = setting.partition("=")
        if equals:
            rules[key] = {"true": True, "false": False}.get(value, value)
        else:
            variants.append(key)
    chosen_rules(rules)
    return Rulebook(rules, chosen_variants(tuple(variants)))
