"""The money page: every flow of money of the game, and nothing else moves money."""

from companion.engine.ledger import (
    BANK,
    BOX,
    Posting,
    Transaction,
    player_account,
    transfer,
)
from companion.game_api.messages import Event
from companion.games.master_builder.rules import events as e
from companion.games.master_builder.rules.state import contract_account


def account_for(event: Event) -> Transaction | None:  # noqa: C901 - the money page is one list
    """Return which money an event moved; ``None``: none."""
    match event:
        case e.GameStarted():
            return _dealt(event)
        case e.GameTakenOver():
            return _taken_over(event)
        case e.ContractSold(player, contract, paid, premium):
            return _sold(player, contract, paid, premium)
        case e.PremiumLaid(contract, amount):
            return transfer(BANK, contract_account(contract), amount)
        case e.ContractRemoved(contract, premium):
            return transfer(contract_account(contract), BANK, premium)
        case e.PricePaid(player, _, amount) | e.LoanTaken(player, _, amount) | e.EventReceived(player, amount):
            return transfer(BANK, player_account(player), amount)
        case e.WagesPaid(player, amount) | e.EventPaid(player, amount) | e.LoanRepaid(player, _, amount):
            return transfer(player_account(player), BANK, amount)
        case e.PileLookedThrough(player, _, fee):
            return transfer(player_account(player), BANK, fee)
        case e.WorkerLent(owner, _, borrower, price) if price:
            return transfer(player_account(borrower), player_account(owner), price)
        case e.MoneyCorrected(source, to, amount, _):
            return transfer(_side(source), _side(to), amount)
        case e.ContractCorrected(contract, premium=premium) if premium:
            return transfer(contract_account(contract), BANK, premium)
        case _:
            return None


def _dealt(event: e.GameStarted) -> Transaction:
    cash = [Posting(player_account(seat.id), event.cash) for seat in event.players]
    bank = event.money - sum(posting.amount for posting in cash)
    return Transaction((Posting(BOX, -event.money), Posting(BANK, bank), *cash))


def _taken_over(event: e.GameTakenOver) -> Transaction:
    cash = [Posting(player_account(counted.by), counted.amount) for counted in event.cash]
    premiums = [Posting(contract_account(counted.by), counted.amount) for counted in event.on_contracts]
    bank = event.money - sum(posting.amount for posting in (*cash, *premiums))
    return Transaction((Posting(BOX, -event.money), Posting(BANK, bank), *cash, *premiums))


def _sold(player: str, contract: str, paid: int, premium: int) -> Transaction:
    buyer = player_account(player)
    bought = (Posting(buyer, -paid), Posting(BANK, paid))
    if not premium:
        return Transaction(bought)
    return Transaction((*bought, Posting(contract_account(contract), -premium), Posting(buyer, premium)))


def _side(account: str) -> str:
    return BANK if account == BANK else player_account(account)
