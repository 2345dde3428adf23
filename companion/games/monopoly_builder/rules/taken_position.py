"""A position as somebody enters it: the shape of ``take_over``, which is that of a position as it is shown.

What is ``None`` was left out.  What follows from the rest must agree with it where it is given.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.games.monopoly_builder.rules.fields import PhaseChosen, PlayerId
from companion.games.monopoly_builder.rules.seats import UNNAMED


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """What one player has, and where his token is."""

    cash: int
    name: str = UNNAMED
    chips: Mapping[str, int] = field(default_factory=dict[str, int])
    deeds: tuple[str, ...] = ()
    mortgaged: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    blocks: int | None = None
    space: int = 0
    in_jail: bool = False
    tries: int = 0
    bankrupt: bool = False


@dataclass(frozen=True, slots=True)
class TakenBuilding:
    """A building on a cell."""

    owner: str
    height: int


@dataclass(frozen=True, slots=True)
class TakenDeck:
    """Cards that lie face down."""

    chance: int | None = None


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A game as it lies on the table; players in seating order."""

    game: Literal["monopoly_builder"]
    turn: str
    phase: PhaseChosen
    players: Mapping[PlayerId, TakenPlayer]
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()
    doubles: int = 0
    dice: tuple[int, int] | None = None
    board: Mapping[str, TakenBuilding] = field(default_factory=dict[str, TakenBuilding])
    spaces: Mapping[str, Mapping[str, int]] = field(default_factory=dict[str, Mapping[str, int]])
    sites: Mapping[str, str | None] | None = None
    unsold: tuple[str, ...] | None = None
    bank: int | None = None
    tray: Mapping[str, int] | None = None
    deck: TakenDeck = TakenDeck()
    money_in_play: int | None = None
    auction: Any = None
    claims: tuple[Any, ...] = ()
    debts: tuple[Any, ...] = ()
    seats: Any = None
    waiting_for: Any = None
    expects: Any = None
    due: Any = None
    finished: Any = None
    standings: Any = None
