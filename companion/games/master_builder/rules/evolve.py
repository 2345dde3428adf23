"""Recording events: no rule, no price.  What an event says has happened, has happened."""

from collections.abc import Callable
from typing import Any

from companion.engine.game import Auction, copy_with
from companion.game_api.corrections import PlayerRenamed
from companion.game_api.messages import Event, common_fields
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules import evolve_players
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    Earned,
    Events,
    Finished,
    Hire,
    Income,
    Lent,
    Planned,
    Player,
    State,
    WagesOf,
    auction_of,
    phase_of,
)
from companion.games.master_builder.rules.turns import read

# Recording how a game begins: set up, or taken over.


def started(event: e.GameStarted) -> State:
    """Set the table."""
    begun = common_fields(event, State)
    begun["players"] = tuple(Player(seat.id, seat.name, event_hand=event.event_hand) for seat in event.players)
    return State(**begun, start=event.first, phase=Hire(event.first, 1, event.laps), deck=event.contracts)


def taken_over(event: e.GameTakenOver) -> State:
    """Lay out what was entered."""
    begun = common_fields(event, State)
    begun["phase"] = read(event.moment)
    return State(**begun)


def evolve(state: State | None, event: Event) -> State:
    """Fold one event into the state."""
    if isinstance(event, e.GameStarted):
        return started(event)
    if isinstance(event, e.GameTakenOver):
        return taken_over(event)
    if state is None:
        message = f"{type(event).__name__} before GameStarted"
        raise ValueError(message)
    return RECORD[type(event)](state, event)


def _hired(state: State, event: e.WorkerHired) -> State:
    return _used(evolve_players.employ(state, event.player, event.worker, event.wage))


def _fired(state: State, event: e.WorkerFired) -> State:
    return _used(evolve_players.release(state, event.player, (event.worker,)))


def _used(state: State) -> State:
    return state.with_phase(copy_with(phase_of(state, Hire), used=True, passes=0))


def _looked(state: State, event: e.PileLookedThrough) -> State:
    return state.with_phase(copy_with(phase_of(state, Hire), looked=event.type))


def _passed(state: State, event: e.OpportunityPassed) -> State:
    phase = phase_of(state, Hire)
    rested = (*phase.rested, event.player) if event.rest else phase.rested
    return state.with_phase(copy_with(phase, used=True, rested=rested, passes=phase.passes + 1))


def _lapsed(state: State, event: e.OpportunityLapsed) -> State:
    del event
    return _used(state)


def _came(state: State, event: e.OpportunityCame) -> State:
    return state.with_phase(
        copy_with(phase_of(state, Hire), player=event.player, lap=event.lap, used=False, looked=None)
    )


def _contracts_phase(state: State, event: e.ContractsPhaseBegan) -> State:
    return state.with_phase(Contracts(event.economy_due, event.reveal_due))


def _economy(state: State, event: e.EconomyTurned) -> State:
    phase = copy_with(phase_of(state, Contracts), economy_due=False, reveal_due=event.reveal_due)
    turned = (*state.turned_economy, event.card)
    return copy_with(state, phase=phase, economy=state.economy - 1, turned_economy=turned)


def _revealed(state: State, event: e.ContractsRevealed) -> State:
    phase = phase_of(state, Contracts)
    number = len(event.contracts)
    return copy_with(
        state,
        phase=copy_with(phase, reveal_due=phase.reveal_due - number),
        deck=state.deck - number,
        display=tuple(sorted(state.display + event.contracts)),
        seen=state.seen + event.contracts,
    )


def _declined(state: State, event: e.ChoiceDeclined) -> State:
    phase = phase_of(state, Contracts)
    return state.with_phase(copy_with(phase, declined=(*phase.declined, event.player)))


def _opened(state: State, event: e.AuctionOpened) -> State:
    auction = Auction.open(event.contract, event.bid, event.player, event.bidders)
    return state.with_phase(copy_with(phase_of(state, Contracts), auction=auction, raised=False))


def _raised(state: State, event: e.BidRaised) -> State:
    return state.with_phase(
        copy_with(phase_of(state, Contracts), auction=auction_of(state).with_bid(event.amount), raised=True)
    )


def _left(state: State, event: e.BidderLeft) -> State:
    return state.with_phase(copy_with(phase_of(state, Contracts), auction=auction_of(state).without(event.player)))


def _sold(state: State, event: e.ContractSold) -> State:
    state = evolve_players.open_site(state, event.player, event.contract)
    display = tuple(card for card in state.display if card != event.contract)
    return copy_with(state, display=display, phase=copy_with(phase_of(state, Contracts), auction=None))


def _removed(state: State, event: e.ContractRemoved) -> State:
    display = tuple(card for card in state.display if card != event.contract)
    return copy_with(state, display=display, removed=tuple(sorted((*state.removed, event.contract))))


def _last_round(state: State, event: e.LastRoundFixed) -> State:
    return copy_with(state, last_round=event.round, end_found=True)


def _event_turned(state: State, event: e.EventTurned) -> State:
    turned = (*state.turned_events, event.card)
    if event.from_hand:
        starter = state.player(state.start)
        state = state.with_player(copy_with(starter, event_hand=starter.event_hand - 1))
    drawn = phase_of(state, Events).drawn + 1
    return copy_with(state, turned_events=turned, phase=Events(card=event.card, rest=event.order, drawn=drawn))


def _next_event(state: State, event: e.NextEventDue) -> State:
    del event
    return state.with_phase(Events(drawn=phase_of(state, Events).drawn))


def _reached(state: State, event: e.EventReached) -> State:
    phase = phase_of(state, Events)
    rest = tuple(player for player in phase.rest if player != event.player)
    return state.with_phase(Events(phase.card, event.player, rest, drawn=phase.drawn))


def _step(state: State, hit: tuple[str, ...] = ()) -> State:
    phase = phase_of(state, Events)
    all_hit = phase.hit + tuple(worker for worker in hit if worker not in phase.hit)
    return state.with_phase(copy_with(phase, step=phase.step + 1, hit=all_hit))


def _unavailable(state: State, event: e.WorkersMadeUnavailable) -> State:
    return _step(evolve_players.turn_down(state, event.player, event.workers), event.workers)


def _dismissed(state: State, event: e.WorkersDismissed) -> State:
    return _step(evolve_players.release(state, event.player, event.workers), event.workers)


def _wages(state: State, event: e.WagesChanged) -> State:
    hit = tuple(change.worker for change in event.changes)
    return _step(evolve_players.change_wages(state, event), hit)


def _razed(state: State, event: e.SectionsRazed) -> State:
    return _step(evolve_players.raze(state, event))


def _other_effect(state: State, event: e.EventPaid | e.EventReceived | e.EffectLeftToBanker) -> State:
    del event
    return _step(state)


def _locked(state: State, event: e.PlanLocked) -> State:
    phase = phase_of(state, Build)
    plans = tuple(plan for plan in phase.plans if plan.player != event.player)
    return state.with_phase(copy_with(phase, plans=(*plans, Planned(event.player, event.work)), closed=True))


def _lent(state: State, event: e.WorkerLent) -> State:
    phase = phase_of(state, Build)
    return state.with_phase(copy_with(phase, lent=(*phase.lent, Lent(event.worker, event.owner, event.borrower))))


def _voided(state: State, event: e.PlanVoided) -> State:
    phase = phase_of(state, Build)
    plans = tuple(plan for plan in phase.plans if plan.player != event.player)
    return state.with_phase(copy_with(phase, plans=plans))


def _price(state: State, event: e.PricePaid) -> State:
    phase = phase_of(state, Income)
    earned = (*phase.earned, Earned(event.player, event.contract, event.price))
    state = evolve_players.complete(state, event.player, event.contract)
    return state.with_phase(copy_with(phase, earned=earned))


def _wages_paid(state: State, event: e.WagesPaid) -> State:
    phase = phase_of(state, Income)
    return state.with_phase(copy_with(phase, paid=(*phase.paid, WagesOf(event.player, event.amount))))


def _round(state: State, event: e.RoundBegan) -> State:
    state = evolve_players.lapse_wages(state)
    return copy_with(state, round=event.round, start=event.start, phase=Hire(event.start, 1, event.laps))


def _ended(state: State, event: e.GameEnded) -> State:
    del event
    return state.with_phase(Finished())


def _counted(state: State, event: e.CashCounted | e.MoneyCorrected) -> State:
    del event
    return state


RECORD: dict[type, Callable[[State, Any], State]] = {
    e.WorkerHired: _hired,
    e.WorkerFired: _fired,
    e.OpportunityPassed: _passed,
    e.PileLookedThrough: _looked,
    e.OpportunityLapsed: _lapsed,
    e.OpportunityCame: _came,
    e.ContractsPhaseBegan: _contracts_phase,
    e.EconomyTurned: _economy,
    e.ContractsRevealed: _revealed,
    e.ChoiceDeclined: _declined,
    e.ChoiceReturned: lambda state, _: state.with_phase(copy_with(phase_of(state, Contracts), declined=())),
    e.AuctionOpened: _opened,
    e.BidRaised: _raised,
    e.BidderLeft: _left,
    e.ContractSold: _sold,
    e.PremiumLaid: lambda state, _: state,
    e.ContractRemoved: _removed,
    e.LastRoundFixed: _last_round,
    e.EventsPhaseBegan: lambda state, _: state.with_phase(Events()),
    e.EventTurned: _event_turned,
    e.NextEventDue: _next_event,
    e.EventReached: _reached,
    e.WorkersMadeUnavailable: _unavailable,
    e.WorkersDismissed: _dismissed,
    e.WagesChanged: _wages,
    e.EventPaid: _other_effect,
    e.EventReceived: _other_effect,
    e.SectionsRazed: _razed,
    e.EffectLeftToBanker: _other_effect,
    e.BuildPhaseBegan: lambda state, _: state.with_phase(Build()),
    e.PlanLocked: _locked,
    e.WorkerLent: _lent,
    e.PlanVoided: _voided,
    e.SectionsBuilt: evolve_players.build,
    e.WorkersReturned: lambda state, _: evolve_players.turn_up(state),
    e.IncomePhaseBegan: lambda state, _: state.with_phase(Income()),
    e.PricePaid: _price,
    e.WagesPaid: _wages_paid,
    e.LoanTaken: evolve_players.lend,
    e.LoanRepaid: evolve_players.settle,
    e.RoundBegan: _round,
    e.GameEnded: _ended,
    e.MoneyCorrected: _counted,
    e.WorkerCorrected: evolve_players.worker,
    e.ContractCorrected: evolve_players.contract,
    e.TurnCorrected: evolve_players.turn,
    e.CashCounted: _counted,
    PlayerRenamed: evolve_players.rename,
    e.PlayerReplaced: evolve_players.replaced,
}
