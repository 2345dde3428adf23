"""Recording the banker's corrections of cards and of the turn."""

from companion.engine.copying import copy_with
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.evolve.players import employ, lapse_wages, release
from companion.games.master_builder.rules.moments import read
from companion.games.master_builder.rules.state import Build, BuildingSite, Contracts, State


def worker(state: State, event: e.WorkerCorrected) -> State:
    """Put a worker to a player, or to the supply; whoever had hired him in has him no more."""
    if isinstance(state.phase, Build):
        lent = tuple(one for one in state.phase.lent if one.worker != event.worker)
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
    one = state.player(event.to)
    if done:
        return state.with_player(copy_with(one, completed=(*one.completed, event.contract)))
    return state.with_player(copy_with(one, sites=(*one.sites, site)))


def _lifted(state: State, event: e.ContractCorrected) -> tuple[State, BuildingSite, bool]:
    card = event.contract
    site, done = BuildingSite(card), False
    if event.origin == "deck":
        return _drawn(state, card), site, done
    if event.origin == "display":
        state = copy_with(state, display=tuple(one for one in state.display if one != card))
    elif event.origin == "removed":
        state = copy_with(state, removed=tuple(one for one in state.removed if one != card))
    else:
        owner = state.player(event.origin)
        site, done = owner.site(card) or site, card in owner.completed
        sites = tuple(one for one in owner.sites if one.contract != card)
        completed = tuple(one for one in owner.completed if one != card)
        state = state.with_player(copy_with(owner, sites=sites, completed=completed))
    return state, site, done


def _drawn(state: State, card: str) -> State:
    """Take an unseen card out of the deck; no more can be due than is left there."""
    deck = state.deck - 1
    phase = state.phase
    if isinstance(phase, Contracts):
        phase = copy_with(phase, reveal_due=min(phase.reveal_due, deck))
    return copy_with(state, deck=deck, seen=(*state.seen, card), phase=phase)


def turn(state: State, event: e.TurnCorrected) -> State:
    """Be where the table is."""
    if event.wages_lapse:
        state = lapse_wages(state)
    phase = state.phase if event.moment is None else read(event.moment)
    turned = tuple(card for card in state.turned_events if card != event.returned)
    return copy_with(state, round=event.round, start=event.start, phase=phase, turned_events=turned)
