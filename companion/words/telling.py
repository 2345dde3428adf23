"""Turns the ids and figures of refusals and events into words, before a sentence takes them in."""

from collections.abc import Iterable, Mapping
from string import Formatter
from typing import Any, TypeAlias

from companion.engine.json_values import Json
from companion.gamekit.field_types import FieldType
from companion.gamekit.fields import Holds
from companion.gamekit.speaks import Speaks
from companion.gamekit.tells import Telling
from companion.words.vocabulary import Vocabulary

FieldTypes: TypeAlias = Mapping[str, FieldType]

MISSING = "\u2013"
"""What a sentence says for a figure that nobody gave."""
SEVERAL = "faults"
"""The detail of a refusal that holds refusals."""


class Teller:
    """Knows who is called what, and what the cards are called."""

    def __init__(
        self, words: Speaks, vocabulary: Vocabulary, names: Mapping[str, str], catalog: Json | None = None
    ) -> None:
        """Speak with ``words``; ``names`` are the players', ``catalog`` the cards as JSON."""
        self._words = words
        self._vocabulary = vocabulary
        self._names = names
        self._catalog = catalog or {}

    def refusal(self, rule: str, details: Json) -> str:
        """Say why something is not possible; a rule that nobody has put into words is said as its id, readably."""
        template = self._words.template(rule, "refused")
        if template == rule:
            return rule.replace("_", " ")
        return self._filled(template, details, self._vocabulary.of_refusal(rule))

    def event(self, event: Json) -> str:
        """Say what happened, choosing the sentence that fits the figures."""
        name = str(event.get("event", ""))
        types, fields = self._vocabulary.of_event(name), {key: held for key, held in event.items() if key != "event"}
        for known in (name + self._vocabulary.tells.variant(event), name):
            template = self._words.template(known, "event")
            if template != known:
                return self._filled(template, fields, types)
        return self._unworded(name, fields, types)

    def _filled(self, template: str, fields: Json, types: FieldTypes) -> str:
        places = {field for _, field, _, _ in Formatter().parse(template) if field}
        sentence = template.format_map({place: self._place(place, fields, types) for place in places})
        return sentence[:1].upper() + sentence[1:]

    def _place(self, place: str, fields: Json, types: FieldTypes) -> str:
        """Put into words what stands in a place of a sentence; ``from_`` is ``from``, as Python spells it."""
        key = place.removesuffix("_")
        return self.value(types.get(key), key, fields[key]) if key in fields else MISSING

    def _unworded(self, name: str, fields: Json, types: FieldTypes) -> str:
        """Say an event that nobody has put into words: its name readably, and what it holds."""
        held = [
            f"{self._words.named('field', key).lower()} {self.value(types.get(key), key, one)}"
            for key, one in fields.items()
            if one not in (None, "", []) and ((key in types and types[key].holds is not None) or _is_plain(one))
        ]
        said = self._words.named("event", name)
        return f"{said}: {', '.join(held)}" if held else said

    def value(self, field: FieldType | None, key: str, held: Any) -> str:
        """Put one field into words, by what it holds."""
        if key == SEVERAL and not isinstance(held, str):
            return " ".join(self.faults(held))
        holds = None if field is None else field.holds
        if holds is not None and holds.kind == "record":
            return self._vocabulary.tells.record(holds.of, held, self.telling())
        if isinstance(held, Iterable) and not isinstance(held, str | Mapping):
            return self._words.listed(self._one(holds, one) for one in held)
        return self._one(holds, held)

    def _one(self, holds: Holds | None, held: Any) -> str:
        if holds is None or held is None:
            return str(held)
        match holds.kind:
            case "money" if isinstance(held, int):
                return self._words.money(held)
            case "thousands" if isinstance(held, int):
                return str(held // 1000)
            case "person" | "place":
                return self.person(str(held))
            case "card":
                return self.card(str(held))
            case "seat" if isinstance(held, Mapping):
                return str(held.get("name") or self.person(str(held.get("id"))))
            case "choice":
                return self._words.say_in(holds.of, str(held))
            case _:
                return str(held)

    def telling(self) -> Telling:
        """Give what a game tells its own things with."""
        return Telling(words=self._words, card=self.card, person=self.person, catalog=self._catalog)

    def faults(self, held: Iterable[Json]) -> list[str]:
        """Say several refusals that came as one."""
        return [self.refusal(str(one["rule"]), one["details"]) for one in held]

    def person(self, who: str) -> str:
        """Name a player, or a place that something can be put to."""
        return self._names[who] if who in self._names else self._words.say_in("place", who)

    def card(self, card: str) -> str:
        """Name a card by what stands on it in this language, as its game names it, or by its id."""
        for table in self._catalog.values():
            known = table.get(card) if isinstance(table, Mapping) else None
            if isinstance(known, Mapping) and "name" in known:
                return str(known.get("names", {}).get(self._words.language) or known["name"])
        said = self._vocabulary.tells.card(card, self._catalog, self._words)
        if said is not None:
            return said
        return self._words.template(card, "command card")  # its id, where it is none: whatever somebody has typed


def _is_plain(held: Any) -> bool:
    """Whether something can be said as it is: no object, and no list of objects."""
    if isinstance(held, Mapping):
        return False
    return not isinstance(held, list | tuple) or all(_is_plain(one) for one in held)
