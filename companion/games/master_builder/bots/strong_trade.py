"""What the strong bot bids: what it would end with if it had the contract, less what it would end with if not."""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import TypeAlias

from companion.engine.game import Amount, Offer
from companion.engine.ledger import contract_account
from companion.games.master_builder.bots.answers import taking
from companion.games.master_builder.bots.ladders import Hands, hands
from companion.games.master_builder.bots.middle_trade import lots
from companion.games.master_builder.bots.prospect import COMES_DEARER, Prospect, ladder_of, prospect
from companion.games.master_builder.bots.turn import Turn, field_of
from companion.games.master_builder.rules.catalog import ContractCard, WorkerType
from companion.games.master_builder.rules.choosing import may_bid
from companion.games.master_builder.rules.commands import Command
from companion.games.master_builder.rules.guards import WAGE_LIMIT, contract_card, worker_card

Recruits: TypeAlias = tuple[tuple[Hands, int], ...]
"""Hands that could be hired, and their wages."""

MORE_HANDS = 2
"""He reckons with hiring up to so many for it in the next round."""
SURE = 0.6
"""This share of what a contract promises he is ready to pay for it."""


def opening(turn: Turn) -> Command | None:
    """Open with the contract that promises most; where he must take one, the least bad; ``None``: he need not."""
    must = turn.offer("pass") is None
    ahead = prospect(turn)
    promises = [(_promise(turn, ahead, card, card.cost), card, offer) for card, offer in lots(turn)]
    wanted = [one for one in promises if must or one[0] > 0]
    if not wanted:
        return None
    _, card, offer = max(wanted, key=lambda one: (one[0], one[1].id))
    return taking(offer, bid=card.cost)


def raised(turn: Turn, offer: Offer, lot: str) -> Command | None:
    """Raise by as little as can be, while the contract promises more than it costs."""
    amount = field_of(offer, "amount", Amount).least
    card = contract_card(turn.state, lot)
    return taking(offer, amount=amount) if _promise(turn, prospect(turn), card, amount) > 0 else None


def _promise(turn: Turn, ahead: Prospect, card: ContractCard, bid: int) -> float:
    """Say how much better he ends with a contract at this price than with what else there is to be had."""
    paid = bid - turn.here.ledger.balance(contract_account(card.id))
    return SURE * (_owning(turn, ahead, card, paid) + paid - _otherwise(turn, ahead, card)) - paid


def _owning(turn: Turn, ahead: Prospect, card: ContractCard, paid: int) -> float:
    """Say what he ends with if he has a contract and has paid so much."""
    return _best(ahead.owning(ladder_of(turn.state, card), paid), _recruits(turn))


def _otherwise(turn: Turn, ahead: Prospect, card: ContractCard) -> float:
    """Say what he ends with without a contract, but with what his rivals leave him of the others on display."""
    nothing = _best(ahead, _recruits(turn))
    others = (contract_card(turn.state, other) for other in turn.state.display if other != card.id)
    left = sorted((_owning(turn, ahead, one, one.cost + COMES_DEARER) for one in others), reverse=True)
    rivals = sum(may_bid(turn.state, one) for one in turn.state.seats) - 1
    return max(nothing, left[rivals - 1]) if 0 < rivals <= len(left) else nothing


@lru_cache(maxsize=1 << 14)
def _best(ahead: Prospect, recruits: Recruits) -> float:
    """Reckon with the crew as it is, or with those whom he would hire for it in the next round."""
    found = ahead.value()
    for more, wages in recruits if ahead.rounds > 1 else ():
        if ahead.crew.later_wages + wages <= WAGE_LIMIT:
            found = max(found, ahead.with_crew(ahead.crew.joined(more, wages)).value())
    return found


def _recruits(turn: Turn) -> Recruits:
    """List whom one could hire of those who lie on top of their piles: their hands, their wages."""
    cards = (worker_card(turn.state, worker) for worker in turn.tops.values())
    return _some_of(tuple((card.type, card.wage) for card in cards))


@lru_cache(maxsize=256)
def _some_of(tops: tuple[tuple[WorkerType, int], ...]) -> Recruits:
    return tuple(
        (hands(kind for kind, _ in some), sum(wage for _, wage in some))
        for number in range(1, MORE_HANDS + 1)
        for some in combinations_with_replacement(tops, number)
    )
