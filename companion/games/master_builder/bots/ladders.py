"""How a building can grow: from each state in which it may stand, what could be added and whom that takes.

A crew is counted by competence alone: ``Hands`` says how many are at least an apprentice, a tradesman, a
foreman, a master craftsman.  A team suffices exactly where none of the four counts asks for more.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from companion.games.master_builder.rules.building import regulations, sound_states, team_of
from companion.games.master_builder.rules.catalog import RANK, ContractCard
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.plans import too_early
from companion.games.master_builder.rules.reckoning import pay_if_unfinished

Hands: TypeAlias = tuple[int, int, int, int]
NOBODY: Hands = (0, 0, 0, 0)
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
        """Say what the building pays at the end of the game if it stays unfinished so."""
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


def plus(one: Hands, other: Hands, times: int = 1) -> Hands:
    """Add hands to hands, or with ``times`` -1 take them away."""
    return (
        one[0] + times * other[0],
        one[1] + times * other[1],
        one[2] + times * other[2],
        one[3] + times * other[3],
    )


def suffice(there: Hands, need: Hands) -> bool:
    """Say whether a crew can do what is needed."""
    return there[0] >= need[0] and there[1] >= need[1] and there[2] >= need[2] and there[3] >= need[3]


@lru_cache(maxsize=512)
def ladder(card: ContractCard, rules: Rules) -> Ladder:
    """Work out a contract's ladder under a table's house rules."""
    states = sound_states(card.kind, regulations(rules))
    return Ladder(card, rules, {built: tuple(_rungs(card, rules, built)) for built in states})


def _rungs(card: ContractCard, rules: Rules, built: Built) -> Iterable[Rung]:
    for after in sound_states(card.kind, regulations(rules)):
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
