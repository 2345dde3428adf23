"""Auctions as steps of play: English with and without an opening leader, once around the table, sealed bids.

All three take ``Bid`` and ``Pass`` and end with ``LotSold`` or ``LotUnsold``; ``auction_of`` makes the step out of the
event that opened it.  With a ``seller`` the lot is theirs, and whoever wins pays them: ``LotBought``, a ``LotSold``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from companion.engine.game import Amount, Offer, Position, clockwise_order, next_bidder
from companion.game_api.choices import SecretChoice
from companion.game_api.messages import Actor, Card, Dollars, Person, Secret, added
from companion.game_api.steps import PlayStep, cash

AuctionKind: TypeAlias = Literal["english", "once_round", "sealed"]


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid an amount for the lot."""

    player: Actor
    amount: Dollars


@dataclass(frozen=True, slots=True)
class Pass:
    """Bid no more for this lot."""

    player: Actor


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A lot is put up; ``bidders`` in the order in which they bid.

    ``least`` is the lowest first bid, ``step`` what each bid adds, or a multiple of it.  ``leader`` and ``bid``: who
    has opened it, with how much; the bidder after them is next, and once around they do not bid again.  Sealed bids
    have no leader.  ``seller``: who is paid, instead of the bank.
    """

    lot: Card
    bidders: tuple[Person, ...]
    least: Dollars = 1
    step: Dollars = 1
    kind: AuctionKind = "english"
    leader: Person | None = None
    bid: Dollars = 0
    seller: Person | None = added(None)  # noqa: RUF009 - a field of a dataclass


@dataclass(frozen=True, slots=True)
class BidMade:
    """A player leads with a bid."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class BidderPassed:
    """A player bids no more for the lot."""

    player: Person


@dataclass(frozen=True, slots=True)
class BidSealed:
    """A player has bid in secret; 0: nothing."""

    player: Person
    amount: Annotated[Dollars, Secret(until=("BidsOpened",))]


@dataclass(frozen=True, slots=True)
class OpenedBid:
    """A bid that was sealed."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class BidsOpened:
    """All sealed bids are shown, in the order of the bidders."""

    bids: tuple[OpenedBid, ...]


@dataclass(frozen=True, slots=True)
class LotSold:
    """The highest bidder gets the lot for a price."""

    player: Person
    lot: Card
    price: Dollars


@dataclass(frozen=True, slots=True)
class LotBought(LotSold):
    """The highest bidder gets the lot from another player, who is paid for it."""

    seller: Person


@dataclass(frozen=True, slots=True)
class LotUnsold:
    """Nobody has bid for the lot."""

    lot: Card


AUCTION_COMMANDS = (Bid, Pass)
AUCTION_EVENTS = (AuctionOpened, BidMade, BidderPassed, LotSold, LotBought, LotUnsold)
SEALED_EVENTS = (AuctionOpened, BidSealed, BidsOpened, LotSold, LotBought, LotUnsold)
"""Messages of the auctions, for the ``Messages`` of a game; those of sealed bids are apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenBidding(PlayStep):
    """Bids that everybody hears; ``bid`` is the highest so far, that of ``leader``.

    ``least`` is the lowest first bid, ``step`` what each bid adds, or a multiple of it.
    """

    phase: ClassVar[str] = "auction"
    lot: str
    least: int = 1
    step: int = 1
    bid: int = 0
    leader: str | None = None
    seller: str | None = None

    def limit(self, position: Position[Any], player: str) -> int:
        """Return the highest bid that a player can make: by default their money."""
        return cash(position, player)

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Offer a higher bid, as far as the player can pay it, and to pass."""
        least = self.least if self.leader is None else self.bid + self.step
        return bid_offers(least, self.limit(position, player), self.step, player)

    def decide(self, position: Position[Any], command: Any) -> Sequence[Any]:
        """Record a bid or a pass."""
        del position
        return [BidMade(command.player, command.amount) if isinstance(command, Bid) else BidderPassed(command.player)]

    def follow_up(self, position: Position[Any]) -> Sequence[Any]:
        """Sell the lot once nobody is left to bid."""
        del position
        return [] if self.waiting_for() else [outcome(self.lot, self.leader, self.bid, self.seller)]

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return the lot, whose it was, the highest bid and whose that is."""
        del viewer
        return {**_sale(self.lot, self.seller), "bid": self.bid, "leader": self.leader}


@dataclass(frozen=True, slots=True, kw_only=True)
class EnglishAuction(OpenBidding):
    """The players raise in turn until all but one have passed for good.

    ``still_in``: the remaining bidders in their order, the leader included; ``to_bid``: who is next, ``None`` once
    only the leader is left, or nobody.  Without a leader the first bidder opens, or passes.
    """

    still_in: tuple[str, ...]
    to_bid: str | None

    def waiting_for(self) -> tuple[str, ...]:
        """Return who bids next."""
        return () if self.to_bid is None else (self.to_bid,)

    def after(self, event: Any) -> PlayStep:
        """Return the auction after a bid or a pass."""
        match event:
            case BidMade(player, amount):
                following = next_bidder(self.still_in, player, player)
                return replace(self, bid=amount, leader=player, to_bid=following)
            case BidderPassed(player):
                following = next_bidder(self.still_in, self.leader, player) if player == self.to_bid else self.to_bid
                remaining = tuple(bidder for bidder in self.still_in if bidder != player)
                return replace(self, still_in=remaining, to_bid=following)
            case _:
                return self


@dataclass(frozen=True, slots=True, kw_only=True)
class OnceRoundAuction(OpenBidding):
    """Everybody bids once, each more than those before, or passes; the highest bid wins."""

    to_come: tuple[str, ...]

    def waiting_for(self) -> tuple[str, ...]:
        """Return whose only bid it is."""
        return self.to_come[:1]

    def after(self, event: Any) -> PlayStep:
        """Return the auction after a bid or a pass."""
        match event:
            case BidMade(player, amount):
                return replace(self, bid=amount, leader=player, to_come=self._without(player))
            case BidderPassed(player):
                return replace(self, to_come=self._without(player))
            case _:
                return self

    def _without(self, player: str) -> tuple[str, ...]:
        return tuple(bidder for bidder in self.to_come if bidder != player)


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedAuction(SecretChoice):
    """All bid at once and in secret; the highest bid wins, among equal ones that of the earliest bidder."""

    phase: ClassVar[str] = "auction"
    command: ClassVar[type] = Bid
    event: ClassVar[type] = BidSealed
    lot: str
    least: int = 1
    step: int = 1
    seller: str | None = None

    def limit(self, position: Position[Any], player: str) -> int:
        """Return the highest bid that a player can make: by default their money."""
        return cash(position, player)

    def offers(self, position: Position[Any], player: str) -> Sequence[Offer]:
        """Offer a bid, as far as the player can pay it, and to pass."""
        return bid_offers(self.least, self.limit(position, player), self.step, player)

    def decide(self, position: Position[Any], command: Any) -> Sequence[Any]:
        """Record a sealed bid; a pass is one of nothing."""
        del position
        return [BidSealed(command.player, command.amount if isinstance(command, Bid) else 0)]

    def revealed(self, position: Position[Any]) -> Sequence[Any]:
        """Open the bids, and sell the lot."""
        del position
        amounts = {choice.player: choice.amount for choice in self.chosen}
        bids = tuple(OpenedBid(player, amounts[player]) for player in self.players)
        price = max((bid.amount for bid in bids), default=0)
        winner = next((bid.player for bid in bids if bid.amount == price > 0), None)  # the first of equal ones
        return [BidsOpened(bids), outcome(self.lot, winner, price, self.seller)]

    def view(self, viewer: str) -> Mapping[str, Any]:
        """Return the lot, whose it was, who has bid, and the viewer's own bid."""
        return {**_sale(self.lot, self.seller), **SecretChoice.view(self, viewer)}


def auction_of(event: AuctionOpened) -> PlayStep:
    """Return the auction that an event opens; one without bidders is over at once."""
    bidders, leader = event.bidders, event.leader
    to_come = clockwise_order(bidders, leader)[1:] if leader in bidders and leader is not None else bidders
    common: dict[str, Any] = {"lot": event.lot, "least": event.least, "step": event.step, "seller": event.seller}
    match event.kind:
        case "english":
            to_bid = next(iter(to_come), None)
            return EnglishAuction(still_in=bidders, to_bid=to_bid, bid=event.bid, leader=leader, **common)
        case "once_round":
            return OnceRoundAuction(to_come=to_come, bid=event.bid, leader=leader, **common)
        case "sealed":
            return SealedAuction(players=bidders, **common)


def require_no_leader(events: Any) -> None:
    """Raise ``ValueError`` where events open an auction of sealed bids with a leader or a bid."""
    for event in events if isinstance(events, Sequence) else ():
        if isinstance(event, AuctionOpened) and event.kind == "sealed" and (event.leader is not None or event.bid):
            message = "an auction of sealed bids has no leader and no bid when it is opened"
            raise ValueError(message)


def bid_offers(least: int, most: int, step: int, player: str) -> Sequence[Offer]:
    """Return the offers of a bidder: an amount, if they can pay any, and to pass."""
    stay_out = Offer("pass", player)
    if most < least:
        return (stay_out,)
    reachable = most - (most - least) % step
    return (Offer("bid", player, fields=(("amount", Amount(least, reachable, step)),)), stay_out)


def outcome(lot: str, winner: str | None, price: int, seller: str | None = None) -> LotSold | LotUnsold:
    """Return how an auction ends; a seller who wins pays the bank."""
    if winner is None:
        return LotUnsold(lot)
    return LotSold(winner, lot, price) if seller in (None, winner) else LotBought(winner, lot, price, seller)


def _sale(lot: str, seller: str | None) -> Mapping[str, Any]:
    return {"lot": lot} if seller is None else {"lot": lot, "seller": seller}
