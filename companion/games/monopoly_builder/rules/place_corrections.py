"""What stands on a cell, where a token is, whose turn it is: put right by the banker (refusals R50 to R52)."""

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules import correcting_commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.guards import seated, solvent
from companion.games.monopoly_builder.rules.kinds import PENTHOUSE

MOST_TRIES = 2
"""A third one costs the fee at once."""


def correct_block(course: Course, command: c.CorrectBlock) -> None:
    """Put right what stands on a cell."""
    state = course.state
    if command.cell not in state.catalog.foundation.cells:
        raise Refused("unknown_cell", cell=command.cell)
    if not 0 <= command.height < PENTHOUSE:
        raise Refused("no_such_height", height=command.height)
    if (command.owner is None) != (command.height == 0):
        raise Refused("say_the_owner")
    stands = state.building(command.cell)
    if stands is not None and stands.height == PENTHOUSE:
        raise Refused("the_penthouse_stands")
    if command.owner is not None:
        seated(state, command.owner)
        there = stands.height if stands is not None and stands.owner == command.owner else 0
        if command.height > state.blocks(command.owner) + there:
            raise Refused("no_block_left", player=command.owner)
    if ((stands.owner, stands.height) if stands else (None, 0)) == (command.owner, command.height):
        raise Refused("nothing_would_change")
    course.happens(e.BlockCorrected(command.cell, command.owner, command.height, command.reason))


def correct_position(course: Course, command: c.CorrectPosition) -> None:
    """Put a token to where it stands; nothing is taken, paid or carried out."""
    player = solvent(course.state, command.player)
    if not 0 <= command.space < len(course.catalog.spaces):
        raise Refused("unknown_space", space=command.space)
    if command.in_jail and command.space != course.catalog.jail:
        raise Refused("jail_is_elsewhere", space=course.catalog.jail)
    if not 0 <= command.tries <= (MOST_TRIES if command.in_jail else 0):
        raise Refused("no_such_tries", tries=command.tries)
    if (player.space, player.in_jail, player.tries) == (command.space, command.in_jail, command.tries):
        raise Refused("nothing_would_change")
    course.happens(
        e.PositionCorrected(player.id, command.space, command.in_jail, command.tries, command.reason),
    )


def correct_turn(course: Course, command: c.CorrectTurn) -> None:
    """Say whose turn it is and how far it has come, or that the game is over; what was under way is cut short."""
    state = course.state
    if command.player is None and command.phase is None:
        raise Refused("say_player_or_phase")
    phase = command.phase or "discard"
    goes_on = phase != "finished" or command.player is not None
    player = solvent(state, command.player or state.turn) if goes_on else state.mover
    if state.penthouse:
        raise Refused("the_penthouse_stands")
    if phase == "finished" and state.finished:
        raise Refused("game_over")
    course.happens(e.TurnCorrected(player.id, phase, command.reason))
    if phase == "finished":
        course.happens(e.GameEnded("called_off"))
