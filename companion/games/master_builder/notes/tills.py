"""The notes on the table: who should hold which, and what is handed over when money moves.

The books do not depend on it (ruling D39): this only follows them, from the moment the box is opened.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.engine.ledger import BANK, BOX, Transaction
from companion.games.master_builder.notes.exchange import NONE, NOTES, Purse, exchange, plus

STOCK: Purse = (20, 15, 20, 8)
"""The notes in the box, smallest first: 695,000 dollars."""


@dataclass(frozen=True, slots=True)
class HandOver:
    """One payment in notes: how each holder's change; ``short`` is what could not be handed over."""

    payer: str
    payee: str
    amount: int
    changes: tuple[tuple[str, Purse], ...]
    short: int = 0


@dataclass(frozen=True, slots=True)
class Slip:
    """What somebody still has to hand over, because notes were short."""

    payer: str
    payee: str
    amount: int


@dataclass(frozen=True, slots=True)
class Tills:
    """Who should hold which notes; ``holders`` are accounts of the ledger."""

    holders: tuple[tuple[str, Purse], ...] = ()
    slips: tuple[Slip, ...] = ()

    def purse(self, holder: str) -> Purse:
        """Say which notes somebody holds."""
        return dict(self.holders).get(holder, NONE)

    def changed(self, changes: Mapping[str, Purse]) -> "Tills":
        """Return the tills after notes changed hands."""
        after = dict(self.holders)
        for holder, change in changes.items():
            after[holder] = plus(after.get(holder, NONE), change)
        return replace(self, holders=tuple(after.items()))


def paid(tills: Tills, transaction: Transaction) -> tuple[Tills, tuple[HandOver, ...]]:
    """Carry a transaction out in notes; slips that can be settled meanwhile are settled first."""
    if any(posting.account == BOX for posting in transaction.postings):
        tills = Tills(((BANK, STOCK),))
    done: list[HandOver] = []
    slips, tills = tills.slips, replace(tills, slips=())
    for slip in slips:
        tills, handed = hand_over(tills, slip.payer, slip.payee, slip.amount)
        done += [handed] if handed.changes else []
    for payer, payee, amount in transfers(transaction):
        tills, handed = hand_over(tills, payer, payee, amount)
        done.append(handed)
    return tills, tuple(done)


def transfers(transaction: Transaction) -> Iterator[tuple[str, str, int]]:
    """Pair the postings: who pays whom how many dollars.  What comes out of the box comes through the bank."""
    giving = [one for one in transaction.postings if one.amount < 0]
    at, left = 0, -giving[0].amount if giving else 0
    for taking in transaction.postings:
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


def hand_over(tills: Tills, payer: str, payee: str, amount: int) -> tuple[Tills, HandOver]:
    """Find what to hand over; somebody else changes money where the two cannot; what is short goes on a slip."""
    changes, short = _exact(tills, payer, payee, amount), 0
    while changes is None:
        short += NOTES[0]
        changes = _alone(tills, payer, payee, amount - short)
    after = tills.changed(changes)
    if short:
        after = replace(after, slips=(*after.slips, Slip(payer, payee, short)))
    moved = tuple((holder, change) for holder, change in changes.items() if change != NONE)
    return after, HandOver(payer, payee, amount, moved, short)


def _exact(tills: Tills, payer: str, payee: str, amount: int) -> dict[str, Purse] | None:
    """Pay exactly: between the two, else with the one who can change with the fewest notes."""
    alone = _alone(tills, payer, payee, amount)
    if alone is not None:
        return alone
    found: list[tuple[int, int, dict[str, Purse]]] = []
    for place, (holder, purse) in enumerate(tills.holders):
        if holder in {payer, payee}:
            continue
        three = exchange(tills.purse(payer), tills.purse(payee), amount, purse)
        if three is not None:
            moved = sum(abs(count) for change in three for count in change)
            found.append((moved, place, {payer: three[0], payee: three[1], holder: three[2]}))
    return min(found, key=lambda one: one[:2])[2] if found else None


def _alone(tills: Tills, payer: str, payee: str, amount: int) -> dict[str, Purse] | None:
    found = exchange(tills.purse(payer), tills.purse(payee), amount)
    return None if found is None else {payer: found[0], payee: found[1]}
