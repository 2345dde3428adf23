"""The printed components of one box as data.  Files are read elsewhere; this is only their shape.

Amounts are whole dollars.  Ids are language-neutral: worker types ``A T F MC`` (apprentice, tradesman,
foreman, master craftsman), quirks ``S D W N H``.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

WorkerType: TypeAlias = Literal["A", "T", "F", "MC"]
Quirk: TypeAlias = Literal["S", "D", "W", "N", "H"]
ContractKind: TypeAlias = Literal["house", "city_wall"]
Deed: TypeAlias = Literal["unavailable", "dismiss", "wage_change", "pay", "receive", "raze", "manual"]
Lasting: TypeAlias = Literal["round", "game"]
Per: TypeAlias = Literal["player", "worker", "affected", "contract"]
Translations: TypeAlias = "tuple[tuple[str, str], ...]"
"""Pairs of a language (``fr``, ``de``) and the words in it, in the order of the languages."""

RANK: dict[str, int] = {"A": 1, "T": 2, "F": 3, "MC": 4}
"""Competence from low to high: a worker may stand in for any lower one (rules: minimum competence)."""

HOUSE_SECTIONS = ("wall-1", "wall-2", "gable-1", "gable-2", "roof-1", "roof-2")
WALL_SECTIONS = ("wall-1", "side-1a", "side-1b", "wall-2", "side-2a", "side-2b")
WALL_NUMBERS = frozenset({1, 2, 7, 12})


@dataclass(frozen=True, slots=True)
class Section:
    """One of the six pieces of a building and who must at least work there."""

    name: str
    team: tuple[WorkerType, ...]


@dataclass(frozen=True, slots=True)
class ContractCard:
    """A contract: ``cost`` is the lowest opening bid, ``price`` what the finished building pays.

    ``names`` and ``texts`` are what the card is called and says in further languages.
    """

    id: str
    number: int
    name: str
    kind: ContractKind
    price: int
    cost: int
    sections: tuple[Section, ...]
    names: Translations = ()
    texts: Translations = ()

    def __hash__(self) -> int:
        """Return a hash of the id alone, because plans are kept by contracts."""
        return hash(self.id)


@dataclass(frozen=True, slots=True)
class WorkerCard:
    """A worker with the wage printed on the card and one to three quirks."""

    id: str
    type: WorkerType
    wage: int
    quirks: tuple[Quirk, ...]


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that an event card does to each player in turn.

    ``type`` and ``quirk`` choose workers (one of each list suffices, both must hold; empty: any);
    ``count`` is how many of each player's, of the owner's choice (``None``: all of them), and for
    ``raze`` how many sections.  ``amount`` may be negative for ``wage_change`` only.
    """

    do: Deed
    type: tuple[WorkerType, ...] = ()
    quirk: tuple[Quirk, ...] = ()
    count: int | None = None
    amount: int = 0
    lasting: Lasting = "round"
    per: Per = "player"


@dataclass(frozen=True, slots=True)
class EventCard:
    """An event with its effects, which each player meets in their order."""

    id: str
    name: str
    text: str
    effects: tuple[Effect, ...]
    names: Translations = ()
    texts: Translations = ()


@dataclass(frozen=True, slots=True)
class EconomyCard:
    """An economic situation: how many contracts are turned up with 2, 3 and 4 players."""

    id: str
    name: str
    reveal: tuple[int, int, int]
    names: Translations = ()
    texts: Translations = ()


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every card of one box."""

    name: str
    invented: bool
    contracts: tuple[ContractCard, ...]
    workers: tuple[WorkerCard, ...]
    events: tuple[EventCard, ...]
    economy: tuple[EconomyCard, ...]
