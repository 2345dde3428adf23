"""The fewest notes that must change hands for an exact payment, with or without somebody who changes money.

Every note is a multiple of the next smaller one, so amounts are searched note by note from the smallest up,
carrying what remains: exact, and small enough to be done after every tap.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypeAlias

NOTES = (1_000, 5_000, 10_000, 50_000)
"""The notes of the box, in dollars."""

Purse: TypeAlias = "tuple[int, int, int, int]"
"""How many of each note somebody holds, or by how many that changes; in the order of ``NOTES``."""

NONE: Purse = (0, 0, 0, 0)
STEPS = tuple(larger // smaller for smaller, larger in pairwise(NOTES))

Way: TypeAlias = "tuple[int, tuple[tuple[int, int], ...]]"
"""How many notes move so far, and for each note how many the payer loses and the changer gains."""


def worth(purse: Purse) -> int:
    """Say what notes are worth, in dollars."""
    return sum(count * note for count, note in zip(purse, NOTES, strict=True))


def plus(one: Purse, other: Purse) -> Purse:
    """Add notes to notes."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def exchange(payer: Purse, payee: Purse, amount: int, changer: Purse = NONE) -> tuple[Purse, Purse, Purse] | None:
    """Find the exchange with the fewest notes by which ``payee`` gains ``amount`` from ``payer``, exactly.

    ``changer`` may swap notes of the same worth with either.  Gives by how many notes each of the three
    changes (payer, payee, changer); ``None`` where no exchange is exact.
    """
    ways: dict[tuple[int, int], Way] = {(amount // NOTES[0], 0): (0, ())}
    for place in range(len(NOTES)):
        ways = _one_more(ways, place, (payer[place], payee[place], changer[place]))
    found = ways.get((0, 0))
    if found is None:
        return None
    lost, changed = (_purse(found, side) for side in (0, 1))
    return _less(NONE, lost), _less(lost, changed), changed


def _one_more(ways: dict[tuple[int, int], Way], place: int, held: tuple[int, int, int]) -> dict[tuple[int, int], Way]:
    """Decide one more kind of note; what remains is counted in the next larger one."""
    after: dict[tuple[int, int], Way] = {}
    last = place == len(NOTES) - 1
    step = 1 if last else STEPS[place]
    for (owed, swapped), (moved, path) in ways.items():
        for lost, gained in _choices(held, owed, swapped, step, last=last):
            rest = ((owed - lost) // step, (swapped - gained) // step)
            way = (moved + (abs(lost) + abs(gained) + abs(lost - gained)) // 2, (*path, (lost, gained)))
            if rest not in after or way < after[rest]:
                after[rest] = way
    return after


def _choices(
    held: tuple[int, int, int], owed: int, swapped: int, step: int, *, last: bool
) -> Iterator[tuple[int, int]]:
    """Give what the payer may lose of a note and the changer gain, so that what remains can be paid in larger ones."""
    payer, payee, changer = held
    lowest_lost, lowest_gained = -payee - changer, -changer
    losses = [owed] if last else range(lowest_lost + (owed - lowest_lost) % step, payer + 1, step)
    gains = [swapped] if last else range(lowest_gained + (swapped - lowest_gained) % step, payer + payee + 1, step)
    for lost in losses:
        for gained in gains:
            if lost <= payer and gained >= -changer and lost - gained >= -payee:
                yield lost, gained


def _purse(way: Way, side: int) -> Purse:
    first, second, third, fourth = (step[side] for step in way[1])
    return (first, second, third, fourth)


def _less(one: Purse, other: Purse) -> Purse:
    return plus(one, (-other[0], -other[1], -other[2], -other[3]))
