"""Who stands where: workers put on chosen sections, the least competent who suffices on each place."""

from collections.abc import Iterable

from companion.games.master_builder.rules.building import team_of
from companion.games.master_builder.rules.catalog import RANK, ContractCard
from companion.games.master_builder.rules.guards import worker_card
from companion.games.master_builder.rules.state import Job, State


def staffed(state: State, wanted: Iterable[tuple[ContractCard, str]], workers: Iterable[str]) -> tuple[Job, ...] | None:
    """Put workers on sections; ``None`` where they do not suffice.

    Exact, as workers differ in rank only: the most demanding place first, and for it the least who can do it.
    """
    free = sorted((RANK[worker_card(state, worker).type], worker) for worker in workers)
    sections = list(wanted)
    places = sorted(
        ((RANK[code], number) for number, (card, name) in enumerate(sections) for code in team_of(card, name)),
        reverse=True,
    )
    teams: dict[int, list[str]] = {}
    for rank, number in places:
        place = next((place for place, (have, _) in enumerate(free) if have >= rank), None)
        if place is None:
            return None
        teams.setdefault(number, []).append(free.pop(place)[1])
    return tuple(Job(card.id, name, tuple(sorted(teams[number]))) for number, (card, name) in enumerate(sections))
