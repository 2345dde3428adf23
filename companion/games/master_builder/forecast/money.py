"""A player's cash on its way through what is to come: every movement, the lowest point, the forced loans."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from companion.engine.game import copy_with
from companion.games.master_builder.advice import best_plan
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT, is_late, to_be_had
from companion.games.master_builder.rules.phases.income import wages_due
from companion.games.master_builder.rules.scoring import unfinished_pay
from companion.games.master_builder.rules.state import (
    LAST_ROUND,
    Build,
    BuildingSite,
    Contracts,
    Finished,
    GamePosition,
    Hire,
    Income,
    Job,
    Loan,
    Player,
    State,
    cash,
    contract_account,
    contract_card,
)

# What the rounds to come bring in and cost one player who goes on with the same workers and contracts.
# has.


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


MOST_PROSPECTS = 256
"""Prospects that are kept: of some tables, each of its players with the lot and without; one takes a kilobyte."""


@dataclass(frozen=True, slots=True)
class Outset:
    """All that a prospect depends on, which most commands leave as it was: in an auction no bid changes it.

    ``terms``: the identities of what of ``position`` counts: the player, phase, rules and cards.  They cannot be those
    of anything else as long as the position is kept beside them.
    """

    player: str
    bought: tuple[str, ...]
    in_confidence: bool
    round: int
    last: int
    terms: tuple[int, ...]
    position: GamePosition = field(compare=False)


def prospect(
    position: GamePosition, player: str, bought: tuple[str, ...] = (), *, in_confidence: bool = False
) -> Prospect:
    """Play the building and income phases to come for one player alone.

    ``bought``: contracts that they will have before they build next.  ``in_confidence``: build this round what they
    have locked in secret; otherwise a secret plan is not looked at.
    """
    state, last = position.state, last_round(position, bought)
    phase = state.phase if isinstance(state.phase, Build | Income | Finished) else None
    terms = id(phase), id(state.player(player)), id(state.rules), id(state.catalog)
    return play_on(Outset(player, bought, in_confidence, state.round, last, terms, position))


@lru_cache(MOST_PROSPECTS)
def play_on(outset: Outset) -> Prospect:
    """Return the prospect from an outset; kept, because every page of every bid of an auction asks for it."""
    position, player, bought, last = outset.position, outset.player, outset.bought, outset.last
    state = copy_with(position.state, last_round=last)
    player_state = state.player(player)
    if bought:
        sites = (*player_state.sites, *(BuildingSite(contract) for contract in bought))
        player_state = copy_with(player_state, sites=sites)
    settlements: list[Settlement] = []
    for number in _rounds_to_come(state, player, last):
        if number > state.round:
            player_state = _rested(player_state)
            state = copy_with(state, round=number, phase=Build())
        state = state.with_player(player_state)
        if not isinstance(state.phase, Income):
            plan = _locked(state, player, in_confidence=outset.in_confidence)
            player_state = _after(
                player_state, best_plan(copy_with(position, state=state), player) if plan is None else plan
            )
        player_state, prices = _paid(state, player_state)
        settlements.append(Settlement(number, prices, wages_due(state.rules, player_state)))
    return Prospect(tuple(settlements), unfinished_pay(state, player_state))


def last_round(position: GamePosition, bought: tuple[str, ...] = ()) -> int:
    """Return which round is the last as far as is certain: as fixed, or as the contracts there fix it (D41).

    With the deck empty, a contract that has lain there before is bought or removed when phase 2 closes, and one
    that has not, a round later; then one more round is played.
    """
    state = position.state
    left = set(state.display) - set(bought)
    if state.end_found or state.deck or (not state.rules.removed_counts_for_end and (state.removed or left)):
        return state.last_round
    if left and state.rules.unsold == "keep_forever":
        return state.last_round
    new = any(contract in state.laid or not position.ledger.balance(contract_account(contract)) for contract in left)
    closed = not isinstance(state.phase, Hire | Contracts)
    return min(LAST_ROUND, state.round + 1 + (closed or new))


def _rounds_to_come(state: State, player: str, last: int) -> range:
    """Return the rounds whose wages this player has still to pay."""
    phase = state.phase
    over = isinstance(phase, Income) and any(wages.player == player for wages in phase.paid)
    return range(0) if isinstance(phase, Finished) else range(state.round + over, last + 1)


def _rested(player_state: Player) -> Player:
    """Begin another round: all face up, and what was for the last round only forgotten."""
    crew = tuple(
        worker if worker.face_up and not worker.extra else copy_with(worker, face_up=True, extra=0)
        for worker in player_state.crew
    )
    return copy_with(player_state, crew=crew)


def _locked(state: State, player: str, *, in_confidence: bool) -> tuple[Job, ...] | None:
    """Return the plan that a player has locked, where it may be told."""
    if not isinstance(state.phase, Build) or (state.rules.plans == "secret" and not in_confidence):
        return None
    return next((plan.work for plan in state.phase.plans if plan.player == player), None)


def _after(player_state: Player, plan: tuple[Job, ...]) -> Player:
    """Raise the sections of a plan."""
    if not plan:
        return player_state
    new = {
        site.contract: tuple(job.section for job in plan if job.contract == site.contract)
        for site in player_state.sites
    }
    sites = tuple(copy_with(site, built=tuple(sorted(site.built + new[site.contract]))) for site in player_state.sites)
    return copy_with(player_state, sites=sites)


def _paid(state: State, player_state: Player) -> tuple[Player, tuple[Price, ...]]:
    """Return a player without finished buildings, and the prices of these."""
    done = [site.contract for site in player_state.sites if len(site.built) == ALL_SECTIONS]
    if not done:
        return player_state, ()
    prices = tuple(Price(contract, contract_card(state, contract).price) for contract in done)
    return copy_with(
        player_state, sites=tuple(site for site in player_state.sites if site.contract not in done)
    ), prices


MovementReason = Literal["contract", "premium", "price", "loan", "wages"]
TWO_SMALL = 2 * LENT["small"]
"""Up to this shortage Small loans are the cheapest, early and late; above it one Large loan at a time."""


@dataclass(frozen=True, slots=True)
class Movement:
    """Money that will move, and the cash after it; ``card`` is the contract, ``loan`` the kind of loan."""

    round: int
    phase: Literal["contracts", "income"]
    why: MovementReason
    amount: int
    cash: int
    card: str | None = None
    loan: Loan | None = None


@dataclass(frozen=True, slots=True)
class Low:
    """The least that a player will have until some moment: negative by what they would have to borrow.

    ``round``: when; ``small`` and ``large``: loans that would be forced on them until that moment.
    """

    cash: int
    round: int
    small: int = 0
    large: int = 0

    @property
    def short(self) -> int:
        """Return how much would be missing at the worst; 0: nothing."""
        return max(0, -self.cash)

    @property
    def forced(self) -> int:
        """Return how many loans would be forced."""
        return self.small + self.large


@dataclass(frozen=True, slots=True)
class Shortage:
    """Wages that cannot be paid without a loan."""

    round: int
    amount: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """A player's money to come.

    ``next``: until the next wages are paid (``None``: none are due any more); ``end``: until the game is over.
    ``short``: the first wages that force a loan (``None``: none do).  ``unfinished``: what the end pays for
    unfinished contracts.  ``owes_early`` and ``owes_late``: what all loans cost then; ``late`` says that the
    late rate is certain.  ``worth``: with it, else with the early one.
    """

    player: str
    cash: int
    movements: tuple[Movement, ...]
    next: Low | None
    end: Low
    short: Shortage | None
    unfinished: int
    owes_early: int
    owes_late: int
    late: bool
    worth: int


@dataclass(frozen=True, slots=True)
class Purchase:
    """A contract, what is paid for it, and what lies on it for the buyer."""

    contract: str
    amount: int
    premium: int


class CashProjection:
    """One player's cash on its way through what is to come."""

    def __init__(self, position: GamePosition, player: str) -> None:
        """Begin with the present cash."""
        self.before = position
        self.player = player
        self.state: State = position.state
        self.cash = cash(position, player)
        self.movements: list[Movement] = []
        self.low = Low(self.cash, position.state.round)
        self.short: Shortage | None = None

    def through(self, buying: Iterable[Purchase], seen: Prospect) -> Forecast:
        """Pay for what is bought, then live through every income phase."""
        for purchase in buying:
            self._buy(purchase)
        lows: list[Low] = []
        for settled in seen.settlements:
            for price in settled.prices:
                self._move(settled.round, "price", price.amount, card=price.contract)
            self._borrow(settled.round, settled.wages)
            self._move(settled.round, "wages", -settled.wages)
            lows.append(self.low)
        debtor = self.state.player(self.player)
        early = debtor.small * EARLY["small"] + debtor.large * EARLY["large"]
        late = debtor.small * LATE["small"] + debtor.large * LATE["large"]
        certain = is_late(self.state.with_phase(Finished()))
        return Forecast(
            player=self.player,
            cash=cash(self.before, self.player),
            movements=tuple(self.movements),
            next=lows[0] if lows else None,
            end=self.low,
            short=self.short,
            unfinished=seen.unfinished,
            owes_early=early,
            owes_late=late,
            late=certain,
            worth=self.cash + seen.unfinished - (late if certain else early),
        )

    def _buy(self, purchase: Purchase) -> None:
        """Pay the bid, then take what lay on the card; by house rule that helps to pay, so it comes first (D11)."""
        number = self.state.round
        paying: tuple[tuple[MovementReason, int], ...] = (("contract", -purchase.amount), ("premium", purchase.premium))
        for why, amount in reversed(paying) if self.state.rules.premium_funds_bid else paying:
            if amount:
                self._move(number, why, amount, card=purchase.contract)

    def _borrow(self, number: int, wages: int) -> None:
        """Borrow for the wages what the rules demand, the cheapest that the bank has."""
        self._sees(self.cash - wages, number)
        if self.cash < wages and self.short is None:
            self.short = Shortage(number, wages - self.cash)
        while self.cash < wages:
            kind: Loan = "small" if wages - self.cash <= TWO_SMALL else "large"
            loan = kind if kind in to_be_had(self.state) else to_be_had(self.state)[0]
            player_state = self.state.player(self.player)
            loans_now = {"small": player_state.small, "large": player_state.large}
            loans_now[loan] += 1
            self.state = self.state.with_player(
                copy_with(player_state, small=loans_now["small"], large=loans_now["large"])
            )
            self.low = copy_with(
                self.low, small=self.low.small + (loan == "small"), large=self.low.large + (loan == "large")
            )
            self._move(number, "loan", LENT[loan], loan=loan)

    def _move(
        self, number: int, why: MovementReason, amount: int, card: str | None = None, loan: Loan | None = None
    ) -> None:
        self.cash += amount
        phase: Literal["contracts", "income"] = "contracts" if why in {"contract", "premium"} else "income"
        self.movements.append(Movement(number, phase, why, amount, self.cash, card, loan))
        self._sees(self.cash, number)

    def _sees(self, money: int, number: int) -> None:
        if money < self.low.cash:
            self.low = copy_with(self.low, cash=money, round=number)
