"""The phase that is on: its rules, what follows unasked, its offers, and how a phase begins anew."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.engine.game import Offer, Refused
from companion.game_api.messages import Command, Event
from companion.game_api.seating import require_player
from companion.games.master_builder.rules.phases import build, contracts, event_cards, hire, income
from companion.games.master_builder.rules.state import (
    ECONOMY_DECK,
    FIRST_LAPS,
    Build,
    Contracts,
    Events,
    Finished,
    GamePosition,
    Hire,
    Income,
    Phase,
    PhaseName,
    State,
)


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


# How a phase begins when the banker, and not the phase before it, says so.


def begin_anew(state: State, aim: State, phase: PhaseName) -> Phase:
    """Return a phase as it begins in the round and with the start player of ``aim``.

    ``state`` is what the table had until now: contracts still to be turned up stay due, an event in hand is to
    be turned again, and nobody pays the same wages twice, as long as round and phase are the same.  Phase 1 of round 1
    is over, and phase 2 begins, once everybody has a worker for each lap.
    """
    was = state.phase if state.round == aim.round else None
    match phase:
        case "hire":
            opportunity = first_opportunity(aim)
            return _contracts(aim, was) if opportunity.used else opportunity
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


def first_opportunity(state: State) -> Hire:
    """Return phase 1 as it begins; in round 1 with the lap that the crews have come to, its end if they are whole."""
    if state.round > 1:
        return Hire(state.start, 1, hire.laps(state.rules))
    crews = {player.id: len(player.crew) for player in state.players}
    lap = 1 + min(crews.values())
    if lap > FIRST_LAPS:
        return Hire(hire.lap_order(state, FIRST_LAPS)[-1], FIRST_LAPS, FIRST_LAPS, used=True)
    player = next(player for player in hire.lap_order(state, lap) if crews[player] < lap)
    return Hire(player, lap, FIRST_LAPS)


def passes_over(state: State, begun: Hire) -> bool:
    """Return whether hiring that begins so in round 1 must pass players over, or somebody would hire a sixth worker.

    Else everybody before the first player has a worker for this lap, and everybody from there on has one fewer.
    """
    if state.round > 1 or begun.used:
        return False
    order = hire.lap_order(state, begun.lap)
    due = {player: begun.lap - (place >= order.index(begun.player)) for place, player in enumerate(order)}
    return any(len(state.player(player).crew) != due[player] for player in order)


def _contracts(aim: State, was: Phase | None) -> Contracts:
    """Begin phase 2; cards that this round has turned up already are not due again."""
    if isinstance(was, Contracts):
        return replace(was, declined=(), auction=None, raised=False)
    begun = hire.contracts_phase(aim)
    if aim.round == 1:
        due = max(0, begun.reveal_due - len(aim.seen))
        return Contracts(economy_due=False, reveal_due=min(due, aim.deck))
    turned = ECONOMY_DECK - aim.economy
    return Contracts(economy_due=begun.economy_due and turned < aim.round - 1, reveal_due=0)
