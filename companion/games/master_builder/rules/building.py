"""What may stand: houses and city walls, and which teams can raise a section.

A house begins with a wall and a gable, its roof waits for all four; a city wall is two stretches, the first
complete before the second begins, each beginning with its wall and one side.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from companion.games.master_builder.rules.catalog import (
    HOUSE_SECTIONS,
    RANK,
    WALL_SECTIONS,
    ContractCard,
    ContractKind,
)
from companion.games.master_builder.rules.house_rules import Rules

WALLS = frozenset({"wall-1", "wall-2"})
GABLES = frozenset({"gable-1", "gable-2"})
ROOFS = frozenset({"roof-1", "roof-2"})
STRETCHES = (frozenset({"wall-1", "side-1a", "side-1b"}), frozenset({"wall-2", "side-2a", "side-2b"}))


@dataclass(frozen=True, slots=True)
class Regulations:
    """The house rules on what may stand: both roofs or none (D30), the walls' order free (D31)."""

    roofs_together: bool = False
    walls_in_any_order: bool = False


AS_PRINTED = Regulations()


def regulations(rules: Rules) -> Regulations:
    """Give the regulations of a game."""
    return Regulations(rules.roof_pair == "together", rules.city_wall_order == "free")


def unsound(kind: ContractKind, built: Collection[str], by: Regulations = AS_PRINTED) -> str | None:
    """Name the building regulation that these sections break; ``None`` where they may stand so."""
    standing = frozenset(built)
    if kind == "house":
        return _unsound_house(standing, by)
    return _unsound_wall(standing, by)


def _unsound_house(standing: frozenset[str], by: Regulations) -> str | None:
    if standing and not (standing & WALLS and standing & GABLES):
        return "needs_wall_and_gable"
    if standing & ROOFS and not standing >= WALLS | GABLES:
        return "roof_needs_four_walls"
    if by.roofs_together and len(standing & ROOFS) == 1:
        return "roofs_together"
    return None


def _unsound_wall(standing: frozenset[str], by: Regulations) -> str | None:
    first, second = (standing & stretch for stretch in STRETCHES)
    if second and first != STRETCHES[0] and not by.walls_in_any_order:
        return "first_wall_first"
    for number, stretch in enumerate((first, second), start=1):
        if stretch and (f"wall-{number}" not in stretch or len(stretch) == 1):
            return "needs_wall_and_side"
    return None


def section_names(kind: ContractKind) -> tuple[str, ...]:
    """Give the six sections of a kind of building."""
    return HOUSE_SECTIONS if kind == "house" else WALL_SECTIONS


@cache
def sound_states(kind: ContractKind, by: Regulations = AS_PRINTED) -> tuple[frozenset[str], ...]:
    """Enumerate every state in which a building may stand: as printed 13 for a house, 7 for a city wall."""
    names = section_names(kind)
    subsets = (frozenset(some) for size in range(len(names) + 1) for some in combinations(names, size))
    return tuple(state for state in subsets if unsound(kind, state, by) is None)


def team_fits(code: Iterable[str], team: Iterable[str]) -> bool:
    """Say whether a team of worker types can do a code: as many heads, each at least as competent."""
    needed = sorted(RANK[one] for one in code)
    there = sorted(RANK[one] for one in team)
    return len(needed) == len(there) and all(have >= need for have, need in zip(there, needed, strict=True))


def team_of(contract: ContractCard, section: str) -> tuple[str, ...]:
    """Give the code of one section."""
    return next(one.team for one in contract.sections if one.name == section)
