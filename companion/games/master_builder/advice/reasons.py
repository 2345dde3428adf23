"""The best plan as advice to one player: what it earns, what it does to each of his contracts, and why not more."""

from dataclasses import dataclass
from typing import Literal

from companion.engine.errors import Refused
from companion.games.master_builder.advice.planning import best_plan, could_go_on
from companion.games.master_builder.rules.effects import ALL_SECTIONS, unfinished
from companion.games.master_builder.rules.guards import contract_card, seated, turn_of
from companion.games.master_builder.rules.moments import name_of
from companion.games.master_builder.rules.phases import build
from companion.games.master_builder.rules.plans import at_hand
from companion.games.master_builder.rules.state import Build, BuildingSite, Finished, Here, Job

Why = Literal["finishes", "continues", "begins", "others_first", "no_team"]


@dataclass(frozen=True, slots=True)
class Reason:
    """What a plan does to a contract: ``sections`` it raises, how many are ``left`` then, the price if it is paid."""

    why: Why
    contract: str
    sections: tuple[str, ...] = ()
    left: int = 0
    price: int = 0


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The best plan: what it brings in this round, a reason for each unfinished contract, who stays idle."""

    player: str
    jobs: tuple[Job, ...]
    earns: int
    reasons: tuple[Reason, ...]
    idle: tuple[str, ...]


def suggestion(here: Here, player: str) -> Suggestion:
    """Advise a player who may plan now; ``Refused`` to anybody who may not."""
    state = here.state
    one = seated(state, player)
    if isinstance(state.phase, Finished):
        raise Refused("game_over")
    if not isinstance(state.phase, Build):
        raise Refused("not_in_this_phase", phase=name_of(state.phase))
    if state.rules.plans == "open":
        turn_of(player, build.waits(here, state.phase)[0])
    jobs = best_plan(here, player)
    reasons = tuple(_reason(here, player, site, jobs) for site in unfinished(one))
    busy = {worker for job in jobs for worker in job.workers}
    idle = tuple(worker for worker in at_hand(state, one) if worker not in busy)
    return Suggestion(player, jobs, sum(reason.price for reason in reasons), reasons, idle)


def _reason(here: Here, player: str, site: BuildingSite, jobs: tuple[Job, ...]) -> Reason:
    state = here.state
    new = tuple(job.section for job in jobs if job.contract == site.contract)
    left = ALL_SECTIONS - len(site.built) - len(new)
    if new and not left:
        return Reason("finishes", site.contract, new, price=contract_card(state, site.contract).price)
    if new:
        return Reason("continues" if site.built else "begins", site.contract, new, left)
    return Reason("others_first" if could_go_on(here, player, site) else "no_team", site.contract, left=left)
