"""The best that a crew can build now: exact, by enumerating the sound states of every site.

A plan is better when it brings in more money at once, then when it raises more sections, then when it ties up
less competence.  Exact because workers differ in rank only: giving each place the least competent worker who
suffices, most demanding place first, finds a team whenever there is one.
"""

from itertools import product

from companion.games.master_builder.building import regulations, sound_states, team_of
from companion.games.master_builder.catalog import RANK, ContractCard
from companion.games.master_builder.effects import ALL_SECTIONS, unfinished
from companion.games.master_builder.guards import contract_card, worker_card
from companion.games.master_builder.plans import at_hand, too_early
from companion.games.master_builder.state import Here, Job, State

WIDEST = 4
"""How many sites are weighed against each other at once; further ones, the dearest last, are left alone."""

Crew = tuple[tuple[int, str], ...]
"""Rank and id of each worker, least competent first."""


def best_plan(here: Here, player: str, more: Crew = ()) -> tuple[Job, ...]:
    """Find the best plan for a player's workers that lie face up, and ``more`` of whom he only thinks."""
    one = here.state.player(player)
    own = ((RANK[worker_card(here.state, worker).type], worker) for worker in at_hand(here.state, one))
    crew = tuple(sorted((*own, *more)))
    sites = [(contract_card(here.state, site.contract), frozenset(site.built)) for site in unfinished(one)]
    sites.sort(key=lambda site: (-len(site[1]), -site[0].price))
    best: tuple[tuple[int, int, int], tuple[Job, ...]] = ((0, 0, 0), ())
    for goals in product(*(_goals(here.state, card, built) for card, built in sites[:WIDEST])):
        wanted = [(card, section) for (card, _), goal in zip(sites, goals, strict=False) for section in goal]
        done = sum(
            card.price
            for (card, built), goal in zip(sites, goals, strict=False)
            if goal and len(built) + len(goal) == ALL_SECTIONS
        )
        worth = (done, len(wanted), -sum(RANK[rank] for card, section in wanted for rank in team_of(card, section)))
        if worth > best[0]:
            jobs = _staffed(wanted, crew)
            if jobs is not None:
                best = (worth, jobs)
    return best[1]


def _goals(state: State, card: ContractCard, built: frozenset[str]) -> list[tuple[str, ...]]:
    """List what could be added to a building so that it stays sound, nothing among it."""
    sound = sound_states(card.kind, regulations(state.rules))
    goals = [tuple(sorted(after - built)) for after in sound if after >= built]
    if state.rules.roof_timing == "next_phase":
        return [goal for goal in goals if too_early(tuple(built), goal) is None]
    return goals


def _staffed(wanted: list[tuple[ContractCard, str]], crew: Crew) -> tuple[Job, ...] | None:
    """Put workers on sections; ``None`` where they do not suffice."""
    places = sorted(
        ((RANK[code], number) for number, (card, section) in enumerate(wanted) for code in team_of(card, section)),
        reverse=True,
    )
    free = list(crew)
    teams: dict[int, list[str]] = {}
    for rank, number in places:
        index = next((index for index, (have, _) in enumerate(free) if have >= rank), None)
        if index is None:
            return None
        teams.setdefault(number, []).append(free.pop(index)[1])
    return tuple(
        sorted(
            (Job(card.id, section, tuple(sorted(teams[number]))) for number, (card, section) in enumerate(wanted)),
            key=lambda job: (job.contract, job.section),
        )
    )
