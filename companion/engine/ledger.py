"""Double-entry bookkeeping in whole dollars and in any other unit that a game conserves.

A transaction whose postings do not sum to zero in each unit cannot be built, and ``Ledger.post`` is the only way to
change a balance, so nothing is created or lost.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

BOX = "box"
"""The account of the game box, the source of all money: its balance is minus the money in play."""
BANK = "bank"


def player_account(player: str) -> str:
    """Return the name of a player's cash account."""
    return f"player:{player}"


class UnbalancedError(ValueError):
    """Postings that do not sum to zero: a fault in a game's accounting, never a player's."""


@dataclass(frozen=True, slots=True)
class Posting:
    """An amount that enters (positive) or leaves (negative) one account: dollars, or things of another ``unit``."""

    account: str
    amount: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Postings that sum to zero, unit by unit."""

    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        """Raise ``UnbalancedError`` unless the postings of each unit sum to zero."""
        sums: dict[str, int] = {}
        for posting in self.postings:
            sums[posting.unit] = sums.get(posting.unit, 0) + posting.amount
        if any(sums.values()):
            total = next(total for total in sums.values() if total)
            message = f"postings sum to {total}, not to zero: {self.postings}"
            raise UnbalancedError(message)


def transfer(source: str, to: str, amount: int) -> Transaction:
    """Return the transaction that moves ``amount`` dollars from one account to another."""
    return Transaction((Posting(source, -amount), Posting(to, amount)))


def transfer_postings(source: str, to: str, things: Mapping[str, int]) -> tuple[Posting, ...]:
    """Return the postings that move these counts by unit from one account to another."""
    both = ((source, -1), (to, 1))
    return tuple(Posting(account, sign * count, unit) for unit, count in things.items() for account, sign in both)


class Ledger:
    """Immutable balances by account, in the order of each account's first posting.

    An account in another unit than dollars is named ``unit@account`` and is dropped when it is empty.
    """

    __slots__ = ("_balances",)

    def __init__(self, balances: Iterable[tuple[str, int]] = ()) -> None:
        """Store balances by account."""
        self._balances = dict(balances)

    @property
    def balances(self) -> tuple[tuple[str, int], ...]:
        """All accounts with their balances."""
        return tuple(self._balances.items())

    def balance(self, account: str, unit: str = "") -> int:
        """Return the balance of an account; 0 if nothing was ever posted to it."""
        return self._balances.get(f"{unit}@{account}" if unit else account, 0)

    def post(self, transaction: Transaction) -> "Ledger":
        """Return the ledger after the transaction."""
        after = dict(self._balances)
        for posting in transaction.postings:
            unit = posting.unit
            name = f"{unit}@{posting.account}" if unit else posting.account
            balance = after[name] = after.get(name, 0) + posting.amount
            if unit and not balance:
                del after[name]
        return Ledger(after.items())

    def __eq__(self, other: object) -> bool:
        """Return whether all balances are equal."""
        return isinstance(other, Ledger) and self._balances == other._balances

    def __hash__(self) -> int:
        """Return a hash that does not depend on the order of accounts."""
        return hash(frozenset(self._balances.items()))

    def __repr__(self) -> str:
        """Return the balances, for logs and test failures."""
        return f"Ledger({self.balances})"

    def total(self, accounts: Iterable[str]) -> int:
        """Return the sum of the balances of these accounts."""
        return sum(self.balance(account) for account in accounts)

    def starting_with(self, prefix: str) -> int:
        """Return the sum of the balances of all accounts with this prefix."""
        return sum(amount for name, amount in self._balances.items() if name.startswith(prefix))
