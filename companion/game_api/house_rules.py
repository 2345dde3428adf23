"""House rules: fields of a frozen dataclass, each declared with its values, its group and what says so.

``debts: Literal["cap", "kept"] = rule("cap", group="events")``: the default is the rule as printed, and means what
was played before the rule existed, for saved games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

from companion.engine.game import Refused

RuleValue: TypeAlias = "str | bool | int"
RulesT = TypeVar("RulesT")
ValueT = TypeVar("ValueT", bound="str | bool | int")


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A house rule: its key, its values with the default first, where it belongs and which text says which value.

    ``group`` is a phase or another part of the game; ``sources`` maps a value as forms write it to the name of a text.
    """

    key: str
    values: tuple[RuleValue, ...]
    group: str = ""
    sources: Mapping[str, str] = field(default_factory=dict[str, str])


def rule(default: ValueT, *, group: str = "", sources: Mapping[str, str] | None = None) -> ValueT:
    """Declare a field of a dataclass as a house rule."""
    return field(default=default, metadata={"group": group, "sources": sources or {}})


@cache
def house_rules(kind: type) -> Mapping[str, HouseRule]:
    """Return the house rules of a dataclass by key, in the order of its fields."""
    hints = get_type_hints(kind)
    return MappingProxyType({declared.name: _house_rule(declared, hints[declared.name]) for declared in fields(kind)})


def _house_rule(declared: Any, hint: Any) -> HouseRule:
    """Return a rule with its values; one that is neither a bool nor a literal has its default alone."""
    values = (True, False) if hint is bool else get_args(hint) if get_origin(hint) is Literal else ()
    others = tuple(value for value in values if value != declared.default)
    metadata = declared.metadata
    return HouseRule(declared.name, (declared.default, *others), metadata.get("group", ""), metadata.get("sources", {}))


@cache
def values_by_key(kind: type) -> Mapping[str, tuple[RuleValue, ...]]:
    """Return the values of every house rule, the default first."""
    return MappingProxyType({key: rule.values for key, rule in house_rules(kind).items()})


def chosen_rules(kind: type[RulesT], switches: Mapping[str, RuleValue]) -> RulesT:
    """Return the rules with the values chosen; raise ``Refused`` for an unknown key or value (``true`` is no 1)."""
    rules: Any = kind
    allowed_values = values_by_key(rules)
    for key, value in switches.items():
        if key not in allowed_values:
            raise Refused("unknown_rule", key=key)
        if not any(value == option and type(value) is type(option) for option in allowed_values[key]):
            raise Refused("unknown_rule_value", key=key, value=str(value), allowed=tuple(map(str, allowed_values[key])))
    chosen: RulesT = rules(**switches)
    return chosen


def chosen_variants(known_variants: Sequence[str], variants: tuple[str, ...]) -> tuple[str, ...]:
    """Return the variants chosen, sorted and each once; raise ``Refused`` for an unknown one."""
    for variant in variants:
        if variant not in known_variants:
            raise Refused("unknown_variant", variant=variant)
    return tuple(sorted(set(variants)))


def changed_rules(rules: Any) -> dict[str, RuleValue]:
    """Return the house rules that are not at their default."""
    kind: Any = type(rules)
    allowed_values = values_by_key(kind)
    return {key: getattr(rules, key) for key, values in allowed_values.items() if getattr(rules, key) != values[0]}


def form_value(value: RuleValue) -> str:
    """Return a value as forms and message ids write it: ``true`` and ``false`` for what is on or off."""
    return str(value).lower() if isinstance(value, bool) else str(value)
