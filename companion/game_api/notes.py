"""The notes of a box of money: who should hold which, and what is handed over for a transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from companion.engine.ledger import Transaction

Purse: TypeAlias = "tuple[int, ...]"
"""How many notes of each denomination."""


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment in notes between two accounts of the ledger.

    ``changes`` holds how the purse of each account changes; ``short`` is what could not be paid for want of change.
    """

    payer: str
    payee: str
    amount: int
    changes: tuple[tuple[str, Purse], ...]
    short: int = 0


@dataclass(frozen=True, slots=True)
class Slip:
    """Amount that one account still owes another because notes were short."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True, slots=True)
class Tills:
    """The notes that each account should hold, and the slips that are open."""

    holders: tuple[tuple[str, Purse], ...] = ()
    slips: tuple[Slip, ...] = ()


@dataclass(frozen=True, slots=True)
class Notes:
    """The notes of the box, which follow the ledger and never change it.

    ``denominations`` are listed smallest first; ``pay`` returns the tills after a transaction, and its payments.
    """

    denominations: tuple[int, ...]
    pay: Callable[[Tills, Transaction], tuple[Tills, Sequence[Payment]]]
