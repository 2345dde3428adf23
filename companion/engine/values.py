"""Changed copies of frozen data classes; an English auction, turns in clockwise order, sources of numbers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar, cast

DataclassT = TypeVar("DataclassT")

NumberSource: TypeAlias = Callable[[int], int]
"""Draws a whole number from 0 up to, not including, the one given.  Chance comes from outside."""


def copy_with(original: DataclassT, **changes: Any) -> DataclassT:
    """Return a copy of a data class with some fields changed.  All its fields must be positional.

    It takes half the time of ``dataclasses.replace``; a replay makes thousands of copies.

    Raises:
        KeyError: if there is no such field.

    """
    kind: Any = type(original)
    values_of, places = _layout(kind)
    values = list(values_of(original))
    for name, value in changes.items():
        values[places[name]] = value
    return cast("DataclassT", kind(*values))


@cache
def _layout(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], Mapping[str, int]]:
    names = [field.name for field in fields(kind)]
    if len(names) == 1:
        return lambda value: (getattr(value, names[0]),), {names[0]: 0}
    return attrgetter(*names), {name: place for place, name in enumerate(names)}


@dataclass(frozen=True, slots=True)
class Auction:
    """A lot being auctioned.

    ``still_in``: the remaining bidders in clockwise order, the leader included.  ``to_bid`` is the next to bid;
    ``None`` when only the leader remains, who has then won.
    """

    lot: str
    bid: int
    leader: str
    still_in: tuple[str, ...]
    to_bid: str | None

    @staticmethod
    def open(lot: str, bid: int, leader: str, bidders: tuple[str, ...]) -> "Auction":
        """Return an auction with its opening bid; ``bidders`` are in clockwise order and include the leader."""
        auction = Auction(lot, bid, leader, bidders, None)
        return copy_with(auction, to_bid=auction.next_after(leader))

    def next_after(self, bidder: str) -> str | None:
        """Return the next bidder after this one; ``None`` where that would be the leader."""
        return next_bidder(self.still_in, self.leader, bidder)

    def with_bid(self, amount: int) -> "Auction":
        """Return the auction after a higher bid of the player whose turn it is."""
        leading = copy_with(self, bid=amount, leader=self.to_bid or self.leader)
        return copy_with(leading, to_bid=leading.next_after(leading.leader))

    def without(self, bidder: str) -> "Auction":
        """Return the auction after a bidder has dropped out for good."""
        following = self.next_after(bidder) if bidder == self.to_bid else self.to_bid
        remaining = tuple(other for other in self.still_in if other != bidder)
        return copy_with(self, still_in=remaining, to_bid=None if remaining == (self.leader,) else following)


def next_bidder(still_in: Sequence[str], leader: str | None, bidder: str) -> str | None:
    """Return who bids after a bidder, in the order of those still in; ``None`` where only the leader could."""
    place = still_in.index(bidder)
    for following in (*still_in[place + 1 :], *still_in[:place]):
        if following != leader:
            return following
    return None


def clockwise_order(seats: Sequence[str], first: str) -> tuple[str, ...]:
    """Return all players in clockwise order, beginning with ``first``."""
    place = seats.index(first)
    return tuple(seats[place:]) + tuple(seats[:place])


def left_neighbour(seats: Sequence[str], player: str) -> str:
    """Return the left neighbour of a player: the next one clockwise."""
    return seats[(seats.index(player) + 1) % len(seats)]
