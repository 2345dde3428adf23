"""The fewest notes that must change hands for an exact payment, with or without somebody who changes money.

Every note is a multiple of the next smaller one, so amounts are searched note by note from the smallest up,
carrying what remains: exact, and small enough to be done after every tap.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from operator import add
from operator import sub as subtract
from typing import TypeAlias

from companion.engine.ledger import BANK, BOX, Transaction
from companion.game_api.notes import Payment, Purse, Slip, Tills

NOTES = (1_000, 5_000, 10_000, 50_000)
"""The notes of the box, in dollars."""

NONE: Purse = (0, 0, 0, 0)
STEPS = tuple(larger // smaller for smaller, larger in pairwise(NOTES))

Way: TypeAlias = "tuple[int, tuple[tuple[int, int], ...]]"
"""How many notes move so far, and for each note how many the payer loses and the changer gains."""


def worth(purse: Purse) -> int:
    """Return what notes are worth, in dollars."""
    return sum(count * note for count, note in zip(purse, NOTES, strict=True))


def plus(first: Purse, other: Purse) -> Purse:
    """Add notes to notes."""
    return tuple(map(add, first, other))


def exchange(payer: Purse, payee: Purse, amount: int, changer: Purse = NONE) -> tuple[Purse, Purse, Purse] | None:
    """Find the exchange with the fewest notes by which ``payee`` gains ``amount`` from ``payer``, exactly.

    ``changer`` may swap notes of the same worth with either.  Gives by how many notes each of the three
    changes (payer, payee, changer); ``None`` where no exchange is exact.
    """
    ways: dict[tuple[int, int], Way] = {(amount // NOTES[0], 0): (0, ())}
    for place in range(len(NOTES)):
        ways = _one_more(ways, place, (payer[place], payee[place], changer[place]))
    way = ways.get((0, 0))
    if way is None:
        return None
    lost, changed = (_purse(way, side) for side in (0, 1))
    return _less(NONE, lost), _less(lost, changed), changed


def _one_more(
    ways: dict[tuple[int, int], Way], place: int, notes_there: tuple[int, int, int]
) -> dict[tuple[int, int], Way]:
    """Decide one more kind of note; what remains is counted in the next larger one."""
    after: dict[tuple[int, int], Way] = {}
    last = place == len(NOTES) - 1
    step = 1 if last else STEPS[place]
    for (owed, swapped), (moved, path) in ways.items():
        for lost, gained in _choices(notes_there, owed, swapped, step, last=last):
            rest = ((owed - lost) // step, (swapped - gained) // step)
            way = (moved + (abs(lost) + abs(gained) + abs(lost - gained)) // 2, (*path, (lost, gained)))
            if rest not in after or way < after[rest]:
                after[rest] = way
    return after


def _choices(
    notes_there: tuple[int, int, int], owed: int, swapped: int, step: int, *, last: bool
) -> Iterator[tuple[int, int]]:
    """Yield what payer may lose and changer gain of a note, so that the rest can be paid in larger ones."""
    payer, payee, changer = notes_there
    lowest_lost, lowest_gained = -payee - changer, -changer
    losses = [owed] if last else range(lowest_lost + (owed - lowest_lost) % step, payer + 1, step)
    gains = [swapped] if last else range(lowest_gained + (swapped - lowest_gained) % step, payer + payee + 1, step)
    for lost in losses:
        for gained in gains:
            if lost <= payer and gained >= -changer and lost - gained >= -payee:
                yield lost, gained


def _purse(way: Way, side: int) -> Purse:
    return tuple(step[side] for step in way[1])


def _less(first: Purse, other: Purse) -> Purse:
    return tuple(map(subtract, first, other))


# The notes on the table: who should hold which, and what is handed over when money moves. The books do not
# depend on it (ruling D39): this only follows them, from the moment the box is opened.

STOCK: Purse = (20, 15, 20, 8)
"""The notes in the box, smallest first: 695,000 dollars."""


def purse_of(tills: Tills, holder: str) -> Purse:
    """Return the notes that an account holds."""
    return dict(tills.holders).get(holder, NONE)


def after_changes(tills: Tills, changes: Mapping[str, Purse]) -> Tills:
    """Return the tills after notes changed hands."""
    after = dict(tills.holders)
    for holder, change in changes.items():
        after[holder] = plus(after.get(holder, NONE), change)
    return replace(tills, holders=tuple(after.items()))


def pay(tills: Tills, transaction: Transaction) -> tuple[Tills, tuple[Payment, ...]]:
    """Carry a transaction out in notes; slips that can be settled meanwhile are settled first."""
    if any(posting.account == BOX for posting in transaction.postings):
        tills = Tills(((BANK, STOCK),))
    done: list[Payment] = []
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
    giving = [posting for posting in transaction.postings if posting.amount < 0]
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


def hand_over(tills: Tills, payer: str, payee: str, amount: int) -> tuple[Tills, Payment]:
    """Find what to hand over; somebody else changes money where the two cannot; what is short goes on a slip."""
    changes, short = _exact(tills, payer, payee, amount), 0
    while changes is None:
        short += NOTES[0]
        changes = _alone(tills, payer, payee, amount - short)
    after = after_changes(tills, changes)
    if short:
        after = replace(after, slips=(*after.slips, Slip(payer, payee, short)))
    moved = tuple((holder, change) for holder, change in changes.items() if change != NONE)
    return after, Payment(payer, payee, amount, moved, short)


def _exact(tills: Tills, payer: str, payee: str, amount: int) -> dict[str, Purse] | None:
    """Pay exactly: between the two, else with the one who can change with the fewest notes."""
    alone = _alone(tills, payer, payee, amount)
    if alone is not None:
        return alone
    exchanges: list[tuple[int, int, dict[str, Purse]]] = []
    for place, (holder, purse) in enumerate(tills.holders):
        if holder in {payer, payee}:
            continue
        three = exchange(purse_of(tills, payer), purse_of(tills, payee), amount, purse)
        if three is not None:
            moved = sum(abs(count) for change in three for count in change)
            exchanges.append((moved, place, {payer: three[0], payee: three[1], holder: three[2]}))
    return min(exchanges, key=lambda candidate: candidate[:2])[2] if exchanges else None


def _alone(tills: Tills, payer: str, payee: str, amount: int) -> dict[str, Purse] | None:
    exchanged = exchange(purse_of(tills, payer), purse_of(tills, payee), amount)
    return None if exchanged is None else {payer: exchanged[0], payee: exchanged[1]}
