"""Cards in the zones of a mat on the simulated table, and a knock against its camera."""

import pytest

from calibration.mat import MatTracker
from companion.adapters.cameras.specs import open_camera
from companion.adapters.label_readers import read_frame
from companion.bootstrap.cameras import load_mats
from companion.service.camera.camera import CameraError
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from companion.vision.label.tag import Deck

MATS = load_mats()
CARDS = [f"W{number:02}" for number in range(1, 41)] + [f"C{number:02}" for number in range(1, 13)]
LABELS = {card: f"MB1{card}" for card in CARDS}
DECK = Deck("MB", frozenset(CARDS))


def on_mat(name: str, seed: int = 1) -> SimulatedTable:
    table = SimulatedTable(seed, LABELS, mats=MATS)
    table.lay_mat(name)
    return table


def zones_seen(camera: SimulatedCamera, tracker: MatTracker) -> dict[str, str | None]:
    """Where each label is seen, by the mat in the picture."""
    frame = camera.grab()
    assert frame is not None
    tracker.observe(frame.at_ms, frame.image)
    return {seen.text[3:]: tracker.zone_at_pixel(*seen.centre) for seen in read_frame(frame, DECK)}


@pytest.mark.parametrize("name", ["table", "a2"])
def test_cards_laid_in_a_zone_are_all_seen_there(name: str) -> None:
    table = on_mat(name)
    workers = iter(CARDS)
    laid: dict[str, str] = {}
    for zone in table.zones:
        for _ in range(2 if name == "a2" else 5 if zone in ("blue", "red") else 3):
            card = next(workers)
            table.lay_in(card, zone)
            laid[card] = zone

    assert zones_seen(SimulatedCamera(table, frame_ms=100), MatTracker(list(MATS.values()))) == laid


def test_a_place_that_is_free_again_is_taken_below_what_was_laid_later() -> None:
    table = on_mat("table")
    for card in CARDS[:4]:
        table.lay_in(card, "blue")
    table.take_away("W01")
    table.lay_in("W09", "blue")

    assert [card.card for card in table.cards] == ["W09", "W02", "W03", "W04"]
    assert zones_seen(SimulatedCamera(table), MatTracker(list(MATS.values()))).keys() == {"W02", "W03", "W04", "W09"}


def test_a_full_zone_loses_its_first_card() -> None:
    table = on_mat("a2")
    laid = 0
    while "W01" in {card.card for card in table.cards} or laid == 0:
        table.lay_in(CARDS[laid], "economy")
        laid += 1

    assert next(card.card for card in table.cards) == CARDS[laid - 1], "it lies below those that came after the first"


@pytest.mark.parametrize(("mat", "zone"), [("a2", "garden"), (None, "blue")])
def test_where_no_zone_is_no_card_can_be_laid(mat: str | None, zone: str) -> None:
    table = SimulatedTable(1, LABELS, mats=MATS)
    table.lay_mat(mat)

    with pytest.raises(ValueError, match=f"no zone '{zone}'"):
        table.lay_in("W01", zone)
    assert table.cards == ()


def test_a_bumped_camera_sees_the_same_zones_from_elsewhere() -> None:
    table = on_mat("table")
    table.lay_in("W07", "yellow")
    table.lay_in("C03", "contracts")
    camera, tracker = SimulatedCamera(table, frame_ms=100), MatTracker(list(MATS.values()))
    before = zones_seen(camera, tracker)
    plane = tracker.latest
    table.bump()

    after = zones_seen(camera, tracker)

    assert before == after == {"W07": "yellow", "C03": "contracts"}
    assert plane is not None
    assert tracker.latest is not None
    earlier, later = plane.plane.to_pixels(0, 0), tracker.latest.plane.to_pixels(0, 0)
    moved = max(abs(a - b) for a, b in zip(earlier, later, strict=True))
    assert 5 < moved < 60


def test_a_spec_may_name_a_mat() -> None:
    def table(seed: int) -> SimulatedTable:
        return SimulatedTable(seed, LABELS, mats=MATS)

    camera = open_camera("sim:7:table", table)

    assert isinstance(camera, SimulatedCamera)
    assert camera.name == "sim:7"
    assert "contracts" in camera.table.zones
    with pytest.raises(CameraError, match="no mat 'rug'"):
        open_camera("sim:7:rug", table)
    with pytest.raises(CameraError, match="whole number"):
        open_camera("sim:seven:table", table)
