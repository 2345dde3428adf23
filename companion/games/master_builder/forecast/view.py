"""Forecasts and suggestions as the JSON that interfaces describe."""

from dataclasses import dataclass, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from companion.engine.game import BANKER, Refused
from companion.game_api.seating import require_player
from companion.games.master_builder.advice import PlanEffect, Reason, Suggestion, suggestion
from companion.games.master_builder.forecast.money import (
    CashProjection,
    Forecast,
    Low,
    Movement,
    MovementReason,
    Purchase,
    prospect,
)
from companion.games.master_builder.rules.commands import Plan
from companion.games.master_builder.rules.phases.contracts import purse
from companion.games.master_builder.rules.state import (
    THOUSAND,
    Contracts,
    GamePosition,
    Hire,
    Loan,
    State,
    cash,
    contract_account,
    contract_card,
    phase_name,
    validate_amount,
)

# Solvency: what a player's cash comes to until the next wages and until the end, and what a bid would change.
# The assumptions, which ``docs/games/master_builder.md`` tells the players: they hire and dismiss nobody,
# wages stay as they are but for what ends with the round, every round they build the best plan, no event
# happens, they buy nothing but what is asked about (and the lot that they lead for), pay back nothing early, and
# borrow only what the rules demand, as cheaply as can be. The game is as long as is known today.


@dataclass(frozen=True, slots=True)
class Headroom:
    """The highest bid with which the wages of a round are paid without a loan; it may be below nothing."""

    round: int
    most: int


@dataclass(frozen=True, slots=True)
class SafeBids:
    """How high a player can go for a contract.

    ``least`` and ``most``: what the rules let them bid.  ``next``: the highest bid that forces no loan at their next
    wages, ``end``: none until the game is over; ``None`` where even the lowest one would.
    """

    player: str
    contract: str
    least: int
    most: int
    next: int | None
    end: int | None
    rounds: tuple[Headroom, ...]


def forecast(position: GamePosition, player: str, *, in_confidence: bool = False) -> Forecast:
    """Look ahead for a player as they stand; ``in_confidence``: with the plan that they have locked in secret."""
    require_player(position.state, player)
    return _described(position, player, _leading(position, player), in_confidence=in_confidence)


def what_if_bid(position: GamePosition, player: str, contract: str, amount: int) -> Forecast:
    """Look ahead for a player who gets a contract for a bid; ``Refused`` where they could not make it now."""
    validate_amount(amount)
    least, most = _bounds(position, player, contract)
    if amount < least:
        raise Refused("bid_below_cost", least=least, bid=amount)
    if amount > most:
        raise Refused("cannot_pay", player=player, amount=amount, cash=cash(position, player))
    return _described(position, player, _purchases(position, player, contract, amount))


def safe_bids(position: GamePosition, player: str, contract: str) -> SafeBids:
    """Return up to which bid no loan is forced.

    What is built does not hang on money, so a dollar more bid is a dollar less at every later moment: one look
    ahead answers for all bids.
    """
    least, most = _bounds(position, player, contract)
    buying = _purchases(position, player, contract, 0)
    money = cash(position, player) + sum(purchase.premium - purchase.amount for purchase in buying)
    rounds: list[Headroom] = []
    for settled in prospect(position, player, tuple(purchase.contract for purchase in buying)).settlements:
        money += sum(price.amount for price in settled.prices) - settled.wages
        rounds.append(Headroom(settled.round, money))
    tightest = min(headroom.most for headroom in rounds)
    return SafeBids(
        player,
        contract,
        least,
        most,
        _within(least, most, rounds[0].most),
        _within(least, most, tightest),
        tuple(rounds),
    )


def _within(least: int, most: int, bid: int) -> int | None:
    whole = min(most, bid) // THOUSAND * THOUSAND
    return whole if whole >= least else None


def _bounds(position: GamePosition, player: str, contract: str) -> tuple[int, int]:
    """Return what may be bid for a contract in this round; ``Refused`` where it cannot be had in it."""
    require_player(position.state, player)
    card = contract_card(position.state, contract)
    if not isinstance(position.state.phase, Hire | Contracts):
        raise Refused("not_in_this_phase", phase=phase_name(position.state.phase))
    if contract not in position.state.display:
        raise Refused("not_on_display", card=contract)
    return card.cost, purse(position, player, contract)


def _leading(position: GamePosition, player: str) -> tuple[Purchase, ...]:
    """Count the lot that a player leads for as that player's."""
    phase = position.state.phase
    if not isinstance(phase, Contracts) or phase.auction is None or phase.auction.leader != player:
        return ()
    return (_purchase(position, phase.auction.lot, phase.auction.bid),)


def _purchases(position: GamePosition, player: str, contract: str, amount: int) -> tuple[Purchase, ...]:
    others = tuple(purchase for purchase in _leading(position, player) if purchase.contract != contract)
    return (*others, _purchase(position, contract, amount))


def _purchase(position: GamePosition, contract: str, amount: int) -> Purchase:
    return Purchase(contract, amount, position.ledger.balance(contract_account(contract)))


def _described(
    position: GamePosition, player: str, buying: tuple[Purchase, ...], *, in_confidence: bool = False
) -> Forecast:
    seen = prospect(position, player, tuple(purchase.contract for purchase in buying), in_confidence=in_confidence)
    return CashProjection(position, player).through(buying, seen)


# The JSON of forecasts and suggestions; its types are what the description of the interface says of it.


class MovementJson(TypedDict):
    """A dated movement of money, with the cash after it."""

    round: int
    phase: Literal["contracts", "income"]
    why: MovementReason
    amount: int
    cash: int
    card: NotRequired[str]
    loan: NotRequired[Loan]


class ShortageJson(TypedDict):
    """The first shortage of wages."""

    round: int
    amount: int


class LoansJson(TypedDict):
    """How many loans of each kind."""

    small: int
    large: int


class LowJson(TypedDict):
    """The lowest cash until a moment, with the loans forced until then."""

    cash: int
    round: int
    short: int
    loans: LoansJson


class DebtJson(TypedDict):
    """Cost of paying loans back now and at the end."""

    early: int
    late: int
    late_is_certain: bool


class SafeBidsJson(TypedDict):
    """The highest bids that force no loan."""

    next: int | None
    end: int | None


class RoundBidJson(TypedDict):
    """The highest bid for a round's wages."""

    round: int
    most: int


class BidJson(TypedDict):
    """Outcome of a bid for a contract."""

    contract: str
    amount: int | None
    least: int
    most: int
    safe: SafeBidsJson
    rounds: list[RoundBidJson]


class ForecastJson(TypedDict):
    """Forecast of a player's money."""

    player: str
    cash: int
    movements: list[MovementJson]
    short: ShortageJson | None
    next: LowJson | None
    end: LowJson
    unfinished: int
    owes: DebtJson
    worth: int
    bid: BidJson | None


class ReasonJson(TypedDict):
    """Why a plan does what it does with a contract."""

    why: PlanEffect
    contract: str
    sections: list[str]
    left: int
    price: int


class SuggestionJson(TypedDict):
    """Income of the best plan for a player's workers, with the reasons for it."""

    earns: int
    reasons: list[ReasonJson]
    idle: list[str]


MOST_FORECASTS = 256
"""Forecasts that are kept: of some tables, each of its players with the lot and without; one takes two kilobytes."""

_STATE_BUT_PHASE = attrgetter(*(each.name for each in fields(State) if each.name != "phase"))


@dataclass(frozen=True, slots=True)
class ForecastQuestion:
    """All that a forecast depends on; a bid changes nothing of it but what its bidder leads for.

    ``unmoved``: the identities of what of ``position`` counts.  They cannot be those of anything else as long as the
    position is kept beside them.
    """

    player: str
    contract: str | None
    bid: int | None
    in_confidence: bool
    leads: tuple[Purchase, ...]
    unmoved: tuple[int, ...]
    position: GamePosition = field(compare=False)


def forecast_view(
    position: GamePosition, viewer: str, player: str, contract: str | None = None, bid: int | None = None
) -> ForecastJson | None:
    """Show a player's forecast, and what a contract would change for a bid; ``None``: not for this viewer's eyes.

    ``Refused`` where there is no such player, or the bid could not be made.  A plan locked in secret counts
    for its own player only.
    """
    require_player(position.state, player)
    if position.state.money_is_hidden and viewer not in (BANKER, player):
        return None
    phase = id(Contracts) if isinstance(position.state.phase, Contracts) else id(position.state.phase)
    unmoved = id(position.ledger), phase, *map(id, _STATE_BUT_PHASE(position.state))
    leads = _leading(position, player)
    return answer_of(ForecastQuestion(player, contract, bid, viewer == player, leads, unmoved, position))


@lru_cache(MOST_FORECASTS)
def answer_of(question: ForecastQuestion) -> ForecastJson:
    """Return a forecast; kept, because every page of every bid of an auction asks for it.  Nobody changes it."""
    position, player, contract, bid = question.position, question.player, question.contract, question.bid
    own = question.in_confidence
    if contract is None:
        return _forecast_json(forecast(position, player, in_confidence=own), None)
    room = safe_bids(position, player, contract)
    outlook = (
        forecast(position, player, in_confidence=own) if bid is None else what_if_bid(position, player, contract, bid)
    )
    return _forecast_json(outlook, _bids(room, bid))


def _forecast_json(forecast: Forecast, bid: BidJson | None) -> ForecastJson:
    return {
        "player": forecast.player,
        "cash": forecast.cash,
        "movements": [_movement(movement) for movement in forecast.movements],
        "short": None if forecast.short is None else {"round": forecast.short.round, "amount": forecast.short.amount},
        "next": None if forecast.next is None else _low(forecast.next),
        "end": _low(forecast.end),
        "unfinished": forecast.unfinished,
        "owes": {"early": forecast.owes_early, "late": forecast.owes_late, "late_is_certain": forecast.late},
        "worth": forecast.worth,
        "bid": bid,
    }


def _movement(movement: Movement) -> MovementJson:
    written: MovementJson = {
        "round": movement.round,
        "phase": movement.phase,
        "why": movement.why,
        "amount": movement.amount,
        "cash": movement.cash,
    }
    if movement.card is not None:
        written["card"] = movement.card
    if movement.loan is not None:
        written["loan"] = movement.loan
    return written


def _low(low: Low) -> LowJson:
    return {
        "cash": low.cash,
        "round": low.round,
        "short": low.short,
        "loans": {"small": low.small, "large": low.large},
    }


def _bids(room: SafeBids, bid: int | None) -> BidJson:
    return {
        "contract": room.contract,
        "amount": bid,
        "least": room.least,
        "most": room.most,
        "safe": {"next": room.next, "end": room.end},
        "rounds": [{"round": headroom.round, "most": headroom.most} for headroom in room.rounds],
    }


def suggested_plan(position: GamePosition, player: str) -> tuple[Plan, SuggestionJson]:
    """Return the best plan that a player could lock now, and its reasons as JSON."""
    advice = suggestion(position, player)
    return plan_of(advice), reasons_view(advice)


def plan_of(advice: Suggestion) -> Plan:
    """Return a suggestion as the command that would carry it out."""
    work: dict[str, dict[str, tuple[str, ...]]] = {}
    for job in advice.jobs:
        work.setdefault(job.contract, {})[job.section] = job.workers
    return Plan(advice.player, work)


def reasons_view(advice: Suggestion) -> SuggestionJson:
    """Show what a suggestion earns and why it is what it is."""
    return {
        "earns": advice.earns,
        "reasons": [_reason(reason) for reason in advice.reasons],
        "idle": sorted(advice.idle),
    }


def _reason(reason: Reason) -> ReasonJson:
    return {
        "why": reason.why,
        "contract": reason.contract,
        "sections": list(reason.sections),
        "left": reason.left,
        "price": reason.price,
    }
