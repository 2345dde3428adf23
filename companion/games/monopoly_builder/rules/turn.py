"""The turn: surplus chips, dice, jail, its end (rulings MO-D06 to D09, D12, D24, D31 to D34)."""

from companion.engine.errors import Refused
from companion.games.monopoly_builder.rules import commands as c
from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.gathering import gather
from companion.games.monopoly_builder.rules.guards import at_stage, can_spend, has_chips, sound_chips, sound_dice
from companion.games.monopoly_builder.rules.holdings import count_of
from companion.games.monopoly_builder.rules.kinds import JAIL_FEE, LIMIT, some, total
from companion.games.monopoly_builder.rules.moving import move, to_jail

THIRD = 3
"""The third double in a row leads to jail, the third failure to get out of it costs the fee."""


def discard(course: Course, command: c.Discard) -> None:
    """Lay exactly the surplus onto the own space."""
    player = at_stage(course.state, command.player, "discard")
    chips = sound_chips(command.chips)
    due = count_of(course.here, player.id) - LIMIT
    if total(chips) != due:
        raise Refused("not_as_many_as_due", due=due)
    has_chips(course.here, player.id, chips)
    course.happens(e.ChipsDiscarded(player.id, player.space, some(chips)))


def roll(course: Course, command: c.Roll) -> None:
    """Roll: rents of others lapse, everybody gathers, the token moves, or jail is tried to be left."""
    player = at_stage(course.state, command.player, "roll")
    sound_dice(command.dice)
    lapsed = {claim.payer for claim in course.state.claims} - {player.id}
    if lapsed:
        course.happens(e.ClaimsLapsed(tuple(one for one in course.state.seats if one in lapsed)))
    if player.in_jail:
        _roll_in_jail(course, command.dice)
        return
    doubles = course.state.doubles + 1 if is_double(command.dice) else 0
    course.happens(e.DiceRolled(player.id, command.dice, doubles, player.tries))
    if doubles < THIRD:
        gather(course, sum(command.dice))
        move(course, sum(command.dice))
        return
    if course.rules.third_double == "gathers":
        gather(course, sum(command.dice))
    to_jail(course)


def is_double(dice: tuple[int, int]) -> bool:
    """Say whether both dice show the same."""
    return dice[0] == dice[1]


def _roll_in_jail(course: Course, dice: tuple[int, int]) -> None:
    player, free = course.mover, is_double(dice)
    counted = 1 if free and course.rules.jail_double == "extra_turn" else 0
    tries = player.tries if free else min(THIRD, player.tries + 1)
    course.happens(e.DiceRolled(player.id, dice, counted, tries))
    gather(course, sum(dice))
    if free:
        course.happens(e.Freed(player.id, "double"))
        move(course, sum(dice))
    elif tries == THIRD:
        course.stage("fee")
        course.owe(player.id, "bank", JAIL_FEE)
    else:
        course.stage("act")


def leave_jail(course: Course, command: c.LeaveJail) -> None:
    """Pay the fee before rolling."""
    player = at_stage(course.state, command.player, "roll")
    if not player.in_jail:
        raise Refused("not_in_jail", player=player.id)
    can_spend(course.here, player.id, JAIL_FEE)
    course.happens(e.Freed(player.id, "fee", JAIL_FEE))


def fee_paid(course: Course) -> None:
    """Go on after the fee of a third failure: with a new roll, or by the one that failed."""
    dice = course.state.dice
    course.happens(e.Freed(course.mover.id, "fee"))
    if course.rules.third_failure == "move_with_it" and dice is not None:
        move(course, sum(dice))
    else:
        course.stage("roll")


def end_turn(course: Course, command: c.EndTurn) -> None:
    """Give the dice on, or roll again after a double."""
    player = at_stage(course.state, command.player, "act")
    if course.state.doubles and not player.in_jail:
        course.happens(e.TurnBegan(player.id, course.state.doubles))
    else:
        course.pass_turn()
