"""The simulated camera over a mat: zones say whose card it is, and the table is held against the books."""

from collections.abc import Iterator
from typing import Any

import pytest

from calibration.mat import MatTracker
from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras
from companion.bootstrap.cameras import load_mats
from companion.service.table.differences import ABSENT_MS, LASTING_MS
from companion.service.table.table import Request, Table
from companion.simulator.art import CARD_HEIGHT_MM, CARD_WIDTH_MM, PlacedMat, label_centre_mm
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.opened import house_games, house_texts, installed_games

FRAME_MS = 250
MATS = load_mats(games=installed_games())
LYING = PlacedMat(MATS["table"], 69.0, 32.0)


@pytest.fixture(scope="module")
def camera() -> SimulatedCamera:
    texts = house_texts()
    return SimulatedCamera(SimulatedTable(1, texts), frame_ms=FRAME_MS, mat=LYING)


class OnMat:
    """A game of Ada (blue) and Ben (yellow), and the camera over the mat."""

    def __init__(self, camera: SimulatedCamera) -> None:
        tables = bootstrap.open_tables(house_games(), InMemoryJournal())
        players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}]
        start = {"do": "start_game", "game": "master_builder", "first": "blue", "players": players}
        self.table: Table = tables.start(Request(start, "banker", "tap"))
        self.simulated_table = camera.table
        self.simulated_table.clear()
        self.scanner = cameras.create_scanner(camera, MatTracker(list(MATS.values())))
        self.scanner.attach(self.table)

    def lay(self, card: str, zone: str, number: int = 0) -> None:
        """Lay a card with its label in a zone; ``number`` counts places to the right."""
        corners = next(area for area in LYING.mat.zones.zones if area.name == zone).corners_mm
        x, y = corners[0][0] + 30 + 55 * number, (corners[0][1] + corners[2][1]) / 2
        across, down = (a - b / 2 for a, b in zip(label_centre_mm(), (CARD_WIDTH_MM, CARD_HEIGHT_MM), strict=True))
        left, top = LYING.to_table(x, y)
        self.simulated_table.lay(card, left - across, top - down)
        self.process_frames(4)

    def process_frames(self, frames: int) -> None:
        for _ in range(frames):
            assert self.scanner.process_next_frame()

    def asked(self) -> list[dict[str, Any]]:
        return self.scanner.proposals.pending(self.table.id)

    def hire(self, *cards: str) -> None:
        for card in cards:
            player = (self.table.position_json("banker") or {})["waiting_for"][0]
            command = {"do": "hire_worker", "player": player, "worker": card}
            self.table.submit(Request(command, "banker", "tap"))

    def differences(self) -> list[dict[str, Any]]:
        differences: list[dict[str, Any]] = self.scanner.state_json(self.table.id)["differences"]
        return differences


@pytest.fixture
def given(camera: SimulatedCamera) -> Iterator[OnMat]:
    yield OnMat(camera)
    camera.table.clear()


def test_the_zone_says_who_hires_whatever_the_turn(given: OnMat) -> None:
    given.lay("W07", "yellow")
    given.lay("W09", "blue")

    first, second = given.asked()
    assert (first["card"], first["zone"], first["question"]["rule"]) == ("W07", "yellow", "not_your_turn")
    assert second["command"] == {"do": "hire_worker", "player": "blue", "worker": "W09"}
    assert given.scanner.state_json(given.table.id)["mat"] == "table"


def test_a_card_beside_the_mat_is_nobodys(given: OnMat) -> None:
    given.simulated_table.lay("W07", 30.0, 300.0)
    given.process_frames(5)

    assert given.asked() == []
    (seen,) = given.scanner.state_json(given.table.id)["cards"]
    assert (seen["card"], seen["zone"]) == ("W07", None)


def test_a_lasting_difference_is_told_and_goes_when_it_is_mended(given: OnMat) -> None:
    given.hire("W07", "W09")
    given.lay("W07", "yellow")
    (question,) = given.asked()
    assert question["question"]["rule"] == "not_your_turn"
    given.process_frames(2)
    assert given.differences() == [], "a card may be on its way"

    given.process_frames(LASTING_MS // FRAME_MS + 1)

    assert given.differences() == [{"difference": "elsewhere", "card": "W07", "zone": "yellow", "books": "blue"}]
    given.lay("W07", "blue")
    assert given.differences() == []
    assert len(given.table.entries) == 3, "nothing was done about it"


def test_the_books_say_more_workers_than_the_table_shows(given: OnMat) -> None:
    given.hire("W07", "W09", "W08")
    given.lay("W07", "blue")
    given.lay("W08", "blue", 1)
    given.simulated_table.take_away("W08")
    given.process_frames(ABSENT_MS // FRAME_MS)
    assert given.differences() == [], "a hand may lie over it"

    given.process_frames(5)

    (fewer,) = given.differences()

    assert (fewer["difference"], fewer["player"], fewer["cards"]) == ("fewer", "blue", ("W08",))
    assert fewer["books"] - fewer["table"] == 1


def test_a_card_that_asks_is_in_view_and_no_difference_yet(given: OnMat) -> None:
    given.hire("W07", "W09")
    given.lay("W07", "blue")
    given.lay("W10", "blue", 1)
    given.process_frames(LASTING_MS // FRAME_MS + 1)

    assert [proposal["card"] for proposal in given.asked()] == ["W10"]
    assert given.differences() == []


def test_without_a_mat_nothing_is_compared(camera: SimulatedCamera) -> None:
    bare = OnMat(camera)
    bare.scanner = cameras.create_scanner(camera)
    bare.scanner.attach(bare.table)
    bare.hire("W07")
    bare.lay("W07", "yellow")
    bare.process_frames(LASTING_MS // FRAME_MS + 2)

    assert bare.differences() == []
    assert bare.scanner.state_json(bare.table.id)["mat"] is None


def test_the_table_is_held_against_the_books_also_where_cards_lead_to_nothing(given: OnMat) -> None:
    # given a table at which cards are for the books only
    given.scanner.proposals.set_level(given.table, "ledger")

    # when a worker whom nobody hired lies with Ada
    given.lay("W07", "blue")
    given.process_frames(LASTING_MS // FRAME_MS + 4)

    # then nothing is asked, and the difference is told
    assert given.asked() == []
    assert [(difference["card"], difference["zone"]) for difference in given.differences()] == [("W07", "blue")]
