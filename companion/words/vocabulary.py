"""What the words of sentences stand for: the field types of the house's refusals and of a game's messages."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

from companion.engine.json_values import Json
from companion.gamekit.field_types import FieldType, by_name, field_types
from companion.gamekit.fields import Card, Person
from companion.gamekit.manifest import Manifest
from companion.gamekit.speaks import Speaks
from companion.gamekit.tells import Describes, Telling, Tells


@dataclass(frozen=True, slots=True)
class Details:
    """What the details of the house's refusals and questions hold."""

    player: Person
    card: Card
    waiting: tuple[Person, ...]


class PlainTells:
    """What is told of a game that says no more than its field types."""

    def variant(self, event: Json) -> str:
        """Know one sentence an event."""
        del event
        return ""

    def record(self, of: str, held: Any, telling: Telling) -> str:
        """Write a record as it is."""
        del of, telling
        return str(held)

    def card(self, card: str, catalog: Json, words: Speaks) -> str | None:
        """Know no more than the catalog."""
        del card, catalog, words
        return None


class Vocabulary:
    """The field types that one game's sentences are told by; without a game, the house's alone."""

    def __init__(self, game: Manifest | None) -> None:
        """Take the game; its messages are loaded when the first sentence wants them."""
        self._game = game

    @cached_property
    def tells(self) -> Tells:
        """What the game says of its own."""
        return self._game.tells() if self._game is not None and self._game.tells is not None else PlainTells()

    @cached_property
    def describes(self) -> Describes | None:
        """How the game puts positions into words; ``None``: not at all."""
        return self._game.describes() if self._game is not None and self._game.describes is not None else None

    @cached_property
    def _events(self) -> Mapping[str, type]:
        return {} if self._game is None else {kind.__name__: kind for kind in self._game.messages().events}

    @cached_property
    def _details(self) -> Mapping[str, Mapping[str, FieldType]]:
        if self._game is None:
            return {"": field_types(Details)}
        messages = self._game.messages()
        named = {rule: field_types(kind) for rule, kind in messages.details.items()}
        return {**named, "": {**by_name((*messages.commands, *messages.events, Details)), **named.get("", {})}}

    def of_event(self, event: str) -> Mapping[str, FieldType]:
        """Give the field types of an event; none of one that is the house's or unknown."""
        kind = self._events.get(event)
        return MappingProxyType({}) if kind is None else field_types(kind)

    def of_refusal(self, rule: str) -> Mapping[str, FieldType]:
        """Give the field types of a refusal's details."""
        known = self._details
        return {**known[""], **known.get(rule, {})}


@cache
def vocabulary(game: Manifest | None) -> Vocabulary:
    """Give the vocabulary of a game, made once."""
    return Vocabulary(game)
