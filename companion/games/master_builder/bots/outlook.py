"""What a crew makes of its sites until the end of the game, and what money that leaves.

A course is the building alone, a round at a time, as the crew would do it: what finishes a building first, then
what is most of the work.  Money is then laid over it: wages each round, loans where the cash does not reach,
paid back when it does.  It is an estimate: other players, events and the wear of luck are left out.
"""

from dataclasses import dataclass
from functools import lru_cache

from companion.games.master_builder.bots.ladders import Hands, Ladder, Rung, Sites, plus
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT

FIRES_A_ROUND = 3
"""An idle crew is sent away as fast as there are opportunities."""


@dataclass(frozen=True, slots=True)
class Course:
    """Prices by round, how many rounds there is work for, and what is paid for the unfinished at the end."""

    incomes: tuple[int, ...]
    busy: int
    rest: int


@dataclass(frozen=True, slots=True)
class Crew:
    """Who can work, and what the crew costs: in this round, and from the next one on."""

    now: Hands
    wages: int
    later: Hands
    later_wages: int

    def joined(self, more: Hands, wages: int) -> "Crew":
        """Give the crew with more hands from the next round on."""
        return Crew(self.now, self.wages, plus(self.later, more), self.later_wages + wages)

    def changed(self, some: Hands, wages: int, sign: int) -> "Crew":
        """Give the crew with hands that come (``sign`` 1) or go (-1) at once and for good."""
        return Crew(
            plus(self.now, some, sign),
            self.wages + sign * wages,
            plus(self.later, some, sign),
            self.later_wages + sign * wages,
        )

    def resting(self, some: Hands) -> "Crew":
        """Give the crew with hands that cannot work in this round."""
        return Crew(plus(self.now, some, -1), self.wages, self.later, self.later_wages)


@dataclass(frozen=True, slots=True)
class Purse:
    """A player's money and loans; ``late``: what loans cost late is what they cost already."""

    cash: int
    small: int
    large: int
    late: bool

    def paying(self, amount: int) -> "Purse":
        """Give the purse after paying so much, or below nothing after being paid."""
        return Purse(self.cash - amount, self.small, self.large, self.late)


@lru_cache(maxsize=1 << 17)
def grown(sites: Sites, there: Hands, *, last: bool) -> tuple[Sites, int]:
    """Build for one phase: the sites after it and what the finished ones pay.

    In the last round what unfinished buildings pay counts too.
    """
    ways: list[tuple[Hands, int, int, tuple[Rung, ...]]] = [(there, 0, 0, ())]
    for one, built in sites:
        following: list[tuple[Hands, int, int, tuple[Rung, ...]]] = []
        for (all_, skilled, able, masters), gain, work, way in ways:
            for rung in one.rungs[built]:
                some, tradesmen, foremen, best = rung.need
                if some <= all_ and tradesmen <= skilled and foremen <= able and best <= masters:
                    free = (all_ - some, skilled - tradesmen, able - foremen, masters - best)
                    more = rung.worth if last else rung.earns
                    following.append((free, gain + more, work + rung.work, (*way, rung)))
        ways = following
    chosen = max(ways, key=lambda way: way[1:3])[3]
    after = tuple((one, rung.after) for (one, _), rung in zip(sites, chosen, strict=True))
    return after, sum(rung.earns for rung in chosen)


@lru_cache(maxsize=1 << 17)
def course(sites: Sites, now: Hands, later: Hands, rounds: int, coming: tuple[Ladder, int] | None = None) -> Course:
    """Build on for so many rounds, this one included; ``coming``: a contract that will be had, and in how many."""
    incomes: list[int] = []
    busy = 0
    for number in range(rounds):
        if coming is not None and coming[1] == number:
            sites = (*sites, (coming[0], frozenset()))
        sites = tuple(site for site in sites if len(site[1]) < ALL_SECTIONS)
        if sites or (coming is not None and coming[1] > number):
            busy = number + 1
        sites, income = grown(sites, later if number else now, last=number == rounds - 1)
        incomes.append(income)
    rest = sum(one.pays(built) for one, built in sites if len(built) < ALL_SECTIONS)
    return Course(tuple(incomes), busy, rest)


def end_worth(way: Course, purse: Purse, crew: Crew) -> int:
    """Reckon what is left at the end: cash and what the unfinished pays, less what loans cost then."""
    cash, small, large = purse.cash, purse.small, purse.large
    early = LATE if purse.late else EARLY
    for number, income in enumerate(way.incomes):
        heads = (crew.later if number else crew.now)[0]
        wages = crew.later_wages if number else crew.wages
        idle = (number - way.busy + 1) * FIRES_A_ROUND
        if idle > 0 and heads:
            wages = wages * max(0, heads - idle) // heads
        cash += income
        while cash < wages:
            if wages - cash > 2 * LENT["small"]:
                cash, large = cash + LENT["large"], large + 1
            else:
                cash, small = cash + LENT["small"], small + 1
        cash -= wages
        while large and cash >= early["large"] + wages:
            cash, large = cash - early["large"], large - 1
        while small and cash >= early["small"] + wages:
            cash, small = cash - early["small"], small - 1
    return cash + way.rest - small * LATE["small"] - large * LATE["large"]
