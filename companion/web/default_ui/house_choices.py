"""House rules, variants and what each player chooses, laid out for the lobby."""

from collections.abc import Mapping
from typing import Any

from companion.game_api.capabilities import Choices
from companion.game_api.house_rules import RuleValue, form_value
from companion.game_api.ui import Language, Values

RULES_TEMPLATE = "plain/parts/house_rules.html"


def lay_out_choices(choices: Choices | None, words: Language) -> Values:
    """Return the sheet of the lobby, where there is anything to choose."""
    if choices is None:
        return {}
    seats = [
        {
            "key": key,
            "title": words.named("field", key),
            "values": [(value, words.named(key, value)) for value in values],
        }
        for key, values in choices.seats.items()
    ]
    if not choices.switches and not choices.variants:
        return {"seats": seats}
    house = {
        "switches": [_switch(words, key, values) for key, values in choices.switches.items()],
        "variants": [_variant(words, key) for key in choices.variants],
    }
    return {"template": RULES_TEMPLATE, "house": house, "seats": seats}


def unusual_choices(choices: Choices | None, words: Language, position: Mapping[str, Any]) -> list[dict[str, str]]:
    """List what a table does not play as is usual."""
    if choices is None:
        return []
    chosen, variants = position.get("rules") or {}, position.get("variants") or ()
    rows = [
        {"title": words.named("rule", key), "says": _says(words, key, chosen[key])}
        for key, values in choices.switches.items()
        if key in chosen and chosen[key] != values[0]
    ]
    return rows + [_variant(words, key) for key in choices.variants if key in variants]


def _switch(words: Language, key: str, values: tuple[RuleValue, ...]) -> Mapping[str, Any]:
    listed = [
        {
            "value": form_value(value),
            "says": _says(words, key, value),
            "usual": place == 0,
            "number": type(value) is int,
        }
        for place, value in enumerate(values)
    ]
    return {"key": key, "title": words.named("rule", key), "values": listed}


def _variant(words: Language, key: str) -> dict[str, str]:
    says = words.template(key, "variant says")
    return {"key": key, "title": words.named("variant", key), "says": "" if says == key else says}


def _says(words: Language, key: str, value: RuleValue) -> str:
    named = f"{key}.{form_value(value)}"
    said = words.template(named, "rule value")
    return words.named("value", form_value(value)) if said == named else said
