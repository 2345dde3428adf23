"""The banker's hand on the turn."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.game_api.fields import Count, Person, Text
from companion.games.master_builder.rules.fields import NameOfPhase
from companion.games.master_builder.rules.state import Build, Contracts, Events, Hire, Income

CalledOff: TypeAlias = Literal["", "auction", "event", "plans"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A phase as it stands, under its own name; with none of them the game is over."""

    hire: Hire | None = None
    contracts: Contracts | None = None
    events: Events | None = None
    build: Build | None = None
    income: Income | None = None


@dataclass(frozen=True, slots=True)
class TurnCorrected:
    """The banker put round, start player, phase or turn to where the table is.

    ``moment`` is the phase from now on (``None``: the phase stays as it was), ``waiting`` whom the table waits
    for then; ``called_off`` says what was left half-done.  ``wages_lapse``: what was for the old round only is
    forgotten.  ``returned``: this event counts as not turned.
    """

    round: Count
    start: Person
    phase: NameOfPhase
    waiting: tuple[Person, ...]
    moment: Moment | None
    called_off: CalledOff
    wages_lapse: bool
    returned: str | None
    reason: Text
