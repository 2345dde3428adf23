"""How a building can grow: from each state in which it may stand, what could be added and whom that takes.

A crew is counted by competence alone: ``Hands`` says how many are at least an apprentice, a tradesman, a
foreman, a master craftsman.  A team suffices exactly where none of the four counts asks for more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from companion.games.master_builder.bots.turn import BotTurn
from companion.games.master_builder.rules.building import allowed_states, at_hand, regulations, team_of, too_early
from companion.games.master_builder.rules.catalog import RANK, ContractCard
from companion.games.master_builder.rules.effects import ALL_SECTIONS, unfinished_sites
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.loans import EARLY, LATE, LENT, is_late
from companion.games.master_builder.rules.scoring import pay_if_unfinished
from companion.games.master_builder.rules.state import Build, Hire, State, contract_card, worker_card

Hands: TypeAlias = tuple[int, int, int, int]
Built: TypeAlias = frozenset[str]
WORK = (0, 1, 3, 4, 5)
"""What a place weighs by its rank: about what the worker costs a round."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A state to which a building can grow in one phase.

    ``need``: whom it takes; ``work``: what its places weigh; ``worth``: what the building then pays at the end
    of the game, ``earns`` what it pays at once.
    """

    after: Built
    need: Hands
    work: int
    worth: int
    earns: int


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """All ways in which one contract can be built."""

    card: ContractCard
    rules: Rules
    rungs: Mapping[Built, tuple[Rung, ...]]

    def pays(self, built: Built) -> int:
        """Return what the building pays at the end of the game if it stays unfinished so."""
        return pay_if_unfinished(self.rules, self.card, len(built))


Sites: TypeAlias = tuple[tuple[Ladder, Built], ...]


def hands(types: Iterable[str]) -> Hands:
    """Count workers by competence."""
    ranks = [RANK[each] for each in types]
    return (
        len(ranks),
        sum(rank >= RANK["T"] for rank in ranks),
        sum(rank >= RANK["F"] for rank in ranks),
        sum(rank >= RANK["MC"] for rank in ranks),
    )


def plus(first: Hands, other: Hands, times: int = 1) -> Hands:
    """Add hands to hands, or with ``times`` -1 take them away."""
    return (
        first[0] + times * other[0],
        first[1] + times * other[1],
        first[2] + times * other[2],
        first[3] + times * other[3],
    )


def suffice(there: Hands, need: Hands) -> bool:
    """Return whether a crew can do what is needed."""
    return there[0] >= need[0] and there[1] >= need[1] and there[2] >= need[2] and there[3] >= need[3]


@lru_cache(maxsize=512)
def ladder(card: ContractCard, rules: Rules) -> Ladder:
    """Work out a contract's ladder under a table's house rules."""
    states = allowed_states(card.kind, regulations(rules))
    return Ladder(card, rules, {built: tuple(_rungs(card, rules, built)) for built in states})


def _rungs(card: ContractCard, rules: Rules, built: Built) -> Iterable[Rung]:
    for after in allowed_states(card.kind, regulations(rules)):
        new = after - built
        if not after >= built or (rules.roof_timing == "next_phase" and too_early(tuple(built), tuple(new))):
            continue
        team = [code for section in new for code in team_of(card, section)]
        earns = card.price if len(after) == ALL_SECTIONS and new else 0
        yield Rung(
            after,
            need=hands(team),
            work=sum(WORK[RANK[code]] for code in team),
            worth=earns or pay_if_unfinished(rules, card, len(after)),
            earns=earns,
        )


# What a crew makes of its sites until the end of the game, and what money that leaves. A course is the building
# alone, a round at a time, as the crew would do it: what finishes a building first, then what is most of the
# work. Money is then laid over it: wages each round, loans where the cash does not reach, paid back when it
# does. It is an estimate: other players, events and the wear of luck are left out.

FIRES_A_ROUND = 3
"""An idle crew is sent away as fast as there are opportunities."""


@dataclass(frozen=True, slots=True)
class IncomeProjection:
    """Prices by round, how many rounds there is work for, and what is paid for the unfinished at the end."""

    incomes: tuple[int, ...]
    busy: int
    rest: int


@dataclass(frozen=True, slots=True)
class Crew:
    """Hands that can work and the wages of the crew: in this round, and from the next one on."""

    now: Hands
    wages: int
    later: Hands
    later_wages: int

    def joined(self, more: Hands, wages: int) -> "Crew":
        """Return the crew with more hands from the next round on."""
        return Crew(self.now, self.wages, plus(self.later, more), self.later_wages + wages)

    def changed(self, some: Hands, wages: int, sign: int) -> "Crew":
        """Return the crew with hands that come (``sign`` 1) or go (-1) at once and for good."""
        return Crew(
            plus(self.now, some, sign),
            self.wages + sign * wages,
            plus(self.later, some, sign),
            self.later_wages + sign * wages,
        )

    def resting(self, some: Hands) -> "Crew":
        """Return the crew with hands that cannot work in this round."""
        return Crew(plus(self.now, some, -1), self.wages, self.later, self.later_wages)


@dataclass(frozen=True, slots=True)
class Funds:
    """A player's money and loans; ``late``: what loans cost late is what they cost already."""

    cash: int
    small: int
    large: int
    late: bool

    def paying(self, amount: int) -> "Funds":
        """Return the purse after a payment; a negative one is received."""
        return Funds(self.cash - amount, self.small, self.large, self.late)


@lru_cache(maxsize=1 << 17)
def grow_sites(sites: Sites, there: Hands, *, last: bool) -> tuple[Sites, int]:
    """Build for one phase: the sites after it and what the finished ones pay.

    In the last round what unfinished buildings pay counts too.
    """
    ways: list[tuple[Hands, int, int, tuple[Rung, ...]]] = [(there, 0, 0, ())]
    for site, built in sites:
        following: list[tuple[Hands, int, int, tuple[Rung, ...]]] = []
        for (all_, skilled, able, masters), gain, work, way in ways:
            for rung in site.rungs[built]:
                some, tradesmen, foremen, best = rung.need
                if some <= all_ and tradesmen <= skilled and foremen <= able and best <= masters:
                    free = (all_ - some, skilled - tradesmen, able - foremen, masters - best)
                    more = rung.worth if last else rung.earns
                    following.append((free, gain + more, work + rung.work, (*way, rung)))
        ways = following
    chosen = max(ways, key=lambda way: way[1:3])[3]
    after = tuple((site, rung.after) for (site, _), rung in zip(sites, chosen, strict=True))
    return after, sum(rung.earns for rung in chosen)


@lru_cache(maxsize=1 << 17)
def project_incomes(
    sites: Sites, now: Hands, later: Hands, rounds: int, coming: tuple[Ladder, int] | None = None
) -> IncomeProjection:
    """Build on for ``rounds`` rounds, this one included; ``coming``: a contract to be had, and in how many rounds."""
    incomes: list[int] = []
    busy = 0
    for number in range(rounds):
        if coming is not None and coming[1] == number:
            sites = (*sites, (coming[0], frozenset()))
        sites = tuple(site for site in sites if len(site[1]) < ALL_SECTIONS)
        if sites or (coming is not None and coming[1] > number):
            busy = number + 1
        sites, income = grow_sites(sites, later if number else now, last=number == rounds - 1)
        incomes.append(income)
    rest = sum(site.pays(built) for site, built in sites if len(built) < ALL_SECTIONS)
    return IncomeProjection(tuple(incomes), busy, rest)


def end_worth(way: IncomeProjection, purse: Funds, crew: Crew) -> int:
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


# What a player can expect to end with: their sites, crew and money, and perhaps another contract to come.

WIDEST = 4
"""Maximum number of sites that are compared with each other; the others, the cheapest last, are left alone."""
HOPE_OF_A_SHARE = 0.6
"""How likely a player gets a contract for each that is still to come for each player."""
COMES_DEARER = 5_000
"""How far above its cost a contract that is only hoped for is reckoned."""
MOST_AT_ONCE = 2
"""Number of open sites from which on no further contract is expected."""


@dataclass(frozen=True, slots=True)
class Hope:
    """A contract that may be had: its probability, in how many rounds, and its price."""

    ladder: Ladder
    chance: float
    rounds: int
    price: int


@dataclass(frozen=True, slots=True)
class EndOutlook:
    """All that a player's end depends on, as far as the player knows."""

    rounds: int
    sites: Sites
    crew: Crew
    purse: Funds
    hope: Hope | None

    def with_crew(self, crew: Crew) -> "EndOutlook":
        """Think of another crew."""
        return EndOutlook(self.rounds, self.sites, crew, self.purse, self.hope)

    def owning(self, more: Ladder, paid: int) -> "EndOutlook":
        """Return the outlook with one more contract, for which ``paid`` dollars were paid."""
        sites = (*self.sites, (more, frozenset[str]()))
        return EndOutlook(self.rounds, sites, self.crew, self.purse.paying(paid), self.hope)

    def built_on(self, sites: Sites, earned: int) -> "EndOutlook":
        """Think a plan carried out: nobody is left to do more in this round, and what is finished pays in it."""
        crew = self.crew.resting(self.crew.now)
        return EndOutlook(self.rounds, sites, crew, self.purse.paying(-earned), self.hope)

    @lru_cache(maxsize=1 << 15)  # noqa: B019 - a value: equal prospects share the answer
    def value(self) -> float:
        """Return the player's estimated worth at the end, in dollars."""
        without = end_worth(
            project_incomes(self.sites, self.crew.now, self.crew.later, self.rounds), self.purse, self.crew
        )
        if self.hope is None or len(self.sites) >= MOST_AT_ONCE:
            return without
        more = project_incomes(
            self.sites, self.crew.now, self.crew.later, self.rounds, (self.hope.ladder, self.hope.rounds)
        )
        paying = self.purse.paying(self.hope.price)
        return without + self.hope.chance * max(0, end_worth(more, paying, self.crew) - without)


def prospect(turn: BotTurn) -> EndOutlook:
    """Return what to expect for the player whose turn it is."""
    state, me = turn.state, turn.me
    everybody = tuple(worker.id for worker in me.crew)
    ready = at_hand(state, me) if isinstance(state.phase, Build) else everybody
    crew = Crew(
        now=heads(state, ready),
        wages=me.wages,
        later=heads(state, everybody),
        later_wages=sum(worker.wage for worker in me.crew),
    )
    return EndOutlook(
        rounds=turn.rounds,
        sites=sites_of(turn),
        crew=crew,
        purse=Funds(turn.cash, me.small, me.large, is_late(state)),
        hope=_hope(turn),
    )


def heads(state: State, workers: Iterable[str]) -> Hands:
    """Count workers by competence."""
    return hands(worker_card(state, worker).type for worker in workers)


def ladder_of(state: State, card: ContractCard) -> Ladder:
    """Return a contract's ladder under this table's house rules."""
    return ladder(card, state.rules)


def sites_of(turn: BotTurn) -> Sites:
    """List a player's unfinished sites, those furthest on first, as many as can be weighed against each other."""
    own = [
        (ladder_of(turn.state, contract_card(turn.state, site.contract)), site) for site in unfinished_sites(turn.me)
    ]
    own.sort(key=lambda entry: (-len(entry[1].built), -entry[0].card.price, entry[1].contract))
    sound = ((ladder, frozenset(site.built)) for ladder, site in own)
    return tuple((site, built) for site, built in sound if built in site.rungs)[:WIDEST]


def _hope(turn: BotTurn) -> Hope | None:
    """Reckon with the contract of middling price among those nobody has seen."""
    state = turn.state
    unseen = sorted(
        (card for card in state.catalog.contracts if card.id not in state.seen), key=lambda card: card.price
    )
    rounds = 0 if isinstance(state.phase, Hire) else 1
    if not state.deck or rounds >= turn.rounds:
        return None
    card = unseen[len(unseen) // 2]
    share = min(1.0, state.deck / len(state.seats))
    return Hope(ladder_of(state, card), HOPE_OF_A_SHARE * share, rounds, card.cost + COMES_DEARER)
