"""Corrections, which the banker alone may make, at any moment of a game."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from companion.engine.game import Position, Refused
from companion.engine.ledger import BANK
from companion.game_api.corrections import PlayerRenamed, RenamePlayer, renamed, require_reason
from companion.game_api.messages import Event
from companion.game_api.seating import require_player
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules import phases
from companion.games.master_builder.rules.events import CalledOff
from companion.games.master_builder.rules.evolve import evolve
from companion.games.master_builder.rules.loans import bound_by_bid, leading_bid
from companion.games.master_builder.rules.phases.contracts import may_bid
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    Events,
    Finished,
    GamePosition,
    Hire,
    Phase,
    PhaseName,
    State,
    cash,
    contract_account,
    contract_card,
    moment_of,
    phase_name,
    validate_amount,
    worker_card,
)

# The banker's typed fixes: money, cards, counted cash, names. Possible at any moment, also after the end.

SUPPLY = "supply"
PLACES = ("display", "deck", "removed")


def correct_money(position: GamePosition, command: c.CorrectMoney) -> e.MoneyCorrected:
    """Move money between the bank and players; nobody below zero, no high bidder below their bid."""
    for side in (command.from_, command.to):
        if side != BANK:
            require_player(position.state, side)
    if command.from_ == command.to:
        raise Refused("same_account", account=command.from_)
    validate_amount(command.amount)
    if command.amount == 0:
        raise Refused("nothing_to_move")
    require_reason(command.reason)
    if command.from_ != BANK:
        player, amount, purse = command.from_, command.amount, cash(position, command.from_)
        kept = bound_by_bid(position, player)
        if kept > purse - amount:
            if kept:
                bid = leading_bid(position)
                raise Refused("bound_by_bid", player=player, amount=amount, cash=purse, bid=bid, kept=kept)
            raise Refused("cannot_pay", player=player, amount=amount, cash=purse, bid=0)
    return e.MoneyCorrected(command.from_, command.to, command.amount, command.reason)


def correct_card(position: GamePosition, command: c.CorrectCard) -> Event:
    """Put a worker or a contract to where it lies on the table."""
    require_reason(command.reason)
    if any(command.card == worker.id for worker in position.state.catalog.workers):
        return _worker(position.state, command)
    if any(command.card == contract.id for contract in position.state.catalog.contracts):
        return _contract(position, command)
    events, economy = position.state.catalog.events, position.state.catalog.economy
    if command.card in {*(event.id for event in events), *(situation.id for situation in economy)}:
        raise Refused("undo_instead", card=command.card)
    raise Refused("unknown_card", card=command.card)


def _worker(state: State, command: c.CorrectCard) -> e.WorkerCorrected:
    if command.to != SUPPLY and command.to not in state.seats:
        raise Refused("no_such_place", card=command.card, place=command.to)
    owner = state.employer(command.card)
    if command.to == (owner.id if owner else SUPPLY):
        raise Refused("lies_there_already", card=command.card, place=command.to)
    return e.WorkerCorrected(command.card, command.to, worker_card(state, command.card).wage, command.reason)


def place_of(state: State, contract: str) -> str:
    """Return where a contract lies: a player, ``display``, ``deck`` or ``removed``."""
    for player in state.players:
        if player.site(contract) or contract in player.completed:
            return player.id
    if contract in state.display:
        return "display"
    return "removed" if contract in state.removed else "deck"


def _contract(position: GamePosition, command: c.CorrectCard) -> e.ContractCorrected:
    state = position.state
    contract_card(state, command.card)
    if command.to not in PLACES and command.to not in state.seats:
        raise Refused("no_such_place", card=command.card, place=command.to)
    origin = place_of(state, command.card)
    if command.to == origin:
        raise Refused("lies_there_already", card=command.card, place=command.to)
    phase = state.phase
    if isinstance(phase, Contracts) and phase.auction is not None and phase.auction.lot == command.card:
        raise Refused("under_the_hammer", card=command.card)
    if origin == "deck" and state.deck == 0:
        raise Refused("deck_is_empty", card=command.card)
    premium = position.ledger.balance(contract_account(command.card))
    return e.ContractCorrected(command.card, origin, command.to, premium, command.reason)


def count_cash(position: GamePosition, command: c.CountCash) -> e.CashCounted:
    """Compare what a player holds with the books; moves nothing."""
    require_player(position.state, command.player)
    validate_amount(command.amount)
    booked = cash(position, command.player)
    secret = position.state.money_is_hidden
    return e.CashCounted(command.player, command.amount, booked, command.amount - booked, secret)


def rename_player(position: GamePosition, command: RenamePlayer) -> PlayerRenamed:
    """Call a player by another name."""
    return renamed(position.state.players, command.player, command.name)


def replace_player(position: GamePosition, command: c.ReplacePlayer) -> e.PlayerReplaced:
    """Let somebody else go on in a player's seat."""
    name = renamed(position.state.players, command.player, command.name).name
    return e.PlayerReplaced(command.player, name, position.state.player(command.player).name)


# The banker's hand on round, start player, phase and turn. A phase that is named begins anew; one that is not
# goes on as it is, with another turn if need be. Money that has moved stays where it is. A bid is no money yet,
# and what lies on a contract stays there.

WITH_WORKERS_DOWN = ("events", "build")
"""The phases in which workers may lie face down."""


def correct_turn(position: GamePosition, command: c.CorrectTurn) -> list[Event]:
    """Put round, start player, phase and turn to where the table is."""
    require_reason(command.reason)
    state = position.state
    aim = _aim(state, command)
    phase = _phase(state, aim, command.phase)
    if phase is not state.phase and isinstance(phase, Hire):
        aim = replace(aim, by_crews=phases.passes_over(aim, phase))
    wished = _wished(state, command)
    aim = aim.with_phase(phase)
    voided: tuple[str, ...] = ()
    if isinstance(phase, Build):
        voided = tuple(plan.player for plan in phase.plans if plan.player in wished)
    elif wished:
        aim = aim.with_phase(_turned_to(aim, _only(wished)))
    events = _events(position, aim, command, voided)
    if wished:
        _require_waiting(position, events, wished)
    if replace(aim, by_crews=state.by_crews) == state and not voided:
        raise Refused("nothing_would_change")
    return events


def _aim(state: State, command: c.CorrectTurn) -> State:
    """Return the state with the round and the start player that are asked for."""
    start = state.start if command.start_player is None else require_player(state, command.start_player).id
    number = state.round if command.round is None else command.round
    if not 1 <= number <= state.last_round:
        raise Refused("no_such_round", round=number, last=state.last_round)
    if isinstance(state.phase, Finished) and command.phase is None:
        raise Refused("name_the_phase")
    return replace(state, round=number, start=start)


def _phase(state: State, aim: State, named: PhaseName | None) -> Phase:
    """Begin the phase anew where it is named, had only just begun, or has other laws in round 1."""
    if named is not None:
        return phases.begin_anew(state, aim, named)
    name = phase_name(state.phase)
    just_begun = state.phase == phases.begin_anew(state, state, name)
    other_laws = (state.round == 1) != (aim.round == 1) and isinstance(state.phase, Hire | Contracts)
    return phases.begin_anew(state, aim, name) if just_begun or other_laws else state.phase


def _wished(state: State, command: c.CorrectTurn) -> tuple[str, ...]:
    wish = command.waiting_for
    named = () if wish is None else (wish,) if isinstance(wish, str) else wish
    return tuple(require_player(state, player).id for player in named)


def _only(wished: tuple[str, ...]) -> str:
    """Return the one player who is named; in most phases the table cannot wait for more."""
    if len(wished) != 1:
        raise Refused("one_at_a_time")
    return wished[0]


def _turned_to(state: State, player: str) -> Phase:
    """Make it a player's turn in the present phase, as far as the banker may decide that."""
    match state.phase:
        case Hire() as phase:
            if phases.hire.is_full(state, player):
                raise Refused("cannot_wait_for", player=player, phase="hire")
            if phase.player == player and phase.looked is None and player not in phase.rested:
                return phase
            rested = tuple(other for other in phase.rested if other != player)
            return replace(phase, player=player, rested=rested, used=False, passes=0, looked=None)
        case Contracts() as phase if phase.auction is not None:
            return _to_bid(state, phase, player)
        case Contracts() as phase if not phase.economy_due and not phase.reveal_due:
            before = state.turn_order[: state.turn_order.index(player)]
            after = tuple(other for other in phase.declined if other not in (*before, player))
            passed = player in phase.declined or not set(before) <= set(phase.declined)
            return replace(phase, declined=(*before, *after)) if passed else phase
        case Events() as phase if phase.card is not None and phase.player != player:
            return Events(
                phase.card, player, tuple(other for other in phase.rest if other != player), drawn=phase.drawn
            )
        case phase:
            return phase


def _to_bid(state: State, phase: Contracts, player: str) -> Phase:
    """Ask a player for a bid; whoever had left the auction by mistake is back in it."""
    auction = phase.auction
    if auction is None or player == auction.leader:
        raise Refused("leads_the_auction", player=player)
    if player not in auction.still_in and not may_bid(state, player):
        raise Refused("cannot_wait_for", player=player, phase="contracts")
    still_in = tuple(bidder for bidder in state.turn_order if bidder == player or bidder in auction.still_in)
    return replace(phase, auction=replace(auction, still_in=still_in, to_bid=player))


def _events(position: GamePosition, aim: State, command: c.CorrectTurn, voided: tuple[str, ...]) -> list[Event]:
    state, name = position.state, phase_name(aim.phase)
    ended = name == "finished"
    there = Position(_without(aim, voided), position.ledger)
    goes_on = not command.waiting_for and phases.follow_up(there)  # by itself: the table waits for nobody yet
    returned = state.phase.card if command.phase == "events" and isinstance(state.phase, Events) else None
    corrected = e.TurnCorrected(
        round=aim.round,
        start=aim.start,
        phase=name,
        waiting=() if goes_on else phases.waits(there)[0],
        moment=None if ended or aim.phase == state.phase else moment_of(aim.phase),
        called_off=_called_off(state.phase, aim.phase),
        wages_lapse=command.phase is not None and aim.round != state.round,
        returned=returned,
        reason=command.reason,
        hand=state.played_by if returned is not None else None,
        by_crews=aim.by_crews,
    )
    face_down = any(not worker.face_up for player in state.players for worker in player.crew)
    back = [e.WorkersReturned()] if face_down and command.phase and name not in WITH_WORKERS_DOWN else []
    end = [e.GameEnded(aim.round)] if ended else []
    return [corrected, *map(e.PlanVoided, voided), *back, *end]


def _without(aim: State, voided: tuple[str, ...]) -> State:
    """Return the state once those plans are void, so that their players are waited for."""
    if not isinstance(aim.phase, Build):
        return aim
    kept = tuple(plan for plan in aim.phase.plans if plan.player not in voided)
    return aim.with_phase(replace(aim.phase, plans=kept))


def _called_off(was: Phase, now: Phase) -> CalledOff:
    """Return what half-done thing is not gone on with."""
    match was:
        case Contracts(auction=auction) if auction is not None:
            return "" if isinstance(now, Contracts) and now.auction is not None else "auction"
        case Events(card=card) if card is not None:
            return "" if isinstance(now, Events) and now.card is not None else "event"
        case Build(plans=plans) if plans:
            return "" if isinstance(now, Build) and now.plans else "plans"
        case _:
            return ""


def _require_waiting(position: GamePosition, events: list[Event], wished: tuple[str, ...]) -> None:
    """Check that the table would wait for those named, and not play on by itself at once."""
    state = position.state
    for event in events:
        state = evolve(state, event)
    there = Position(state, position.ledger)
    waiting, _ = phases.waits(there)
    comes_to_him = isinstance(state.phase, Events) and state.phase.card is not None
    for player in wished:
        if player not in waiting or (not comes_to_him and phases.follow_up(there)):
            raise Refused("cannot_wait_for", player=player, phase=phase_name(state.phase))


CORRECTIONS: Mapping[type, Callable[[GamePosition, Any], Event | list[Event]]] = {
    c.CorrectMoney: correct_money,
    c.CorrectCard: correct_card,
    c.CorrectTurn: correct_turn,
    c.CountCash: count_cash,
    RenamePlayer: rename_player,
    c.ReplacePlayer: replace_player,
}
"""How each is decided."""


def put_right(position: GamePosition, command: Any) -> list[Event]:
    """Put the books right, or the names; raises ``Refused``."""
    events = CORRECTIONS[type(command)](position, command)
    return events if isinstance(events, list) else [events]
