"""Phase 2, contracts and their auctions."""

from dataclasses import dataclass

from companion.game_api.fields import Count, Person
from companion.games.master_builder.rules.fields import ContractId, Dollars, EconomyId


@dataclass(frozen=True, slots=True)
class ContractsPhaseBegan:
    """Phase 2."""

    economy_due: bool
    reveal_due: Count


@dataclass(frozen=True, slots=True)
class EconomyTurned:
    """The economic situation, and how many contracts come up."""

    card: EconomyId
    reveal_due: Count


@dataclass(frozen=True, slots=True)
class ContractsRevealed:
    """Contracts lie on display."""

    contracts: tuple[ContractId, ...]


@dataclass(frozen=True, slots=True)
class ChoiceDeclined:
    """A player does not choose a contract in this phase any more."""

    player: Person


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A lot came under the hammer."""

    player: Person
    contract: ContractId
    bid: Dollars
    bidders: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidRaised:
    """A higher bid."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class BidderLeft:
    """Out of this auction; ``forced``: he could not have raised."""

    player: Person
    forced: bool


@dataclass(frozen=True, slots=True)
class ContractSold:
    """A contract was paid for, and what lay on it went to the buyer."""

    player: Person
    contract: ContractId
    paid: Dollars
    premium: Dollars


@dataclass(frozen=True, slots=True)
class ChoiceReturned:
    """After a sale everybody may choose again, also who had declined."""


@dataclass(frozen=True, slots=True)
class PremiumLaid:
    """Nobody wanted a contract: money lies on it."""

    contract: ContractId
    amount: Dollars


@dataclass(frozen=True, slots=True)
class ContractRemoved:
    """Unwanted twice: out of the game, what lay on it back to the bank."""

    contract: ContractId
    premium: Dollars


@dataclass(frozen=True, slots=True)
class LastRoundFixed:
    """No contract is left to award: the game ends after this round."""

    round: Count
