"""Phases by their names, and as they are written into events."""

from dataclasses import replace
from types import MappingProxyType

from companion.games.master_builder.rules.phases.hire import FIRST_LAPS, contracts_phase, laps
from companion.games.master_builder.rules.setup import ECONOMY_DECK
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    Events,
    Finished,
    Hire,
    Income,
    Moment,
    Phase,
    PhaseName,
    State,
)

NAMES: MappingProxyType[type, PhaseName] = MappingProxyType(
    {
        Hire: "hire",
        Contracts: "contracts",
        Events: "events",
        Build: "build",
        Income: "income",
        Finished: "finished",
    }
)
"""What each phase is called in positions and commands."""


def name_of(phase: Phase) -> PhaseName:
    """Return a phase."""
    return NAMES[type(phase)]


def written(phase: Phase) -> Moment:
    """Write a phase into an event."""
    match phase:
        case Hire():
            return Moment(hire=phase)
        case Contracts():
            return Moment(contracts=phase)
        case Events():
            return Moment(events=phase)
        case Build():
            return Moment(build=phase)
        case Income():
            return Moment(income=phase)
        case _:
            return Moment()


def read(moment: Moment) -> Phase:
    """Read a phase out of an event."""
    phases = (moment.hire, moment.contracts, moment.events, moment.build, moment.income)
    return next((phase for phase in phases if phase is not None), Finished())


# How a phase begins when the banker, and not the phase before it, says so.


def begun_anew(state: State, aim: State, phase: PhaseName) -> Phase:
    """Return a phase as it begins in the round and with the start player of ``aim``.

    ``state`` is what the table had until now: contracts still to be turned up stay due, an event in hand is to
    be turned again, and nobody pays the same wages twice, as long as round and phase are the same.
    """
    was = state.phase if state.round == aim.round else None
    match phase:
        case "hire":
            return Hire(aim.start, 1, FIRST_LAPS if aim.round == 1 else laps(aim.rules))
        case "contracts":
            return _contracts(aim, was)
        case "events":
            again = isinstance(was, Events) and was.card is not None
            return Events(drawn=was.drawn - 1 if isinstance(was, Events) and again else 0)
        case "build":
            return Build()
        case "income":
            return was if isinstance(was, Income) else Income()
        case _:
            return Finished()


def _contracts(aim: State, was: Phase | None) -> Contracts:
    """Begin phase 2; cards that this round has turned up already are not due again."""
    if isinstance(was, Contracts):
        return replace(was, declined=(), auction=None, raised=False)
    begun = contracts_phase(aim)
    if aim.round == 1:
        due = max(0, begun.reveal_due - len(aim.seen))
        return Contracts(economy_due=False, reveal_due=min(due, aim.deck))
    turned = ECONOMY_DECK - aim.economy
    return Contracts(economy_due=begun.economy_due and turned < aim.round - 1, reveal_due=0)
