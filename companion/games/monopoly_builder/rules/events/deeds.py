"""Deeds, rents, debts and auctions."""

from dataclasses import dataclass

from companion.game_api.fields import Count, Person
from companion.games.monopoly_builder.rules.fields import ChanceId, ChipsNamed, DeedId, Money, Payer


@dataclass(frozen=True, slots=True)
class DeedTurnedUp:
    """A deed stays beside this space."""

    space: Count
    deed: DeedId


@dataclass(frozen=True, slots=True)
class DeedOffered:
    """A deed of the bank may be bought."""

    player: Person
    deed: DeedId
    price: Money


@dataclass(frozen=True, slots=True)
class DeedBought:
    """A deed was bought at its price."""

    player: Person
    deed: DeedId
    price: Money


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A deed was declined and is auctioned."""

    player: Person
    deed: DeedId
    may_bid: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidMade:
    """A bid; ``passed`` those who are not asked again."""

    player: Person
    amount: Money
    passed: tuple[Person, ...]


@dataclass(frozen=True, slots=True)
class BidderPassed:
    """A bidder bids no more for now."""

    player: Person


@dataclass(frozen=True, slots=True)
class DeedSold:
    """The auction is over."""

    player: Person
    deed: DeedId
    price: Money


@dataclass(frozen=True, slots=True)
class DeedUnsold:
    """Nobody has bid: the deed stays with the bank."""

    deed: DeedId


@dataclass(frozen=True, slots=True)
class RentFell:
    """A landing gives a claim of so much."""

    owner: Person
    payer: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class RentClaimed:
    """The rent of a landing is demanded: the oldest claim of this owner for this deed."""

    owner: Person
    payer: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class DebtIncurred:
    """So much is owed; it is paid as soon as it can be."""

    debtor: Person
    creditor: Payer
    amount: Money


@dataclass(frozen=True, slots=True)
class DebtPaid:
    """A debt is paid whole: the oldest one like it."""

    debtor: Person
    creditor: Payer
    amount: Money


@dataclass(frozen=True, slots=True)
class DeedMortgaged:
    """A deed is mortgaged."""

    player: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class DeedRedeemed:
    """A mortgage is lifted."""

    player: Person
    deed: DeedId
    amount: Money


@dataclass(frozen=True, slots=True)
class WentBankrupt:
    """A player gives up, and the creditor gets all he has."""

    player: Person
    creditor: Payer
    amount: Money
    chips: ChipsNamed
    deeds: tuple[DeedId, ...]
    cards: tuple[ChanceId, ...]
