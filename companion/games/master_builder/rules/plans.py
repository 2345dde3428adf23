"""Whether a building plan may be carried out (rulings D25 to D31)."""

from collections.abc import Mapping

from companion.engine.errors import Refused
from companion.games.master_builder.rules.building import (
    GABLES,
    ROOFS,
    WALLS,
    regulations,
    section_names,
    team_fits,
    team_of,
    unsound,
)
from companion.games.master_builder.rules.guards import contract_card, worker_card
from companion.games.master_builder.rules.state import Build, BuildingSite, Job, Player, State

Work = Mapping[str, Mapping[str, tuple[str, ...]]]


def jobs(work: Work) -> tuple[Job, ...]:
    """Put a plan's work into a fixed order."""
    return tuple(
        Job(contract, section, tuple(sorted(workers)))
        for contract, sections in sorted(work.items())
        for section, workers in sorted(sections.items())
    )


def check(state: State, player: Player, work: tuple[Job, ...]) -> None:
    """Raise ``Refused`` with the first reason why a plan is not possible."""
    busy: set[str] = set()
    for job in work:
        _section_is_open(state, player, job)
        for worker in job.workers:
            _worker_is_free(state, player, worker, busy)
            busy.add(worker)
        _team_fits(state, job)
    for contract in sorted({job.contract for job in work}):
        new = tuple(job.section for job in work if job.contract == contract)
        built = own_site(state, player, contract).built
        broken = unsound(contract_card(state, contract).kind, built + new, regulations(state.rules))
        if broken is None and state.rules.roof_timing == "next_phase":
            broken = too_early(built, new)
        if broken:
            raise Refused(broken, card=contract)


def too_early(built: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    """House rule on the roof's time (D30): not before the phase after the four walls."""
    roof = ROOFS & set(new)
    return "roof_waits_a_phase" if roof and not set(built) >= WALLS | GABLES else None


def own_site(state: State, player: Player, contract: str) -> BuildingSite:
    """Find a player's unpaid contract; ``Refused`` where he has no such one."""
    contract_card(state, contract)
    site = player.site(contract)
    if site is None:
        raise Refused("not_your_contract", player=player.id, card=contract)
    return site


def _section_is_open(state: State, player: Player, job: Job) -> None:
    site = own_site(state, player, job.contract)
    card = contract_card(state, job.contract)
    if job.section not in section_names(card.kind):
        raise Refused("no_such_section", card=job.contract, section=job.section)
    if job.section in site.built:
        raise Refused("built_already", card=job.contract, section=job.section)


def at_hand(state: State, player: Player) -> tuple[str, ...]:
    """List who may work for a player in this phase: his own who lie face up, less those lent, and those hired in."""
    lent = state.phase.lent if isinstance(state.phase, Build) else ()
    away = {one.worker for one in lent if one.owner == player.id}
    own = tuple(worker.id for worker in player.crew if worker.face_up and worker.id not in away)
    return own + tuple(one.worker for one in lent if one.borrower == player.id)


def _worker_is_free(state: State, player: Player, worker: str, busy: set[str]) -> None:
    worker_card(state, worker)
    if worker not in at_hand(state, player):
        employed = next((one for one in player.crew if one.id == worker), None)
        if employed is None:
            raise Refused("not_your_worker", player=player.id, card=worker)
        raise Refused("worker_lent" if employed.face_up else "worker_face_down", card=worker)
    if worker in busy:
        raise Refused("worker_twice", card=worker)


def _team_fits(state: State, job: Job) -> None:
    code = team_of(contract_card(state, job.contract), job.section)
    team = tuple(worker_card(state, worker).type for worker in job.workers)
    if not team_fits(code, team):
        raise Refused("team_does_not_fit", card=job.contract, section=job.section, code=code, team=team)
