"""The outline of a position for screens and services that do not know the game."""

from companion.engine.game import Overview, Seat
from companion.games.men_at_work.rules.moments import expects, phase_of
from companion.games.men_at_work.rules.standings import standings
from companion.games.men_at_work.rules.state import Here


def overview(here: Here) -> Overview:
    """Say which moment it is, whom the table waits for, and how the game ended."""
    state = here.state
    return Overview(
        phase=phase_of(state),
        players=tuple(Seat(player.id, player.name) for player in state.players),
        seats=state.seats,
        waiting_for=() if state.finished else (state.active,),
        expects=expects(state),
        finished=state.finished,
        standings=standings(state),
    )
