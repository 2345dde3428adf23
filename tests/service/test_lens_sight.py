"""A wide camera that nobody has calibrated: it learns its lens while playing, and says whose a card is by the mat."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.lens import make_radial_lens
from calibration.mat import MatTracker
from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras
from companion.bootstrap.cameras import load_mats
from companion.qr.sighting import Sighting
from companion.service.camera.camera import Frame
from companion.service.camera.pipeline import LensLearner
from companion.service.table.table import Request
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.calibration.test_label_lens import labels
from tests.extent import in_check
from tests.opened import house_games, house_texts

BENDS = (-0.35, -0.46)
"""About 11 and 15 % at the corners."""


def sightings(bends: float, seed: int, count: int = 16) -> list[Sighting]:
    quads = labels(bends, count, seed)
    corners = (
        ((a, b), (c, d), (e, f), (g, h)) for ((a, b), (c, d), (e, f), (g, h)) in (quad.tolist() for quad in quads)
    )
    return [Sighting(f"MB1W{number:02}", quad) for number, quad in enumerate(corners)]


def frame(at_ms: int) -> Frame:
    return Frame(image=np.zeros((1080, 1920, 3), np.uint8), at_ms=at_ms, number=at_ms)


def test_the_lens_is_told_once_and_anew_where_it_is_known_better() -> None:
    # given a camera that bends
    learner = LensLearner()
    first = learner.observe(frame(0), sightings(-0.2, 1))
    assert first is not None

    # when nothing has changed, too little time has passed, or few labels lie there
    assert learner.observe(frame(5_000), sightings(-0.2, 1)) is None
    assert learner.observe(frame(1_000), sightings(-0.2, 2)) is None
    assert learner.observe(frame(9_000), sightings(-0.2, 3)[:5]) is None

    # then nothing is told; other arrangements agree
    lenses = [learner.observe(frame(20_000 + 5_000 * seed), sightings(-0.2, seed)) for seed in range(4, 12)]
    latest = next((lens for lens in reversed(lenses) if lens is not None), first)
    assert latest.distortion[0] == pytest.approx(-0.2, abs=0.02)


def test_a_calibrated_lens_is_left_alone() -> None:
    calibrated = make_radial_lens(-0.1, 1920, 1080)
    mat = MatTracker(list(load_mats().values()), calibrated)
    mat.learn_lens(make_radial_lens(-0.3, 1920, 1080))
    mat.observe(0, np.zeros((1080, 1920, 3), np.uint8))
    assert mat._calibrated == calibrated


@pytest.mark.parametrize("bends", in_check(BENDS, -0.35))
def test_under_a_wide_lens_zones_are_right_once_it_is_learnt(bends: float, monkeypatch: pytest.MonkeyPatch) -> None:
    # given a mat under a camera that bends, and twelve cards all over it
    simulated_table = SimulatedTable(3, house_texts(), mats=load_mats())
    camera = SimulatedCamera(simulated_table, frame_ms=400)
    scanner = cameras.create_scanner(camera, MatTracker(list(load_mats().values())))
    monkeypatch.setattr(camera, "grab", bent(camera.grab, bends))
    simulated_table.lay_mat("table")
    players = [{"id": seat, "name": seat} for seat in ("blue", "yellow", "red", "green")]
    start = {"do": "start_game", "game": "master_builder", "first": "blue", "players": players}
    table = bootstrap.open_tables(house_games(), InMemoryJournal()).start(Request(start, "banker", "tap"))
    scanner.attach(table)
    laid = {}
    for number, zone in enumerate(simulated_table.zones * 2):
        if zone != "tray" and number < 14:
            card = f"W{number + 1:02}"
            simulated_table.lay_in(card, zone)
            laid[card] = zone

    # when it has looked for a while
    for _ in range(30):
        scanner.process_next_frame()

    # then it knows its lens, and where each card lies
    assert scanner.mat is not None
    assert scanner.mat.latest is not None
    assert scanner.mat.latest.lens is not None
    zones = {card["card"]: card["zone"] for card in scanner.state_json(table.id)["cards"]}
    assert {card: zone for card, zone in zones.items() if zone != laid[card]} == {}
    assert len(zones) >= len(laid) - 2
    camera.close()


def bent(grab: Callable[[], Frame | None], bends: float) -> Callable[[], Frame | None]:
    """Frames as a lens shows them that bends."""
    maps: list[np.ndarray] = []

    def grabbed() -> Frame | None:
        taken = grab()
        if taken is None:
            return None
        height, width = taken.image.shape[:2]
        if not maps:
            y, x = np.indices((height, width), np.float64)
            there = make_radial_lens(bends, width, height).undistort(np.column_stack((x.ravel(), y.ravel())))
            maps.extend(part.reshape(height, width).astype(np.float32) for part in there.T)
        across, down = maps
        return replace(taken, image=np.asarray(cv2.remap(taken.image, across, down, cv2.INTER_LINEAR), np.uint8))

    return grabbed
