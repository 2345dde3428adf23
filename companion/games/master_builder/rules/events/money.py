"""Phase 5, income, wages and loans."""

from dataclasses import dataclass

from companion.games.master_builder.rules.commands import Loan


@dataclass(frozen=True, slots=True)
class IncomePhaseBegan:
    """Phase 5."""


@dataclass(frozen=True, slots=True)
class PricePaid:
    """A finished building was paid."""

    player: str
    contract: str
    price: int


@dataclass(frozen=True, slots=True)
class WagesPaid:
    """A player paid his workers."""

    player: str
    amount: int


@dataclass(frozen=True, slots=True)
class LoanTaken:
    """Money lent by the bank."""

    player: str
    loan: Loan
    amount: int


@dataclass(frozen=True, slots=True)
class LoanRepaid:
    """A loan paid back, interest included."""

    player: str
    loan: Loan
    amount: int
