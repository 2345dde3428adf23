"""Worth of the players by today's rates, and the standings at the end (rulings D39, D43 to D46)."""

from dataclasses import dataclass

from companion.game_api.seating import rank_players
from companion.games.master_builder.rules.catalog import ContractCard
from companion.games.master_builder.rules.effects import ALL_SECTIONS
from companion.games.master_builder.rules.house_rules import Rules
from companion.games.master_builder.rules.loans import owes
from companion.games.master_builder.rules.state import GamePosition, Player, State, cash, contract_card

MISSING_SECTION = 20_000


@dataclass(frozen=True, slots=True)
class PlayerWorth:
    """One line of the reckoning, in dollars."""

    player: str
    cash: int
    unfinished: int
    loans: int
    worth: int
    rank: int


def pay_if_unfinished(rules: Rules, card: ContractCard, built: int) -> int:
    """Return what an unfinished contract pays at the end: price less 20,000 a missing section, never below 0."""
    if not built and not rules.unstarted_pays:
        return 0
    return max(0, card.price - MISSING_SECTION * (ALL_SECTIONS - built))


def unfinished_pay(state: State, player: Player) -> int:
    """Sum what a player's unpaid contracts pay at the end."""
    return sum(
        pay_if_unfinished(state.rules, contract_card(state, site.contract), len(site.built)) for site in player.sites
    )


def standings(position: GamePosition) -> tuple[PlayerWorth, ...]:
    """Rank everybody by worth; equal worth shares a rank, the next one is skipped."""
    state = position.state
    lines = {
        player.id: (cash(position, player.id), unfinished_pay(state, player), owes(state, player))
        for player in state.players
    }
    worth = {player: money + pays - due for player, (money, pays, due) in lines.items()}
    scores = {player: (worth[player], -_behind(state, state.player(player))) for player in lines}
    return tuple(PlayerWorth(player, *lines[player], worth[player], rank) for player, rank in rank_players(scores))


def _behind(state: State, player: Player) -> int:
    """Return what counts against a player at equal worth (D46); nothing as printed: the place is shared."""
    match state.rules.tie_break:
        case "fewer_loans":
            return player.small + player.large
        case "more_buildings":
            return -len(player.completed)
        case _:
            return 0
