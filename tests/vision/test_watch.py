"""A table that is watched: read where it changes, kept where it rests."""

import numpy as np
import pytest

from companion.qr.sighting import GreyPicture
from companion.vision.change import CELL_PIXELS, ChangeDetector, boxes_around, cells_inside
from companion.vision.label.label import draw_label
from companion.vision.label.tag import Deck
from companion.vision.tracking.reader import PATIENCE_MS, IncrementalReader, count_affordable_parts

DECK = Deck("MB", frozenset(f"W{number:02}" for number in range(1, 41)))
PIXELS_A_MM = 4
FRAME_MS = 66
SIZE = (360, 640)


class Table:
    """A grey table under a noisy camera; labels lie at pixels of their top left corner."""

    def __init__(self, seed: int = 0, noise: float = 2.0) -> None:
        self._random = np.random.default_rng(seed)
        self._noise = noise
        self.lying: dict[str, tuple[int, int]] = {}
        self.hand: tuple[int, int] | None = None
        self.at_ms = 0

    def frame(self) -> GreyPicture:
        """Return the next picture."""
        self.at_ms += FRAME_MS
        picture = np.full(SIZE, 110, np.float32)
        for card, (x, y) in self.lying.items():
            label = draw_label(f"MB1{card}", card, PIXELS_A_MM) * 0.6 + 20
            picture[y : y + len(label), x : x + len(label)] = label
        if self.hand is not None:
            x, y = self.hand
            picture[y : y + 120, x : x + 160] = 160
        return np.clip(picture + self._random.normal(0, self._noise, SIZE), 0, 255).astype(np.uint8)


def seen_by(watcher: IncrementalReader, table: Table, frames: int = 1) -> set[str]:
    seen: set[str] = set()
    for _ in range(frames):
        seen = {sighting.text[3:] for sighting in watcher.read_next(table.frame(), DECK, table.at_ms)}
    return seen


def test_what_lies_there_is_seen_at_once_and_stays() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50), "W02": (300, 200)}

    assert seen_by(watcher, table) == {"W01", "W02"}
    assert seen_by(watcher, table, 12) == {"W01", "W02"}


def test_a_card_laid_down_is_seen_once_it_is_still_and_one_taken_away_no_longer() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50), "W02": (300, 200)}
    seen_by(watcher, table, 3)

    table.lying["W03"] = (480, 60)
    assert seen_by(watcher, table, 2) == {"W01", "W02", "W03"}
    del table.lying["W01"]
    assert seen_by(watcher, table) == {"W02", "W03"}
    assert seen_by(watcher, table, 3) == {"W02", "W03"}


def test_a_card_that_is_pushed_is_seen_where_it_lies_now() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50)}
    seen_by(watcher, table, 2)

    table.lying = {"W01": (460, 220)}
    assert seen_by(watcher, table, 2) == {"W01"}
    (sighting,) = watcher.read_next(table.frame(), DECK, table.at_ms)
    assert sighting.centre == pytest.approx((460 + 50, 220 + 49), abs=6)


def test_a_hand_hides_only_what_it_covers() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50), "W02": (400, 200)}
    seen_by(watcher, table, 2)

    table.hand = (20, 40)
    assert seen_by(watcher, table) == {"W02"}
    table.hand = None
    assert seen_by(watcher, table, 2) == {"W01", "W02"}


def test_a_card_exchanged_under_a_hand_is_read_again_however_alike_it_looks() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50)}
    seen_by(watcher, table, 2)

    table.hand = (20, 40)
    seen_by(watcher, table)
    table.hand = None
    table.lying = {"W11": (40, 50)}

    assert seen_by(watcher, table, 2) == {"W11"}


def test_what_never_rests_is_read_now_and_then() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50)}
    seen_by(watcher, table, 2)
    table.lying["W02"] = (260, 200)

    seen = set()
    for step in range(PATIENCE_MS // FRAME_MS + 2):
        table.hand = (380 + step % 2 * 100, 200)
        seen = seen_by(watcher, table)

    assert seen == {"W01", "W02"}


def test_parts_are_read_in_one_frame_as_far_as_its_work_goes_and_one_in_any_case() -> None:
    small, half = (0, 0, 200, 200), (0, 0, 1920, 540)

    assert (
        count_affordable_parts([small]) == count_affordable_parts([half]) == count_affordable_parts([half, small]) == 1
    )
    assert count_affordable_parts([small] * 9) == 4


def test_what_one_frame_leaves_over_is_read_in_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.vision.tracking.reader.PIXELS_PER_FRAME", 0)
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (20, 20)}
    seen_by(watcher, table, 2)

    table.lying |= {"W02": (500, 20), "W03": (200, 250)}
    counts = [len(seen_by(watcher, table)) for _ in range(4)]

    assert counts == [1, 2, 3, 3]


def test_a_camera_that_is_turned_to_something_else_forgets_the_table() -> None:
    table, other, watcher = Table(), Table(seed=1), IncrementalReader()
    table.lying = {"W01": (40, 50)}
    seen_by(watcher, table, 2)
    other.lying = {"W05": (300, 100)}
    other.at_ms = table.at_ms
    other.hand = (0, 230)

    for _ in range(2):
        picture = np.ascontiguousarray(255 - np.uint8(90) - other.frame()[:, ::1] // 2)
        assert {seen.text for seen in watcher.read_next(picture, DECK, 10_000)} <= {"MB1W05"}


def test_a_table_at_rest_is_shown_with_less_noise_than_any_frame_and_not_at_all_once_something_moves() -> None:
    # given a table that was looked at once
    table, watcher = Table(noise=6.0), IncrementalReader()
    table.lying = {"W01": (40, 50)}
    seen_by(watcher, table)
    moving = watcher.mean_frame

    # when it has rested for a while
    seen_by(watcher, table, 10)
    calm = watcher.mean_frame

    # then its mean shows the bare table with less noise
    assert moving is None
    assert calm is not None
    assert calm.shape == SIZE
    assert table.frame()[200:, 320:].std() > 5
    assert calm[200:, 320:].std() < 4
    # and when a hand comes in, it is a picture of then
    table.hand = (300, 100)
    seen_by(watcher, table)
    assert watcher.mean_frame is None


def test_with_another_deck_everything_is_read_anew() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50), "W02": (300, 200)}
    seen_by(watcher, table, 2)

    seen = watcher.read_next(table.frame(), Deck("MB", frozenset({"W02"})), table.at_ms)

    assert [sighting.text for sighting in seen] == ["MB1W02"]


def test_frames_of_another_size_and_in_colour_are_taken_too() -> None:
    table, watcher = Table(), IncrementalReader()
    table.lying = {"W01": (40, 50)}
    seen_by(watcher, table, 2)
    grey = table.frame()[: SIZE[0] - 50]

    (sighting,) = watcher.read_next(np.repeat(grey[:, :, None], 3, axis=2), DECK, table.at_ms)

    assert sighting.text == "MB1W01"


def test_noise_changes_nothing_and_a_card_changes_its_place_only() -> None:
    table, change = Table(noise=8), ChangeDetector()
    for _ in range(10):
        change.update(table.frame())
        change.settle(np.ones_like(change.touched))
    change.update(table.frame())
    assert not change.touched.any()

    table.lying = {"W01": (200, 120)}
    change.update(table.frame())

    (box,) = boxes_around(change.touched, 8, SIZE[1], SIZE[0])
    assert box == pytest.approx((200, 120, 300, 220), abs=3 * CELL_PIXELS)
    assert (change.touched & ~cells_inside(box, change.touched.shape)).sum() == 0


def test_what_changes_less_than_the_noise_of_a_frame_is_noticed_after_some_of_them() -> None:
    # given a table in bad light, looked at for long
    random = np.random.default_rng(6)
    dark = np.full(SIZE, 25, np.float32)
    change = ChangeDetector()
    for _ in range(60):
        change.update(noisy(dark, random))
        change.settle(np.ones_like(change.touched))
    for _ in range(40):
        change.update(noisy(dark, random))
        assert not change.touched.any()

    # when something comes that is lighter by as much as noise changes a cell now and then
    dark[80:160, 320:400] += 14
    seen = []
    for _ in range(8):
        change.update(noisy(dark, random))
        seen.append(bool(change.touched.any()))

    # then its place is touched within half a second, and no other
    assert seen[-1]
    cells = cells_inside((320, 80, 400, 160), change.touched.shape)
    assert change.touched[cells].mean() > 0.5
    assert not change.touched[~cells].any()


def noisy(picture: np.ndarray, random: np.random.Generator) -> GreyPicture:
    return np.clip(picture + random.normal(0, 9, SIZE), 0, 255).astype(np.uint8)


def test_boxes_reach_to_the_edge_of_pictures_that_are_no_whole_number_of_cells() -> None:
    cells = np.zeros((5, 7), np.bool_)
    cells[4, 6] = True

    assert boxes_around(cells, 0, 7 * CELL_PIXELS + 3, 5 * CELL_PIXELS + 5) == [(48, 32, 59, 45)]
