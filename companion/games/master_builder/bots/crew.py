"""Whom a bot hires and fires: a balanced first crew, then whoever raises more sections than he costs."""

from companion.games.master_builder.bots.piles import Piles
from companion.games.master_builder.catalog import RANK, WorkerType
from companion.games.master_builder.commands import Command, FireWorker, HireWorker, Pass
from companion.games.master_builder.effects import unfinished
from companion.games.master_builder.guards import WAGE_LIMIT, cash, worker_card
from companion.games.master_builder.planning import best_plan
from companion.games.master_builder.state import Here, Player

FIRST_CREW: tuple[WorkerType, ...] = ("F", "MC", "T", "A", "T")
DEAREST_CREW = 22_000
"""A bot does not hire beyond this wage total: two rounds of it are about what a building brings."""


def first_hire(here: Here, player: str, piles: Piles) -> Command:
    """Hire for a crew that can do a little of everything."""
    one = here.state.player(player)
    tops = piles.on_top(here.state)
    employed = [worker_card(here.state, worker.id).type for worker in one.crew]
    for wanted in FIRST_CREW:
        if wanted in employed:
            employed.remove(wanted)
        elif wanted in tops:
            return HireWorker(player, tops[wanted])
    return HireWorker(player, next(iter(tops.values())))


def later_hire(here: Here, player: str, piles: Piles) -> Command:
    """Hire who adds most to the best plan, fire who adds nothing, or pass."""
    one = here.state.player(player)
    now = len(best_plan(here, player))
    best: tuple[int, int, str] | None = None
    for kind, worker in piles.on_top(here.state).items():
        wage = worker_card(here.state, worker).wage
        gain = len(best_plan(here, player, ((RANK[kind], worker),))) - now
        affordable = one.wages + wage <= min(WAGE_LIMIT, DEAREST_CREW, max(cash(here, player), 10_000))
        if gain > 0 and affordable and (best is None or (gain, -wage) > best[:2]):
            best = (gain, -wage, worker)
    if best is not None:
        return HireWorker(player, best[2])
    idle = _idle(here, one)
    return FireWorker(player, idle) if idle else Pass(player, rest=here.state.round > 1)


def _idle(here: Here, one: Player) -> str | None:
    """Name the dearest worker who has nothing to do this round, where there is no contract left to win."""
    last = here.state.round == here.state.last_round
    nothing_to_win = here.state.deck == 0 and not here.state.display
    if not one.crew or not (last or (nothing_to_win and not unfinished(one))):
        return None
    busy = {worker for job in best_plan(here, one.id) for worker in job.workers}
    idle = [worker for worker in one.crew if worker.id not in busy and worker.due]
    return max(idle, key=lambda worker: (worker.due, worker.id)).id if idle else None
