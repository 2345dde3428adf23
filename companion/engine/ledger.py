"""Double-entry book-keeping: whole dollars, and whatever else a game conserves, each in a unit of its own.

A transaction whose postings do not sum to zero, unit by unit, cannot be built, and ``Ledger.post`` is the only way in
which a balance changes, so nothing is made or lost.
"""

from collections.abc import Iterable, Mapping
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
    """An amount that enters (positive) or leaves (negative) one account: dollars, or things of another ``unit``."""

    account: str
    amount: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Postings that sum to zero, unit by unit."""

    postings: tuple[Posting, ...]

    def __post_init__(self) -> None:
        """Refuse to exist unbalanced."""
        sums: dict[str, int] = {}
        for posting in self.postings:
            sums[posting.unit] = sums.get(posting.unit, 0) + posting.amount
        if any(sums.values()):
            total = next(total for total in sums.values() if total)
            message = f"postings sum to {total}, not to zero: {self.postings}"
            raise UnbalancedError(message)


def transfer(source: str, to: str, amount: int) -> Transaction:
    """Move ``amount`` dollars from one account to another."""
    return Transaction((Posting(source, -amount), Posting(to, amount)))


def moved(source: str, to: str, things: Mapping[str, int]) -> tuple[Posting, ...]:
    """Give the postings that move so many of each unit from one account to another."""
    both = ((source, -1), (to, 1))
    return tuple(Posting(account, sign * count, unit) for unit, count in things.items() for account, sign in both)


class Ledger:
    """Balances by account; nothing changes one that stands.  Accounts are kept in the order of their first posting.

    An account of another unit than dollars is called ``unit@account``, and is not kept once it is empty.
    """

    __slots__ = ("_held",)

    def __init__(self, balances: Iterable[tuple[str, int]] = ()) -> None:
        """Take balances by account."""
        self._held = dict(balances)

    @property
    def balances(self) -> tuple[tuple[str, int], ...]:
        """All accounts with what they hold."""
        return tuple(self._held.items())

    def balance(self, account: str, unit: str = "") -> int:
        """Say what an account holds; one never posted to holds nothing."""
        return self._held.get(f"{unit}@{account}" if unit else account, 0)

    def post(self, transaction: Transaction) -> "Ledger":
        """Return the ledger after the transaction."""
        after = dict(self._held)
        for posting in transaction.postings:
            unit = posting.unit
            name = f"{unit}@{posting.account}" if unit else posting.account
            held = after[name] = after.get(name, 0) + posting.amount
            if unit and not held:
                del after[name]
        return Ledger(after.items())

    def __eq__(self, other: object) -> bool:
        """Say whether all accounts hold the same."""
        return isinstance(other, Ledger) and self._held == other._held

    def __hash__(self) -> int:
        """Agree with ``==``, in whatever order accounts were opened."""
        return hash(frozenset(self._held.items()))

    def __repr__(self) -> str:
        """Show the balances."""
        return f"Ledger({self.balances})"

    def total(self, accounts: Iterable[str]) -> int:
        """Sum the balances of the named accounts."""
        return sum(self.balance(account) for account in accounts)

    def starting_with(self, prefix: str) -> int:
        """Sum the balances of all accounts whose name starts so."""
        return sum(amount for name, amount in self._held.items() if name.startswith(prefix))
