"""Phases by their names, and as they are written into events."""

from types import MappingProxyType

from companion.games.master_builder.rules.events.turn import Moment
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    Events,
    Finished,
    Hire,
    Income,
    Phase,
    PhaseName,
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
    """Name a phase."""
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
