"""Drawings of the instructions of girders and workers."""

from collections.abc import Callable, Mapping, Sequence

from companion.game_api.drawing import DrawnShape, TextLine, moved
from companion.game_api.ui import Language
from companion.games.men_at_work.drawings.pieces import (
    EMPTY,
    GIRDER_HIGH,
    TABLE,
    Shapes,
    arm,
    arrow,
    beam,
    brick,
    end_on,
    girder,
    support,
    table,
    worker,
)

# How a girder is placed, twelve drawings: the new girder has the heavy outline, the site stands thin.

_ON_SUPPORT = TABLE - 10


def _site(left: float = 12, right: float = 48, top: float = _ON_SUPPORT) -> Shapes:
    """Draw a girder upon two supports."""
    lying = girder(left - 4, top - GIRDER_HIGH, right - left + 8)
    return (*table(), *support(left, TABLE), *support(right, TABLE), *lying)


def balance(colour: str, says: str) -> Shapes:
    """Draw a girder that lies on one point alone, both ends free."""
    top = _ON_SUPPORT - GIRDER_HIGH
    return (
        *table(),
        *support(30, TABLE),
        *end_on(30 - GIRDER_HIGH / 2, top),
        *girder(8, top - GIRDER_HIGH, 44, colour, says, new=True),
        *arrow(6, 8, 6, 13),
        *arrow(54, 8, 54, 13),
    )


def same_colour(colour: str, says: str) -> Shapes:
    """Draw two girders of one colour."""
    return (
        *table(),
        *support(14, TABLE),
        *support(34, TABLE),
        *girder(8, _ON_SUPPORT - GIRDER_HIGH, 32, colour, says or "="),
        *girder(22, _ON_SUPPORT - 2 * GIRDER_HIGH, 32, colour, says or "=", new=True),
    )


def _other_colours(colour: str, usable: Sequence[str]) -> list[str]:
    """Return the colours that neither a new girder has nor the one that might be used instead."""
    return [other for other in ("orange", "purple", "white", "black") if other != colour and other not in usable]


LetterOf = Callable[[str], str]
"""The letter of a colour in the reader's language."""


def _unlettered(_colour: str) -> str:
    return ""


def two_other_colours(colour: str, says: str, usable: Sequence[str] = (), letters: LetterOf = _unlettered) -> Shapes:
    """Draw three girders that touch, no two of one colour."""
    others = _other_colours(colour, usable)[:2]
    return (
        *table(),
        *support(10, TABLE),
        *support(50, TABLE),
        *girder(3, _ON_SUPPORT - GIRDER_HIGH, 22, others[0], letters(others[0])),
        *girder(35, _ON_SUPPORT - GIRDER_HIGH, 22, others[1], letters(others[1])),
        *girder(12, _ON_SUPPORT - 2 * GIRDER_HIGH, 36, colour, says, new=True),
    )


def touch_highest(colour: str, says: str) -> Shapes:
    """Draw stairs of girders, and one that touches the topmost."""
    top = _ON_SUPPORT - 2 * GIRDER_HIGH
    return (
        *_site(10, 40),
        *end_on(14, top),
        *girder(8, top - GIRDER_HIGH, 26),
        *arrow(12, 2, 12, top - GIRDER_HIGH - 1),
        *girder(24, top - 2 * GIRDER_HIGH, 32, colour, says, new=True),
    )


def with_worker(colour: str, says: str) -> Shapes:
    """Draw a girder with a worker on it."""
    top = _ON_SUPPORT - 2 * GIRDER_HIGH
    return (*_site(), *girder(14, top, 34, colour, says, new=True), *worker(24, top, new=True))


def strong_worker(colour: str, says: str) -> Shapes:
    """Draw a girder on a worker's arm."""
    foot = _ON_SUPPORT - GIRDER_HIGH
    x, top = arm(20, foot)
    return (*_site(), *worker(20, foot), *girder(x - 1.2, top - GIRDER_HIGH, 34, colour, says, new=True))


def _new_support(colour: str, says: str, other: str, other_says: str) -> Shapes:
    top = _ON_SUPPORT - GIRDER_HIGH
    return (
        *table(),
        *support(12, TABLE),
        *support(46, TABLE, new=True),
        *arrow(55, 16, 55, 30),
        *girder(3, top, 30, other, other_says),
        *girder(20, top - GIRDER_HIGH, 34, colour, says, new=True),
    )


def new_support_same(colour: str, says: str) -> Shapes:
    """Draw a new support, and a girder that touches it and one of its own colour."""
    return _new_support(colour, says or "=", colour, says or "=")


def new_support_other(colour: str, says: str, usable: Sequence[str] = (), letters: LetterOf = _unlettered) -> Shapes:
    """Draw a new support, and a girder that touches it and one of another colour."""
    other = _other_colours(colour, usable)[-1]
    return _new_support(colour, says, other, letters(other) or ("" if says else "≠"))


def new_support_on_girder(colour: str, says: str) -> Shapes:
    """Draw a new support that stands on a girder."""
    foot = _ON_SUPPORT - GIRDER_HIGH
    return (
        *_site(),
        *support(20, foot, new=True),
        *arrow(12, 6, 12, 17),
        *girder(26, foot - GIRDER_HIGH, 32, colour, says, new=True),
    )


def touch_support(colour: str, says: str) -> Shapes:
    """Draw a girder that touches a support."""
    top = _ON_SUPPORT - GIRDER_HIGH
    return (*table(), *support(18, TABLE), *arrow(18, 10, 18, top - 1), *girder(10, top, 42, colour, says, new=True))


def carry_brick(colour: str, says: str) -> Shapes:
    """Draw a girder that is moved in with a brick upon it."""
    top = 9.0
    return (*_site(), *girder(12, top, 36, colour, says, new=True), *brick(24, top), *arrow(42, top + 5.5, 42, 18.5))


def become_highest(colour: str, says: str) -> Shapes:
    """Draw a girder above all others."""
    top = _ON_SUPPORT - GIRDER_HIGH
    return (
        *_site(),
        *support(24, top),
        *girder(10, top - 10 - GIRDER_HIGH, 34, colour, says, new=True),
        *arrow(50, 20, 50, 3),
    )


# How a worker is placed, nine drawings: they stand on a girder whose colour the back says.

_FOOT = TABLE - 10 - GIRDER_HIGH


def _ground(colour: str, says: str) -> Shapes:
    lying = girder(11, _FOOT, 38, colour, says)
    return (*table(10, 50), *support(17, TABLE), *support(43, TABLE), *lying)


def one_brick(colour: str, says: str) -> Shapes:
    """Draw a brick on an arm."""
    return (*_ground(colour, says), *worker(30, _FOOT, new=True), *brick(*arm(30, _FOOT)))


def two_bricks(colour: str, says: str) -> Shapes:
    """Draw a brick on each arm."""
    return (*one_brick(colour, says), *brick(*arm(30, _FOOT, right=False)))


def one_beam(colour: str, says: str) -> Shapes:
    """Draw a beam on an arm."""
    return (*_ground(colour, says), *worker(26, _FOOT, new=True), *beam(*arm(28, _FOOT)))


def two_beams(colour: str, says: str) -> Shapes:
    """Draw two beams, one upon the other."""
    x, y = arm(28, _FOOT)
    return (*one_beam(colour, says), *beam(x, y - 1.5))


def brick_and_beam(colour: str, says: str) -> Shapes:
    """Draw a beam on one arm and a brick on the other."""
    return (*one_beam(colour, says), *brick(*arm(26, _FOOT, right=False)))


def near_end(colour: str, says: str) -> Shapes:
    """Draw them at an end of the girder."""
    return (*_ground(colour, says), *worker(43, _FOOT, new=True), *arrow(27, 12, 34, 12))


def carry_beam(colour: str, says: str) -> Shapes:
    """Draw them moved in with the beam on their arm."""
    foot = 14.0
    return (
        *_ground(colour, says),
        *worker(28, foot, new=True),
        *beam(*arm(30, foot)),
        *arrow(42, foot - 4, 42, _FOOT - 1),
    )


def connect_by_beam(colour: str, says: str) -> Shapes:
    """Draw a beam from their arm to that of a worker who stands there."""
    y = arm(22, _FOOT)[1]
    return (*_ground(colour, says), *worker(22, _FOOT), *worker(38, _FOOT, new=True), *beam(30, y, 16))


def two_workers(colour: str, says: str) -> Shapes:
    """Draw two new workers on one girder."""
    return (*_ground(colour, says), *worker(22, _FOOT, new=True), *worker(38, _FOOT, new=True))


# The drawing of an instruction by its id, and of a back: what is placed, in which colours.

WIDTH, HEIGHT = 60.0, 36.0
"""In units of its own."""

Draw = Callable[[str, str], tuple[DrawnShape, ...]]
_DRAWN: Mapping[str, Draw] = {
    draw.__name__: draw
    for draw in (
        balance,
        same_colour,
        two_other_colours,
        touch_highest,
        with_worker,
        strong_worker,
        new_support_same,
        new_support_other,
        new_support_on_girder,
        touch_support,
        carry_brick,
        become_highest,
        one_brick,
        two_bricks,
        one_beam,
        two_beams,
        brick_and_beam,
        near_end,
        carry_beam,
        connect_by_beam,
        two_workers,
    )
}
WORKER_LEFT, WORKER_WIDTH = 9.0, 42.0
"""Left edge and width, in millimetres, of an instruction for a worker."""
SHOWS_COLOUR = frozenset({"same_colour", "new_support_same"})
"""The instructions for girders whose drawing depends on the colour of the new girder."""
DRAWN = frozenset(_DRAWN)
"""The instructions that have a drawing: those of the published game."""


def instruction(name: str, colour: str, says: str, x: float, y: float, scale: float) -> tuple[DrawnShape, ...]:
    """Draw an instruction with the new girder in a colour; one that an owner wrote has its pieces alone."""
    return moved(_DRAWN.get(name, _unknown)(colour, says), x, y, scale)


_SHOWS_OTHERS = {"two_other_colours": two_other_colours, "new_support_other": new_support_other}


def free_place(name: str, usable: Sequence[str], letters: LetterOf) -> tuple[DrawnShape, ...]:
    """Draw an instruction for a girder with its place free for one in any of the colours that may be used."""
    if name in _SHOWS_OTHERS:
        return _SHOWS_OTHERS[name](EMPTY, "", usable, letters)
    return _DRAWN.get(name, _unknown)(EMPTY, "")


def letter(colour: str, words: Language) -> str:
    """Return the letter of a colour in a language."""
    return words.say_in("colour", colour)[:1].upper()


def back(
    piece: str, colours: Sequence[str], words: Language, x: float, y: float, scale: float
) -> tuple[DrawnShape, ...]:
    """Draw what a back says: a girder in either of two colours, or a worker on one."""
    shapes: list[DrawnShape] = []
    for row, colour in enumerate(colours):
        top = 4 + 17 * row + (10 if piece == "worker" else 4)
        shapes += girder(8, top, 44, colour, letter(colour, words))
        if piece == "worker":
            shapes += worker(30, top)
    across, down = (30.0, 21.8) if piece == "girder" else (15.0, 26.5)
    or_else = TextLine(across, down, 5, words.say("or"), "middle", colour="#5d5348")
    return moved([*shapes, or_else], x, y, scale)


def _unknown(colour: str, says: str) -> tuple[DrawnShape, ...]:
    return (*table(), *support(14, 34), *support(46, 34), *girder(8, 19.8, 44, colour, says or "?", new=True))
