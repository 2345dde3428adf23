"""The best that a crew can build in one phase, exact whatever the contracts and regulations, and what a player needs.

A plan is better when it brings in more money at once, then when it makes more progress, then when that is on
dearer buildings, then when it ties up less competence.  Progress counts each section by its place in its
building, the first 1 and the sixth 6, so that what is nearly finished goes on first.

In the last round a plan is better when more money comes of it by the end: a finished building pays its price, less what
it would have paid unfinished, and each section adds to what an unfinished one pays.  Among such plans more money at
once, then more sections are better.  Loans that wages may force are left aside.

Exact because workers differ in rank only.  A crew suffices for a set of places if and only if for every rank
there are at least as many workers of that rank or above as places that ask for it, so all that matters of a
choice for one building is its worth and how many of each rank it asks for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

from typing_extensions import TypedDict

from companion.engine.game import Refused
from companion.game_api.seating import require_player, require_turn
from companion.games.master_builder.rules.building import (
    allowed_states,
    at_hand,
    regulations,
    section_names,
    team_of,
    too_early,
)
from companion.games.master_builder.rules.catalog import RANK, ContractCard
from companion.games.master_builder.rules.effects import ALL_SECTIONS, unfinished_sites
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.phases import build
from companion.games.master_builder.rules.scoring import pay_if_unfinished
from companion.games.master_builder.rules.state import (
    Build,
    BuildingSite,
    Finished,
    GamePosition,
    Job,
    State,
    contract_card,
    phase_name,
    worker_card,
)

RankedWorkers = tuple[tuple[int, str], ...]
"""Rank and id of each worker, least competent first."""
Demand = tuple[int, ...]
"""How many places ask for at least rank 1, 2, 3 and 4."""
Worth = tuple[int, int, int, int]
"""Money at once, progress, progress times price, and less the competence asked for: more is better.

In the last round: money by the end, money at once, sections, and less the competence asked for.
"""

MOST_PLANS = 2048
"""Plans that are kept: those of an evening; one takes about a kilobyte."""

MOST_NEEDS = 256
"""Needs that are kept: of some tables, each of its players with the lot and without."""

RANKS = tuple(sorted(RANK.values()))
NOTHING: Worth = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Goal:
    """Sections that could be added to a building, with their worth and the workers that they ask for."""

    card: ContractCard
    sections: tuple[str, ...]
    worth: Worth
    demand: Demand


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms, beside the building, on which a section is worth something: the rules, and whether a round follows."""

    rules: Rules = field(hash=False)
    is_last_round: bool


def best_plan(position: GamePosition, player: str, more: RankedWorkers = ()) -> tuple[Job, ...]:
    """Find the best plan for a player's workers that lie face up, and ``more`` of whom they only think."""
    state = position.state
    crew = tuple(sorted((*_at_hand(position, player), *more)))
    sites = sorted(unfinished_sites(state.player(player)), key=lambda site: site.contract)
    return _best_plan(crew, tuple((contract_card(state, site.contract), site.built) for site in sites), _terms(state))


@lru_cache(MOST_PLANS)
def _best_plan(
    crew: RankedWorkers, sites: tuple[tuple[ContractCard, tuple[str, ...]], ...], terms: Terms
) -> tuple[Job, ...]:
    """Find the best plan; cached, because every look ahead asks again, and few commands change an answer."""
    there = _demand(rank for rank, _ in crew)
    chosen: dict[Demand, tuple[Worth, tuple[Goal, ...]]] = {(0,) * len(RANKS): (NOTHING, ())}
    for card, built in sites:
        goals = [goal for goal in _goals(card, built, terms) if _suffices(there, goal.demand)]
        for demand, (worth, before) in list(chosen.items()):
            for goal in goals:
                needed = tuple(map(int.__add__, demand, goal.demand))
                if not _suffices(there, needed):
                    continue
                total = _sum(worth, goal.worth)
                if needed not in chosen or total > chosen[needed][0]:
                    chosen[needed] = (total, (*before, goal))
    _, goals_met = max(chosen.values(), key=lambda choice: choice[0])
    return _staffed(goals_met, crew)


def could_go_on(position: GamePosition, player: str, site: BuildingSite) -> bool:
    """Return whether a player's workers at hand could raise anything of a building, were it their only one."""
    there = _demand(rank for rank, _ in _at_hand(position, player))
    goals = _goals(contract_card(position.state, site.contract), site.built, _terms(position.state))
    return any(_suffices(there, goal.demand) for goal in goals)


def _terms(state: State) -> Terms:
    return Terms(state.rules, is_last_round=state.round >= state.last_round)


def _at_hand(position: GamePosition, player: str) -> Iterator[tuple[int, str]]:
    """Return rank and id of everybody who may work for a player."""
    for worker in at_hand(position.state, position.state.player(player)):
        yield RANK[worker_card(position.state, worker).type], worker


def _demand(ranks: Iterable[int]) -> Demand:
    """Count how many are of at least each rank."""
    each = tuple(ranks)
    return tuple(sum(rank >= least for rank in each) for least in RANKS)


def _suffices(there: Demand, needed: Demand) -> bool:
    return all(have >= need for have, need in zip(there, needed, strict=True))


def _sum(first: Worth, other: Worth) -> Worth:
    return first[0] + other[0], first[1] + other[1], first[2] + other[2], first[3] + other[3]


@lru_cache(MOST_PLANS)
def _goals(card: ContractCard, built: tuple[str, ...], terms: Terms) -> tuple[Goal, ...]:
    """Return what could be added to a building so that it stays sound."""
    rules, before = terms.rules, frozenset(built)
    goals: list[Goal] = []
    for after in allowed_states(card.kind, regulations(rules)):
        new = tuple(sorted(after - before))
        if not new or not after > before:
            continue
        if rules.roof_timing == "next_phase" and too_early(built, new):
            continue
        ranks = [RANK[code] for section in new for code in team_of(card, section)]
        goals.append(Goal(card, new, _worth(terms, card, len(built), len(after), sum(ranks)), _demand(ranks)))
    return tuple(goals)


def _worth(terms: Terms, card: ContractCard, before: int, after: int, ranks: int) -> Worth:
    done = card.price if after == ALL_SECTIONS else 0
    if terms.is_last_round:
        paid_then, paid_now = (pay_if_unfinished(terms.rules, card, sections) for sections in (after, before))
        return (done or paid_then) - paid_now, done, after - before, -ranks
    progress = sum(range(before + 1, after + 1))
    return done, progress, progress * card.price, -ranks


def _staffed(goals: tuple[Goal, ...], crew: RankedWorkers) -> tuple[Job, ...]:
    """Put workers who suffice on sections: the least competent who can, most demanding place first."""
    wanted = [(goal.card, section) for goal in goals for section in goal.sections]
    places = sorted(
        ((RANK[code], number) for number, (card, section) in enumerate(wanted) for code in team_of(card, section)),
        reverse=True,
    )
    free = list(crew)
    teams: dict[int, list[str]] = {}
    for rank, number in places:
        index = next(index for index, (have, _) in enumerate(free) if have >= rank)
        teams.setdefault(number, []).append(free.pop(index)[1])
    return tuple(
        sorted(
            (Job(card.id, section, tuple(sorted(teams[number]))) for number, (card, section) in enumerate(wanted)),
            key=lambda job: (job.contract, job.section),
        )
    )


# The best plan as advice to one player: what it earns, what it does to each of their contracts, and why not more.

PlanEffect = Literal["finishes", "continues", "begins", "others_first", "no_team"]


@dataclass(frozen=True, slots=True)
class Reason:
    """The effect of a plan on a contract: ``sections`` raised, the number ``left``, the price if it is paid."""

    why: PlanEffect
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


def suggestion(position: GamePosition, player: str) -> Suggestion:
    """Advise a player who may plan now; ``Refused`` to anybody who may not."""
    state = position.state
    player_state = require_player(state, player)
    if isinstance(state.phase, Finished):
        raise Refused("game_over")
    if not isinstance(state.phase, Build):
        raise Refused("not_in_this_phase", phase=phase_name(state.phase))
    if state.rules.plans == "open":
        require_turn(player, build.waits(position, state.phase)[0])
    jobs = best_plan(position, player)
    reasons = tuple(_reason(position, player, site, jobs) for site in unfinished_sites(player_state))
    busy = {worker for job in jobs for worker in job.workers}
    idle = tuple(worker for worker in at_hand(state, player_state) if worker not in busy)
    return Suggestion(player, jobs, sum(reason.price for reason in reasons), reasons, idle)


def _reason(position: GamePosition, player: str, site: BuildingSite, jobs: tuple[Job, ...]) -> Reason:
    state = position.state
    new = tuple(job.section for job in jobs if job.contract == site.contract)
    left = ALL_SECTIONS - len(site.built) - len(new)
    if new and not left:
        return Reason("finishes", site.contract, new, price=contract_card(state, site.contract).price)
    if new:
        return Reason("continues" if site.built else "begins", site.contract, new, left)
    return Reason("others_first" if could_go_on(position, player, site) else "no_team", site.contract, left=left)


# Needs: the workers that contracts ask for, and the work that each worker more would get done.

ONE_MORE = "one more"
"""Stands for a worker of whom somebody only thinks."""


@dataclass(frozen=True, slots=True)
class CrewOutput:
    """The work of a crew in this round: the number of sections, and the contracts that it finishes."""

    sections: int
    finished: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Needs:
    """``wants``: by contract, how many workers of each type its open sections ask for, the highest type first.

    ``now``: what the crew gets done as it is; ``then``: with one worker more, by the worker's type.
    """

    player: str
    wants: Mapping[str, Mapping[str, int]]
    now: CrewOutput
    then: Mapping[str, CrewOutput]


class ContractWantsJson(TypedDict, closed=True):
    """How many workers of each type a contract still asks for."""

    contract: str
    wants: dict[str, Any]


class CrewOutputJson(TypedDict, closed=True):
    """Work that is done in a round."""

    sections: int
    finished: list[str]


class NeedsJson(TypedDict):
    """Needs of a player, as the description of the interface has them."""

    player: str
    contracts: list[ContractWantsJson]
    now: CrewOutputJson
    then: dict[str, CrewOutputJson]


def needs(position: GamePosition, player: str, contract: str | None = None) -> Needs:
    """Return what a player needs; ``contract`` is one to be counted as theirs.  ``Refused``: no such contract."""
    state = position.state
    if all(other.id != player for other in state.players):
        raise Refused("unknown_player", player=player)
    if contract is not None:
        position = replace(position, state=_with(state, player, contract))
    sites = sorted(unfinished_sites(position.state.player(player)), key=lambda site: site.contract)
    then = {kind: _done(position, player, best_plan(position, player, ((rank, ONE_MORE),))) for kind, rank in _types()}
    wants = {site.contract: _wanted(position.state, site) for site in sites}
    return Needs(player, wants, _done(position, player, best_plan(position, player)), then)


def needs_view(position: GamePosition, player: str, contract: str | None) -> NeedsJson:
    """Return the needs of a player as JSON."""
    state = position.state
    phase = state.phase if isinstance(state.phase, Build) else None
    crew = require_player(state, player)
    counts = id(crew), id(phase), id(state.rules), id(state.catalog), state.round >= state.last_round
    return needs_of(NeedsQuestion(player, contract, counts, position))


@dataclass(frozen=True, slots=True)
class NeedsQuestion:
    """All that a player's needs depend on; no bid changes any of it.

    ``counts``: the identities of what of ``position`` counts.  They cannot be those of anything else as long as the
    position is kept beside them.
    """

    player: str
    contract: str | None
    counts: tuple[int, ...]
    position: GamePosition = field(compare=False)


@lru_cache(MOST_NEEDS)
def needs_of(question: NeedsQuestion) -> NeedsJson:
    """Return needs as JSON; kept, because every page of every bid of an auction asks for them.  Nobody changes them."""
    player_needs = needs(question.position, question.player, question.contract)
    return {
        "player": question.player,
        "contracts": [{"contract": card, "wants": dict(wants)} for card, wants in player_needs.wants.items()],
        "now": _written(player_needs.now),
        "then": {kind: _written(done) for kind, done in player_needs.then.items()},
    }


def _written(done: CrewOutput) -> CrewOutputJson:
    return {"sections": done.sections, "finished": list(done.finished)}


def _types() -> list[tuple[str, int]]:
    return sorted(RANK.items(), key=lambda ranked: -ranked[1])


def _with(state: State, player: str, contract: str) -> State:
    if all(card.id != contract for card in state.catalog.contracts):
        raise Refused("unknown_card", card=contract)
    player_state = state.player(player)
    site_cards = {site.contract for site in player_state.sites}
    return (
        state
        if contract in site_cards
        else state.with_player(replace(player_state, sites=(*player_state.sites, BuildingSite(contract))))
    )


def _wanted(state: State, site: BuildingSite) -> dict[str, int]:
    card = contract_card(state, site.contract)
    open_ones = [section for section in section_names(card.kind) if section not in site.built]
    asked = Counter(code for section in open_ones for code in team_of(card, section))
    return {kind: asked[kind] for kind, _ in _types() if asked[kind]}


def _done(position: GamePosition, player: str, plan: tuple[Job, ...]) -> CrewOutput:
    coming = Counter(job.contract for job in plan)
    built = {site.contract: len(site.built) for site in position.state.player(player).sites}
    return CrewOutput(len(plan), tuple(card for card in coming if built[card] + coming[card] == ALL_SECTIONS))
