"""Fold events into the state.  No rule is checked and no price looked up: events hold all figures."""

from collections.abc import Callable, Collection
from typing import Any

from companion.engine.game import Auction, copy_with
from companion.game_api.corrections import PlayerRenamed
from companion.game_api.messages import Event, common_fields
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.state import (
    Build,
    BuildingSite,
    Contracts,
    Earned,
    Employed,
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
    event_is_from_hand,
    phase_in,
    phase_of,
)

# What happens to the cards before one player


def employ(state: State, player: str, worker: str, wage: int) -> State:
    """Put a worker face up before a player."""
    owner = state.player(player)
    return state.with_player(copy_with(owner, crew=(*owner.crew, Employed(worker, wage))))


def release(state: State, player: str, workers: Collection[str]) -> State:
    """Remove workers from a player."""
    owner = state.player(player)
    return state.with_player(copy_with(owner, crew=tuple(worker for worker in owner.crew if worker.id not in workers)))


def _each_worker(owner: Player, change: Callable[[Employed], Employed]) -> Player:
    return copy_with(owner, crew=tuple(change(worker) for worker in owner.crew))


def turn_down(state: State, player: str, workers: Collection[str]) -> State:
    """Turn workers face down."""

    def down(worker: Employed) -> Employed:
        return copy_with(worker, face_up=False) if worker.id in workers else worker

    return state.with_player(_each_worker(state.player(player), down))


def turn_up(state: State) -> State:
    """Turn everybody's workers face up."""
    players = tuple(_each_worker(player, lambda worker: copy_with(worker, face_up=True)) for player in state.players)
    return copy_with(state, players=players)


def change_wages(state: State, event: e.WagesChanged) -> State:
    """Change wages for the round or for the game."""
    by_worker = {change.worker: change for change in event.changes}

    def changed(worker: Employed) -> Employed:
        change = by_worker.get(worker.id)
        return worker if change is None else copy_with(worker, wage=change.wage, extra=change.extra)

    return state.with_player(_each_worker(state.player(event.player), changed))


def lapse_wages(state: State) -> State:
    """Forget what was for the round only."""
    players = tuple(_each_worker(player, lambda worker: copy_with(worker, extra=0)) for player in state.players)
    return copy_with(state, players=players)


def open_site(state: State, player: str, contract: str) -> State:
    """Put a contract before a player."""
    owner = state.player(player)
    return state.with_player(copy_with(owner, sites=(*owner.sites, BuildingSite(contract))))


def _at_site(owner: Player, contract: str, change: Callable[[tuple[str, ...]], Collection[str]]) -> Player:
    sites = tuple(
        copy_with(site, built=tuple(sorted(change(site.built)))) if site.contract == contract else site
        for site in owner.sites
    )
    return copy_with(owner, sites=sites)


def build(state: State, event: e.SectionsBuilt) -> State:
    """Raise the sections of a plan."""
    owner = state.player(event.player)
    for job in event.work:
        owner = _at_site(owner, job.contract, frozenset((job.section,)).union)
    return state.with_player(owner)


def raze(state: State, event: e.SectionsRazed) -> State:
    """Remove sections."""
    owner = state.player(event.player)
    for razed in event.sites:
        owner = _at_site(owner, razed.contract, _without(razed.sections))
    return state.with_player(owner)


def _without(gone: Collection[str]) -> Callable[[tuple[str, ...]], Collection[str]]:
    return lambda built: set(built) - set(gone)


def complete(state: State, player: str, contract: str) -> State:
    """Move a paid building from the sites to the town."""
    owner = state.player(player)
    sites = tuple(site for site in owner.sites if site.contract != contract)
    return state.with_player(copy_with(owner, sites=sites, completed=(*owner.completed, contract)))


def lend(state: State, event: e.LoanTaken) -> State:
    """Hand out an IOU."""
    owner = state.player(event.player)
    if event.loan == "small":
        return state.with_player(copy_with(owner, small=owner.small + 1))
    return state.with_player(copy_with(owner, large=owner.large + 1))


def settle(state: State, event: e.LoanRepaid) -> State:
    """Remove an IOU."""
    owner = state.player(event.player)
    if event.loan == "small":
        return state.with_player(copy_with(owner, small=owner.small - 1))
    return state.with_player(copy_with(owner, large=owner.large - 1))


def replace_player(state: State, event: e.PlayerReplaced) -> State:
    """Seat another person in a player's place."""
    owner = state.player(event.player)
    return state.with_player(copy_with(owner, name=event.name, sitter=owner.sitter + 1))


def rename(state: State, event: PlayerRenamed) -> State:
    """Call a player otherwise."""
    return state.with_player(copy_with(state.player(event.player), name=event.name))


# Recording the banker's corrections of cards and of the turn.


def worker(state: State, event: e.WorkerCorrected) -> State:
    """Put a worker to a player, or to the supply; whoever had hired the worker in has lost them."""
    if isinstance(state.phase, Build):
        lent = tuple(loaned for loaned in state.phase.lent if loaned.worker != event.worker)
        state = copy_with(state, phase=copy_with(state.phase, lent=lent))
    owner = state.employer(event.worker)
    if owner is not None:
        state = release(state, owner.id, (event.worker,))
    if event.to in state.seats:
        state = employ(state, event.to, event.worker, event.wage)
    return state


def contract(state: State, event: e.ContractCorrected) -> State:
    """Put a contract to a player with what is built, or to a place without."""
    state, site, done = _lifted(state, event)
    if event.to == "deck":
        seen = tuple(card for card in state.seen if card != event.contract)
        return copy_with(state, deck=state.deck + 1, seen=seen)
    if event.to == "display":
        return copy_with(state, display=tuple(sorted((*state.display, event.contract))))
    if event.to == "removed":
        return copy_with(state, removed=tuple(sorted((*state.removed, event.contract))))
    receiver = state.player(event.to)
    if done:
        return state.with_player(copy_with(receiver, completed=(*receiver.completed, event.contract)))
    return state.with_player(copy_with(receiver, sites=(*receiver.sites, site)))


def _lifted(state: State, event: e.ContractCorrected) -> tuple[State, BuildingSite, bool]:
    card = event.contract
    site, done = BuildingSite(card), False
    if event.origin == "deck":
        return _drawn(state, card), site, done
    if event.origin == "display":
        state = copy_with(state, display=tuple(other for other in state.display if other != card))
    elif event.origin == "removed":
        state = copy_with(state, removed=tuple(other for other in state.removed if other != card))
    else:
        owner = state.player(event.origin)
        site, done = owner.site(card) or site, card in owner.completed
        sites = tuple(site for site in owner.sites if site.contract != card)
        completed = tuple(other for other in owner.completed if other != card)
        state = state.with_player(copy_with(owner, sites=sites, completed=completed))
    return state, site, done


def _drawn(state: State, card: str) -> State:
    """Remove an unseen card from the deck; no more can be due than is left there."""
    deck = state.deck - 1
    phase = state.phase
    if isinstance(phase, Contracts):
        phase = copy_with(phase, reveal_due=min(phase.reveal_due, deck))
    return copy_with(state, deck=deck, seen=(*state.seen, card), phase=phase)


def turn(state: State, event: e.TurnCorrected) -> State:
    """Be where the table is."""
    if event.wages_lapse:
        state = lapse_wages(state)
    phase = state.phase if event.moment is None else phase_in(event.moment)
    turned = tuple(card for card in state.turned_events if card != event.returned)
    if event.hand is not None:
        state = _in_hand(state, event.hand, 1)
    aim = copy_with(state, round=event.round, start=event.start, phase=phase, turned_events=turned)
    return copy_with(aim, laid=state.laid if event.round <= state.round else (), by_crews=event.by_crews)


def _in_hand(state: State, player: str, more: int) -> State:
    """Let a player hold more events, or fewer."""
    owner = state.player(player)
    return state.with_player(copy_with(owner, event_hand=owner.event_hand + more))


# Recording how a game begins: set up, or taken over.


def initial_state(event: e.GameStarted) -> State:
    """Set the table."""
    begun = common_fields(event, State)
    begun["players"] = tuple(Player(seat.id, seat.name, event_hand=event.event_hand) for seat in event.players)
    return State(**begun, start=event.first, phase=Hire(event.first, 1, event.laps), deck=event.contracts)


def taken_over(event: e.GameTakenOver) -> State:
    """Lay out what was entered."""
    begun = common_fields(event, State)
    begun["phase"] = phase_in(event.moment)
    state = State(**begun, laid=_laid_before(event))
    return copy_with(state, played_by=state.start if event_is_from_hand(state) else None)


def _laid_before(event: e.GameTakenOver) -> tuple[str, ...]:
    """Return what got its premium in the round under way: after phase 2 nothing older lies on display."""
    over = event.phase in ("events", "build", "income") and event.rules.unsold == "premium_then_remove"
    return tuple(place.by for place in event.on_contracts) if over else ()


# Fold any event, by its class.


def evolve(state: State | None, event: Event) -> State:
    """Fold one event into the state."""
    if isinstance(event, e.GameStarted):
        return initial_state(event)
    if isinstance(event, e.GameTakenOver):
        return taken_over(event)
    if state is None:
        message = f"{type(event).__name__} before GameStarted"
        raise ValueError(message)
    return RECORD[type(event)](state, event)


def _hired(state: State, event: e.WorkerHired) -> State:
    return _used(employ(state, event.player, event.worker, event.wage))


def _fired(state: State, event: e.WorkerFired) -> State:
    return _used(release(state, event.player, (event.worker,)))


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
    state = open_site(state, event.player, event.contract)
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
        state = _in_hand(state, state.start, -1)
    phase = Events(card=event.card, rest=event.order, drawn=phase_of(state, Events).drawn + 1)
    played_by = state.start if event.from_hand else None
    return copy_with(state, turned_events=turned, phase=phase, played_by=played_by)


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
    return _step(turn_down(state, event.player, event.workers), event.workers)


def _dismissed(state: State, event: e.WorkersDismissed) -> State:
    return _step(release(state, event.player, event.workers), event.workers)


def _wages(state: State, event: e.WagesChanged) -> State:
    hit = tuple(change.worker for change in event.changes)
    return _step(change_wages(state, event), hit)


def _razed(state: State, event: e.SectionsRazed) -> State:
    return _step(raze(state, event))


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
    state = complete(state, event.player, event.contract)
    return state.with_phase(copy_with(phase, earned=earned))


def _wages_paid(state: State, event: e.WagesPaid) -> State:
    phase = phase_of(state, Income)
    return state.with_phase(copy_with(phase, paid=(*phase.paid, WagesOf(event.player, event.amount))))


def _round(state: State, event: e.RoundBegan) -> State:
    state = lapse_wages(state)
    return copy_with(state, round=event.round, start=event.start, phase=Hire(event.start, 1, event.laps), laid=())


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
    e.PremiumLaid: lambda state, event: copy_with(state, laid=(*state.laid, event.contract)),
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
    e.SectionsBuilt: build,
    e.WorkersReturned: lambda state, _: turn_up(state),
    e.IncomePhaseBegan: lambda state, _: state.with_phase(Income()),
    e.PricePaid: _price,
    e.WagesPaid: _wages_paid,
    e.LoanTaken: lend,
    e.LoanRepaid: settle,
    e.RoundBegan: _round,
    e.GameEnded: _ended,
    e.MoneyCorrected: _counted,
    e.WorkerCorrected: worker,
    e.ContractCorrected: contract,
    e.TurnCorrected: turn,
    e.CashCounted: _counted,
    PlayerRenamed: rename,
    e.PlayerReplaced: replace_player,
}
