"""An English auction: clockwise, each bids higher or is out, the last one in pays his bid."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.copying import copy_with


@dataclass(frozen=True, slots=True)
class Auction:
    """A lot under the hammer.

    ``still_in``: bidders in clockwise order, the leader among them.  ``to_bid`` is asked next; when the
    leader is alone nobody is, and he has won.
    """

    lot: str
    bid: int
    leader: str
    still_in: tuple[str, ...]
    to_bid: str | None

    @staticmethod
    def opened(lot: str, bid: int, leader: str, bidders: tuple[str, ...]) -> "Auction":
        """Start with an opening bid; ``bidders`` in clockwise order contain the leader."""
        auction = Auction(lot, bid, leader, bidders, None)
        return copy_with(auction, to_bid=auction.next_after(leader))

    def next_after(self, bidder: str) -> str | None:
        """Say who is asked after this bidder; ``None`` where only the leader would be."""
        place = self.still_in.index(bidder)
        for following in self.still_in[place + 1 :] + self.still_in[:place]:
            if following != self.leader:
                return following
        return None

    def raised(self, amount: int) -> "Auction":
        """Let the bidder whose turn it is lead with a higher bid."""
        leading = copy_with(self, bid=amount, leader=self.to_bid or self.leader)
        return copy_with(leading, to_bid=leading.next_after(leading.leader))

    def left_by(self, bidder: str) -> "Auction":
        """Take a bidder out, who does not return to this lot."""
        following = self.next_after(bidder) if bidder == self.to_bid else self.to_bid
        remaining = tuple(other for other in self.still_in if other != bidder)
        return copy_with(self, still_in=remaining, to_bid=None if remaining == (self.leader,) else following)


# --- turn_order
# Who sits where, and whose turn follows whose.


def clockwise_from(seats: Sequence[str], first: str) -> tuple[str, ...]:
    """Give everybody in clockwise order, beginning with ``first``."""
    place = seats.index(first)
    return tuple(seats[place:]) + tuple(seats[:place])


def left_of(seats: Sequence[str], player: str) -> str:
    """Give the left neighbour: the next one clockwise."""
    return seats[(seats.index(player) + 1) % len(seats)]
