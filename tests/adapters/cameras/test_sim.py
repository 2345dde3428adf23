"""The simulated camera: real pictures of a table."""

import time

import numpy as np
import pytest

from companion.adapters.label_readers import read_frame
from companion.engine.game import Placement
from companion.simulator.camera import SimulatedCamera
from companion.simulator.optics import SEVERITIES, sample_optics
from companion.simulator.table import SimulatedTable
from companion.vision.label.tag import Deck
from companion.vision.tracking.tracker import Tracker
from tests.extent import by_night

CARDS = [f"W{number:02}" for number in range(1, 41)]
LABELS = {card: f"MB1{card}" for card in CARDS}
DECK = Deck("MB", frozenset(CARDS))


def seen_by(camera: SimulatedCamera) -> set[str]:
    frame = camera.grab()
    assert frame is not None
    return {seen.text for seen in read_frame(frame, DECK)}


@pytest.mark.parametrize("seed", [0, *by_night(1, 2)])
def test_twenty_four_cards_on_the_tray_are_all_read(seed: int) -> None:
    table = SimulatedTable(seed, LABELS)
    for card in CARDS[:24]:
        table.lay_on_tray(card)

    assert seen_by(SimulatedCamera(table)) == {LABELS[card] for card in CARDS[:24]}


def test_with_blank_labels_nothing_is_read() -> None:
    table = SimulatedTable(0, LABELS, blank_labels=True)
    for card in CARDS[:24]:
        table.lay_on_tray(card)

    assert seen_by(SimulatedCamera(table)) == set()


def test_a_card_is_seen_where_it_lies_however_it_is_turned() -> None:
    for angle in (0, 77, 180, 290):
        table = SimulatedTable(5, LABELS)
        camera = SimulatedCamera(table)
        table.lay("W07", 500, 300, angle)
        frame = camera.grab()
        assert frame is not None
        (seen,) = read_frame(frame, DECK)

        plane = sample_optics(SEVERITIES["mild"], np.random.default_rng([5, 4])).plane
        from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, label_centre_mm

        x, y = label_centre_mm()
        turn = np.exp(1j * np.radians(angle)) * complex(x - CARD_WIDTH_MM / 2, y - CARD_HEIGHT_MM / 2)
        assert seen.centre == pytest.approx(plane.to_pixels(500 + turn.real, 300 + turn.imag), abs=1.0)
        top_left, top_right = seen.corners[:2]
        seen_angle = np.degrees(np.arctan2(top_right[1] - top_left[1], top_right[0] - top_left[0])) % 360
        assert abs((seen_angle - angle + 180) % 360 - 180) < 8


def test_a_card_taken_away_is_seen_no_more_and_a_covered_one_neither() -> None:
    table = SimulatedTable(0, LABELS)
    camera = SimulatedCamera(table)
    table.lay("W01", 300, 300)
    table.lay("W02", 600, 300)
    assert seen_by(camera) == {"MB1W01", "MB1W02"}

    table.take_away("W01")
    table.take_away("W01")
    table.lay("W03", 600, 300)
    assert seen_by(camera) == {"MB1W03"}

    table.clear()
    assert seen_by(camera) == set()


def test_a_card_beyond_the_view_is_not_drawn() -> None:
    table = SimulatedTable(0, LABELS)
    table.lay("W01", 5000, 300)

    assert seen_by(SimulatedCamera(table)) == set()


def test_a_full_tray_covers_its_oldest_card() -> None:
    table = SimulatedTable(0, LABELS)
    for card in CARDS[:25]:
        table.lay_on_tray(card)

    assert [lying.card for lying in table.cards] == CARDS[1:25]
    table.lay_on_tray("W02")
    assert len(table.cards) == 24


def test_frames_are_real_pictures_and_no_two_are_alike() -> None:
    camera = SimulatedCamera(SimulatedTable(0, LABELS), frame_ms=200)
    first, second = camera.grab(), camera.grab()

    assert first is not None
    assert second is not None
    assert first.image.shape == (1080, 1920, 3)
    assert first.image.dtype == np.uint8
    assert (first.image != second.image).any()
    assert [(frame.at_ms, frame.number) for frame in (first, second)] == [(0, 0), (200, 1)]
    camera.close()


def test_without_a_step_the_clock_is_the_real_one() -> None:
    camera = SimulatedCamera(SimulatedTable(3, LABELS))
    first = camera.grab()

    assert first is not None
    assert abs(first.at_ms - time.monotonic_ns() // 1_000_000) < 5000
    assert camera.name == "sim:3"


def test_the_same_seed_gives_the_same_picture() -> None:
    first, second = (SimulatedCamera(SimulatedTable(7, LABELS), frame_ms=1).grab() for _ in range(2))

    assert first is not None
    assert second is not None
    assert (first.image == second.image).all()


@pytest.mark.parametrize("severity", ["medium", "hard"])
def test_harder_scenes_are_darker_and_have_their_glare(severity: str) -> None:
    mild = SimulatedCamera(SimulatedTable(0, LABELS)).grab()
    harder_table = SimulatedTable(0, LABELS)
    harder_table.lay_on_tray("W01")
    harder = SimulatedCamera(harder_table, SEVERITIES[severity]).grab()

    assert mild is not None
    assert harder is not None
    assert np.median(harder.image) < np.median(mild.image)


def test_unknown_cards_and_places_are_refused() -> None:
    table = SimulatedTable(0, LABELS)

    with pytest.raises(ValueError, match="no card 'X01'"):
        table.lay_on_tray("X01")
    with pytest.raises(ValueError, match="cannot lie"):
        table.lay("W01", float("nan"), 0)


def test_the_tracker_reports_cards_that_come_and_go() -> None:
    table = SimulatedTable(1, LABELS)
    camera = SimulatedCamera(table, frame_ms=200)
    tracker = Tracker(inertia_ms=200, gone_ms=400)
    moves = {
        1: lambda: table.lay("W07", 300, 200, 15),
        3: lambda: table.lay_on_tray("W09"),
        5: lambda: table.take_away("W07"),
    }

    events: list[Placement] = []
    for number in range(10):
        moves.get(number, lambda: None)()
        frame = camera.grab()
        assert frame is not None
        events += tracker.observe(frame.at_ms, read_frame(frame, DECK))

    assert [(event.event, event.card) for event in events] == [("place", "W07"), ("place", "W09"), ("remove", "W07")]
