"""The banker's hand on round, start player, phase and turn.

A phase that is named begins anew; one that is not goes on as it is, with another turn if need be.  Money that
has moved stays where it is.  A bid is no money yet, and what lies on a contract stays there.
"""

from dataclasses import replace

from companion.engine.errors import Refused
from companion.engine.game import Position
from companion.games.master_builder.rules.choosing import may_bid
from companion.games.master_builder.rules.commands import CorrectTurn
from companion.games.master_builder.rules.events import Event, GameEnded, PlanVoided, TurnCorrected, WorkersReturned
from companion.games.master_builder.rules.events.turn import CalledOff
from companion.games.master_builder.rules.evolve.dispatch import evolve
from companion.games.master_builder.rules.guards import reason_given, seated
from companion.games.master_builder.rules.moments import name_of, written
from companion.games.master_builder.rules.phases import current
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    Events,
    Finished,
    Here,
    Hire,
    Phase,
    PhaseName,
    State,
)
from companion.games.master_builder.rules.turns import begun_anew

WITH_WORKERS_DOWN = ("events", "build")
"""The phases in which workers may lie face down."""


def turn(here: Here, command: CorrectTurn) -> list[Event]:
    """Put round, start player, phase and turn to where the table is."""
    reason_given(command.reason)
    state = here.state
    aim = _aim(state, command)
    phase = _phase(state, aim, command.phase)
    wished = _wished(state, command)
    aim = aim.with_phase(phase)
    voided: tuple[str, ...] = ()
    if isinstance(phase, Build):
        voided = tuple(plan.player for plan in phase.plans if plan.player in wished)
    elif wished:
        aim = aim.with_phase(_turned_to(aim, _only(wished)))
    events = _events(here, aim, command, voided)
    if wished:
        _really_waits(here, events, wished)
    if aim == state and not voided:
        raise Refused("nothing_would_change")
    return events


def _aim(state: State, command: CorrectTurn) -> State:
    """Give the state with the round and the start player that are asked for."""
    start = state.start if command.start_player is None else seated(state, command.start_player).id
    number = state.round if command.round is None else command.round
    if not 1 <= number <= state.last_round:
        raise Refused("no_such_round", round=number, last=state.last_round)
    if isinstance(state.phase, Finished) and command.phase is None:
        raise Refused("name_the_phase")
    return replace(state, round=number, start=start)


def _phase(state: State, aim: State, named: PhaseName | None) -> Phase:
    """Begin the phase anew where it is named, had only just begun, or has other laws in round 1."""
    if named is not None:
        return begun_anew(state, aim, named)
    name = name_of(state.phase)
    just_begun = state.phase == begun_anew(state, state, name)
    other_laws = (state.round == 1) != (aim.round == 1) and isinstance(state.phase, Hire | Contracts)
    return begun_anew(state, aim, name) if just_begun or other_laws else state.phase


def _wished(state: State, command: CorrectTurn) -> tuple[str, ...]:
    wish = command.waiting_for
    named = () if wish is None else (wish,) if isinstance(wish, str) else wish
    return tuple(seated(state, player).id for player in named)


def _only(wished: tuple[str, ...]) -> str:
    """Give the one player who is named; in most phases the table cannot wait for more."""
    if len(wished) != 1:
        raise Refused("one_at_a_time")
    return wished[0]


def _turned_to(state: State, player: str) -> Phase:
    """Let it be a player's turn in the phase that is on, as far as that is for the banker to say."""
    match state.phase:
        case Hire() as phase:
            if phase.player == player and phase.looked is None and player not in phase.rested:
                return phase
            rested = tuple(one for one in phase.rested if one != player)
            return replace(phase, player=player, rested=rested, used=False, passes=0, looked=None)
        case Contracts() as phase if phase.auction is not None:
            return _to_bid(state, phase, player)
        case Contracts() as phase if not phase.economy_due and not phase.reveal_due:
            before = state.turn_order[: state.turn_order.index(player)]
            after = tuple(one for one in phase.declined if one not in (*before, player))
            passed = player in phase.declined or not set(before) <= set(phase.declined)
            return replace(phase, declined=(*before, *after)) if passed else phase
        case Events() as phase if phase.card is not None and phase.player != player:
            return Events(phase.card, player, tuple(one for one in phase.rest if one != player), drawn=phase.drawn)
        case phase:
            return phase


def _to_bid(state: State, phase: Contracts, player: str) -> Phase:
    """Ask a player for his bid; who had left the auction by mistake is back in it."""
    auction = phase.auction
    if auction is None or player == auction.leader:
        raise Refused("leads_the_auction", player=player)
    if player not in auction.still_in and not may_bid(state, player):
        raise Refused("cannot_wait_for", player=player, phase="contracts")
    still_in = tuple(one for one in state.turn_order if one == player or one in auction.still_in)
    return replace(phase, auction=replace(auction, still_in=still_in, to_bid=player))


def _events(here: Here, aim: State, command: CorrectTurn, voided: tuple[str, ...]) -> list[Event]:
    state, name = here.state, name_of(aim.phase)
    ended = name == "finished"
    returned = state.phase.card if command.phase == "events" and isinstance(state.phase, Events) else None
    corrected = TurnCorrected(
        round=aim.round,
        start=aim.start,
        phase=name,
        waiting=current.waits(Position(_without(aim, voided), here.ledger))[0],
        moment=None if ended or aim.phase == state.phase else written(aim.phase),
        called_off=_called_off(state.phase, aim.phase),
        wages_lapse=command.phase is not None and aim.round != state.round,
        returned=returned,
        reason=command.reason,
    )
    face_down = any(not worker.face_up for one in state.players for worker in one.crew)
    back = [WorkersReturned()] if face_down and command.phase and name not in WITH_WORKERS_DOWN else []
    end = [GameEnded(aim.round)] if ended else []
    return [corrected, *map(PlanVoided, voided), *back, *end]


def _without(aim: State, voided: tuple[str, ...]) -> State:
    """Give the state once those plans are void, so that their players are waited for."""
    if not isinstance(aim.phase, Build):
        return aim
    kept = tuple(plan for plan in aim.phase.plans if plan.player not in voided)
    return aim.with_phase(replace(aim.phase, plans=kept))


def _called_off(was: Phase, now: Phase) -> CalledOff:
    """Say what half-done thing is not gone on with."""
    match was:
        case Contracts(auction=auction) if auction is not None:
            return "" if isinstance(now, Contracts) and now.auction is not None else "auction"
        case Events(card=card) if card is not None:
            return "" if isinstance(now, Events) and now.card is not None else "event"
        case Build(plans=plans) if plans:
            return "" if isinstance(now, Build) and now.plans else "plans"
        case _:
            return ""


def _really_waits(here: Here, events: list[Event], wished: tuple[str, ...]) -> None:
    """Check that the table would wait for those named, and not play on by itself at once."""
    state = here.state
    for event in events:
        state = evolve(state, event)
    there = Position(state, here.ledger)
    waiting, _ = current.waits(there)
    comes_to_him = isinstance(state.phase, Events) and state.phase.card is not None
    for player in wished:
        if player not in waiting or (not comes_to_him and current.follow_up(there)):
            raise Refused("cannot_wait_for", player=player, phase=name_of(state.phase))
