"""The money page: every flow of money of the game, and nothing else moves money."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.engine.ledger import (
    BANK,
    BOX,
    Posting,
    Transaction,
    player_account,
    transfer,
)
from companion.game_api.event_recorder import payment
from companion.game_api.messages import Event
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.state import contract_account


def _dealt(event: e.GameStarted) -> Transaction:
    cash = [Posting(player_account(seat.id), event.cash) for seat in event.players]
    bank = event.money - sum(posting.amount for posting in cash)
    return Transaction((Posting(BOX, -event.money), Posting(BANK, bank), *cash))


def _taken_over(event: e.GameTakenOver) -> Transaction:
    cash = [Posting(player_account(counted.by), counted.amount) for counted in event.cash]
    premiums = [Posting(contract_account(counted.by), counted.amount) for counted in event.on_contracts]
    bank = event.money - sum(posting.amount for posting in (*cash, *premiums))
    return Transaction((Posting(BOX, -event.money), Posting(BANK, bank), *cash, *premiums))


def _sold(event: e.ContractSold) -> Transaction:
    buyer = player_account(event.player)
    bought = (Posting(buyer, -event.paid), Posting(BANK, event.paid))
    if not event.premium:
        return Transaction(bought)
    laid = contract_account(event.contract)
    return Transaction((*bought, Posting(laid, -event.premium), Posting(buyer, event.premium)))


def _put_back(event: e.ContractRemoved | e.ContractCorrected) -> Transaction:
    return transfer(contract_account(event.contract), BANK, event.premium)


BOOKED: Mapping[type, Callable[[Any], Transaction | None]] = {
    e.GameStarted: _dealt,
    e.GameTakenOver: _taken_over,
    e.ContractSold: _sold,
    e.PremiumLaid: lambda event: transfer(BANK, contract_account(event.contract), event.amount),
    e.ContractRemoved: _put_back,
    e.PricePaid: payment(BANK, "player", "price"),
    e.LoanTaken: payment(BANK, "player", "amount"),
    e.EventReceived: payment(BANK, "player", "amount"),
    e.WagesPaid: payment("player", BANK, "amount"),
    e.EventPaid: payment("player", BANK, "amount"),
    e.LoanRepaid: payment("player", BANK, "amount"),
    e.PileLookedThrough: payment("player", BANK, "fee"),
    e.WorkerLent: payment("borrower", "owner", "price", if_any=True),
    e.MoneyCorrected: payment("from_", "to", "amount"),
    e.ContractCorrected: lambda event: _put_back(event) if event.premium else None,
}
"""How each event that moves money is booked."""


def account_for(event: Event) -> Transaction | None:
    """Return which money an event moved; ``None``: none."""
    booked = BOOKED.get(type(event))
    return None if booked is None else booked(event)
