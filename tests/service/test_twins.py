"""Two labels of one card on the table: a sleeve left from another box.  Told, and counted once."""

from collections.abc import Iterator

import pytest

from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras
from companion.service.camera.scanner import Scanner
from companion.service.table.table import Request
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.opened import house_games, house_texts

FRAME_MS = 250
FRAMES = 14
"""Frames until whatever lies there has been read, and asked about."""


class Looking:
    """A table of Master Builder under the simulated camera, and one more label of two workers."""

    def __init__(self) -> None:
        copies = {"copy of W07": "MB1W07", "later W12": "MB2W12"}
        self.simulated_table = SimulatedTable(2, {**house_texts(), **copies})
        self.scanner: Scanner = cameras.create_scanner(SimulatedCamera(self.simulated_table, frame_ms=FRAME_MS))
        players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Bartholomew"}]
        start = {"do": "start_game", "game": "master_builder", "first": "blue", "players": players}
        self.table = bootstrap.open_tables(house_games(), InMemoryJournal()).start(Request(start, "banker", "tap"))
        self.scanner.attach(self.table)

    def process_frames(self) -> None:
        for _ in range(FRAMES):
            assert self.scanner.process_next_frame()

    def cards(self, which: str = "cards") -> list[str]:
        return [card["card"] for card in self.scanner.state_json(self.table.id)[which]]

    def place(self, which: str) -> tuple[float, float]:
        ((x, y), *_) = self.scanner.state_json(self.table.id)[which][0]["corners"]
        return x, y

    def asked(self) -> list[str]:
        return [proposal["card"] for proposal in self.scanner.proposals.pending(self.table.id)]


@pytest.fixture
def looking() -> Iterator[Looking]:
    station = Looking()
    yield station
    station.scanner.camera.close()


def test_a_second_label_of_a_card_is_told_and_counts_for_nothing(looking: Looking) -> None:
    # given a worker who lies there and is asked about
    looking.simulated_table.lay("W07", 300, 200)
    looking.process_frames()
    assert (looking.cards(), looking.asked()) == (["W07"], ["W07"])
    first = looking.place("cards")

    # when another label of theirs comes to lie there
    looking.simulated_table.lay("copy of W07", 700, 350)
    looking.process_frames()

    # then the first one counts still, and the other is told with its place
    assert (looking.cards(), looking.cards("twins"), looking.asked()) == (["W07"], ["W07"], ["W07"])
    assert looking.place("cards") == pytest.approx(first, abs=2)
    assert abs(looking.place("twins")[0] - first[0]) > 200


@pytest.mark.nightly
def test_whichever_is_taken_away_the_other_counts(looking: Looking) -> None:
    for taken, left in (("W07", "copy of W07"), ("copy of W07", "W07")):
        # given both
        looking.simulated_table.lay("W07", 300, 200)
        looking.simulated_table.lay("copy of W07", 700, 350)
        looking.process_frames()
        assert (looking.cards(), looking.cards("twins")) == (["W07"], ["W07"])

        # when one is taken away
        looking.simulated_table.take_away(taken)
        looking.process_frames()

        # then the card lies there once, and nothing more is told
        assert (looking.cards(), looking.cards("twins")) == (["W07"], [])
        looking.simulated_table.take_away(left)
        looking.process_frames()
        assert looking.cards() == []


def test_a_card_that_is_moved_is_no_second_one(looking: Looking) -> None:
    looking.simulated_table.lay("W07", 300, 200)
    looking.process_frames()

    looking.simulated_table.lay("W07", 700, 350)
    for _ in range(FRAMES):
        looking.scanner.process_next_frame()
        assert looking.cards("twins") == []

    assert looking.cards() == ["W07"]


def test_labels_of_two_print_runs_stand_for_one_card(looking: Looking) -> None:
    # given a card whose label was printed again, and the old sleeve
    looking.simulated_table.lay("W12", 300, 200)
    looking.simulated_table.lay("later W12", 700, 350)

    looking.process_frames()

    assert sorted((looking.cards(), looking.cards("twins"))) == [["W12"], ["W12"]]
    assert looking.asked() == ["W12"]
