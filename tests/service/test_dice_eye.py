"""A throw before the camera: asked once when it has come to rest and the game waits for one, and never else."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from companion.adapters.pictures import encode_jpeg
from companion.engine.game import Placement, Refused
from companion.qr.sighting import Picture
from companion.service.camera.camera import Frame
from companion.service.camera.detectors.dice import DiceDetector
from companion.service.camera.proposal_service import ProposalService
from companion.service.camera.scanner import DetectorFactory, Scanner
from companion.vision.dice.faces import SeenDie
from companion.vision.dice.reader import read_dice
from tests.fakes import FakeCamera, FakeClock
from tests.games.monopoly_builder.town import JAIL, Town
from tests.vision.throws import throw

STEP_MS = 150
SEED = 44


class Table:
    """A town that waits for a throw, and a camera over a part of the table."""

    def __init__(self, read: Callable[..., Any] = read_dice) -> None:
        self.town = Town()
        self.camera = FakeCamera()
        detector_factory = DetectorFactory(dice=lambda count: DiceDetector(read, count))
        self.scanner = Scanner(
            self.camera,
            lambda _frame, _deck: (),
            encode_jpeg,
            ProposalService(FakeClock()),
            detector_factory=detector_factory,
        )
        self.scanner.attach(self.town.table)
        self.at_ms = 0

    def sees(self, *images: Picture) -> list[str]:
        """Show pictures, one after the other, and give what is asked then."""
        for image in images:
            self.camera.coming.append(Frame(image, self.at_ms, self.at_ms // STEP_MS))
            self.at_ms += STEP_MS
            assert self.scanner.process_next_frame()
        return [str(proposal["card"]) for proposal in self.scanner.proposals.pending(self.town.table.id)]

    def asked(self) -> dict[str, Any]:
        [proposal] = self.scanner.proposals.pending(self.town.table.id)
        return proposal


@cache
def rendered(faces: tuple[int, int] | None, frame: int) -> Picture:
    """Return one picture of the table, with dice or before they have fallen; rendered once for all tests."""
    image = throw(SEED, faces, frame=frame, fallen=faces is not None).image
    image.setflags(write=False)
    return image


def before(frames: int = 4) -> list[Picture]:
    return [rendered(None, frame) for frame in range(frames)]


def after(faces: tuple[int, int], frames: int = 8) -> list[Picture]:
    return [rendered(faces, frame) for frame in range(frames)]


def test_a_throw_at_rest_is_asked_once_and_a_yes_rolls_it() -> None:
    # given a table that waits for a roll
    table = Table()
    assert table.sees(*before()) == []

    # when two dice have come to rest
    asked = table.sees(*after((2, 4)))

    # then the throw is asked, with its picture, and once
    assert asked in (["2 + 4"], ["4 + 2"])
    assert sorted(table.asked()["command"]["dice"]) == [2, 4]
    assert table.scanner.proposals.picture(table.town.table.id, table.asked()["id"]).startswith(b"\xff\xd8")
    assert table.sees(*after((2, 4))) == asked

    # and a yes rolls it; the same dice still lying there are no second throw
    table.scanner.proposals.answer(table.town.table.id, table.asked()["id"], "yes", actor="banker")
    assert table.town.position["dice"] in ([2, 4], [4, 2])
    assert table.sees(*after((2, 4), frames=12)) == []


@pytest.mark.nightly
def test_whoever_wishes_is_asked_again() -> None:
    table = Table()
    table.sees(*before())
    first = table.sees(*after((2, 4)))
    proposals, number = table.scanner.proposals, table.asked()["id"]

    proposals.answer(table.town.table.id, number, "again", actor="banker")
    assert proposals.pending(table.town.table.id) == []

    assert table.sees(*after((2, 4), frames=3)) == first
    assert table.asked()["id"] != number


@pytest.mark.nightly
def test_while_no_throw_is_awaited_dice_mean_nothing() -> None:
    table = Table()
    table.sees(*before())
    table.town.roll("red", 1, 2)
    assert not any(offer["do"] == "roll" for offer in table.town.offers("red"))

    assert table.sees(*after((5, 3))) == []


def test_whoever_taps_the_throw_is_asked_no_more() -> None:
    table = Table()
    table.sees(*before())
    assert table.sees(*after((2, 4)))

    table.town.roll("red", 2, 4)

    assert table.sees(*after((2, 4), frames=2)) == []


def test_what_is_doubtful_is_told_where_a_second_look_says_the_same() -> None:
    readings = [(1, 4), (2, 4), (2, 4), (1, 4)]
    looked: list[int] = []

    def wavering(_image: Picture, count: int) -> tuple[SeenDie, ...]:
        looked.append(count)
        return tuple(
            SeenDie(face, 50.0 + 60 * at, 60.0, 30.0, 0.5) for at, face in enumerate(readings[len(looked) - 1])
        )

    table = Table(wavering)
    table.sees(*before())

    assert table.sees(*after((2, 4), frames=12)) == ["2 + 4"]
    assert len(looked) == 3


@pytest.mark.nightly
def test_what_cannot_be_told_is_tried_a_few_times_and_left_to_people() -> None:
    looked: list[int] = []

    def blind(_image: Picture, count: int) -> tuple[()]:
        looked.append(count)
        return ()

    table = Table(blind)
    table.sees(*before())

    assert table.sees(*after((2, 4), frames=20)) == []
    assert looked == [2, 2, 2, 2]


def test_a_moving_hand_is_waited_for() -> None:
    table = Table()
    table.sees(*before())
    restless = []
    for number, image in enumerate(after((2, 4), frames=6)):
        moved = image.copy()
        moved[40 * number : 40 * number + 60, 300:380] = (80, 110, 160)
        restless.append(moved)

    assert table.sees(*restless) == []


@pytest.mark.parametrize("dice", ["0 + 4", "7 + 1", "1+2", "1 + 2 + 3", "12"])
def test_only_two_dice_are_a_throw(dice: str) -> None:
    town = Town()
    position = town.table.position
    assert position is not None
    reading = town.table.game.rules.read(position, Placement("place", "dice", dice, "tray", 1.0))

    assert getattr(reading, "rule", None) == "unknown_card"


def test_a_picture_of_another_size_begins_anew() -> None:
    table = Table()
    table.sees(*before())

    assert table.sees(np.zeros((90, 120, 3), np.uint8), *after((2, 4), frames=1)) == []
    with pytest.raises(Refused):
        table.town.do("end_turn", "red")


def test_a_card_that_is_taken_up_with_the_throw_hides_it_not() -> None:
    # given a wide table on which a card lies far from where the dice will fall
    table = Table()
    assert table.sees(*on_wide_table(before(), card=True)) == []

    # when it is taken up as the dice are thrown, then they are seen all the same
    assert table.sees(*on_wide_table(after((2, 4)), card=False)) in (["2 + 4"], ["4 + 2"])


@pytest.mark.nightly
def test_two_throws_in_two_places_are_none() -> None:
    table = Table()
    table.sees(*on_wide_table(before(), card=True))
    two = [np.hstack([image, np.full((360, 960, 3), 90, np.uint8), image]) for image in after((2, 4))]

    assert table.sees(*two) == []


def on_wide_table(parts: list[Picture], *, card: bool) -> list[Picture]:
    """A part of the table at the right of a wide picture, at whose left edge a card may lie."""
    rest = np.full((360, 1440, 3), 90, np.uint8)
    if card:
        rest[100:240, 40:140] = 220
    return [np.hstack([rest, part]) for part in parts]


@pytest.mark.parametrize("red", [{"space": JAIL, "in_jail": True, "tries": 2, "cash": 500}, {"cash": 500}])
def test_a_throw_that_was_tapped_meanwhile_is_asked_no_more(red: dict[str, Any]) -> None:
    # given a throw at rest that is asked, of somebody who has to throw again, or whose turn it is
    table = Table()
    table.town = Town(red=red)
    table.scanner.attach(table.town.table)
    assert table.sees(*before()) == []
    assert table.sees(*after((3, 4))) == ["3 + 4"]

    # when it is tapped by hand, then it is a throw of the past
    table.town.give({"do": "roll", "player": "red", "dice": [3, 4]})
    assert table.sees(*after((3, 4))) == []


def test_a_throw_that_was_tapped_while_it_was_looked_at_is_not_asked_as_the_next_one() -> None:
    # given somebody who has to throw again, and dice of which the first look tells nothing
    read_counts: list[int] = []

    def late(_image: Picture, count: int) -> tuple[SeenDie, ...]:
        read_counts.append(count)
        if len(read_counts) == 1:  # a look takes long enough to tap the throw
            table.town.give({"do": "roll", "player": "red", "dice": [3, 4]})
            return ()
        return tuple(SeenDie(face, 50.0 + 60 * at, 60.0, 30.0, 0.9) for at, face in enumerate((3, 4)))

    table = Table(late)
    table.town = Town(red={"space": JAIL, "in_jail": True, "tries": 2, "cash": 500})
    table.scanner.attach(table.town.table)
    table.sees(*before())

    # when a later look would tell them, while the next throw is awaited
    asked = table.sees(*after((3, 4), frames=12))

    # then they are a throw of the past
    assert read_counts
    assert asked == []
