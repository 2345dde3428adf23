"""A position as somebody enters it: the shape of ``take_over``.

It is the position that play files and the interface show, so that what a game shows can be taken over as it is.
What is ``None`` here was left out.  Left out, it follows from the rest; given, it must agree with the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from companion.games.master_builder.rules.catalog import WorkerType
from companion.games.master_builder.rules.seats import UNNAMED, PlayerId
from companion.games.master_builder.rules.state import Earned, Lent, PhaseName

Sections = tuple[str, ...]
Work = Mapping[str, Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class TakenLoans:
    """IOUs before a player."""

    small: int = 0
    large: int = 0


@dataclass(frozen=True, slots=True)
class TakenPlayer:
    """What lies before one player; of ``contracts``, which are not paid yet, the sections that stand."""

    cash: int
    name: str = UNNAMED
    workers: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    contracts: Mapping[str, Sections] = field(default_factory=dict[str, Sections])
    completed: tuple[str, ...] = ()
    loans: TakenLoans = TakenLoans()
    event_hand: int | None = None
    wages: int | None = None
    owes: int | None = None


@dataclass(frozen=True, slots=True)
class TakenDeck:
    """Cards that lie face down."""

    contracts: int | None = None
    economy: int | None = None


@dataclass(frozen=True, slots=True)
class TakenTurned:
    """Cards that were turned in this game, as far as anybody remembers."""

    economy: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenHire:
    """Phase ``hire``: the lap, and who passed all opportunities left."""

    lap: int = 1
    laps: int | None = None
    looked: WorkerType | None = None
    rested: tuple[str, ...] = ()
    passes: int = 0


@dataclass(frozen=True, slots=True)
class TakenAuction:
    """Phase ``contracts``: the lot under the hammer."""

    contract: str
    bid: int
    leader: str
    still_in: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakenEvent:
    """Phase ``events``: the card, to whom it has come, which effect is on, who is still to meet it."""

    card: str
    player: str | None = None
    effect: int = 0
    rest: tuple[str, ...] | None = None
    hit: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakenSettlement:
    """Phase ``income``: prices paid, and whose wages."""

    earned: tuple[Earned, ...] = ()
    paid: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class TakenPosition:
    """A game as it lies on the table."""

    game: Literal["master_builder"]
    round: int
    phase: PhaseName
    start_player: str
    players: Mapping[PlayerId, TakenPlayer]
    catalog: str = "house"
    rules: Mapping[str, str | bool] = field(default_factory=dict[str, str | bool])
    variants: tuple[str, ...] = ()
    seats: tuple[str, ...] | None = None
    last_round: int | None = None
    display: Mapping[str, int] = field(default_factory=dict[str, int])
    removed: tuple[str, ...] = ()
    deck: TakenDeck = TakenDeck()
    turned: TakenTurned = TakenTurned()
    workers: Mapping[str, int] = field(default_factory=dict[str, int])
    round_wages: Mapping[str, int] = field(default_factory=dict[str, int])
    waiting_for: tuple[str, ...] | None = None
    hire: TakenHire | None = None
    economy_due: bool | None = None
    reveal_due: int | None = None
    declined: tuple[str, ...] | None = None
    auction: TakenAuction | None = None
    raised: bool | None = None
    event: TakenEvent | None = None
    drawn: int | None = None
    planned: tuple[str, ...] | None = None
    plan: Work | None = None
    plans: Mapping[str, Work] | None = None
    lent: tuple[Lent, ...] | None = None
    settlement: TakenSettlement | None = None
    bank: int | None = None
    on_contracts: int | None = None
    money_in_play: int | None = None
    wage_limit: int | None = None
    loans_late: bool | None = None
    finished: bool | None = None
    expects: tuple[str, ...] | None = None
    standings: tuple[Mapping[str, int | str], ...] | None = None
