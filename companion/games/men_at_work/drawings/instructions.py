"""The drawing of an instruction by its id, and of a back: what is placed, in which colours."""

from collections.abc import Callable, Mapping, Sequence

from companion.game_api.drawing import Shape, Text, moved
from companion.game_api.ui import Speaks
from companion.games.men_at_work.drawings import girder_instructions as girders
from companion.games.men_at_work.drawings import worker_instructions as workers
from companion.games.men_at_work.drawings.pieces import girder, support, table, worker

WIDTH, HEIGHT = 60.0, 36.0
"""In units of its own."""

Draw = Callable[[str, str], tuple[Shape, ...]]
_DRAWN: Mapping[str, Draw] = {
    one.__name__: one
    for one in (
        girders.balance,
        girders.same_colour,
        girders.two_other_colours,
        girders.touch_highest,
        girders.with_worker,
        girders.strong_worker,
        girders.new_support_same,
        girders.new_support_other,
        girders.new_support_on_girder,
        girders.touch_support,
        girders.carry_brick,
        girders.become_highest,
        workers.one_brick,
        workers.two_bricks,
        workers.one_beam,
        workers.two_beams,
        workers.brick_and_beam,
        workers.near_end,
        workers.carry_beam,
        workers.connect_by_beam,
        workers.two_workers,
    )
}
DRAWN = frozenset(_DRAWN)
"""The instructions that have a drawing: those of the published game."""


def instruction(name: str, colour: str, says: str, x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """Draw an instruction with the new girder in a colour; one that an owner named himself has its pieces alone."""
    return moved(_DRAWN.get(name, _unknown)(colour, says), x, y, scale)


def letter(colour: str, words: Speaks) -> str:
    """Give the letter of a colour in a language."""
    return words.say_in("colour", colour)[:1].upper()


def back(piece: str, colours: Sequence[str], words: Speaks, x: float, y: float, scale: float) -> tuple[Shape, ...]:
    """Draw what a back says: a girder in either of two colours, or a worker on one."""
    shapes: list[Shape] = []
    for row, colour in enumerate(colours):
        top = 4 + 17 * row + (10 if piece == "worker" else 4)
        shapes += girder(8, top, 44, colour, letter(colour, words), new=piece == "girder")
        if piece == "worker":
            shapes += worker(30, top, new=True)
    or_else = Text(4, 22 if piece == "girder" else 24, 3.4, words.say("or"), colour="#5d5348")
    return moved([*shapes, or_else], x, y, scale)


def _unknown(colour: str, says: str) -> tuple[Shape, ...]:
    return (*table(), *support(14, 34), *support(46, 34), *girder(8, 19.8, 44, colour, says or "?", new=True))
