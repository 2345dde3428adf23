"""The allowed states of houses and city walls, and the teams that can raise a section.

A house begins with a wall and a gable, its roof waits for all four; a city wall is two stretches, the first
complete before the second begins, each beginning with its wall and one side.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from companion.engine.game import Refused
from companion.games.master_builder.rules.catalog import (
    HOUSE_SECTIONS,
    RANK,
    WALL_SECTIONS,
    ContractCard,
    ContractKind,
)
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import (
    Build,
    BuildingSite,
    Job,
    Player,
    State,
    Work,
    contract_card,
    worker_card,
)

WALLS = frozenset({"wall-1", "wall-2"})
GABLES = frozenset({"gable-1", "gable-2"})
ROOFS = frozenset({"roof-1", "roof-2"})
STRETCHES = (frozenset({"wall-1", "side-1a", "side-1b"}), frozenset({"wall-2", "side-2a", "side-2b"}))


@dataclass(frozen=True, slots=True)
class Regulations:
    """The house rules on what may stand: both roofs or none (D30), the walls' order free (D31)."""

    roofs_together: bool = False
    walls_in_any_order: bool = False


AS_PRINTED = Regulations()


def regulations(rules: Rules) -> Regulations:
    """Return the regulations of a game."""
    return Regulations(rules.roof_pair == "together", rules.city_wall_order == "free")


def unsound(kind: ContractKind, built: Collection[str], by: Regulations = AS_PRINTED) -> str | None:
    """Return the building regulation that these sections break; ``None`` where they may stand so."""
    standing = frozenset(built)
    if kind == "house":
        return _unsound_house(standing, by)
    return _unsound_wall(standing, by)


def _unsound_house(standing: frozenset[str], by: Regulations) -> str | None:
    if standing and not (standing & WALLS and standing & GABLES):
        return "needs_wall_and_gable"
    if standing & ROOFS and not standing >= WALLS | GABLES:
        return "roof_needs_four_walls"
    if by.roofs_together and len(standing & ROOFS) == 1:
        return "roofs_together"
    return None


def _unsound_wall(standing: frozenset[str], by: Regulations) -> str | None:
    first, second = (standing & stretch for stretch in STRETCHES)
    if second and first != STRETCHES[0] and not by.walls_in_any_order:
        return "first_wall_first"
    for number, stretch in enumerate((first, second), start=1):
        if stretch and (f"wall-{number}" not in stretch or len(stretch) == 1):
            return "needs_wall_and_side"
    return None


def section_names(kind: ContractKind) -> tuple[str, ...]:
    """Return the six sections of a kind of building."""
    return HOUSE_SECTIONS if kind == "house" else WALL_SECTIONS


@cache
def allowed_states(kind: ContractKind, by: Regulations = AS_PRINTED) -> tuple[frozenset[str], ...]:
    """Enumerate every state in which a building may stand: as printed 13 for a house, 7 for a city wall."""
    names = section_names(kind)
    subsets = (frozenset(some) for size in range(len(names) + 1) for some in combinations(names, size))
    return tuple(state for state in subsets if unsound(kind, state, by) is None)


def team_fits(code: Iterable[str], team: Iterable[str]) -> bool:
    """Return whether a team of worker types can do a code: as many heads, each at least as competent."""
    needed = sorted(RANK[worker_type] for worker_type in code)
    there = sorted(RANK[worker] for worker in team)
    return len(needed) == len(there) and all(have >= need for have, need in zip(there, needed, strict=True))


def team_of(contract: ContractCard, section: str) -> tuple[str, ...]:
    """Return the code of one section."""
    return next(named_section.team for named_section in contract.sections if named_section.name == section)


# Whether a building plan may be carried out (rulings D25 to D31).


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
        _require_open_section(state, player, job)
        for worker in job.workers:
            _require_free_worker(state, player, worker, busy)
            busy.add(worker)
        _require_fitting_team(state, job)
    for contract in sorted({job.contract for job in work}):
        new = tuple(job.section for job in work if job.contract == contract)
        built = require_site(state, player, contract).built
        broken = unsound(contract_card(state, contract).kind, built + new, regulations(state.rules))
        if broken is None and state.rules.roof_timing == "next_phase":
            broken = too_early(built, new)
        if broken:
            raise Refused(broken, card=contract)


def too_early(built: tuple[str, ...], new: tuple[str, ...]) -> str | None:
    """House rule on the roof's time (D30): not before the phase after the four walls."""
    roof = ROOFS & set(new)
    return "roof_waits_a_phase" if roof and not set(built) >= WALLS | GABLES else None


def require_site(state: State, player: Player, contract: str) -> BuildingSite:
    """Return a player's unpaid contract; ``Refused`` where they have no such contract."""
    contract_card(state, contract)
    site = player.site(contract)
    if site is None:
        raise Refused("not_your_contract", player=player.id, card=contract)
    return site


def _require_open_section(state: State, player: Player, job: Job) -> None:
    site = require_site(state, player, job.contract)
    card = contract_card(state, job.contract)
    if job.section not in section_names(card.kind):
        raise Refused("no_such_section", card=job.contract, section=job.section)
    if job.section in site.built:
        raise Refused("built_already", card=job.contract, section=job.section)


def at_hand(state: State, player: Player) -> tuple[str, ...]:
    """List who may work for a player in this phase: their own face-up workers, less those lent, and those hired in."""
    lent = state.phase.lent if isinstance(state.phase, Build) else ()
    away = {loaned.worker for loaned in lent if loaned.owner == player.id}
    own = tuple(worker.id for worker in player.crew if worker.face_up and worker.id not in away)
    return own + tuple(loaned.worker for loaned in lent if loaned.borrower == player.id)


def _require_free_worker(state: State, player: Player, worker: str, busy: set[str]) -> None:
    worker_card(state, worker)
    if worker not in at_hand(state, player):
        employed = next((employed for employed in player.crew if employed.id == worker), None)
        if employed is None:
            raise Refused("not_your_worker", player=player.id, card=worker)
        raise Refused("worker_lent" if employed.face_up else "worker_face_down", card=worker)
    if worker in busy:
        raise Refused("worker_twice", card=worker)


def _require_fitting_team(state: State, job: Job) -> None:
    code = team_of(contract_card(state, job.contract), job.section)
    team = tuple(worker_card(state, worker).type for worker in job.workers)
    if not team_fits(code, team):
        raise Refused("team_does_not_fit", card=job.contract, section=job.section, code=code, team=team)
