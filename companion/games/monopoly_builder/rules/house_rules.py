"""The rules of the house: switches by key, the first value the default."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Literal, get_args, get_type_hints

from companion.engine.errors import Refused


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table has agreed on (the keys of the rulings MO-D03 to D48)."""

    first_player: Literal["dice", "chosen"] = "dice"
    deeds: Literal["beside", "shuffled"] = "beside"
    set_doubles_chips: bool = False
    shortage: Literal["in_turn", "nobody"] = "in_turn"
    third_double: Literal["nothing", "gathers"] = "nothing"
    trade_cards: Literal["all", "jail_only"] = "all"
    bank_trade: Literal["after_move", "whole_turn"] = "after_move"
    decliner_bids: bool = True
    auction_pass: Literal["until_raised", "final"] = "until_raised"  # noqa: S105 - to pass, not to pass in
    rent: Literal["on_demand", "auto"] = "on_demand"
    forced_trade: Literal["any_time", "own_turn"] = "any_time"
    third_failure: Literal["roll_again", "move_with_it"] = "roll_again"
    jail_double: Literal["no_turn", "extra_turn"] = "no_turn"
    jail_bank_trade: bool = True
    mortgage: Literal["any_time", "in_debt"] = "any_time"
    last_solvent: Literal["ends", "plays_on"] = "ends"
    mortgaged_set_scores: bool = True
    bonus_ties: Literal["all", "nobody"] = "all"
    money: Literal["open", "hidden"] = "open"

    @property
    def passes_are_final(self) -> bool:
        """Whether who has passed in an auction may not come back."""
        return self.auction_pass == "final"  # noqa: S105 - as above


DEFAULTS = Rules()


@cache
def values_by_key() -> Mapping[str, tuple[str | bool, ...]]:
    """Give the values of every switch, the default first."""
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
        if not any(value == option and type(value) is type(option) for option in known[key]):
            raise Refused("unknown_rule_value", key=key, value=str(value), allowed=tuple(map(str, known[key])))
    return Rules(**switches)  # type: ignore[arg-type]  # every value was checked against its field just now


def no_variants(variants: tuple[str, ...]) -> None:
    """Check that no variant is asked for: there is none."""
    if variants:
        raise Refused("unknown_variant", variant=variants[0])


def switched(rules: Rules) -> dict[str, str | bool]:
    """Give the switches that are not at their default."""
    return {key: getattr(rules, key) for key in values_by_key() if getattr(rules, key) != getattr(DEFAULTS, key)}
