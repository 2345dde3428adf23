"""The position as viewers see it, its overview, and the winner and the ranks after them (rulings MW-D17 to D19)."""

from dataclasses import asdict
from typing import Any

from companion.engine.game import Overview, Seat, StandingsRow
from companion.game_api.messages import show_fields
from companion.game_api.seating import rank_players
from companion.games.men_at_work.rules.catalog import all_pieces
from companion.games.men_at_work.rules.phases import action_of, expects, phase_of
from companion.games.men_at_work.rules.state import Action, GamePosition, Player, State

# The winner and the ranks after them (rulings MW-D17 to D19).


def standings(state: State) -> tuple[StandingsRow, ...]:
    """Rank the players by certificates and awards together, then by awards; empty before the end."""
    if not state.finished:
        return ()
    scores = {player.id: _score(state, player) for player in state.players}
    return tuple(StandingsRow(player, rank, _figures(state.player(player))) for player, rank in rank_players(scores))


def _figures(player: Player) -> tuple[tuple[str, int], ...]:
    total = player.certificates + player.awards
    return ("total", total), ("certificates", player.certificates), ("awards", player.awards)


def _score(state: State, player: Player) -> tuple[bool, bool, int, int]:
    """Order by: the winner, who still plays (unless the table ranks the eliminated by total), total, awards."""
    plays = not player.out or state.rules.eliminated == "by_total"
    return player.id == state.winner, plays, player.certificates + player.awards, player.awards


# The position as JSON: there is nothing secret in it, for hands are only counted.


def view(position: GamePosition) -> dict[str, Any]:
    """Show the position to anybody."""
    state = position.state
    phase = phase_of(state)
    return {
        "game": "men_at_work",
        "catalog": state.catalog_name,
        "turn": state.turn,
        "phase": phase,
        "seats": list(state.seats),
        "active": state.active,
        "clean": phase == "clean",
        "waiting_for": [] if state.finished else [state.active],
        "expects": list(expects(state)),
        "action": _action(action_of(state)),
        "players": {player.id: _player(player) for player in state.players},
        "deck": state.deck,
        "back": state.back,
        "discard": list(state.discard),
        "boss": {"on_duty": state.on_duty, "about_after": state.about_after},
        "awards_needed": state.awards_needed,
        "awards_left": state.awards_left,
        "certificates_lost": sum(player.dealt - player.certificates for player in state.players),
        **_pieces(state),
        "rules": asdict(state.rules),
        "variants": list(state.variants),
        "finished": state.finished,
        "ended_by": state.ended_by,
        "winner": state.winner,
        "standings": _standings(state),
    }


def _action(action: Action | None) -> dict[str, Any] | None:
    if action is None:
        return None
    return {
        **show_fields(action, "card", "back"),
        "piece": action.kind,
        **show_fields(action, "how", "colours", "pieces", "status", "on_highest"),
    }


def _player(player: Player) -> dict[str, Any]:
    return {
        "name": player.name,
        "level": player.level,
        "certificates": player.certificates,
        "awards": player.awards,
        "out": player.out,
        "hand": player.hand,
    }


def _pieces(state: State) -> dict[str, Any]:
    if not state.rules.counts:
        return {"reserve": None, "site": None, "floor": None}
    return {"reserve": state.reserve, "site": all_pieces(state.site), "floor": all_pieces(state.floor)}


def _standings(state: State) -> list[dict[str, Any]] | None:
    if not state.finished:
        return None
    return [{"player": place.player, **dict(place.figures), "rank": place.rank} for place in standings(state)]


# The overview of a position for screens and services that do not know the game.


def overview(position: GamePosition) -> Overview:
    """Return which moment it is, whom the table waits for, and how the game ended."""
    state = position.state
    return Overview(
        phase=phase_of(state),
        players=tuple(Seat(player.id, player.name) for player in state.players),
        seats=state.seats,
        waiting_for=() if state.finished else (state.active,),
        expects=expects(state),
        finished=state.finished,
        standings=standings(state),
    )
