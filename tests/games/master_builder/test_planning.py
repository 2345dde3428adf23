"""The best plan, against trying out everything."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from companion.engine.game import Refused
from companion.games.master_builder.advice import best_plan
from companion.games.master_builder.rules import building
from companion.games.master_builder.rules.building import allowed_states, section_names, team_fits, team_of
from companion.games.master_builder.rules.catalog import RANK, Catalog, ContractCard
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.state import (
    Build,
    BuildingSite,
    Employed,
    GamePosition,
    Job,
    Lent,
    contract_card,
    worker_card,
)
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario, workers_of

CONTRACTS = [card.id for card in deck().contracts]
WORKERS = [card.id for card in deck().workers]
BUILDING_RULES: dict[str, Sequence[str | bool]] = {
    "roof_timing": ("same_phase", "next_phase"),
    "roof_pair": ("separate", "together"),
    "city_wall_order": ("strict", "free"),
    "unstarted_pays": (True, False),
}


@cache
def begun() -> GamePosition:
    position = Scenario("blue", "yellow").table.position
    assert position is not None
    return position


def blue_with(crew: Sequence[Employed], sites: Sequence[BuildingSite], catalog: Catalog | None = None) -> GamePosition:
    """Let blue hold just these workers and contracts."""
    state = begun().state
    new_state = state.with_player(replace(state.player("blue"), crew=tuple(crew), sites=tuple(sites)))
    return replace(begun(), state=replace(new_state, catalog=catalog or new_state.catalog))


@some.composite
def small_positions(draw: some.DrawFn) -> GamePosition:
    """At most five workers, some face down, lent or hired in, at most two contracts, any rules and round."""
    ids = draw(some.lists(some.sampled_from(WORKERS), max_size=5, unique=True))
    crew = [Employed(worker, 1_000, face_up=draw(some.sampled_from([True, True, True, False]))) for worker in ids]
    sites: list[BuildingSite] = []
    for contract in draw(some.lists(some.sampled_from(CONTRACTS), max_size=2, unique=True)):
        kind = contract_card(begun().state, contract).kind
        standing = draw(some.sampled_from([state for state in allowed_states(kind) if len(state) >= 3 or not state]))
        sites.append(BuildingSite(contract, tuple(sorted(standing))))
    position = blue_with(crew, sites)
    rules = draw(some.builds(Rules, **{key: some.sampled_from(values) for key, values in BUILDING_RULES.items()}))
    away = tuple(Lent(worker.id, "blue", "yellow") for worker in crew[:1] if worker.face_up and draw(some.booleans()))
    spare = [worker for worker in WORKERS if worker not in ids][: draw(some.integers(0, 1))]
    hired = tuple(Lent(worker, "yellow", "blue") for worker in spare)
    phase = Build(lent=away + hired)
    return replace(
        position, state=replace(position.state, rules=rules, phase=phase, round=draw(some.sampled_from([3, 6])))
    )


def worth_of(position: GamePosition, jobs: Sequence[Job]) -> tuple[int, int, int, int]:
    """Money at once, progress, progress by price, and the competence asked for (less is better).

    In the last round: money by the end, money at once, sections, and the competence.
    """
    done = progress = dear = ranks = by_end = 0
    for site in position.state.player("blue").sites:
        card = contract_card(position.state, site.contract)
        new = [job.section for job in jobs if job.contract == site.contract]
        ranks += sum(RANK[code] for section in new for code in team_of(card, section))
        finished = bool(new) and len(site.built) + len(new) == 6
        done += card.price if finished else 0
        if position.state.round < 6:
            places = sum(range(len(site.built) + 1, len(site.built) + len(new) + 1))
            progress, dear = progress + places, dear + places * card.price
        else:
            dear += len(new)
            by_end += (card.price if finished else end_pay(position, site, new)) - end_pay(position, site, [])
    return (by_end, done, dear, -ranks) if position.state.round == 6 else (done, progress, dear, -ranks)


def end_pay(position: GamePosition, site: BuildingSite, new: Sequence[str]) -> int:
    """Return what an unfinished building would pay at the end, by the rules' own words."""
    if not site.built and not new and not position.state.rules.unstarted_pays:
        return 0
    missing = 6 - len(site.built) - len(new)
    return max(0, contract_card(position.state, site.contract).price - 20_000 * missing)


def every_plan(position: GamePosition) -> Iterator[tuple[Job, ...]]:
    """Try out every set of open sections with every team that suffices; soundness is left to the rules."""
    blue = position.state.player("blue")
    phase = position.state.phase
    lent = phase.lent if isinstance(phase, Build) else ()
    away, hired = (
        [loan.worker for loan in lent if loan.owner == "blue"],
        [loan.worker for loan in lent if loan.owner != "blue"],
    )
    crew = [worker.id for worker in blue.crew if worker.face_up and worker.id not in away] + hired
    places = [
        (card, section)
        for site in blue.sites
        if len(site.built) < 6
        for card in [contract_card(position.state, site.contract)]
        for section in section_names(card.kind)
        if section not in site.built
    ]

    def on(rest: Sequence[tuple[ContractCard, str]], free: Sequence[str]) -> Iterator[tuple[Job, ...]]:
        if not rest:
            yield ()
            return
        (card, section), *further = rest
        yield from on(further, free)
        code = team_of(card, section)
        for team in combinations(free, len(code)):
            if team_fits(code, [worker_card(position.state, worker).type for worker in team]):
                left = [worker for worker in free if worker not in team]
                for more in on(further, left):
                    yield (Job(card.id, section, tuple(sorted(team))), *more)

    return on(places, crew)


def allowed(position: GamePosition, jobs: tuple[Job, ...]) -> bool:
    try:
        building.check(position.state, position.state.player("blue"), jobs)
    except Refused:
        return False
    return True


@settings(max_examples=60, deadline=None)
@given(small_positions())
def test_no_plan_is_better_than_the_best(position: GamePosition) -> None:
    best = best_plan(position, "blue")

    assert allowed(position, best)
    assert worth_of(position, best) == max(
        worth_of(position, jobs) for jobs in every_plan(position) if allowed(position, jobs)
    )


@settings(max_examples=60, deadline=None)
@given(small_positions(), some.sampled_from(WORKERS))
def test_one_worker_more_never_makes_it_worse(position: GamePosition, worker: str) -> None:
    more = ((RANK[worker_card(position.state, worker).type], worker),)

    assert worth_of(position, best_plan(position, "blue", more)) >= worth_of(position, best_plan(position, "blue"))


def test_whoever_builds_nothing_plans_nothing() -> None:
    assert best_plan(blue_with([], []), "blue") == ()
    assert best_plan(blue_with([], [BuildingSite("C08")]), "blue") == ()


def test_workers_who_lie_face_down_are_not_planned_with() -> None:
    crew = [Employed(worker, 1_000, face_up=False) for worker in WORKERS]

    assert best_plan(blue_with(crew, [BuildingSite("C08")]), "blue") == ()


def test_a_building_that_pays_now_comes_before_many_sections_elsewhere() -> None:
    last = BuildingSite("C03", ("gable-1", "gable-2", "roof-1", "wall-1", "wall-2"))
    state = begun().state
    roof = team_of(contract_card(state, "C03"), "roof-2")
    crew = [next(card.id for card in deck().workers if card.type == "MC")] if len(roof) == 1 else WORKERS[: len(roof)]
    if not team_fits(roof, [worker_card(state, worker).type for worker in crew]):
        crew = [card.id for card in deck().workers if card.type == "MC"][: len(roof)]

    (job,) = best_plan(blue_with([Employed(worker, 1_000) for worker in crew], [BuildingSite("C08"), last]), "blue")

    assert (job.contract, job.section) == ("C03", "roof-2")


def test_what_is_nearly_finished_goes_on_before_something_new_is_begun() -> None:
    """Two sections either way: on a house that stands to the walls, or of a new one."""
    plain = {contract: {"sections": {"*": ("A",)}} for contract in ("C03", "C08")}
    walls = ("gable-1", "gable-2", "wall-1")
    position = blue_with(
        [Employed(card, 1_000) for card in workers_of("A")[:2]],
        [BuildingSite("C03"), BuildingSite("C08", walls)],
        catalog=deck(contracts=plain),
    )

    assert {job.contract for job in best_plan(position, "blue")} == {"C08"}


def test_in_the_last_round_progress_is_what_the_end_pays() -> None:
    """A section of the cheap house would bring it nothing, though it is further on."""
    plain: dict[str, Any] = {"sections": {"*": ("A",)}}
    figures = {"C03": {"price": 120_000}, "C08": {"price": 30_000}, "*": plain}
    sites = [BuildingSite("C03", ("gable-1", "wall-1")), BuildingSite("C08", ("gable-1", "gable-2", "wall-1"))]
    position = blue_with([Employed(workers_of("A")[0], 1_000)], sites, catalog=deck(contracts=figures))
    last = replace(position, state=replace(position.state, round=6))

    assert [job.contract for job in best_plan(position, "blue")] == ["C08"]
    assert [job.contract for job in best_plan(last, "blue")] == ["C03"]


def test_in_the_last_round_a_finished_building_brings_only_what_it_would_not_have_paid_unfinished() -> None:
    # given five sections of a house that pays 50,000 when finished and 30,000 else, and two houses that pay by section
    plain: dict[str, Any] = {"sections": {"*": ("A",), "roof-2": ("A", "A")}}
    figures = {"C03": {"price": 50_000}, "C08": {"price": 100_000}, "C09": {"price": 100_000}, "*": plain}
    begun_houses = [BuildingSite(card, ("gable-1", "wall-1")) for card in ("C08", "C09")]
    nearly = BuildingSite("C03", ("gable-1", "gable-2", "roof-1", "wall-1", "wall-2"))
    crew = [Employed(worker, 1_000) for worker in workers_of("A")[:2]]
    position = blue_with(crew, [nearly, *begun_houses], catalog=deck(contracts=figures))
    last = replace(position, state=replace(position.state, round=6))

    # then the two sections come first in the last round alone: 40,000 instead of 20,000 by the end
    assert [job.contract for job in best_plan(position, "blue")] == ["C03"]
    assert {job.contract for job in best_plan(last, "blue")} <= {"C08", "C09"}
    assert worth_of(last, best_plan(last, "blue"))[0] == 40_000


def test_however_many_contracts_there_are_all_are_weighed() -> None:
    """Corrections may give a player more contracts than the rules would."""
    standing = ("gable-1", "gable-2", "roof-1", "wall-1", "wall-2")
    houses = [card.id for card in deck().contracts if card.kind == "house"]
    position = blue_with(
        [Employed(worker, 1_000) for worker in WORKERS], [BuildingSite(house, standing) for house in houses]
    )

    best = best_plan(position, "blue")

    assert allowed(position, best)
    assert {job.contract for job in best} == set(houses)


def test_a_building_that_should_not_stand_so_is_left_alone() -> None:
    """A game taken over under other rules may hold one; the other buildings go on."""
    position = blue_with(
        [Employed(worker, 1_000) for worker in WORKERS],
        [BuildingSite("C08", ("gable-1", "gable-2", "roof-1")), BuildingSite("C03")],
    )

    assert allowed(position, best_plan(position, "blue"))
    assert "C03" in {job.contract for job in best_plan(position, "blue")}


@pytest.mark.parametrize("kind", ["house", "city_wall"])
def test_every_sound_state_can_be_planned_from_nothing_with_workers_enough(kind: str) -> None:
    contract = next(card.id for card in deck().contracts if card.kind == kind)
    position = blue_with([Employed(worker, 1_000) for worker in WORKERS], [BuildingSite(contract)])

    assert len(best_plan(position, "blue")) == 6
    assert len(list(product(allowed_states("house"), allowed_states("city_wall")))) == 13 * 7
