"""The phase that is on: its rules, follow-ups and offers."""

from collections.abc import Sequence

from companion.engine.errors import Refused
from companion.engine.game import Offer
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.events import Event
from companion.games.master_builder.rules.guards import seated
from companion.games.master_builder.rules.phases import build, contracts, events, hire, income
from companion.games.master_builder.rules.state import Build, Contracts, Events, Here, Hire, Income


def waits(here: Here) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say whom the table waits for, and which commands would move the game on."""
    match here.state.phase:
        case Hire() as phase:
            return hire.waits(here, phase)
        case Contracts() as phase:
            return contracts.waits(here, phase)
        case Events() as phase:
            return events.waits(here, phase)
        case Build() as phase:
            return build.waits(here, phase)
        case Income() as phase:
            return income.waits(here, phase)
        case _:
            return (), ()


def decide(here: Here, command: Command) -> Sequence[Event]:
    """Let the phase that is on answer a command."""
    player = getattr(command, "player", None)
    if player is not None:
        seated(here.state, player)
    match here.state.phase:
        case Hire() as phase:
            return hire.decide(here, phase, command)
        case Contracts() as phase:
            return contracts.decide(here, phase, command)
        case Events() as phase:
            return events.decide(here, phase, command)
        case Build() as phase:
            return build.decide(here, phase, command)
        case Income() as phase:
            return income.decide(here, phase, command)
        case _:
            raise Refused("game_over")


def follow_up(here: Here) -> Sequence[Event]:
    """Say what the phase that is on leads to unasked."""
    match here.state.phase:
        case Hire() as phase:
            return hire.follow_up(here, phase)
        case Contracts() as phase:
            return contracts.follow_up(here, phase)
        case Events() as phase:
            return events.follow_up(here, phase)
        case Build() as phase:
            return build.follow_up(here, phase)
        case Income() as phase:
            return income.follow_up(here, phase)
        case _:
            return ()


def offers(here: Here, player: str) -> Sequence[Offer]:
    """Say what the phase that is on lets a player do."""
    match here.state.phase:
        case Hire() as phase:
            return hire.offers(here, phase, player)
        case Contracts() as phase:
            return contracts.offers(here, phase, player)
        case Events() as phase:
            return events.offers(here, phase, player)
        case Build() as phase:
            return build.offers(here, phase, player)
        case Income() as phase:
            return income.offers(here, phase, player)
        case _:
            return ()
