"""Of each picture only what has changed of late."""

import cv2
import numpy as np
import pytest

from companion.adapters.recordings.tile_codec import TILE, WARM_MS, TileDecoder, TileEncoder, TileError, TileUpdate
from companion.qr.sighting import Picture

FRAME_MS = 100


class Table:
    """A noisy picture of 200 x 300 pixels on which a square may lie."""

    def __init__(self, coloured: bool = False, size: tuple[int, int] = (200, 300)) -> None:
        self._random = np.random.default_rng(1)
        self.shape = (*size, 3) if coloured else size
        self.square: tuple[int, int] | None = None
        self.at_ms = 0

    def picture(self) -> Picture:
        self.at_ms += FRAME_MS
        grey = np.full(self.shape, 120.0)
        if self.square is not None:
            x, y = self.square
            grey[y : y + 40, x : x + 40] = 220
        return np.clip(grey + self._random.normal(0, 2, self.shape), 0, 255).astype(np.uint8)


def settled(table: Table) -> tuple[TileEncoder, TileDecoder]:
    """A patchwork that has seen the table at rest long enough."""
    encoder, canvases = TileEncoder(), TileDecoder()
    for _ in range(WARM_MS // FRAME_MS + 2):
        canvases.decode(encoder.encode(table.picture(), table.at_ms))
    return encoder, canvases


@pytest.mark.parametrize("coloured", [False, True])
def test_a_table_at_rest_is_not_kept_again_and_shows_two_pictures_in_turn(coloured: bool) -> None:
    table = Table(coloured)
    encoder, canvases = settled(table)

    patches = [encoder.encode(table.picture(), table.at_ms) for _ in range(6)]

    assert patches == [None] * 6
    first, other, again = (canvases.decode(None) for _ in range(3))
    assert first is again
    assert first.shape == other.shape == table.shape
    noise = np.abs(first.astype(int) - other)
    assert 0 < np.median(noise) < 8, "what rests differs by the camera's noise, not by nothing"


def test_what_is_laid_down_is_kept_with_its_surroundings_until_it_has_rested() -> None:
    table = Table()
    encoder, canvases = settled(table)

    table.square = (130, 70)
    picture = table.picture()
    patch = encoder.encode(picture, table.at_ms)

    assert patch is not None
    tiles = {number for first, count in patch.runs for number in range(first, first + count)}
    assert tiles == {row * 10 + column for row in range(1, 5) for column in range(3, 7)}
    shown = canvases.decode(patch)
    assert np.abs(shown.astype(int) - picture)[60:120, 120:180].max() < 25
    warm = [encoder.encode(table.picture(), table.at_ms) for _ in range(WARM_MS // FRAME_MS + 1)]
    assert warm[0] is not None
    assert warm[-1] is None


def test_where_frames_are_rare_both_pictures_get_what_has_changed() -> None:
    table, encoder, canvases = Table(), TileEncoder(), TileDecoder()
    for at_ms in range(0, 20_000, 5_000):
        canvases.decode(encoder.encode(table.picture(), at_ms))
    table.square = (130, 70)

    shown = [canvases.decode(encoder.encode(table.picture(), at_ms)) for at_ms in range(20_000, 50_000, 5_000)]

    assert all(picture[75:105, 135:165].mean() > 200 for picture in shown)


def test_a_picture_of_another_size_is_kept_whole() -> None:
    encoder, canvases = settled(Table())
    other = Table(size=(160, 160))

    shown = [canvases.decode(encoder.encode(other.picture(), 10_000 + number)) for number in range(2)]

    assert [picture.shape for picture in shown] == [(160, 160)] * 2


def test_slow_changes_of_the_light_are_followed() -> None:
    table = Table()
    encoder, canvases = settled(table)
    shown = canvases.decode(None)
    for step in range(40):
        dimmed = np.clip(table.picture().astype(int) - step, 0, 255).astype(np.uint8)
        shown = canvases.decode(encoder.encode(dimmed, table.at_ms))

    assert shown.mean() == pytest.approx(120 - 39, abs=15)


def jpeg(rows: int, columns: int) -> bytes:
    return cv2.imencode(".jpg", np.zeros((rows, columns), np.uint8))[1].tobytes()


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (None, "no picture before"),
        (TileUpdate((64, 64), ((0, 4),), b""), "broken"),
        (TileUpdate((64, 64), ((0, 4),), b"\xff\xd8 no picture \xff\xd9"), "broken"),
        (TileUpdate((64, 64), ((0, 4),), jpeg(TILE, TILE)), "broken"),
        (TileUpdate((64, 64), ((2, 3),), jpeg(64, 64)), "tiles that there are not"),
        (TileUpdate((64, 64), (), jpeg(64, 64)), "tiles that there are not"),
    ],
)
def test_a_patch_that_cannot_be_laid_is_refused(patch: TileUpdate | None, why: str) -> None:
    with pytest.raises(TileError, match=why):
        TileDecoder().decode(patch)
