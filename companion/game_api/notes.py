"""The notes of a box of money: who should hold which, and what is handed over for a transaction.

The books do not depend on notes: these follow them, from the moment the box is opened.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd
from operator import add
from operator import sub as subtract
from typing import TypeAlias

from companion.engine.ledger import BANK, BOX, Transaction

Purse: TypeAlias = tuple[int, ...]
"""How many notes of each denomination."""
Way: TypeAlias = tuple[int, tuple[tuple[int, int], ...]]
"""How many notes move so far, and for each denomination how many the payer loses and the changer gains."""


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


def notes_of(denominations: tuple[int, ...], stock: Purse) -> Notes:
    """Return the notes of a box that holds ``stock``: how many of each denomination, smallest first."""
    return Notes(denominations, NoteBox(denominations, stock).pay)


@dataclass(frozen=True, slots=True)
class NoteBox:
    """A box of notes of any denominations, smallest first, and how many of each it holds."""

    denominations: tuple[int, ...]
    stock: Purse

    @property
    def nothing(self) -> Purse:
        """Return a purse without notes."""
        return (0,) * len(self.denominations)

    def worth(self, purse: Purse) -> int:
        """Return what notes are worth."""
        return sum(count * note for count, note in zip(purse, self.denominations, strict=True))

    def pay(self, tills: Tills, transaction: Transaction) -> tuple[Tills, tuple[Payment, ...]]:
        """Carry a transaction out in notes; slips that can be settled meanwhile are settled first."""
        if any(posting.account == BOX and not posting.unit for posting in transaction.postings):
            tills = Tills(((BANK, self.stock),))
        done: list[Payment] = []
        slips, tills = tills.slips, replace(tills, slips=())
        for slip in slips:
            tills, handed = self.hand_over(tills, slip.payer, slip.payee, slip.amount)
            done += [handed] if handed.changes else []
        for payer, payee, amount in transfers(transaction):
            tills, handed = self.hand_over(tills, payer, payee, amount)
            done.append(handed)
        return tills, tuple(done)

    def hand_over(self, tills: Tills, payer: str, payee: str, amount: int) -> tuple[Tills, Payment]:
        """Find what to hand over; somebody else changes money where the two cannot; what is short goes on a slip."""
        changes, short = self._exact(tills, payer, payee, amount), 0
        if changes is None:
            payable = self._most_payable(self.purse_of(tills, payer), self.purse_of(tills, payee), amount)
            changes, short = self._alone(tills, payer, payee, payable) or {}, amount - payable
        after = self._changed(tills, changes)
        if short:
            after = replace(after, slips=(*after.slips, Slip(payer, payee, short)))
        moved = tuple((holder, change) for holder, change in changes.items() if any(change))
        return after, Payment(payer, payee, amount, moved, short)

    def purse_of(self, tills: Tills, holder: str) -> Purse:
        """Return the notes that an account holds."""
        return dict(tills.holders).get(holder, self.nothing)

    def _changed(self, tills: Tills, changes: Mapping[str, Purse]) -> Tills:
        """Return the tills after notes changed hands."""
        after = dict(tills.holders)
        for holder, change in changes.items():
            after[holder] = plus(after.get(holder, self.nothing), change)
        return replace(tills, holders=tuple(after.items()))

    def _exact(self, tills: Tills, payer: str, payee: str, amount: int) -> dict[str, Purse] | None:
        """Pay exactly: between the two, else with the one who can change with the fewest notes."""
        alone = self._alone(tills, payer, payee, amount)
        if alone is not None:
            return alone
        exchanges: list[tuple[int, int, dict[str, Purse]]] = []
        for place, (holder, purse) in enumerate(tills.holders):
            if holder in {payer, payee}:
                continue
            three = self.exchange(self.purse_of(tills, payer), self.purse_of(tills, payee), amount, purse)
            if three is not None:
                moved = sum(abs(count) for change in three for count in change)
                exchanges.append((moved, place, {payer: three[0], payee: three[1], holder: three[2]}))
        return min(exchanges, key=lambda candidate: candidate[:2])[2] if exchanges else None

    def _alone(self, tills: Tills, payer: str, payee: str, amount: int) -> dict[str, Purse] | None:
        exchanged = self.exchange(self.purse_of(tills, payer), self.purse_of(tills, payee), amount)
        return None if exchanged is None else {payer: exchanged[0], payee: exchanged[1]}

    def _most_payable(self, payer: Purse, payee: Purse, amount: int) -> int:
        """Return the highest sum up to an amount that two can exchange exactly."""
        unit, lowest = gcd(*self.denominations), -self.worth(payee)
        sums = 1  # bit n: the sum of ``lowest + n * unit`` can be exchanged
        for note, lost, gained in zip(self.denominations, payer, payee, strict=True):
            of_smaller, sums = sums, 0
            for count in range(lost + gained + 1):
                sums |= of_smaller << (count * note // unit)
        up_to_amount = sums & ((1 << ((amount - lowest) // unit + 1)) - 1)
        return lowest + unit * (up_to_amount.bit_length() - 1)

    # The fewest notes that must change hands for an exact payment, with or without somebody who changes money. Each
    # denomination is decided after the other, the smallest first, so that what remains can be paid in larger ones.

    def exchange(
        self, payer: Purse, payee: Purse, amount: int, changer: Purse | None = None
    ) -> tuple[Purse, Purse, Purse] | None:
        """Find the exchange with the fewest notes by which ``payee`` gains ``amount`` from ``payer``, exactly.

        ``changer`` may swap notes of the same worth with either.  Returns by how many notes each of the three
        changes (payer, payee, changer); ``None`` where no exchange is exact.
        """
        purses = (payer, payee, changer or self.nothing)
        for most in (*FEW_NOTES, sum(map(sum, purses))):
            way = self._cheapest(purses, amount, most)
            if way is not None:
                lost, gained = (tuple(step[side] for step in way[1]) for side in (0, 1))
                return _less(self.nothing, lost), _less(lost, gained), gained
        return None

    def _cheapest(self, purses: tuple[Purse, Purse, Purse], amount: int, most: int) -> Way | None:
        """Return the way that moves the fewest notes, and at most ``most``; ``None``: there is none."""
        ways: dict[tuple[int, int], Way] = {(amount, 0): (0, ())}
        for place, note in enumerate(self.denominations):
            larger = self.denominations[place + 1 :]
            reach = tuple(sum(map(int.__mul__, purse[place + 1 :], larger)) for purse in purses)
            counts = tuple(purse[place] for purse in purses)
            after: dict[tuple[int, int], Way] = {}
            for (owed, swapped), (moved, path) in ways.items():
                for lost in _counts(note, owed, gcd(*larger), -counts[1] - counts[2], counts[0]):
                    if not -reach[1] - reach[2] <= owed - lost * note <= reach[0]:
                        continue
                    for gained in _counts(note, swapped, gcd(*larger), -counts[2], counts[0] + counts[1]):
                        now = moved + (abs(lost) + abs(gained) + abs(lost - gained)) // 2
                        rest = (owed - lost * note, swapped - gained * note)
                        if now > most or lost - gained < -counts[1] or not -reach[2] <= rest[1] <= reach[0] + reach[1]:
                            continue
                        way = (now, (*path, (lost, gained)))
                        if rest not in after or way < after[rest]:
                            after[rest] = way
            ways = after
        return ways.get((0, 0))


FEW_NOTES = (6, 15, 30)
"""Numbers of notes that an exchange is looked for with first, since nearly every one is found so."""


def _counts(note: int, rest: int, divisor: int, least: int, most: int) -> range:
    """Return the numbers of a note, between two, after which the rest is a multiple of ``divisor`` (of 0: nothing)."""
    if divisor == 0:
        count, remainder = divmod(rest, note)
        return range(count, count + 1) if remainder == 0 and least <= count <= most else range(0)
    common = gcd(note, divisor)
    if rest % common:
        return range(0)
    step = divisor // common
    fitting = rest // common * pow(note // common, -1, step) % step
    return range(least + (fitting - least) % step, most + 1, step)


def plus(first: Purse, other: Purse) -> Purse:
    """Add notes to notes."""
    return tuple(map(add, first, other))


def _less(first: Purse, other: Purse) -> Purse:
    return tuple(map(subtract, first, other))


def transfers(transaction: Transaction) -> Iterator[tuple[str, str, int]]:
    """Pair the postings of money: who pays whom how much.  What comes out of the box comes through the bank."""
    money = [posting for posting in transaction.postings if not posting.unit]
    giving = [posting for posting in money if posting.amount < 0]
    at, left = 0, -giving[0].amount if giving else 0
    for taking in money:
        wanted = max(0, taking.amount)
        while wanted:
            if not left:
                at += 1
                left = -giving[at].amount
            amount = min(left, wanted)
            left, wanted = left - amount, wanted - amount
            payer = BANK if giving[at].account == BOX else giving[at].account
            if payer != taking.account:
                yield payer, taking.account, amount
