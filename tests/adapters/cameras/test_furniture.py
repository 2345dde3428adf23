"""Other things under the simulated camera: a mat, and the calibration board."""

import numpy as np
import pytest

from calibration.fiducials import Board
from calibration.lens import Lens
from calibration.mat import MatTracker, parse_mat
from calibration.steps import LensCalibration
from companion.adapters.label_readers import read_frame
from companion.bootstrap.cameras import load_mats
from companion.service.camera.camera import Frame
from companion.simulator.camera import POSE_MS, POSES, HeldBoard, SimulatedCamera
from companion.simulator.optics import MILD, sample_optics
from companion.simulator.table import SimulatedTable
from companion.vision.label.tag import Deck
from tests.calibration.test_mat import SMALL
from tests.opened import installed_games

LABELS = {f"W{number:02}": f"MB1W{number:02}" for number in range(1, 9)}
DECK = Deck("MB", frozenset(LABELS))
MATS = load_mats(games=installed_games())


def grabbed(camera: SimulatedCamera) -> Frame:
    frame = camera.grab()
    assert frame is not None
    return frame


def test_a_mat_is_laid_and_taken_away_and_cards_are_put_down_in_its_tray() -> None:
    # given a table on which a mat is laid
    table = SimulatedTable(3, LABELS, mats=MATS)
    camera = SimulatedCamera(table, frame_ms=200)
    table.lay_mat("table")
    tracker = MatTracker(list(MATS.values()))
    frame = grabbed(camera)
    result = tracker.observe(frame.at_ms, frame.image)
    assert result is not None
    assert (result.mat.name, result.markers) == ("table", 4)

    # when more cards are laid than its tray holds
    for card in ("W01", "W02", "W03", "W04", "W05"):
        table.lay_on_tray(card)

    # then the oldest is covered, and all others lie in the tray
    seen = read_frame(grabbed(camera), DECK)
    assert {sighting.text for sighting in seen} == {LABELS[card] for card in ("W02", "W03", "W04", "W05")}
    assert {tracker.zone_at_pixel(*sighting.centre) for sighting in seen} == {"tray"}

    # and the mat can be taken away again
    table.lay_mat(None)
    table.lay_on_tray("W06")
    bare = grabbed(camera)
    assert MatTracker(list(MATS.values())).observe(bare.at_ms, bare.image) is None
    with pytest.raises(ValueError, match="no mat 'a9'"):
        table.lay_mat("a9")


def test_on_a_mat_without_a_tray_cards_are_put_down_as_on_a_bare_table() -> None:
    table = SimulatedTable(3, LABELS, mats={"small": parse_mat(SMALL.replace('"tray"', '"market"'))})
    table.lay_on_tray("W01")
    bare = table.cards

    table.lay_mat("small")
    table.take_away("W01")
    again = SimulatedTable(3, LABELS)
    again.lay_on_tray("W01")

    assert again.cards == bare


def test_the_board_is_moved_about_until_the_lens_is_known() -> None:
    table = SimulatedTable(3, LABELS)
    camera = SimulatedCamera(table, frame_ms=POSE_MS)
    steps = LensCalibration(Board())
    nothing = steps.observe(grabbed(camera).image)
    assert (nothing.corners, nothing.view) == (0, None)

    table.hold_board(in_hand=True)
    looked = [steps.observe(grabbed(camera).image) for _ in POSES]
    table.hold_board(in_hand=False)

    assert looked[-1].coverage.is_enough
    assert looked[0].view is not None
    fit = steps.fit()
    focal = HeldBoard(sample_optics(MILD, np.random.default_rng([3, 4]))).focal_px
    assert fit.lens.focal_x == pytest.approx(focal, rel=0.01)
    assert fit.error_mm < 0.1
    assert steps.observe(grabbed(camera).image).corners == 0


def test_another_lens_is_used_from_the_next_frame_on() -> None:
    table = SimulatedTable(3, LABELS, mats=MATS)
    camera = SimulatedCamera(table, frame_ms=200)
    table.lay_mat("a3")
    tracker = MatTracker(list(MATS.values()))
    frame = grabbed(camera)
    tracker.observe(0, frame.image)
    lens = Lens(1920, 1080, 1478.0, 1478.0, 960.0, 540.0)

    tracker.use_lens(lens)
    result = tracker.observe(10, frame.image)

    assert result is not None
    assert result.lens == lens
    assert result.markers == 4
