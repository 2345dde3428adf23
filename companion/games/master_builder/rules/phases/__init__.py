"""The phase that is on: its rules, what follows unasked, and its offers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.engine.game import Offer, Refused
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_player
from companion.games.master_builder.rules.phases import build, contracts, event_cards, hire, income
from companion.games.master_builder.rules.state import Build, Contracts, Events, GamePosition, Hire, Income


@dataclass(frozen=True, slots=True)
class PhaseRules:
    """The functions of one phase; each takes the position and the phase, which is of the phase's own type."""

    waits: Callable[[GamePosition, Any], tuple[tuple[str, ...], tuple[str, ...]]]
    decide: Callable[[GamePosition, Any, Command], Sequence[Event]]
    follow_up: Callable[[GamePosition, Any], Sequence[Event]]
    offers: Callable[[GamePosition, Any, str], Sequence[Offer]]


RULES: Mapping[type, PhaseRules] = {
    Hire: PhaseRules(hire.waits, hire.decide, hire.follow_up, hire.offers),
    Contracts: PhaseRules(contracts.waits, contracts.decide, contracts.follow_up, contracts.offers),
    Events: PhaseRules(event_cards.waits, event_cards.decide, event_cards.follow_up, event_cards.offers),
    Build: PhaseRules(build.waits, build.decide, build.follow_up, build.offers),
    Income: PhaseRules(income.waits, income.decide, income.follow_up, income.offers),
}
"""The rules by type of phase; a game that is over has none."""


def waits(position: GamePosition) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return whom the table waits for, and which commands would move the game on."""
    rules = RULES.get(type(position.state.phase))
    return ((), ()) if rules is None else rules.waits(position, position.state.phase)


def decide(position: GamePosition, command: Command) -> Sequence[Event]:
    """Return the events by which the phase that is on answers a command; raise ``Refused``."""
    player = getattr(command, "player", None)
    if player is not None:
        require_player(position.state, player)
    rules = RULES.get(type(position.state.phase))
    if rules is None:
        raise Refused("game_over")
    return rules.decide(position, position.state.phase, command)


def follow_up(position: GamePosition) -> Sequence[Event]:
    """Return what the phase that is on leads to unasked."""
    rules = RULES.get(type(position.state.phase))
    return () if rules is None else rules.follow_up(position, position.state.phase)


def offers(position: GamePosition, player: str) -> Sequence[Offer]:
    """Return what the phase that is on lets a player do."""
    rules = RULES.get(type(position.state.phase))
    return () if rules is None else rules.offers(position, position.state.phase, player)
