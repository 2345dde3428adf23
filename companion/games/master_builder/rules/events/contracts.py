"""Phase 2, contracts and their auctions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ContractsPhaseBegan:
    """Phase 2."""

    economy_due: bool
    reveal_due: int


@dataclass(frozen=True, slots=True)
class EconomyTurned:
    """The economic situation, and how many contracts come up."""

    card: str
    reveal_due: int


@dataclass(frozen=True, slots=True)
class ContractsRevealed:
    """Contracts lie on display."""

    contracts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChoiceDeclined:
    """A player does not choose a contract in this phase any more."""

    player: str


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A lot came under the hammer."""

    player: str
    contract: str
    bid: int
    bidders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BidRaised:
    """A higher bid."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidderLeft:
    """Out of this auction; ``forced``: he could not have raised."""

    player: str
    forced: bool


@dataclass(frozen=True, slots=True)
class ContractSold:
    """A contract was paid for, and what lay on it went to the buyer."""

    player: str
    contract: str
    paid: int
    premium: int


@dataclass(frozen=True, slots=True)
class ChoiceReturned:
    """After a sale everybody may choose again, also who had declined."""


@dataclass(frozen=True, slots=True)
class PremiumLaid:
    """Nobody wanted a contract: money lies on it."""

    contract: str
    amount: int


@dataclass(frozen=True, slots=True)
class ContractRemoved:
    """Unwanted twice: out of the game, what lay on it back to the bank."""

    contract: str
    premium: int


@dataclass(frozen=True, slots=True)
class LastRoundFixed:
    """No contract is left to award: the game ends after this round."""

    round: int
