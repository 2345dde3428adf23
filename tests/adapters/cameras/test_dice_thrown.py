"""Dice on the simulated table: thrown so that faces lie up, and read as a camera sees them."""

import numpy as np
import pytest

from companion.simulator.camera import SimulatedCamera
from companion.simulator.optics import SEVERITIES
from companion.simulator.table import SimulatedTable
from companion.vision.dice.reader import read_dice
from tests.extent import by_night


def thrown(faces: tuple[int, int], severity: str, seed: int = 5) -> SimulatedCamera:
    table = SimulatedTable(seed, {"W01": "MB1W01"})
    table.throw(faces)
    return SimulatedCamera(table, SEVERITIES[severity], frame_ms=100)


@pytest.mark.parametrize("severity", ["medium", *by_night("mild")])
@pytest.mark.parametrize("faces", [(1, 4), (6, 6), *by_night((2, 5), (3, 6))])
def test_a_throw_is_read_from_the_left(faces: tuple[int, int], severity: str) -> None:
    frame = thrown(faces, severity).grab()

    assert frame
    part = np.ascontiguousarray(frame.image[850:1080, 620:1140])
    assert tuple(die.face for die in read_dice(part, 2)) == faces


def test_the_next_throw_takes_up_the_dice_of_the_one_before_and_leaves_the_cards() -> None:
    table = SimulatedTable(5, {"W01": "MB1W01"})
    table.lay_on_tray("W01")
    table.throw((1, 4))
    table.throw((2, 2))

    assert [card.card for card in table.cards] == ["W01", "die 0: 2", "die 1: 2"]
    table.clear()
    assert table.cards == ()
