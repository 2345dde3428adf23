"""What a game may do besides being played: each a small protocol, each to be left out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal, Protocol, TypeAlias

from companion.engine.explanation import Explainer
from companion.engine.game import Offer, Place, Position
from companion.engine.journal import Json
from companion.engine.ledger import Transaction
from companion.game_api.drawing import Drawing
from companion.game_api.ui import Speaks

Purse: TypeAlias = "tuple[int, ...]"
"""How many notes of each denomination."""


class Forecasts(Protocol):
    """Looks ahead at a player's money."""

    def forecast(
        self, position: Position[Any], viewer: str, player: str, card: str | None, amount: int | None
    ) -> dict[str, Any] | None:
        """Look ahead, and at what a card for an amount would change; ``None``: not for this viewer.  ``Refused``."""
        ...


class Advises(Protocol):
    """Knows the best command of one kind."""

    @property
    def verb(self) -> str:
        """The kind of command that it can suggest."""
        ...

    def suggestion(self, position: Position[Any], player: str) -> tuple[Any, dict[str, Any]]:
        """Give the best command that a player could give now, and the reasons as JSON; ``Refused``."""
        ...


class Needs(Protocol):
    """Knows what a player still lacks for what he has begun."""

    def needs(self, position: Position[Any], player: str, card: str | None) -> dict[str, Any]:
        """Say what a player needs, with a card that he could get as if it were his; as JSON.  ``Refused``."""
        ...


class Payment(Protocol):
    """One payment in notes: how each holder's purse changes, and how much could not be paid."""

    @property
    def payer(self) -> str: ...  # noqa: D102 - accounts of the ledger
    @property
    def payee(self) -> str: ...  # noqa: D102
    @property
    def amount(self) -> int: ...  # noqa: D102
    @property
    def short(self) -> int: ...  # noqa: D102
    @property
    def changes(self) -> Sequence[tuple[str, Purse]]: ...  # noqa: D102


class Slip(Protocol):
    """What one holder still owes another for want of change."""

    @property
    def payer(self) -> str: ...  # noqa: D102
    @property
    def payee(self) -> str: ...  # noqa: D102
    @property
    def amount(self) -> int: ...  # noqa: D102


class Tills(Protocol):
    """Who should hold which notes."""

    @property
    def holders(self) -> Sequence[tuple[str, Purse]]: ...  # noqa: D102 - accounts of the ledger, each with its purse
    @property
    def slips(self) -> Sequence[Slip]: ...  # noqa: D102

    def purse(self, holder: str) -> Purse:
        """Say which notes a holder should have."""
        ...


class KeepsNotes(Protocol):
    """Says which of the box's notes change hands, beside the books and without any effect on them."""

    @property
    def denominations(self) -> tuple[int, ...]:
        """The notes of the box, smallest first."""
        ...

    def empty(self) -> Tills:
        """Give the tills before anything was paid."""
        ...

    def paid(self, tills: Any, transaction: Transaction) -> tuple[Tills, Sequence[Payment]]:
        """Carry a transaction out in notes."""
        ...


class Compares(Protocol):
    """Holds what lies on the mat against the books."""

    def differences(self, state: Any, lying: Mapping[str, str]) -> Sequence[dict[str, Any]]:
        """Say where cards (by id, with their zones) contradict the position, as JSON; ``difference`` says how."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to lay ready before the first act.

    ``count`` is its figure (0: none); ``shown`` of ``of`` piles show by the cards seen (0 of 0: cards say nothing).
    """

    name: str
    count: int = 0
    shown: int = 0
    of: int = 0


class Scores(Protocol):
    """Knows at any time how everybody would stand if the game ended now."""

    def scores(self, position: Position[Any], viewer: str) -> Sequence[Place]:
        """Give the standings as they would be, of what a viewer may know; a column that he may not is left out."""
        ...


class SetsTable(Protocol):
    """Knows what is laid ready before the first act."""

    def is_due(self, position: Position[Any]) -> bool:
        """Say whether the table still waits for its first act."""
        ...

    def steps(self, position: Position[Any], seen: frozenset[str]) -> Sequence[Step]:
        """List what is laid ready; ``seen`` are the cards in view so far."""
        ...


class AsksConsent(Protocol):
    """Knows commands that need the yes of a second player."""

    def needs_consent(self, command: Any) -> str | None:
        """Name the player whose yes a command needs; ``None``: nobody's."""
        ...


Meaning: TypeAlias = Literal["yes", "no", "again", "suggest", "undo"]
"""What a command card means to the house: an answer, the latest sentence again, advice, or taking back."""


class HearsCards(Protocol):
    """Gives command cards a meaning by moment."""

    def command(self, position: Position[Any], offers: Sequence[Offer], word: str) -> Any | None:
        """Give the command that a word stands for now, or a question first; ``None`` where it stands for none."""
        ...


Value: TypeAlias = "str | bool | int"
"""A value of a house rule."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a table may choose when it begins: house rules by key and variants, and what each player may choose.

    The first value of each is the usual one.  Words: contexts ``rule``, ``rule value`` (``key.value``), ``variant``,
    ``variant says``; of a player's choices the context is its key.
    """

    switches: Mapping[str, tuple[Value, ...]] = field(default_factory=dict[str, "tuple[Value, ...]"])
    variants: tuple[str, ...] = ()
    seats: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a game can do besides; ``None`` where it cannot."""

    explains: Explainer | None = None
    forecasts: Forecasts | None = None
    advises: Advises | None = None
    needs: Needs | None = None
    keeps_notes: KeepsNotes | None = None
    compares: Compares | None = None
    scores: Scores | None = None
    sets_table: SetsTable | None = None
    asks_consent: AsksConsent | None = None
    hears_cards: HearsCards | None = None
    choices: Choices | None = None


# --- simulates
# Bots of a game: a box shuffled by a seed, and what happens next at their table.

Rulebook: TypeAlias = "Mapping[str, Any]"
"""Fields of ``start_game`` by which bots play, such as house rules and variants; empty: as printed."""


@dataclass(frozen=True, slots=True)
class Act:
    """A command as the game knows it, and the cards laid to give it (none: it is tapped).

    ``zone``: where on a mat people lay them; ``None``: on the scan tray.
    """

    command: Any
    cards: tuple[str, ...] = ()
    zone: str | None = None


class Simulates(Protocol):
    """Plays a game by its offers.  Chance comes from outside, as numbers."""

    @property
    def strengths(self) -> Sequence[str]:
        """The strengths of bots by name, the weakest first."""
        ...

    def shuffled(self, catalog: Any, seed: int) -> Any:
        """Shuffle the piles of a box; the same seed, the same piles."""
        ...

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Give the ``start_game`` command that seats so many bots; who begins is drawn, without a seed the first."""
        ...

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Read ``key=value`` and ``variant`` words; ``Refused`` for what no rules know."""
        ...

    def drawn_rulebook(self, lots: Random) -> Rulebook:
        """Draw a value for every switch, and every variant with an even chance."""
        ...

    def next_act(
        self, position: Position[Any], piles: Any, strengths: Mapping[str, str], below: Callable[[int], int]
    ) -> Act | None:
        """Say what happens next; ``None``: the game is over.

        ``strengths`` by player, the strongest where nobody is named; ``below`` draws a number from 0 up to another.
        """
        ...

    def figures(self, position: Position[Any], player: str) -> Mapping[str, int]:
        """Give what a tournament compares at the end, the deciding figure first."""
        ...


# --- flying
# What comes to players, as it is seen flying there on the pages of the plain face.


@dataclass(frozen=True, slots=True)
class Flight:
    """One piece: to which player it goes, and from which one; ``source`` is empty where it comes from the table."""

    to: str
    drawn: Drawing
    source: str = ""


class Flies(Protocol):
    """Knows what an event brings to whom."""

    def flights(self, event: Json, words: Speaks) -> Sequence[Flight]:
        """Draw what comes to players by an event, a drawing for each piece; none where nothing does."""
        ...
