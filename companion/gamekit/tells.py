"""How a game tells what its field types alone do not say."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from companion.engine.json_values import Json
from companion.gamekit.speaks import Speaks


@dataclass(frozen=True, slots=True)
class Telling:
    """What a sentence is told with: the language's words, cards and players by id, the catalog as JSON."""

    words: Speaks
    card: Callable[[str], str]
    person: Callable[[str], str]
    catalog: Json = field(default_factory=dict[str, Any])


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


class Describes(Protocol):
    """Puts a position into words, for pages and ears of a game that brings no pages of its own."""

    def figure(self, key: str, held: Any, telling: Telling) -> str | None:
        """Put a figure of a position or of a player into words; ``None``: as any other; ``""``: leave it out."""
        ...

    def moment(self, position: Json, telling: Telling) -> str:
        """Say what is to be done now, as it is said aloud; ``""``: no more than whom the table waits for."""
        ...
