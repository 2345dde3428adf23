"""How a girder is placed, twelve drawings: the new girder has the heavy outline, the site stands thin."""

from companion.game_api.drawing import Shape
from companion.games.men_at_work.drawings.pieces import (
    GIRDER_HIGH,
    TABLE,
    arm,
    arrow,
    brick,
    end_on,
    girder,
    support,
    table,
    worker,
)

Shapes = tuple[Shape, ...]
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


def two_other_colours(colour: str, says: str) -> Shapes:
    """Draw three girders that touch, no two of one colour."""
    others = [one for one in ("orange", "purple", "white", "black") if one != colour][:2]
    return (
        *table(),
        *support(10, TABLE),
        *support(50, TABLE),
        *girder(3, _ON_SUPPORT - GIRDER_HIGH, 22, others[0]),
        *girder(35, _ON_SUPPORT - GIRDER_HIGH, 22, others[1]),
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


def new_support_other(colour: str, says: str) -> Shapes:
    """Draw a new support, and a girder that touches it and one of another colour."""
    other = "black" if colour != "black" else "orange"
    return _new_support(colour, says, other, "≠" if not says else "")


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
