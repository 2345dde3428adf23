"""Recording what happens to the cards before one player."""

from collections.abc import Callable, Collection

from companion.engine.game import copy_with
from companion.game_api.corrections import PlayerRenamed
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.state import Build, BuildingSite, Contracts, Employed, Player, State
from companion.games.master_builder.rules.turns import read


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


def replaced(state: State, event: e.PlayerReplaced) -> State:
    """Let somebody else sit there."""
    owner = state.player(event.player)
    return state.with_player(copy_with(owner, name=event.name, sitter=owner.sitter + 1))


def rename(state: State, event: PlayerRenamed) -> State:
    """Call a player otherwise."""
    return state.with_player(copy_with(state.player(event.player), name=event.name))


# Recording the banker's corrections of cards and of the turn.


def worker(state: State, event: e.WorkerCorrected) -> State:
    """Put a worker to a player, or to the supply; whoever had hired him in has him no more."""
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
    phase = state.phase if event.moment is None else read(event.moment)
    turned = tuple(card for card in state.turned_events if card != event.returned)
    return copy_with(state, round=event.round, start=event.start, phase=phase, turned_events=turned)
