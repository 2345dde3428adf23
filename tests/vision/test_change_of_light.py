"""Light that changes is no change of the table: lamps that flicker in bands, a camera that changes its exposure."""

import numpy as np
import numpy.typing as npt
import pytest

from companion.qr.sighting import GreyPicture
from companion.vision.change import CELL_PIXELS, STEADY_FRAMES, CellMask, ChangeDetector
from tests.vision.small_tables import small_table

CARDS = [f"MB1W{number:02}" for number in range(1, 9)]
TABLE, QUADS = small_table(*CARDS)


def taken(table: GreyPicture, light: float | npt.NDArray[np.float64], random: np.random.Generator) -> GreyPicture:
    """Return a picture of a table: each row in its light, with noise, and what is too bright burnt out."""
    return np.clip(table * light + random.normal(0, 2, table.shape), 0, 255).astype(np.uint8)


def bands(random: np.random.Generator, rows: int = len(TABLE)) -> npt.NDArray[np.float64]:
    """Light that swings by a fourth from row to row while a frame is read, each time from elsewhere."""
    return np.asarray(1 + 0.25 * np.sin(np.arange(rows)[:, None] / 40 + random.uniform(0, 2 * np.pi)))


def looked_at(table: GreyPicture, random: np.random.Generator, frames: int = 6) -> ChangeDetector:
    """A table in flickering light that was read after each frame."""
    change = ChangeDetector()
    for _ in range(frames):
        change.update(taken(table, bands(random, len(table)), random))
        change.settle(np.ones_like(change.touched))
    return change


def cells_round(quad: npt.NDArray[np.float64], shape: tuple[int, ...], margin: int) -> CellMask:
    around = np.zeros(shape, np.bool_)
    (left, top), (right, foot) = (
        (quad.min(axis=0) / CELL_PIXELS).astype(int),
        (quad.max(axis=0) / CELL_PIXELS).astype(int),
    )
    around[max(0, top - margin) : foot + margin + 1, max(0, left - margin) : right + margin + 1] = True
    return around


@pytest.mark.parametrize("sheet", [120, 250], ids=["a plain table", "a sheet of paper that burns out in each band"])
def test_lamps_that_flicker_in_bands_touch_nothing(sheet: int) -> None:
    random = np.random.default_rng(1)
    table = np.hstack((TABLE, np.full((len(TABLE), 200), sheet, np.uint8)))
    change = looked_at(table, random)

    for _ in range(20):
        change.update(taken(table, bands(random), random))
        assert change.touched.mean() < 0.001


def test_lamps_that_flicker_touch_nothing_on_a_dark_table_with_a_bright_card_or_two() -> None:
    # given a table as dark as the night, of whole grey levels that hardly tell its light, and bright cards
    random = np.random.default_rng(1)
    table = np.kron(random.integers(14, 22, (60, 160)), np.ones((CELL_PIXELS, CELL_PIXELS))).astype(np.uint8)
    table[20:84, 40:88] = table[260:324, 420:468] = 190
    change = looked_at(table, random)

    # when it lies there for a while
    for _ in range(60):
        change.update(taken(table, bands(random, len(table)), random))

    # then nothing is touched
    assert not change.touched.any()


def test_a_small_place_that_swings_alone_is_no_change_and_one_of_two_by_two_cells_is() -> None:
    random = np.random.default_rng(9)
    for cells, touched in ((1, False), (2, True)):
        change = looked_at(TABLE, random)
        seen = TABLE.copy()
        part = seen[5 * CELL_PIXELS : (5 + cells) * CELL_PIXELS, 15 * CELL_PIXELS : (15 + cells) * CELL_PIXELS]
        part[:] = np.clip(part.astype(int) + 22, 0, 255).astype(np.uint8)

        change.update(taken(seen, bands(random), random))

        assert change.touched[3:9, 13:19].any() == touched


def test_a_card_that_comes_or_is_exchanged_in_flickering_light_is_noticed_and_nothing_else() -> None:
    # given two tables that differ by one card, and one by another card in its place
    random = np.random.default_rng(2)
    without, other = TABLE.copy(), small_table("MB1W31", *CARDS[1:])[0]
    left, top = (int(edge) - 8 for edge in QUADS[0].min(axis=0))
    right, foot = (int(edge) + 8 for edge in QUADS[0].max(axis=0))
    without[top:foot, left:right] = 120

    for before in (without, np.asarray(other, np.uint8)):
        # when the card lies there instead
        change = looked_at(before, random)
        change.update(taken(TABLE, bands(random), random))

        # then its place is touched, and hardly anything else
        cells = cells_round(QUADS[0], change.touched.shape, 2)
        assert change.touched[cells].sum() >= 3
        assert (change.touched & ~cells).mean() < 0.001


@pytest.mark.parametrize("times", [0.6, 1.8], ids=["dark", "light"])
def test_a_plain_sheet_over_most_of_a_plain_table_is_no_light(times: float) -> None:
    # given a table that was read in flickering light
    random = np.random.default_rng(5)
    change = looked_at(TABLE, random)

    # when a sheet as plain as the table is laid over three quarters of some of its rows
    with_sheet, usual = TABLE.copy(), float(np.median(TABLE))
    foot, right = len(TABLE) // 2, TABLE.shape[1] * 3 // 4
    with_sheet[:foot, :right] = min(usual * times, 250)
    for _ in range(4):
        change.update(taken(with_sheet, bands(random), random))

    # then all of its place is touched within a few frames
    assert change.touched[: foot // CELL_PIXELS, : right // CELL_PIXELS].mean() > 0.9


@pytest.mark.parametrize("light", [0.6, 1.4], ids=["put out", "lit"])
def test_a_lamp_that_is_lit_or_put_out_has_everything_read_anew_once_the_light_is_steady(light: float) -> None:
    # given a table that was read
    random = np.random.default_rng(4)
    change = looked_at(TABLE, random)

    # when a lamp is lit or put out
    touched = []
    for _ in range(STEADY_FRAMES + 2):
        change.update(taken(TABLE, light, random))
        touched.append(float(change.touched.mean()))
        if change.touched.all():
            break

    # then nothing is touched at first, and everything after a moment, for what was too dark may be read now
    assert max(touched[: STEADY_FRAMES // 2]) < 0.01
    assert touched[-1] == 1
    assert not change.moving.any()
    # and once it was read the new light is the light
    change.settle(np.ones_like(change.touched))
    for _ in range(2 * STEADY_FRAMES):
        change.update(taken(TABLE, light, random))
        assert change.touched.mean() < 0.001


def test_a_hand_that_makes_the_camera_change_its_exposure_touches_only_where_it_is() -> None:
    # given a table that was read
    random = np.random.default_rng(3)
    change = ChangeDetector()
    for _ in range(6):
        change.update(taken(TABLE, 0.8, random))
        change.settle(np.ones_like(change.touched))

    # when a pale hand comes in, and the camera takes less light
    with_hand = TABLE.copy()
    with_hand[: len(TABLE) // 2, : TABLE.shape[1] // 3] = 230
    change.update(taken(with_hand, 0.5, random))

    # then only the hand is seen to move
    rows, columns = change.moving.shape
    assert change.moving[: rows // 2 - 1, : columns // 3 - 1].mean() > 0.6
    assert change.moving[rows // 2 + 1 :].mean() < 0.001
    assert change.moving[:, columns // 3 + 1 :].mean() < 0.001
