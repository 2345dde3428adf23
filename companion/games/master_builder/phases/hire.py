"""Phase 1: hire and fire.

Round 1: five laps in which everybody hires one worker.  Later: three opportunities each, one act at a time,
clockwise (ruling D02).  Nobody hires past a wage total of 30,000 (D06).
"""

from companion.engine.errors import Refused
from companion.engine.offers import Offer, OneOf
from companion.games.master_builder.commands import Command, FireWorker, HireWorker, Pass
from companion.games.master_builder.events import (
    ContractsPhaseBegan,
    Event,
    OpportunityCame,
    OpportunityLapsed,
    OpportunityPassed,
    WorkerFired,
    WorkerHired,
)
from companion.games.master_builder.guards import WAGE_LIMIT, turn_of, worker_card
from companion.games.master_builder.state import Here, Hire, Player, State

FIRST_LAPS = 5
LAPS = 3


def waits(here: Here, phase: Hire) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say whom the table waits for, and which commands would move the game on."""
    if here.state.round == 1:
        return (phase.player,), ("hire_worker",)
    return (phase.player,), ("hire_worker", "fire_worker", "pass")


def decide(here: Here, phase: Hire, command: Command) -> list[Event]:
    """Let the player whose opportunity it is hire, fire or pass."""
    state = here.state
    match command:
        case HireWorker(player, worker):
            turn_of(player, (phase.player,))
            return [_hired(state, state.player(player), worker)]
        case FireWorker(player, worker):
            turn_of(player, (phase.player,))
            return [_fired(state, state.player(player), worker)]
        case Pass(player, rest):
            turn_of(player, (phase.player,))
            if state.round == 1:
                raise Refused("no_pass_in_round_1", player=player)
            return [OpportunityPassed(player, rest)]
        case _:
            raise Refused("not_in_this_phase", phase="hire")


def _hired(state: State, player: Player, worker: str) -> WorkerHired:
    card = worker_card(state, worker)
    employer = state.employer(worker)
    if employer is not None:
        raise Refused("worker_taken", card=worker, owner=employer.id)
    total = player.wages + card.wage
    if total > WAGE_LIMIT or player.wages >= WAGE_LIMIT:
        raise Refused("wage_limit", player=player.id, wages=total, limit=WAGE_LIMIT)
    return WorkerHired(player.id, worker, card.wage)


def _fired(state: State, player: Player, worker: str) -> WorkerFired:
    worker_card(state, worker)
    if state.round == 1:
        raise Refused("no_firing_in_round_1", player=player.id)
    if not player.employs(worker):
        raise Refused("not_your_worker", player=player.id, card=worker)
    return WorkerFired(player.id, worker)


def hireable(state: State, player: Player) -> tuple[str, ...]:
    """List the workers in the supply whom a player may hire."""
    room = WAGE_LIMIT - player.wages
    employed = {worker.id for one in state.players for worker in one.crew}
    if room <= 0:
        return ()
    return tuple(card.id for card in state.catalog.workers if card.id not in employed and card.wage <= room)


def follow_up(here: Here, phase: Hire) -> list[Event]:
    """Pass the opportunity on, or begin phase 2."""
    state = here.state
    if not phase.used:
        if state.round == 1 and not hireable(state, state.player(phase.player)):
            return [OpportunityLapsed(phase.player)]
        return []
    order = state.turn_order
    place = (phase.lap - 1) * len(order) + order.index(phase.player) + 1
    for turn in range(place, phase.laps * len(order)):
        player = order[turn % len(order)]
        if player not in phase.rested:
            return [OpportunityCame(player, turn // len(order) + 1)]
    return [contracts_phase(state)]


def contracts_phase(state: State) -> ContractsPhaseBegan:
    """Say what phase 2 begins with: round 1 shows one contract more than players, later the economy says."""
    if state.round == 1:
        return ContractsPhaseBegan(economy_due=False, reveal_due=min(state.deck, len(state.players) + 1))
    left = state.deck > 0 or bool(state.display)
    return ContractsPhaseBegan(economy_due=left and state.economy > 0, reveal_due=0)


def offers(here: Here, phase: Hire, player: str) -> list[Offer]:
    """Offer hiring, firing and passing to the player whose opportunity it is."""
    if player != phase.player:
        return []
    one = here.state.player(player)
    possible: list[Offer] = []
    supply = hireable(here.state, one)
    if supply:
        possible.append(Offer("hire_worker", player, fields=(("worker", OneOf(supply)),)))
    if here.state.round == 1:
        return possible
    if one.crew:
        crew = tuple(worker.id for worker in one.crew)
        possible.append(Offer("fire_worker", player, fields=(("worker", OneOf(crew)),)))
    possible.append(Offer("pass", player))
    if phase.lap < phase.laps:
        possible.append(Offer("pass", player, given=(("rest", True),)))
    return possible
