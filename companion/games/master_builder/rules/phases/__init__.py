"""The phase that is on: its rules, what follows unasked, and its offers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.errors import Refused
from companion.engine.game import Offer
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.events import Event
from companion.games.master_builder.rules.guards import seated
from companion.games.master_builder.rules.phases import build, contracts, event_cards, hire, income
from companion.games.master_builder.rules.state import Build, Contracts, Events, Here, Hire, Income


@dataclass(frozen=True, slots=True)
class PhaseRules:
    """The functions of one phase; each takes the position and the phase, which is of the phase's own type."""

    waits: Callable[[Here, Any], tuple[tuple[str, ...], tuple[str, ...]]]
    decide: Callable[[Here, Any, Command], Sequence[Event]]
    follow_up: Callable[[Here, Any], Sequence[Event]]
    offers: Callable[[Here, Any, str], Sequence[Offer]]


RULES: Mapping[type, PhaseRules] = {
    Hire: PhaseRules(hire.waits, hire.decide, hire.follow_up, hire.offers),
    Contracts: PhaseRules(contracts.waits, contracts.decide, contracts.follow_up, contracts.offers),
    Events: PhaseRules(event_cards.waits, event_cards.decide, event_cards.follow_up, event_cards.offers),
    Build: PhaseRules(build.waits, build.decide, build.follow_up, build.offers),
    Income: PhaseRules(income.waits, income.decide, income.follow_up, income.offers),
}
"""The rules by type of phase; a game that is over has none."""


def waits(here: Here) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    rules = RULES.get(type(here.state.phase))
    return ((), ()) if rules is None else rules.waits(here, here.state.phase)


def decide(here: Here, command: Command) -> Sequence[Event]:
    """Return the events by which the phase that is on answers a command; raise ``Refused``."""
    player = getattr(command, "player", None)
    if player is not None:
        seated(here.state, player)
    rules = RULES.get(type(here.state.phase))
    if rules is None:
        raise Refused("game_over")
    return rules.decide(here, here.state.phase, command)


def follow_up(here: Here) -> Sequence[Event]:
    """Return what the phase that is on leads to unasked."""
    rules = RULES.get(type(here.state.phase))
    return () if rules is None else rules.follow_up(here, here.state.phase)


def offers(here: Here, player: str) -> Sequence[Offer]:
    """Return what the phase that is on lets a player do."""
    rules = RULES.get(type(here.state.phase))
    return () if rules is None else rules.offers(here, here.state.phase, player)
