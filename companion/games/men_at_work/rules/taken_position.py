"""A position as somebody enters it: the shape of ``take_over``.

It is the position that play files and the interface show.  What is read of it says the begin of a turn; the rest may be
there and follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.games.men_at_work.rules.fields import PlayerId
from companion.games.men_at_work.rules.seats import UNNAMED


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """What lies before one player; what is ``None`` was left out, and is as dealt."""

    name: str = UNNAMED
    level: Literal["standard", "expert"] = "standard"
    certificates: int | None = None
    awards: int = 0
    hand: int | None = None
    out: Any = None


@dataclass(frozen=True, slots=True)
class TakenBoss:
    """Where the boss is."""

    on_duty: bool = False
    about_after: Any = None


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A game as it lies on the table when a turn begins; ``site`` and ``floor`` of ``None``: as at the start."""

    game: Literal["men_at_work"]
    seats: tuple[PlayerId, ...]
    active: str
    players: Mapping[PlayerId, TakenPlayer]
    catalog: str = "house"
    rules: Mapping[str, str | bool | int] = field(default_factory=dict[str, str | bool | int])
    variants: tuple[str, ...] = ()
    turn: int = 1
    clean: bool = False
    discard: tuple[str, ...] = ()
    boss: TakenBoss = TakenBoss()
    site: Mapping[str, int] | None = None
    floor: Mapping[str, int] | None = None
    phase: Any = None
    waiting_for: Any = None
    expects: Any = None
    action: Any = None
    deck: Any = None
    back: Any = None
    awards_needed: Any = None
    awards_left: Any = None
    certificates_lost: Any = None
    reserve: Any = None
    finished: Any = None
    ended_by: Any = None
    winner: Any = None
    standings: Any = None
