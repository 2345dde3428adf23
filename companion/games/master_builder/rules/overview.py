"""The outline of a position for screens and services that do not know the game."""

from companion.engine.game import Overview, Place, Seat
from companion.games.master_builder.rules.moments import name_of
from companion.games.master_builder.rules.phases.current import waits
from companion.games.master_builder.rules.reckoning import standings
from companion.games.master_builder.rules.state import Finished, Here


def overview(here: Here) -> Overview:
    """Say which phase it is, whom the table waits for, and how the game ended."""
    state = here.state
    waiting, expects = waits(here)
    finished = isinstance(state.phase, Finished)
    ended = standings(here) if finished else ()
    return Overview(
        phase=name_of(state.phase),
        players=tuple(Seat(one.id, one.name, one.sitter) for one in map(state.player, state.turn_order)),
        seats=state.seats,
        waiting_for=tuple(waiting),
        expects=tuple(expects),
        round=state.round,
        finished=finished,
        standings=tuple(Place(line.player, line.rank, (("worth", line.worth),)) for line in ended),
    )
