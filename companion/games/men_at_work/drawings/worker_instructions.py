"""How a worker is placed, nine drawings: he stands on a girder whose colour the back says."""

from companion.game_api.drawing import Shape
from companion.games.men_at_work.drawings.pieces import (
    GIRDER_HIGH,
    TABLE,
    arm,
    arrow,
    beam,
    brick,
    girder,
    support,
    table,
    worker,
)

Shapes = tuple[Shape, ...]
_FOOT = TABLE - 10 - GIRDER_HIGH


def _ground(colour: str, says: str) -> Shapes:
    lying = girder(6, _FOOT, 48, colour, says)
    return (*table(), *support(14, TABLE), *support(46, TABLE), *lying)


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
    """Draw him at an end of the girder."""
    return (*_ground(colour, says), *worker(50, _FOOT, new=True), *arrow(34, 12, 43, 12))


def carry_beam(colour: str, says: str) -> Shapes:
    """Draw him moved in with the beam on his arm."""
    foot = 14.0
    return (
        *_ground(colour, says),
        *worker(28, foot, new=True),
        *beam(*arm(30, foot)),
        *arrow(42, foot - 4, 42, _FOOT - 1),
    )


def connect_by_beam(colour: str, says: str) -> Shapes:
    """Draw a beam from his arm to that of one who stands there."""
    y = _FOOT - 7.2
    return (*_ground(colour, says), *worker(22, _FOOT), *worker(38, _FOOT, new=True), *beam(30, y, 16))


def two_workers(colour: str, says: str) -> Shapes:
    """Draw two new workers on one girder."""
    return (*_ground(colour, says), *worker(22, _FOOT, new=True), *worker(40, _FOOT, new=True))
