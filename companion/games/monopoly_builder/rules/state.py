"""The state of a game at one version, and its field types."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from companion.engine.game import Position
from companion.game_api.messages import Holds
from companion.game_api.seating import SeatedPlayers
from companion.games.monopoly_builder.rules.catalog import BLOCKS, PENTHOUSE, Catalog, Effect, Kind
from companion.games.monopoly_builder.rules.house_rules import Rules

# The field types of Monopoly Builder.

PlayerId: TypeAlias = Literal["red", "purple", "green", "yellow"]
PhaseChosen: TypeAlias = Literal["discard", "roll", "act", "finished"]

Money: TypeAlias = Annotated[int, Holds("money", "5")]
DeedId: TypeAlias = Annotated[str, Holds("card", "deeds")]
ChanceId: TypeAlias = Annotated[str, Holds("card", "chance")]
CardId: TypeAlias = Annotated[str, Holds("card", "deeds chance")]
KindChosen: TypeAlias = Annotated[Kind, Holds("choice", "kind")]
ChipsNamed: TypeAlias = Annotated[Mapping[str, int], Holds("record", "chips")]
Dice: TypeAlias = Annotated[tuple[int, int], Holds("record", "dice")]
Cell: TypeAlias = Annotated[str, Holds("text")]
Payer: TypeAlias = Annotated[str, Holds("place", "bank")]
CardPlace: TypeAlias = Annotated[str, Holds("place", "bank deck")]
ChipPlace: TypeAlias = Annotated[str | int, Holds("record", "heap")]
NameOfPhase: TypeAlias = Annotated[PhaseChosen, Holds("choice", "phase")]


# What is known of a game at one moment, beside the ledger of money and chips.

Stage: TypeAlias = Literal[
    "discard",
    "roll",
    "fee",
    "landed",
    "turn_deed",
    "buy",
    "auction",
    "chance",
    "resources",
    "card",
    "steal",
    "parking",
    "act",
    "finished",
]
"""How far the turn has come; debts lie over it."""
Choice: TypeAlias = Literal["take", "return_chips"]


FEWEST, MOST = 2, 4
"""How many may play."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player: cards and token; money and chips are in the ledger."""

    id: str
    name: str
    deeds: tuple[str, ...] = ()
    mortgaged: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    space: int = 0
    in_jail: bool = False
    tries: int = 0
    bankrupt: bool = False


@dataclass(frozen=True, slots=True)
class Building:
    """A building on a cell: height 5 is one with the penthouse."""

    cell: str
    owner: str
    height: int


@dataclass(frozen=True, slots=True)
class Site:
    """A space with a deed beside it; ``None``: it lies there face down."""

    space: int
    deed: str | None


@dataclass(frozen=True, slots=True)
class Claim:
    """A landing that is not paid for yet, with the amount of its moment."""

    owner: str
    payer: str
    deed: str
    amount: int


@dataclass(frozen=True, slots=True)
class Debt:
    """An amount owed to a player or the bank that could not be paid yet."""

    debtor: str
    creditor: str
    amount: int


@dataclass(frozen=True, slots=True)
class Chooser:
    """A player who takes or gives back ``count`` chips of their own choice."""

    player: str
    what: Choice
    count: int


@dataclass(frozen=True, slots=True)
class Auction:
    """The deed under the hammer: who may bid, the last bid, who has passed since."""

    deed: str
    may_bid: tuple[str, ...]
    bid: int | None = None
    leader: str | None = None
    passed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State(SeatedPlayers[Player]):
    """The whole game but money and chips.

    ``doubles``: in a row, of the player whose ``turn`` it is; ``landed``: the space whose
    business is or was due last; ``offered``: the deed on offer; ``effects`` of a card
    that are still to come; ``choosers``: whose choice they wait for, in order.
    """

    catalog_name: str
    catalog: Catalog
    rules: Rules
    players: tuple[Player, ...]
    turn: str
    sites: tuple[Site, ...]
    stage: Stage = "discard"
    dice: tuple[int, int] | None = None
    doubles: int = 0
    board: tuple[Building, ...] = ()
    landed: int = 0
    offered: str | None = None
    effects: tuple[Effect, ...] = ()
    choosers: tuple[Chooser, ...] = ()
    auction: Auction | None = None
    claims: tuple[Claim, ...] = ()
    debts: tuple[Debt, ...] = ()

    @property
    def finished(self) -> bool:
        """Return whether the game is over."""
        return self.stage == "finished"

    @property
    def money_is_hidden(self) -> bool:
        """Return whether players may not see each other's money now (house rule ``money``, MO-D48)."""
        return self.rules.money == "hidden" and not self.finished

    @property
    def mover(self) -> Player:
        """The player whose turn it is."""
        return self.player(self.turn)

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The solvent players, clockwise from the one whose turn it is."""
        at = self.seats.index(self.turn)
        around = (*self.players[at:], *self.players[:at])
        return tuple(player.id for player in around if not player.bankrupt)

    @property
    def penthouse(self) -> bool:
        """Return whether the penthouse stands."""
        return any(building.height == PENTHOUSE for building in self.board)

    @property
    def unsold(self) -> tuple[str, ...]:
        """The deeds of the bank, sorted."""
        owned = {deed for player in self.players for deed in player.deeds}
        return tuple(sorted(deed.id for deed in self.catalog.deeds if deed.id not in owned))

    @property
    def kept(self) -> frozenset[str]:
        """The Chance cards that somebody keeps."""
        return frozenset(card for player in self.players for card in player.cards)

    @property
    def debtors(self) -> tuple[str, ...]:
        """Return who owes something, in turn order."""
        owing = {debt.debtor for debt in self.debts}
        return tuple(player for player in self.turn_order if player in owing)

    def others(self, player: str) -> tuple[str, ...]:
        """Return the other solvent players in turn order."""
        return tuple(other for other in self.turn_order if other != player)

    def next_player(self) -> str:
        """Return the next solvent player clockwise."""
        at = self.seats.index(self.turn)
        around = (*self.players[at + 1 :], *self.players[: at + 1])
        return next(player.id for player in around if not player.bankrupt)

    def owner_of(self, deed: str) -> Player | None:
        """Find who has a deed; ``None``: the bank."""
        return next((player for player in self.players if deed in player.deeds), None)

    def building(self, cell: str) -> Building | None:
        """Find what stands on a cell."""
        return next((building for building in self.board if building.cell == cell), None)

    def blocks(self, player: str) -> int:
        """Return the number of blocks that a player has left: one is in each floor but the penthouse."""
        return BLOCKS - sum(min(building.height, PENTHOUSE - 1) for building in self.board if building.owner == player)

    def has_set(self, player: str, deed: str) -> bool:
        """Return whether a player has both deeds of a deed's colour, mortgaged or not."""
        return set(self.catalog.set_of(deed)) <= set(self.player(player).deeds)

    def rent_of(self, owner: str, deed: str) -> int:
        """Return what a landing costs: more where the owner has the set, mortgaged or not (MO-D25)."""
        values = self.catalog.deed_of(deed)
        return values.set_rent if self.has_set(owner, deed) else values.rent


GamePosition: TypeAlias = Position[State]
