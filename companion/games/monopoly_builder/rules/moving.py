"""Moving a token, space by space: chips that lie there, then GO (rulings MO-D13, D14, D31)."""

from companion.games.monopoly_builder.rules import events as e
from companion.games.monopoly_builder.rules.catalog import Effect
from companion.games.monopoly_builder.rules.course import Course
from companion.games.monopoly_builder.rules.holdings import on_spaces
from companion.games.monopoly_builder.rules.kinds import GO


def move(course: Course, steps: int) -> None:
    """Move the player on turn forwards, or backwards where ``steps`` is negative; then the space is due."""
    player, at = course.mover.id, course.mover.space
    way = 1 if steps > 0 else -1
    heaps = on_spaces(course.here)
    for taken in range(1, abs(steps) + 1):
        at = (at + way) % len(course.catalog.spaces)
        if at in heaps:
            course.happens(e.ChipsPicked(player, at, heaps[at]))
        if at == 0 and (way > 0 or taken == abs(steps)):
            course.happens(e.GoPassed(player, GO))
    course.happens(e.TokenMoved(player, at))


def move_to(course: Course, effect: Effect) -> None:
    """Move forwards to a space by its number, or to the next one of a type; one space at least."""
    spaces = course.catalog.spaces
    at = course.mover.space
    aims = [number for number in range(len(spaces)) if effect.space in (None, number)]
    steps = ((number - at - 1) % len(spaces) + 1 for number in aims if effect.type in (None, spaces[number].type))
    move(course, min(steps))


def to_jail(course: Course) -> None:
    """Put the player on turn into jail: his turn is over at once."""
    course.happens(e.Jailed(course.mover.id, course.catalog.jail))
    course.pass_turn()
