"""The input of a bot when the table waits for its player, and the commands that it answers with."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, cast

from companion.engine.game import NumberSource, Offer, OneOf
from companion.engine.ledger import Ledger, player_account
from companion.game_api.messages import Command, collect_messages, verb_of
from companion.games.master_builder.rules import commands
from companion.games.master_builder.rules.building import team_of
from companion.games.master_builder.rules.catalog import RANK, ContractCard, WorkerType
from companion.games.master_builder.rules.loans import LENT, price_of
from companion.games.master_builder.rules.phases.income import wages_due
from companion.games.master_builder.rules.state import (
    Build,
    Contracts,
    GamePosition,
    Income,
    Job,
    Player,
    State,
    Work,
    cash,
    contract_card,
    worker_card,
)

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class BotTurn:
    """A player's moment: the position as the player may know it, the offers, and the cards in view.

    ``tops``: the worker on top of each pile; ``hand``: the events that the player holds.
    """

    position: GamePosition
    player: str
    offers: tuple[Offer, ...]
    tops: Mapping[WorkerType, str]
    hand: tuple[str, ...]
    below: NumberSource

    @property
    def state(self) -> State:
        """The table."""
        return self.position.state

    @property
    def me(self) -> Player:
        """The player, as the position describes them."""
        return self.position.state.player(self.player)

    @property
    def cash(self) -> int:
        """Return the player's cash, in dollars."""
        return cash(self.position, self.player)

    @property
    def rounds(self) -> int:
        """Return how many rounds there are to go, this one included."""
        return self.state.last_round - self.state.round + 1

    def offer(self, do: str) -> Offer | None:
        """Find the player's first offer of this kind."""
        return next((offer for offer in self.offers if offer.do == do), None)

    def to_hire(self, offer: Offer) -> tuple[str, ...]:
        """List visible workers who may be hired; where none of them may be, the next one of a pile."""
        values = field_of(offer, "worker", OneOf).values
        if getattr(self.state.phase, "looked", None) is not None:
            return values  # the player has paid to see them all
        return tuple(worker for worker in self.tops.values() if worker in values) or values[:1]


Bot: TypeAlias = Callable[[BotTurn], Command]
"""Names one of the commands that were offered."""


def field_of(offer: Offer, name: str, kind: type[F]) -> F:
    """Find an open field of an offer."""
    return next(field for key, field in offer.fields if key == name and isinstance(field, kind))


def as_known_to(position: GamePosition, player: str) -> GamePosition:
    """Return a position without what a player may not know: secret plans of others, and their hidden money."""
    state, ledger = position.state, position.ledger
    if isinstance(state.phase, Build) and state.rules.plans == "secret":
        own = tuple(plan for plan in state.phase.plans if plan.player == player)
        state = state.with_phase(replace(state.phase, plans=own))
    if state.rules.money == "hidden":
        accounts_known = (player_account(player), "contract:")
        ledger = Ledger(tuple(balance for balance in ledger.balances if balance[0].startswith(accounts_known)))
    return replace(position, state=state, ledger=ledger)


# From an offer to a command.


MAKERS: dict[str, Callable[..., Command]] = {
    verb_of(kind): cast("Callable[..., Command]", kind) for kind in collect_messages(Command, commands)
}


def taking(offer: Offer, **chosen: Any) -> Command:
    """Return the command of an offer, its open fields filled with what was chosen."""
    player = {"player": offer.player} if offer.addressed else {}
    return MAKERS[offer.do](**player, **dict(offer.given), **chosen)


def work_of(jobs: Iterable[Job]) -> Work:
    """Write jobs as the field of a plan."""
    work: dict[str, dict[str, tuple[str, ...]]] = {}
    for job in jobs:
        work.setdefault(job.contract, {})[job.section] = job.workers
    return work


# What bots do alike where there is little to think about: pass, take a loan that cannot be avoided, pay it
# back.

PASS_ALL = ("rest", True)


def pass_command(turn: BotTurn) -> Command | None:
    """Pass, all the opportunities left if that is offered; ``None`` where nobody may pass."""
    offers = [offer for offer in turn.offers if offer.do == "pass"]
    return taking(max(offers, key=lambda offer: PASS_ALL in offer.given)) if offers else None


def forced_loan(turn: BotTurn) -> Command | None:
    """Borrow where nothing else moves the game on; ``None``: there is something else."""
    due = [offer for offer in turn.offers if offer.urgency == "due"]
    return borrowing(turn, due[0]) if [offer.do for offer in due] == ["borrow"] else None


def borrowing(turn: BotTurn, offer: Offer) -> Command:
    """Return the loan that costs least for what is missing, of those that are to be had."""
    kinds = field_of(offer, "loan", OneOf).values
    wanted = "small" if _missing(turn) <= 2 * LENT["small"] else "large"
    return taking(offer, loan=wanted if wanted in kinds else kinds[0])


def _missing(turn: BotTurn) -> int:
    """Return how much a player lacks; little, as far as can be known, where an event takes it."""
    match turn.state.phase:
        case Contracts():
            return min(contract_card(turn.state, card).cost for card in turn.state.display) - turn.cash
        case Income():
            return wages_due(turn.state.rules, turn.me) - turn.cash
        case _:
            return 0


def repayment(turn: BotTurn, reserve: int) -> Command | None:
    """Pay a loan back where the reserve stays, the large one first; ``None``: nothing to pay, or nothing with."""
    for loan in ("large", "small"):
        for offer in turn.offers:
            affordable = turn.cash >= reserve + price_of(turn.state, loan)
            if offer.do == "repay" and ("loan", loan) in offer.given and affordable:
                return taking(offer)
    return None


# Who stands where: workers put on chosen sections, the least competent who suffices on each place.


def assign_workers(
    state: State, wanted: Iterable[tuple[ContractCard, str]], workers: Iterable[str]
) -> tuple[Job, ...] | None:
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
