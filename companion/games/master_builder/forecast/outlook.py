"""Solvency: what a player's cash comes to until the next wages and until the end, and what a bid would change.

The assumptions, which ``docs/games/master_builder.md`` tells the players: he hires and dismisses nobody, wages
stay as they are but for what ends with the round, every round he builds the best plan, no event happens, he
buys nothing but what is asked about (and the lot that he leads for), pays back nothing early, and borrows only
what the rules force him to, as cheaply as can be.  The game is as long as is known today.
"""

from dataclasses import dataclass

from companion.engine.errors import Refused
from companion.engine.ledger import contract_account
from companion.games.master_builder.forecast.money import Forecast, Purchase, Purse
from companion.games.master_builder.forecast.rounds import prospect
from companion.games.master_builder.rules.choosing import purse
from companion.games.master_builder.rules.guards import THOUSAND, cash, contract_card, seated, whole_thousands
from companion.games.master_builder.rules.moments import name_of
from companion.games.master_builder.rules.state import Contracts, Here, Hire


@dataclass(frozen=True, slots=True)
class Headroom:
    """The highest bid with which the wages of a round are paid without a loan; it may be below nothing."""

    round: int
    most: int


@dataclass(frozen=True, slots=True)
class SafeBids:
    """How high a player can go for a contract.

    ``least`` and ``most``: what the rules let him bid.  ``next``: the highest bid that forces no loan at his next
    wages, ``end``: none until the game is over; ``None`` where even the lowest one would.
    """

    player: str
    contract: str
    least: int
    most: int
    next: int | None
    end: int | None
    rounds: tuple[Headroom, ...]


def forecast(here: Here, player: str, *, in_confidence: bool = False) -> Forecast:
    """Look ahead for a player as he stands; ``in_confidence``: with the plan that he has locked in secret."""
    seated(here.state, player)
    return _described(here, player, _leading(here, player), in_confidence=in_confidence)


def what_if_bid(here: Here, player: str, contract: str, amount: int) -> Forecast:
    """Look ahead for a player who gets a contract for a bid; ``Refused`` where he could not make it now."""
    whole_thousands(amount)
    least, most = _bounds(here, player, contract)
    if amount < least:
        raise Refused("bid_below_cost", least=least, bid=amount)
    if amount > most:
        raise Refused("cannot_pay", player=player, amount=amount, cash=cash(here, player))
    return _described(here, player, _purchases(here, player, contract, amount))


def safe_bids(here: Here, player: str, contract: str) -> SafeBids:
    """Say up to which bid no loan is forced.

    What is built does not hang on money, so a dollar more bid is a dollar less at every later moment: one look
    ahead answers for all bids.
    """
    least, most = _bounds(here, player, contract)
    buying = _purchases(here, player, contract, 0)
    held = cash(here, player) + sum(one.premium - one.amount for one in buying)
    rounds: list[Headroom] = []
    for settled in prospect(here, player, tuple(one.contract for one in buying)).settlements:
        held += sum(price.amount for price in settled.prices) - settled.wages
        rounds.append(Headroom(settled.round, held))
    tightest = min(one.most for one in rounds)
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


def _bounds(here: Here, player: str, contract: str) -> tuple[int, int]:
    """Say what may be bid for a contract in this round; ``Refused`` where it cannot be had in it."""
    seated(here.state, player)
    card = contract_card(here.state, contract)
    if not isinstance(here.state.phase, Hire | Contracts):
        raise Refused("not_in_this_phase", phase=name_of(here.state.phase))
    if contract not in here.state.display:
        raise Refused("not_on_display", card=contract)
    return card.cost, purse(here, player, contract)


def _leading(here: Here, player: str) -> tuple[Purchase, ...]:
    """Reckon the lot that a player leads for as his."""
    phase = here.state.phase
    if not isinstance(phase, Contracts) or phase.auction is None or phase.auction.leader != player:
        return ()
    return (_purchase(here, phase.auction.lot, phase.auction.bid),)


def _purchases(here: Here, player: str, contract: str, amount: int) -> tuple[Purchase, ...]:
    others = tuple(one for one in _leading(here, player) if one.contract != contract)
    return (*others, _purchase(here, contract, amount))


def _purchase(here: Here, contract: str, amount: int) -> Purchase:
    return Purchase(contract, amount, here.ledger.balance(contract_account(contract)))


def _described(here: Here, player: str, buying: tuple[Purchase, ...], *, in_confidence: bool = False) -> Forecast:
    seen = prospect(here, player, tuple(one.contract for one in buying), in_confidence=in_confidence)
    return Purse(here, player).through(buying, seen)
