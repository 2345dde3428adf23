"""The house rules of Men at Work: the first value of each is the default; and its variants."""

from dataclasses import dataclass
from typing import Literal

from companion.engine.game import Refused
from companion.game_api.house_rules import chosen_variants

VARIANTS = ("crane", "foreman", "skyscraper")


@dataclass(frozen=True, slots=True)
class Rules:
    """The house rules of a table (rulings MW-D03, D04, D09, D14, D16, D18, D19, D21, D27)."""

    expert_certificates: Literal[2, 1] = 2
    boss_at: Literal["quarter", "third", "half"] = "quarter"
    exhausted: Literal["needed", "one_kind", "workers_or_all"] = "needed"
    cleaning_accident: Literal["certificate", "turn_only"] = "certificate"
    award_after_accident: Literal["never", "asked"] = "never"
    two_ends: Literal["award_first", "stop_first"] = "award_first"
    eliminated: Literal["last", "by_total"] = "last"
    foreman_plays: Literal["one", "any"] = "one"
    counts: bool = True


def distinct_variants(variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the variants chosen, sorted; raise ``Refused`` for an unknown one, or one that is named twice."""
    chosen = chosen_variants(VARIANTS, variants)
    if len(chosen) != len(variants):
        raise Refused("variant_twice")
    return chosen
