"""Dice are read by their pips, however they are made and lie, in any light; what is doubtful is not told."""

from collections import Counter

import cv2
import numpy as np
import pytest

from companion.qr.sighting import Picture
from companion.simulator.optics import SEVERITIES, sample_optics
from companion.simulator.scene import PlacedCard, Scene
from companion.vision.dice.reader import read_dice
from companion.vision.label.label import STANDARD_LABEL
from tests.extent import of_all
from tests.resource_use import measure, needs_peak_memory
from tests.vision.throws import throw


def read(seed: int, count: int = 2) -> Counter[str]:
    thrown = throw(seed)
    faces = sorted(die.face for die in read_dice(thrown.image, count))
    return Counter(["asked" if not faces else "right" if faces == sorted(thrown.faces) else "wrong"])


def test_nearly_all_throws_are_told_and_none_wrongly() -> None:
    throws = of_all(3, 32)

    counts = sum((read(seed) for seed in range(5_000, 5_000 + throws)), Counter())

    assert counts["right"] >= 30 / 32 * throws
    assert counts["wrong"] == 0


@pytest.mark.nightly
def test_of_a_thousand_throws_three_in_a_hundred_are_asked_and_one_wrong_at_most() -> None:
    results = sum((read(seed) for seed in range(6_000, 7_000)), Counter())

    assert results["right"] >= 960
    assert results["wrong"] <= 10


@pytest.mark.parametrize("seed", [6253, 6332])
def test_the_middle_of_a_three_is_no_one(seed: int) -> None:
    # given a three whose corners cannot be told from the edge behind them
    assert 3 in throw(seed).faces

    # when it is read, then it is asked for at most
    assert read(seed)["wrong"] == 0


@pytest.mark.parametrize("seed", [9003, 9011])
def test_a_die_that_the_edge_of_the_picture_cuts_is_not_told(seed: int) -> None:
    # given a throw of which the left die lies half in the picture
    thrown = throw(seed)
    cut = round(min(x for x, _ in thrown.middles))

    # when it is read, then its visible pips are not taken for a face
    assert read_dice(np.ascontiguousarray(thrown.image[:, cut:]), 2) == ()


@pytest.mark.parametrize("face", of_all([1, 6], [1, 2, 3, 4, 5, 6]))
def test_every_face_is_told_with_its_place_and_size(face: int) -> None:
    thrown = throw(140 + face, (face, face))

    dice = read_dice(thrown.image, 2)

    assert [die.face for die in dice] == [face, face]
    for die, (x, y) in zip(dice, sorted(thrown.middles), strict=True):
        assert np.hypot(die.x - x, die.y - y) < 0.2 * die.side
        assert 9 < die.side / thrown.pixels_a_mm < 24


@pytest.mark.nightly
def test_dice_of_another_number_than_were_thrown_are_not_told() -> None:
    thrown = throw(41)
    one_hidden = thrown.image.copy()
    x, y = thrown.middles[0]
    cv2.circle(one_hidden, (round(x), round(y)), 60, (90, 90, 90), -1)

    assert read_dice(thrown.image, 3) == ()
    assert read_dice(one_hidden, 2) == ()
    assert [die.face for die in read_dice(one_hidden, 1)] == [thrown.faces[1]]


def test_a_table_without_dice_shows_none() -> None:
    tables = of_all(3, 12)

    assert [read_dice(throw(seed, fallen=False).image, 2) for seed in range(60, 60 + tables)] == [()] * tables


def laid_cards(seed: int) -> Picture:
    """Draw a part of a table on which two labelled cards lie."""
    lots = np.random.default_rng([seed, 3])
    optics = sample_optics(SEVERITIES["medium"], lots, 480, 360, pixels_a_mm=float(lots.uniform(1.8, 3)))
    lying = [PlacedCard(card, x, 60.0, float(lots.uniform(0, 360))) for card, x in (("A", 45.0), ("B", 120.0))]
    return Scene(optics, {"A": "MO1D01", "B": f"MO1D{seed:02}"}, seed, STANDARD_LABEL).render(lying)


def test_the_corners_of_qr_codes_are_no_ones() -> None:
    tables = of_all(4, 24)

    assert [read_dice(laid_cards(seed), 2) for seed in range(tables)] == [()] * tables


def test_no_picture_is_too_small_to_be_looked_at() -> None:
    assert read_dice(np.zeros((3, 2, 3), np.uint8), 2) == ()
    assert read_dice(np.full((40, 40, 3), 128, np.uint8), 2) == ()


CROWDED = """
import cv2
import numpy as np
from companion.vision.dice.reader import read_dice

lots, size = np.random.default_rng(1), 900


def draw_dots(step, radius):
    picture = np.full((size, size, 3), 235, np.uint8)
    for x, y in np.ndindex(size // step, size // step):
        cv2.circle(picture, (x * step, y * step), radius, (30, 30, 30), -1)
    return picture


def draw_print():
    picture = np.full((size, size, 3), 235, np.uint8)
    for y in range(12, size, 18):
        cv2.putText(picture, "oo8Bg%Q@o:;" * 9, (0, y), 0, 0.5, (20, 20, 20), 1)
    return picture


pictures = [
    lots.integers(0, 256, (size, size, 3)).astype(np.uint8),
    np.clip(cv2.GaussianBlur(lots.normal(0, 1, (size, size, 3)), (0, 0), 2.5) * 600 + 128, 0, 255).astype(np.uint8),
    np.full((size, size, 3), 128, np.uint8),
    draw_print(),
    *(draw_dots(step, radius) for step, radius in ((20, 4), (30, 5), (40, 6), (60, 10), (90, 12))),
]
read_dice(np.full((40, 40, 3), 128, np.uint8), 2)
"""
READ_CROWDED = """
for picture in pictures:
    begun = time.process_time()
    assert read_dice(picture, 2) == read_dice(picture, 3) == ()
    print(f"{(time.process_time() - begun) / 2:06.2f}")
"""


@pytest.mark.nightly
@needs_peak_memory
@pytest.mark.slow
def test_print_and_noise_take_no_more_than_a_second_and_sixty_megabytes_and_show_no_dice() -> None:
    use = measure(CROWDED, READ_CROWDED)

    assert len(use.printed) == 9
    assert float(max(use.printed)) < 3  # a busy machine counts more
    assert use.megabytes < 60


def test_a_grey_picture_is_read_as_one_in_colours() -> None:
    # given a throw in colours that says no more than a grey one
    picture = throw(6_000, (2, 5)).image
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    coloured = np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8)

    assert [die.face for die in read_dice(grey, 2)] == [die.face for die in read_dice(coloured, 2)]
