"""Double-entry book-keeping in whole dollars.

A transaction whose postings do not sum to zero cannot be built, and ``Ledger.post`` is the only way in
which a balance changes, so money is neither made nor lost.
"""

from collections.abc import Iterable
from dataclasses import dataclass

BOX = "box"
"""The account that the money of the box came from: minus all the money in play."""
BANK = "bank"


def player_account(player: str) -> str:
    """Name the account of a player's cash."""
    return f"player:{player}"


def contract_account(contract: str) -> str:
    """Name the account of the money that lies on a contract card."""
    return f"contract:{contract}"


class UnbalancedError(ValueError):
    """Postings that do not sum to zero: a mistake in a game's money page, never a player's."""


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount in dollars that enters (positive) or leaves (negative) one account."""

    account: str
    amount: int


@dataclass(frozen=True, slots=True)
class Transaction:
    """Postings that sum to zero."""

    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        """Refuse to exist unbalanced."""
        total = sum(posting.amount for posting in self.postings)
        if total != 0:
            message = f"postings sum to {total}, not to zero: {self.postings}"
            raise UnbalancedError(message)


def transfer(source: str, to: str, amount: int) -> Transaction:
    """Move ``amount`` dollars from one account to another."""
    return Transaction((Posting(source, -amount), Posting(to, amount)))


@dataclass(frozen=True, slots=True)
class Ledger:
    """Balances by account.  Accounts are kept in the order of their first posting."""

    balances: tuple[tuple[str, int], ...] = ()

    def balance(self, account: str) -> int:
        """Say what an account holds; one never posted to holds nothing."""
        for name, amount in self.balances:
            if name == account:
                return amount
        return 0

    def post(self, transaction: Transaction) -> "Ledger":
        """Return the ledger after the transaction."""
        after = dict(self.balances)
        for posting in transaction.postings:
            after[posting.account] = after.get(posting.account, 0) + posting.amount
        return Ledger(tuple(after.items()))

    def total(self, accounts: Iterable[str]) -> int:
        """Sum the balances of the named accounts."""
        return sum(self.balance(account) for account in accounts)

    def starting_with(self, prefix: str) -> int:
        """Sum the balances of all accounts whose name starts so."""
        return sum(amount for name, amount in self.balances if name.startswith(prefix))
