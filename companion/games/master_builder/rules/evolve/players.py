"""Recording what happens to the cards before one player."""

from collections.abc import Callable, Collection

from companion.engine.copying import copy_with
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.state import BuildingSite, Employed, Player, State


def employ(state: State, player: str, worker: str, wage: int) -> State:
    """Put a worker face up before a player."""
    one = state.player(player)
    return state.with_player(copy_with(one, crew=(*one.crew, Employed(worker, wage))))


def release(state: State, player: str, workers: Collection[str]) -> State:
    """Take workers from a player."""
    one = state.player(player)
    return state.with_player(copy_with(one, crew=tuple(worker for worker in one.crew if worker.id not in workers)))


def _each_worker(one: Player, change: Callable[[Employed], Employed]) -> Player:
    return copy_with(one, crew=tuple(change(worker) for worker in one.crew))


def turn_down(state: State, player: str, workers: Collection[str]) -> State:
    """Turn workers face down."""

    def down(worker: Employed) -> Employed:
        return copy_with(worker, face_up=False) if worker.id in workers else worker

    return state.with_player(_each_worker(state.player(player), down))


def turn_up(state: State) -> State:
    """Turn everybody's workers face up."""
    players = tuple(_each_worker(one, lambda worker: copy_with(worker, face_up=True)) for one in state.players)
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
    players = tuple(_each_worker(one, lambda worker: copy_with(worker, extra=0)) for one in state.players)
    return copy_with(state, players=players)


def open_site(state: State, player: str, contract: str) -> State:
    """Put a contract before a player."""
    one = state.player(player)
    return state.with_player(copy_with(one, sites=(*one.sites, BuildingSite(contract))))


def _at_site(one: Player, contract: str, change: Callable[[tuple[str, ...]], Collection[str]]) -> Player:
    sites = tuple(
        copy_with(site, built=tuple(sorted(change(site.built)))) if site.contract == contract else site
        for site in one.sites
    )
    return copy_with(one, sites=sites)


def build(state: State, event: e.SectionsBuilt) -> State:
    """Raise the sections of a plan."""
    one = state.player(event.player)
    for job in event.work:
        one = _at_site(one, job.contract, frozenset((job.section,)).union)
    return state.with_player(one)


def raze(state: State, event: e.SectionsRazed) -> State:
    """Take sections down."""
    one = state.player(event.player)
    for razed in event.sites:
        one = _at_site(one, razed.contract, _without(razed.sections))
    return state.with_player(one)


def _without(gone: Collection[str]) -> Callable[[tuple[str, ...]], Collection[str]]:
    return lambda built: set(built) - set(gone)


def complete(state: State, player: str, contract: str) -> State:
    """Move a paid building from the sites to the town."""
    one = state.player(player)
    sites = tuple(site for site in one.sites if site.contract != contract)
    return state.with_player(copy_with(one, sites=sites, completed=(*one.completed, contract)))


def lend(state: State, event: e.LoanTaken) -> State:
    """Hand out an IOU."""
    one = state.player(event.player)
    if event.loan == "small":
        return state.with_player(copy_with(one, small=one.small + 1))
    return state.with_player(copy_with(one, large=one.large + 1))


def settle(state: State, event: e.LoanRepaid) -> State:
    """Take an IOU back."""
    one = state.player(event.player)
    if event.loan == "small":
        return state.with_player(copy_with(one, small=one.small - 1))
    return state.with_player(copy_with(one, large=one.large - 1))


def replaced(state: State, event: e.PlayerReplaced) -> State:
    """Let somebody else sit there."""
    one = state.player(event.player)
    return state.with_player(copy_with(one, name=event.name, sitter=one.sitter + 1))


def rename(state: State, event: e.PlayerRenamed) -> State:
    """Call a player otherwise."""
    return state.with_player(copy_with(state.player(event.player), name=event.name))
