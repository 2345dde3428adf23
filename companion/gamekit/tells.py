"""How a game tells what its field types alone do not say."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from companion.engine.json_values import Json
from companion.gamekit.speaks import Speaks


@dataclass(frozen=True, slots=True)
class Telling:
    """What a sentence is told with: the language's words, cards and players by id."""

    words: Speaks
    card: Callable[[str], str]
    person: Callable[[str], str]


class Tells(Protocol):
    """Knows which of several sentences an event is told by, and how records and cards are called."""

    def variant(self, event: Json) -> str:
        """Say which of an event's sentences fits: appended to its name; ``""`` for the one."""
        ...

    def record(self, of: str, held: Any, telling: Telling) -> str:
        """Put a field that holds a ``record``, or a list of them, into words."""
        ...

    def card(self, card: str, catalog: Json, words: Speaks) -> str | None:
        """Name a card that no table of the catalog names; ``None``: by its id."""
        ...
