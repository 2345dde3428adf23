"""Setting the table, rounds and the end."""

from dataclasses import dataclass
from typing import Annotated

from companion.game_api.fields import Count, Holds, Person, Text
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.events.play import Moment
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import ContractId, Dollars, NameOfPhase, Player


@dataclass(frozen=True, slots=True)
class Seated:
    """A player at the table."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The table is set: ``money`` in the box, ``cash`` for each, cards in the two decks."""

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Annotated[tuple[Seated, ...], Holds("seat")]
    first: Person
    money: Dollars
    cash: Dollars
    contracts: Count
    economy: Count
    laps: int
    event_hand: int = 0


@dataclass(frozen=True, slots=True)
class Held:
    """Money in dollars that a player holds, or that lies on a contract."""

    by: str
    amount: int


@dataclass(frozen=True, slots=True)
class GameTakenOver:
    """A game begun elsewhere goes on here: everything that lies on the table, as it was entered.

    ``money`` in the box, of it ``cash`` with players and ``on_contracts``, the rest with the bank; ``seen``
    contracts have come up so far; ``end_found``: the last round stands fast.
    """

    catalog_name: str
    catalog: Catalog
    rules: Rules
    variants: tuple[str, ...]
    players: Annotated[tuple[Player, ...], Holds("seat")]
    start: Person
    round: Count
    last_round: Count
    end_found: bool
    phase: NameOfPhase
    moment: Moment
    money: Dollars
    cash: tuple[Held, ...]
    on_contracts: tuple[Held, ...]
    deck: int
    economy: int
    display: tuple[ContractId, ...]
    removed: tuple[str, ...]
    seen: tuple[str, ...]
    turned_economy: tuple[str, ...]
    turned_events: tuple[str, ...]
    reason: Text


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A new round: the mallet moved left, wages for the round lapsed."""

    round: Count
    start: Person
    laps: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is over.  The reckoning moves no money."""

    round: Count
