"""What the service needs of the world: one protocol a port, one adapter (and one fake) each."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from companion.engine.explanation import Explainer
from companion.engine.game import Game
from companion.engine.journal import Entry


class Journal(Protocol):
    """Append-only storage of entries."""

    def open_table(self, table_id: str, game: str, first: Entry) -> None:
        """Store a new table with its first entry, durably."""
        ...

    def append(self, table_id: str, entry: Entry) -> None:
        """Store an entry durably before returning; the next ``seq`` or nothing."""
        ...

    def entries(self, table_id: str) -> Sequence[Entry]:
        """Give all entries in order."""
        ...

    def tables(self) -> Sequence[tuple[str, str]]:
        """Give id and game of every table, oldest first; those in the bin too."""
        ...

    def move(self, table_id: str, *, binned: bool, at: str) -> None:
        """Remember durably that a table was put into the bin, or taken out again.  Its entries stay as they are."""
        ...

    def binned(self) -> frozenset[str]:
        """Name the tables that lie in the bin."""
        ...


class Codec(Protocol):
    """Strict JSON for one game's commands and events."""

    def command(self, json: Mapping[str, Any]) -> Any:
        """Read a command; ``Refused`` for what is none."""
        ...

    def command_json(self, command: Any) -> dict[str, Any]:
        """Write a command."""
        ...

    def upcast(self, json: Mapping[str, Any]) -> Mapping[str, Any]:
        """Give a stored event of any earlier version in the form of today."""
        ...

    def event(self, json: Mapping[str, Any]) -> Any:
        """Read a stored event; ``ValueError`` for what is none."""
        ...

    def event_json(self, event: Any) -> dict[str, Any]:
        """Write an event."""
        ...


class Clock(Protocol):
    """The time of day, for people."""

    def now(self) -> str:
        """UTC in ISO 8601 with seconds."""
        ...


class Edition(Protocol):
    """A game with what its tables need: one for each game that the installation knows."""

    @property
    def game(self) -> Game[Any, Any, Any]:
        """The rules."""
        ...

    @property
    def codec(self) -> Codec:
        """Its JSON."""
        ...

    @property
    def explainer(self) -> Explainer | None:
        """What explains its figures; ``None``: nothing does."""
        ...

    @property
    def secret_events(self) -> frozenset[str]:
        """Names of events that are held back from all but one player until they are revealed."""
        ...

    @property
    def revealing_events(self) -> frozenset[str]:
        """Names of events after which everything held back until then is open to all."""
        ...

    def catalog_json(self, state: Any) -> dict[str, Any]:
        """Give the cards in use, for screens."""
        ...

    def cards(self, state: Any) -> Iterable[str]:
        """Name the cards in use, for the camera."""
        ...

    def sitter(self, state: Any, player: str) -> int:
        """Count who has left a player's seat to somebody else; 0 as long as nobody has."""
        ...

    def round_of(self, state: Any) -> int:
        """Say which round is being played, counted from 1."""
        ...

    def differences(self, state: Any, lying: Mapping[str, str]) -> Sequence[dict[str, Any]]:
        """Say where cards in zones contradict the position, as JSON."""
        ...

    def forecast(
        self, position: Any, viewer: str, player: str, contract: str | None, bid: int | None
    ) -> dict[str, Any] | None:
        """Look ahead at a player's money, as JSON; ``None`` where this viewer may not see it.  ``Refused``."""
        ...

    def suggestion(self, position: Any, player: str) -> tuple[Any, dict[str, Any]]:
        """Give the best command that a player could give now, and the reasons as JSON; ``Refused``."""
        ...
