"""What the rounds to come bring in and cost one player, if he goes on with the workers and contracts that he has."""

from dataclasses import dataclass, replace

from companion.engine.ledger import contract_account
from companion.games.master_builder.advice.planning import best_plan
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.guards import contract_card
from companion.games.master_builder.rules.phases.income import wages_due
from companion.games.master_builder.rules.reckoning import unfinished_pay
from companion.games.master_builder.rules.state import (
    LAST_ROUND,
    Build,
    BuildingSite,
    Contracts,
    Finished,
    Here,
    Hire,
    Income,
    Job,
    Player,
    State,
)


@dataclass(frozen=True, slots=True)
class Price:
    """A building that will be finished, and what it pays."""

    contract: str
    amount: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """One income phase to come: prices in, wages out."""

    round: int
    prices: tuple[Price, ...]
    wages: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """All income phases to come, and what would then be paid for what is not finished."""

    settlements: tuple[Settlement, ...]
    unfinished: int


def prospect(here: Here, player: str, bought: tuple[str, ...] = (), *, in_confidence: bool = False) -> Prospect:
    """Play the building and income phases to come for one player alone.

    ``bought``: contracts that he will have before he builds next.  ``in_confidence``: build this round what he
    has locked in secret; otherwise a secret plan is not looked at.
    """
    state = here.state
    last = last_round(here, bought)
    one = state.player(player)
    one = replace(one, sites=(*one.sites, *(BuildingSite(contract) for contract in bought)))
    found: list[Settlement] = []
    for number in _rounds_to_come(state, player, last):
        if number > state.round:
            one = _rested(one)
            state = replace(state, round=number, phase=Build())
        state = replace(state, last_round=last).with_player(one)
        if not isinstance(state.phase, Income):
            plan = _locked(state, player, in_confidence=in_confidence)
            one = _after(one, best_plan(replace(here, state=state), player) if plan is None else plan)
        one, prices = _paid(state, one)
        found.append(Settlement(number, prices, wages_due(state.rules, one)))
    return Prospect(tuple(found), unfinished_pay(state, one))


def last_round(here: Here, bought: tuple[str, ...] = ()) -> int:
    """Say which round is the last as far as is certain: as fixed, or as the contracts there fix it (D41).

    With the deck empty, a contract that has lain there before is bought or removed when phase 2 closes, and one
    that has not, a round later; then one more round is played.
    """
    state = here.state
    left = set(state.display) - set(bought)
    if state.end_found or state.deck or (not state.rules.removed_counts_for_end and (state.removed or left)):
        return state.last_round
    if left and state.rules.unsold == "keep_forever":
        return state.last_round
    new = any(not here.ledger.balance(contract_account(contract)) for contract in left)
    closed = not isinstance(state.phase, Hire | Contracts)
    return min(LAST_ROUND, state.round + 1 + (closed or new))


def _rounds_to_come(state: State, player: str, last: int) -> range:
    """List the rounds whose wages this player has still to pay."""
    phase = state.phase
    over = isinstance(phase, Income) and any(wages.player == player for wages in phase.paid)
    return range(0) if isinstance(phase, Finished) else range(state.round + over, last + 1)


def _rested(one: Player) -> Player:
    """Begin another round: all face up, and what was for the last round only forgotten."""
    return replace(one, crew=tuple(replace(worker, face_up=True, extra=0) for worker in one.crew))


def _locked(state: State, player: str, *, in_confidence: bool) -> tuple[Job, ...] | None:
    """Give the plan that a player has locked, where it may be told."""
    if not isinstance(state.phase, Build) or (state.rules.plans == "secret" and not in_confidence):
        return None
    return next((plan.work for plan in state.phase.plans if plan.player == player), None)


def _after(one: Player, plan: tuple[Job, ...]) -> Player:
    """Raise the sections of a plan."""
    new = {site.contract: tuple(job.section for job in plan if job.contract == site.contract) for site in one.sites}
    sites = tuple(replace(site, built=tuple(sorted(site.built + new[site.contract]))) for site in one.sites)
    return replace(one, sites=sites)


def _paid(state: State, one: Player) -> tuple[Player, tuple[Price, ...]]:
    """Take the price of every building that is finished."""
    done = [site.contract for site in one.sites if len(site.built) == ALL_SECTIONS]
    prices = tuple(Price(contract, contract_card(state, contract).price) for contract in done)
    return replace(one, sites=tuple(site for site in one.sites if site.contract not in done)), prices
