"""Placing: the action done, its colour, the highest piece (rulings MW-D07, D13, D15, D16, D18)."""

from typing import cast

from companion.engine.errors import Refused
from companion.games.men_at_work.rules import commands as c
from companion.games.men_at_work.rules import events as e
from companion.games.men_at_work.rules.course import Course
from companion.games.men_at_work.rules.judging import action_of, piece_counts, used_up
from companion.games.men_at_work.rules.moments import must_expect
from companion.games.men_at_work.rules.state import Action, ColourAsked, State


def done(course: Course, command: c.Done) -> None:
    """Take the pieces of the action, and ask for what is not clear yet."""
    state = course.state
    must_expect(state, "done", command.player)
    action = standing(state)
    sound_colour(state, action, command.colour)
    if command.highest is not None and not state.on_duty:
        raise Refused("boss_not_on_duty")
    if command.highest:
        award_left(state)
    if asks_colour(state, action, command.colour):
        course.happens(e.ColourWanted(command.player, ColourAsked(action, command.highest)))
        return
    place(course, action, command.colour)
    after_done(course, command.highest)


def say_colour(course: Course, command: c.SayColour) -> None:
    """Take the pieces now that the colour is known, and go on as after what asked for it."""
    state = course.state
    must_expect(state, "say_colour", command.player)
    asked = cast("ColourAsked", state.colour_asked)
    sound_colour(state, asked.action, command.colour)
    course.happens(e.ColourSaid(command.player, command.colour))
    place(course, asked.action, command.colour)
    if asked.accident:
        after_accident(course)
    else:
        after_done(course, asked.highest)


def claim_highest(course: Course, command: c.ClaimHighest) -> None:
    """Give the award, and end the turn."""
    must_expect(course.state, "claim_highest", command.player)
    award_left(course.state)
    course.award()
    if not course.state.finished:
        course.end_turn()


def nobody(course: Course, command: c.Nobody) -> None:
    """End the turn without an award."""
    must_expect(course.state, "nobody", command.player)
    course.happens(e.NobodyHighest(command.player))
    course.end_turn()


def after_done(course: Course, highest: bool | None) -> None:  # noqa: FBT001 - three answers: yes, no, not said
    """Ask for the highest piece where the boss is on duty, and end the turn."""
    state = course.state
    if state.rules.two_ends == "stop_first" and used_up(state):
        course.stop()
        return
    if state.on_duty and (highest is None or (highest and state.awards_left == 0)):
        course.ask_highest()
        return
    if state.on_duty and highest:
        course.award()
    if not course.state.finished:
        course.end_turn()


def after_accident(course: Course) -> None:
    """Ask for the highest piece where the table does so after an accident, and let the next one clean."""
    state = course.state
    if state.rules.award_after_accident == "asked" and state.on_duty and not state.player(state.active).out:
        course.ask_highest()
    else:
        course.pass_on(clean=True)


def standing(state: State) -> Action:
    """Give the action of phase ``place`` or ``colour``."""
    return cast("Action", action_of(state))


def place(course: Course, action: Action, colour: str | None) -> None:
    """Take the pieces of an action from the reserve, where they are counted."""
    player = course.state.active
    if not course.state.rules.counts:
        course.happens(e.ActionDone(player))
        return
    girder = None if action.kind == "worker" else colour or action.colours[0]
    course.happens(e.PiecesPlaced(player, piece_counts(action, girder)))


def asks_colour(state: State, action: Action, colour: str | None) -> bool:
    """Say whether the colour of the girder is yet to be told."""
    return state.rules.counts and action.kind == "girder" and colour is None and len(action.colours) > 1


def sound_colour(state: State, action: Action, colour: str | None) -> None:
    """Check a colour that was told; ``Refused``."""
    if colour is None:
        return
    if not state.rules.counts or action.kind == "worker":
        raise Refused("no_colour_here")
    if colour not in action.colours:
        raise Refused("colour_does_not_fit", colour=colour, colours=action.colours)


def award_left(state: State) -> None:
    """Check that there is an award to give; ``Refused``."""
    if state.awards_left == 0:
        raise Refused("no_award_left")
