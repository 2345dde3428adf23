"""Commands and events of the nut game."""

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class StartGame:
    game: Literal["nuts"]
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenAuction:
    player: str
    nut: str
    bid: int


@dataclass(frozen=True, slots=True)
class Bid:
    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    player: str


@dataclass(frozen=True, slots=True)
class Give:
    """The banker's correction; ``from`` is a Python keyword."""

    from_: str
    to: str
    amount: int


@dataclass(frozen=True, slots=True)
class Spin:
    """Begins something that never comes to rest."""


@dataclass(frozen=True, slots=True)
class Ponder:
    """Leads to nothing at all."""


Command: TypeAlias = StartGame | OpenAuction | Bid | Pass | Give | Spin | Ponder


@dataclass(frozen=True, slots=True)
class GameStarted:
    players: tuple[str, ...]
    purse: int
    boxed: int


@dataclass(frozen=True, slots=True)
class AuctionOpened:
    player: str
    nut: str
    bid: int


@dataclass(frozen=True, slots=True)
class BidRaised:
    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class BidderLeft:
    player: str


@dataclass(frozen=True, slots=True)
class NutSold:
    player: str
    nut: str
    price: int


@dataclass(frozen=True, slots=True)
class RoundBegan:
    first: str


@dataclass(frozen=True, slots=True)
class GameEnded:
    pass


@dataclass(frozen=True, slots=True)
class Given:
    from_: str
    to: str
    amount: int


@dataclass(frozen=True, slots=True)
class Spun:
    pass


Event: TypeAlias = (
    GameStarted | AuctionOpened | BidRaised | BidderLeft | NutSold | RoundBegan | GameEnded | Given | Spun
)
