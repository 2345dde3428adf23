"""Setting the table, rounds and the end."""

from dataclasses import dataclass

from companion.games.master_builder.catalog import Catalog
from companion.games.master_builder.rules import Rules


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
    players: tuple[Seated, ...]
    first: str
    money: int
    cash: int
    contracts: int
    economy: int
    laps: int
    event_hand: int = 0


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A new round: the mallet moved left, wages for the round lapsed."""

    round: int
    start: str
    laps: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last round is over.  The reckoning moves no money."""

    round: int
