"""Phase 5, income, wages and loans."""

from dataclasses import dataclass

from companion.game_api.fields import Person
from companion.games.master_builder.rules.fields import ContractId, Dollars, KindOfLoan


@dataclass(frozen=True, slots=True)
class IncomePhaseBegan:
    """Phase 5."""


@dataclass(frozen=True, slots=True)
class PricePaid:
    """A finished building was paid."""

    player: Person
    contract: ContractId
    price: Dollars


@dataclass(frozen=True, slots=True)
class WagesPaid:
    """A player paid his workers."""

    player: Person
    amount: Dollars


@dataclass(frozen=True, slots=True)
class LoanTaken:
    """Money lent by the bank."""

    player: Person
    loan: KindOfLoan
    amount: Dollars


@dataclass(frozen=True, slots=True)
class LoanRepaid:
    """A loan paid back, interest included."""

    player: Person
    loan: KindOfLoan
    amount: Dollars
