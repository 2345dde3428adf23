"""The house rules in words: every rule with its values for the lobby, and what a table does not play as printed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.game_api.house_rules import HouseRule, RuleValue, form_value, house_rules
from companion.games.master_builder.rules.house_rules import GROUPS, VARIANTS, Rules
from companion.words import Words

PHASES = frozenset({"hire", "contracts", "events", "build", "income"})
RULES = house_rules(Rules)


def summary_rules() -> dict[str, RuleValue]:
    """Return what the summary of the rules plays otherwise than the full text."""
    return {
        key: value
        for key, rule in RULES.items()
        for value in rule.values[1:]
        if rule.sources.get(form_value(value)) == "summary"
    }


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A value of a house rule in words; ``printed``: it is the usual one, ``source``: where it stands."""

    value: str
    says: str
    printed: bool
    source: str


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """A house rule with the values to choose from."""

    key: str
    title: str
    options: list[RuleOption]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """House rules about one subject."""

    title: str
    choices: list[RuleChoice]


@dataclass(frozen=True, slots=True)
class VariantChoice:
    """A variant to play with or without."""

    key: str
    title: str
    says: str


@dataclass(frozen=True, slots=True)
class LobbyRules:
    """The sheet of the lobby: all house rules and variants; ``summary``: what the summary rules play otherwise."""

    groups: list[RuleGroup]
    variants: list[VariantChoice]
    summary: Mapping[str, RuleValue]


def lobby_rules(words: Words) -> LobbyRules:
    """Return the sheet of the lobby: groups of house rules with their values in words, and the variants."""
    return LobbyRules(
        groups=[
            RuleGroup(
                words.say_in("phase" if group in PHASES else "rule group", group),
                [
                    RuleChoice(rule.key, _title(words, rule.key), _options(words, rule))
                    for rule in RULES.values()
                    if rule.group == group
                ],
            )
            for group in GROUPS
        ],
        variants=[
            VariantChoice(key, words.say_in("variant", key), words.say_in("variant says", key)) for key in VARIANTS
        ],
        summary=summary_rules(),
    )


def table_rules(words: Words, position: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return what a table does not play as printed: house rules, then variants."""
    chosen = position.get("rules", {}).items()
    rows = [{"title": _title(words, key), "says": _says(words, key, value)} for key, value in chosen]
    played = [variant for variant in VARIANTS if variant in position.get("variants", ())]
    return rows + [{"title": words.say_in("variant", key), "says": words.say_in("variant says", key)} for key in played]


def _options(words: Words, rule: HouseRule) -> list[RuleOption]:
    return [
        RuleOption(
            value=form_value(value),
            says=_says(words, rule.key, value),
            printed=place == 0,
            source=_source(words, rule.sources.get(form_value(value))),
        )
        for place, value in enumerate(rule.values)
    ]


def _title(words: Words, key: str) -> str:
    return words.say_in("rule", key)


def _says(words: Words, key: str, value: RuleValue) -> str:
    return words.say_in("rule value", f"{key}.{form_value(value)}")


def _source(words: Words, source: str | None) -> str:
    return words.say_in("rule source", source) if source else ""
