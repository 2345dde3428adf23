"""Points: buildings, sets, Billionaire, Community Builder (rulings MO-D44 to D47)."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.engine.game import StandingsRow
from companion.game_api.seating import rank_players
from companion.games.monopoly_builder.rules.accounting import cash
from companion.games.monopoly_builder.rules.catalog import Foundation
from companion.games.monopoly_builder.rules.state import GamePosition, State

BUILDING = (0, 1, 3, 6, 10, 16)
"""Points of a building by its height."""
BILLIONAIRE = 3
COMMUNITY = 5
SMALLEST_GROUP = 2


@dataclass(frozen=True, slots=True)
class Points:
    """The points of a player by source."""

    player: str
    buildings: int
    sets: int
    billionaire: int
    community: int
    cash: int

    @property
    def points(self) -> int:
        """Add up."""
        return self.buildings + self.sets + self.billionaire + self.community


def points(position: GamePosition) -> tuple[Points, ...]:
    """Count everybody's points as if the game ended now, by seat."""
    state = position.state
    money = {player: cash(position, player) for player in state.seats}
    groups = {player: largest_group(state, player) for player in state.seats}
    groups = {player: size if size >= SMALLEST_GROUP else 0 for player, size in groups.items()}
    rich, joined = _best(money, state), _best(groups, state)
    return tuple(
        Points(
            player,
            sum(BUILDING[building.height] for building in state.board if building.owner == player),
            _sets(state, player),
            BILLIONAIRE if player in rich else 0,
            COMMUNITY if player in joined else 0,
            money[player],
        )
        for player in state.seats
    )


def _best(figures: dict[str, int], state: State) -> frozenset[str]:
    """Return who has most of something, if anybody has any; several only where ties score."""
    most = max(figures.values())
    best = frozenset(player for player, figure in figures.items() if figure == most > 0)
    return best if len(best) == 1 or state.rules.bonus_ties == "all" else frozenset()


def _sets(state: State, player: str) -> int:
    holder = state.player(player)
    counting = set(holder.deeds)
    if not state.rules.mortgaged_set_scores:
        counting -= set(holder.mortgaged)
    colours = {deed.colour for deed in state.catalog.deeds if set(state.catalog.set_of(deed.id)) <= counting}
    return sum(worth for colour, worth in state.catalog.sets if colour in colours)


def largest_group(state: State, player: str) -> int:
    """Return the number of buildings of a player's largest group of neighbours."""
    cells = {building.cell for building in state.board if building.owner == player}
    return max((len(group) for group in groups_of(cells, state.catalog.foundation)), default=0)


def groups_of(cells: Iterable[str], foundation: Foundation) -> list[frozenset[str]]:
    """Part cells into groups of neighbours."""
    left = set(cells)
    groups: list[frozenset[str]] = []
    while left:
        group = {min(left)}
        while more := {cell for cell in left - group if _touches(foundation, cell, group)}:
            group |= more
        left -= group
        groups.append(frozenset(group))
    return groups


def _touches(foundation: Foundation, cell: str, group: Iterable[str]) -> bool:
    return any(are_neighbours(foundation, cell, other) for other in group)


def are_neighbours(foundation: Foundation, cell: str, other: str) -> bool:
    """Return whether two cells count as neighbours: side by side or one above the other, but for what a box prints."""
    if (cell, other) in foundation.apart or (other, cell) in foundation.apart:
        return False
    return lie_together(cell, other) or (cell, other) in foundation.joined or (other, cell) in foundation.joined


def lie_together(cell: str, other: str) -> bool:
    """Return whether two cells lie side by side or one above the other."""
    return abs(ord(cell[0]) - ord(other[0])) + abs(int(cell[1:]) - int(other[1:])) == 1


def standings(position: GamePosition) -> tuple[tuple[Points, int], ...]:
    """Rank the players by points, then by money; empty before the end."""
    return ranking(position) if position.state.finished else ()


def ranking(position: GamePosition) -> tuple[tuple[Points, int], ...]:
    """Rank the players by points, then by money, as if the game ended now."""
    counted = {earned.player: earned for earned in points(position)}
    scores = {player: (earned.points, earned.cash) for player, earned in counted.items()}
    return tuple((counted[player], rank) for player, rank in rank_players(scores))


def places(position: GamePosition) -> tuple[StandingsRow, ...]:
    """Return the standings as every screen may show them; empty before the end."""
    return tuple(StandingsRow(standing.player, rank, figures(standing)) for standing, rank in standings(position))


def figures(player_points: Points) -> tuple[tuple[str, int], ...]:
    """Return what somebody has, source by source, the sum first."""
    sources = ("points", "buildings", "sets", "billionaire", "community", "cash")
    return tuple((source, getattr(player_points, source)) for source in sources)
