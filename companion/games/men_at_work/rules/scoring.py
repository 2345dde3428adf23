"""The winner and the ranks after them (rulings MW-D17 to D19)."""

from companion.engine.game import StandingsRow
from companion.games.men_at_work.rules.state import Player, State


def standings(state: State) -> tuple[StandingsRow, ...]:
    """Rank the players by certificates and awards together, then by awards; empty before the end."""
    if not state.finished:
        return ()
    scores = {player.id: _score(state, player) for player in state.players}
    ranked = sorted(state.players, key=lambda player: scores[player.id], reverse=True)
    return tuple(
        StandingsRow(
            player.id,
            1 + sum(other > scores[player.id] for other in scores.values()),
            (
                ("total", player.certificates + player.awards),
                ("certificates", player.certificates),
                ("awards", player.awards),
            ),
        )
        for player in ranked
    )


def _score(state: State, player: Player) -> tuple[bool, bool, int, int]:
    """Order by: the winner, who still plays (unless the table ranks the eliminated by total), total, awards."""
    plays = not player.out or state.rules.eliminated == "by_total"
    return player.id == state.winner, plays, player.certificates + player.awards, player.awards
