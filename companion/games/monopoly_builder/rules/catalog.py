"""The catalog of a box: kinds of chips, board, deeds and Chance cards as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

# The four kinds of chips, and amounts of M.

Kind: TypeAlias = Literal["red", "purple", "green", "yellow"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Chips: TypeAlias = Mapping[str, int]
"""Chips by kind; a kind that is left out is none."""

UNIT = 5
"""Every amount of M is a multiple of it (MO-D01)."""
NOTES: Mapping[int, int] = dict.fromkeys((5, 10, 20, 50, 100, 500), 20)
"""How many notes of each denomination the box holds, smallest first."""
MONEY = sum(note * count for note, count in NOTES.items())
START_CASH = 900
GO = 200
JAIL_FEE = 50
MOST_TRIES = 2
"""Failed tries to get out of jail that cost nothing; a third one costs the fee at once."""
MOST_DOUBLES = 2
"""Doubles in a row that move; a third one leads to jail."""
LEAST_BID = 10
CHIPS_A_KIND = 20
START_CHIPS = 4
LIMIT = 6
"""More chips than that are discarded when a turn begins."""
BLOCKS = 12
BANK_RATE = 4
"""Number of chips of a kind that the bank takes for one of another."""
PENTHOUSE = 5


def full(chips: Chips) -> dict[str, int]:
    """Return all four kinds in their order."""
    return {kind: chips.get(kind, 0) for kind in KINDS}


def some(chips: Chips) -> dict[str, int]:
    """Return the kinds of which there are any."""
    return {kind: chips[kind] for kind in KINDS if chips.get(kind)}


def total(chips: Chips) -> int:
    """Count chips of all kinds."""
    return sum(chips.values())


# A box of Monopoly Builder as the rules know it: board, deeds, Chance, foundation, floors, reference cards.

Words: TypeAlias = "tuple[tuple[str, str], ...]"
"""Pairs of a language and the words in it."""
SpaceType: TypeAlias = Literal[
    "go", "deed", "collect", "roll_for_resources", "chance", "steal", "free_parking", "jail", "go_to_jail"
]
SPACE_TYPES: tuple[SpaceType, ...] = get_args(SpaceType)
CardVerb: TypeAlias = Literal[
    "receive", "pay", "gain", "lose", "steal", "move", "move_to", "go_to_jail", "out_of_jail", "forced_trade", "manual"
]
CARD_VERBS: tuple[CardVerb, ...] = get_args(CardVerb)
AffectedPlayers: TypeAlias = Literal["drawer", "others", "all"]
Per: TypeAlias = Literal["deed", "building", "floor", "chip"]
KindOrAny: TypeAlias = Literal["red", "purple", "green", "yellow", "any"]
KindOfEffect: TypeAlias = Literal["red", "purple", "green", "yellow", "own", "any"]

DEEDS = 16
CHANCES = 20
FLOORS = 5


@dataclass(frozen=True, slots=True)
class Space:
    """A space of the ring; ``table`` gives the kind for each total from 2 to 12, where dice decide."""

    type: SpaceType
    deed: str = ""
    kind: Kind | None = None
    table: tuple[KindOrAny, ...] = ()


@dataclass(frozen=True, slots=True)
class Deed:
    """A deed: prices in M, and the totals of dice that give its owner two chips of its kind."""

    id: str
    name: str
    colour: str
    price: int
    rent: int
    set_rent: int
    mortgage: int
    unmortgage: int
    numbers: tuple[int, ...]
    kind: Kind
    names: Words = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that a Chance card does; what a kind of effect does not use is left as it is."""

    do: CardVerb
    amount: int = 0
    count: int = 0
    who: AffectedPlayers = "drawer"
    per: Per | None = None
    players: bool = False
    kind: KindOfEffect = "any"
    by: int = 0
    space: int | None = None
    type: SpaceType | None = None


@dataclass(frozen=True, slots=True)
class Chance:
    """A Chance card; ``keep``: whoever draws it keeps it until they play it."""

    id: str
    name: str
    text: str
    effects: tuple[Effect, ...]
    keep: bool = False
    names: Words = ()
    texts: Words = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """The left half of a reference card: the player's token and own kind."""

    player: str
    token: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Foundation:
    """The grid that is built on: ``X`` a cell, ``.`` none; pairs of neighbours that count otherwise than they lie."""

    rows: tuple[str, ...]
    apart: tuple[tuple[str, str], ...] = ()
    joined: tuple[tuple[str, str], ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """Return every cell: a row letter and a column number."""
        return tuple(
            f"{chr(ord('A') + row)}{column}"
            for row, line in enumerate(self.rows)
            for column, sign in enumerate(line, 1)
            if sign == "X"
        )


@dataclass(frozen=True, slots=True)
class Catalog:
    """A whole box."""

    name: str
    invented: bool
    floors: tuple[tuple[tuple[KindOrAny, int], ...], ...]
    foundation: Foundation
    spaces: tuple[Space, ...]
    sets: tuple[tuple[str, int], ...]
    deeds: tuple[Deed, ...]
    chances: tuple[Chance, ...]
    references: tuple[Reference, ...]

    def deed(self, deed: str) -> Deed | None:
        """Find a deed; ``None``: there is none."""
        for candidate in self.deeds:
            if candidate.id == deed:
                return candidate
        return None

    def deed_of(self, deed: str) -> Deed:
        """Find a deed that is there."""
        return next(candidate for candidate in self.deeds if candidate.id == deed)

    def chance(self, card: str) -> Chance | None:
        """Find a Chance card; ``None``: there is none."""
        return next((chance for chance in self.chances if chance.id == card), None)

    def own_kind(self, player: str) -> Kind:
        """Return the kind of chips that is a player's own."""
        return next(reference.kind for reference in self.references if reference.player == player)

    def set_of(self, deed: str) -> tuple[str, ...]:
        """Return both deeds of a deed's colour."""
        colour = self.deed_of(deed).colour
        return tuple(deed.id for deed in self.deeds if deed.colour == colour)

    @property
    def jail(self) -> int:
        """Number the jail space."""
        return next(number for number, space in enumerate(self.spaces) if space.type == "jail")
