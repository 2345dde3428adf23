"""Whom a bot of middle strength hires and fires: a balanced first crew, then whoever raises more sections."""

from companion.engine.game import Offer
from companion.games.master_builder.advice.planning import best_plan
from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.turn import Turn
from companion.games.master_builder.rules.catalog import RANK, WorkerType
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.effects import unfinished
from companion.games.master_builder.rules.guards import WAGE_LIMIT, worker_card

FIRST_CREW: tuple[WorkerType, ...] = ("F", "MC", "T", "A", "T")
DEAREST_CREW = 22_000
"""He does not hire beyond this wage total: two rounds of it are about what a building brings."""
POOREST = 10_000
"""So much he always trusts himself to find for wages."""


def first_hire(turn: Turn, offer: Offer, wishes: tuple[WorkerType, ...] = FIRST_CREW) -> Command:
    """Hire for a crew that can do a little of everything; whoever comes, where the wished for are gone."""
    visible = turn.to_hire(offer)
    employed = [worker_card(turn.state, worker.id).type for worker in turn.me.crew]
    for wanted in wishes:
        if wanted in employed:
            employed.remove(wanted)
        elif turn.tops.get(wanted) in visible:
            return taking(offer, worker=turn.tops[wanted])
    return taking(offer, worker=visible[0])


def later_hire(turn: Turn) -> Command | None:
    """Hire who adds most to the best plan, or fire who adds nothing; ``None``: neither."""
    hiring, firing = turn.offer("hire_worker"), turn.offer("fire_worker")
    best = _most_useful(turn, turn.to_hire(hiring) if hiring else ())
    if hiring is not None and best is not None:
        return taking(hiring, worker=best)
    idle = _idle(turn)
    return taking(firing, worker=idle) if firing is not None and idle is not None else None


def _most_useful(turn: Turn, visible: tuple[str, ...]) -> str | None:
    now = len(best_plan(turn.here, turn.player))
    best: tuple[int, int, str] | None = None
    for worker in visible:
        card = worker_card(turn.state, worker)
        gain = len(best_plan(turn.here, turn.player, ((RANK[card.type], worker),))) - now
        affordable = turn.me.wages + card.wage <= min(WAGE_LIMIT, DEAREST_CREW, max(turn.cash, POOREST))
        if gain > 0 and affordable and (best is None or (gain, -card.wage) > best[:2]):
            best = (gain, -card.wage, worker)
    return best[2] if best else None


def _idle(turn: Turn) -> str | None:
    """Name the dearest worker who has nothing to do this round, where there is no contract left to win."""
    nothing_to_win = turn.state.deck == 0 and not turn.state.display
    if turn.rounds > 1 and not (nothing_to_win and not unfinished(turn.me)):
        return None
    busy = {worker for job in best_plan(turn.here, turn.player) for worker in job.workers}
    idle = [worker for worker in turn.me.crew if worker.id not in busy and worker.due]
    return max(idle, key=lambda worker: (worker.due, worker.id)).id if idle else None
