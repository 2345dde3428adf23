"""The best plan, against trying out everything."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from companion.engine.errors import Refused
from companion.games.master_builder import plans
from companion.games.master_builder.building import section_names, sound_states, team_fits, team_of
from companion.games.master_builder.catalog import RANK, ContractCard
from companion.games.master_builder.guards import contract_card, worker_card
from companion.games.master_builder.planning import best_plan
from companion.games.master_builder.state import BuildingSite, Employed, Here, Job
from tests.games.master_builder.decks import deck
from tests.scenario import Scenario

CONTRACTS = [card.id for card in deck().contracts]
WORKERS = [card.id for card in deck().workers]


@cache
def begun() -> Here:
    position = Scenario("blue", "yellow").table.position
    assert position is not None
    return position


def blue_with(crew: Sequence[Employed], sites: Sequence[BuildingSite]) -> Here:
    """Let blue hold just these workers and contracts."""
    state = begun().state
    return replace(
        begun(), state=state.with_player(replace(state.player("blue"), crew=tuple(crew), sites=tuple(sites)))
    )


@some.composite
def small_positions(draw: some.DrawFn) -> Here:
    """At most five workers, some of them face down, and at most two contracts with few sections open."""
    ids = draw(some.lists(some.sampled_from(WORKERS), max_size=5, unique=True))
    crew = [Employed(worker, 1_000, face_up=draw(some.sampled_from([True, True, True, False]))) for worker in ids]
    sites: list[BuildingSite] = []
    for contract in draw(some.lists(some.sampled_from(CONTRACTS), max_size=2, unique=True)):
        kind = contract_card(begun().state, contract).kind
        standing = draw(some.sampled_from([state for state in sound_states(kind) if len(state) >= 3 or not state]))
        sites.append(BuildingSite(contract, tuple(sorted(standing))))
    return blue_with(crew, sites)


def worth_of(here: Here, jobs: Sequence[Job]) -> tuple[int, int, int]:
    """Money at once, sections, and the competence asked for (less is better)."""
    done = ranks = 0
    for site in here.state.player("blue").sites:
        card = contract_card(here.state, site.contract)
        new = [job.section for job in jobs if job.contract == site.contract]
        done += card.price if new and len(site.built) + len(new) == 6 else 0
        ranks += sum(RANK[code] for section in new for code in team_of(card, section))
    return done, len(jobs), -ranks


def every_plan(here: Here) -> Iterator[tuple[Job, ...]]:
    """Try out every set of open sections with every team that suffices; soundness is left to the rules."""
    blue = here.state.player("blue")
    crew = [worker.id for worker in blue.crew if worker.face_up]
    places = [
        (card, section)
        for site in blue.sites
        if len(site.built) < 6
        for card in [contract_card(here.state, site.contract)]
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
            if team_fits(code, [worker_card(here.state, worker).type for worker in team]):
                left = [worker for worker in free if worker not in team]
                for more in on(further, left):
                    yield (Job(card.id, section, tuple(sorted(team))), *more)

    return on(places, crew)


def allowed(here: Here, jobs: tuple[Job, ...]) -> bool:
    try:
        plans.check(here.state, here.state.player("blue"), jobs)
    except Refused:
        return False
    return True


@settings(max_examples=60, deadline=None)
@given(small_positions())
def test_no_plan_is_better_than_the_best(here: Here) -> None:
    found = best_plan(here, "blue")

    assert allowed(here, found)
    assert worth_of(here, found) == max(worth_of(here, jobs) for jobs in every_plan(here) if allowed(here, jobs))


@settings(max_examples=60, deadline=None)
@given(small_positions(), some.sampled_from(WORKERS))
def test_one_worker_more_never_makes_it_worse(here: Here, worker: str) -> None:
    more = ((RANK[worker_card(here.state, worker).type], worker),)

    assert worth_of(here, best_plan(here, "blue", more))[:2] >= worth_of(here, best_plan(here, "blue"))[:2]


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


def test_with_more_sites_than_it_weighs_the_furthest_built_come_first() -> None:
    """Corrections may give a player more contracts than the rules would."""
    houses = [card.id for card in deck().contracts if card.kind == "house"][:5]
    sites = [BuildingSite(contract) for contract in houses]
    sites[4] = BuildingSite(houses[4], ("gable-1", "wall-1"))
    here = blue_with([Employed(worker, 1_000) for worker in WORKERS], sites)

    found = best_plan(here, "blue")

    assert allowed(here, found)
    assert houses[4] in {job.contract for job in found}
    assert len({job.contract for job in found}) <= 4


@pytest.mark.parametrize("kind", ["house", "city_wall"])
def test_every_sound_state_can_be_planned_from_nothing_with_workers_enough(kind: str) -> None:
    contract = next(card.id for card in deck().contracts if card.kind == kind)
    here = blue_with([Employed(worker, 1_000) for worker in WORKERS], [BuildingSite(contract)])

    assert len(best_plan(here, "blue")) == 6
    assert len(list(product(sound_states("house"), sound_states("city_wall")))) == 13 * 7
