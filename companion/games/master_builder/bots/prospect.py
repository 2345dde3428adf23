"""What a player can expect to end with: his sites, his crew and his money, and perhaps another contract to come."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from companion.games.master_builder.bots.ladders import Hands, Ladder, Sites, hands, ladder
from companion.games.master_builder.bots.outlook import Crew, Purse, course, end_worth
from companion.games.master_builder.bots.turn import Turn
from companion.games.master_builder.rules.catalog import ContractCard
from companion.games.master_builder.rules.effects import unfinished
from companion.games.master_builder.rules.guards import contract_card, worker_card
from companion.games.master_builder.rules.loans import is_late
from companion.games.master_builder.rules.plans import at_hand
from companion.games.master_builder.rules.state import Build, Hire, State

WIDEST = 4
"""So many sites are weighed against each other; further ones, the cheapest last, are left alone."""
HOPE_OF_A_SHARE = 0.6
"""How likely a player gets a contract for each that is still to come for each player."""
COMES_DEARER = 5_000
"""How far above its cost a contract that is only hoped for is reckoned."""
MOST_AT_ONCE = 2
"""With so many sites open he hopes for no more."""


@dataclass(frozen=True, slots=True)
class Hope:
    """A contract that may be had: as likely as this, in so many rounds, at this price."""

    ladder: Ladder
    chance: float
    rounds: int
    price: int


@dataclass(frozen=True, slots=True)
class Prospect:
    """All that a player's end depends on, as far as he knows."""

    rounds: int
    sites: Sites
    crew: Crew
    purse: Purse
    hope: Hope | None

    def with_crew(self, crew: Crew) -> "Prospect":
        """Think of another crew."""
        return Prospect(self.rounds, self.sites, crew, self.purse, self.hope)

    def owning(self, more: Ladder, paid: int) -> "Prospect":
        """Think of one more contract, for which so much was paid."""
        sites = (*self.sites, (more, frozenset[str]()))
        return Prospect(self.rounds, sites, self.crew, self.purse.paying(paid), self.hope)

    def built_on(self, sites: Sites, earned: int) -> "Prospect":
        """Think a plan carried out: nobody is left to do more in this round, and what is finished pays in it."""
        crew = self.crew.resting(self.crew.now)
        return Prospect(self.rounds, sites, crew, self.purse.paying(-earned), self.hope)

    @lru_cache(maxsize=1 << 15)  # noqa: B019 - a value: equal prospects share the answer
    def value(self) -> float:
        """Estimate what he will be worth at the end, in dollars."""
        without = end_worth(course(self.sites, self.crew.now, self.crew.later, self.rounds), self.purse, self.crew)
        if self.hope is None or len(self.sites) >= MOST_AT_ONCE:
            return without
        more = course(self.sites, self.crew.now, self.crew.later, self.rounds, (self.hope.ladder, self.hope.rounds))
        paying = self.purse.paying(self.hope.price)
        return without + self.hope.chance * max(0, end_worth(more, paying, self.crew) - without)


def prospect(turn: Turn) -> Prospect:
    """Take stock for the player whose turn it is."""
    state, me = turn.state, turn.me
    everybody = tuple(worker.id for worker in me.crew)
    ready = at_hand(state, me) if isinstance(state.phase, Build) else everybody
    crew = Crew(
        now=heads(state, ready),
        wages=me.wages,
        later=heads(state, everybody),
        later_wages=sum(worker.wage for worker in me.crew),
    )
    return Prospect(
        rounds=turn.rounds,
        sites=sites_of(turn),
        crew=crew,
        purse=Purse(turn.cash, me.small, me.large, is_late(state)),
        hope=_hope(turn),
    )


def heads(state: State, workers: Iterable[str]) -> Hands:
    """Count workers by competence."""
    return hands(worker_card(state, worker).type for worker in workers)


def ladder_of(state: State, card: ContractCard) -> Ladder:
    """Give a contract's ladder under this table's house rules."""
    return ladder(card, state.rules)


def sites_of(turn: Turn) -> Sites:
    """List a player's unfinished sites, those furthest on first, as many as can be weighed against each other."""
    own = [(ladder_of(turn.state, contract_card(turn.state, site.contract)), site) for site in unfinished(turn.me)]
    own.sort(key=lambda one: (-len(one[1].built), -one[0].card.price, one[1].contract))
    sound = ((one, frozenset(site.built)) for one, site in own)
    return tuple((one, built) for one, built in sound if built in one.rungs)[:WIDEST]


def _hope(turn: Turn) -> Hope | None:
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
