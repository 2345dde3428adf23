"""Commands and events of the auction that both engines play."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class StartGame:
    """Seat the players."""

    game: Literal["hammer"]
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenAuction:
    """Put a lot under the hammer with a first bid."""

    player: str
    lot: str
    bid: int


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid more."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction."""

    player: str


Command: TypeAlias = StartGame | OpenAuction | Bid | Pass


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot for sale."""

    id: str
    name: str
    cost: int


@dataclass(frozen=True, slots=True)
class GameStarted:
    """Everybody has a purse, and the lots are known."""

    players: tuple[str, ...]
    purse: int
    lots: tuple[Lot, ...]


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    """A lot is under the hammer."""

    player: str
    lot: str
    bid: int


@dataclass(frozen=True, slots=True)
class BidRaised:
    """A higher bid leads."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidderLeft:
    """One is out."""

    player: str


@dataclass(frozen=True, slots=True)
class LotSold:
    """The last one in pays, and everybody gets a share."""

    player: str
    lot: str
    price: int
    dividend: int


Event: TypeAlias = GameStarted | AuctionOpened | BidRaised | BidderLeft | LotSold
