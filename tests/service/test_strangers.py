"""Cards of other games under the camera: told while they lie there, never acted on."""

from collections.abc import Iterator

import pytest

from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.label_readers import read_sightings
from companion.bootstrap import cameras
from companion.qr.sighting import Picture, Sighting
from companion.service.camera.detectors.foreign_cards import ForeignCardDetector
from companion.service.camera.scanner import Scanner
from companion.service.table.table import Request, Table
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from companion.vision.label.tag import Deck
from tests.opened import house_games, house_texts, installed_games

FRAME_MS = 250
LONG_ENOUGH = 14
"""Frames until whatever lies there has been told."""
OTHERS = {"I03": "MW1I03", "D05": "MO1D05", "shop": "HTTPS://EX", "guest": "XY1W07"}
DECKS = {
    name: bootstrap.create_deck(manifest, bootstrap.load_bundled_catalog(manifest))
    for name, manifest in installed_games().manifests.items()
}


class Looking:
    """A table of Master Builder under the simulated camera."""

    def __init__(self, decks: dict[str, Deck]) -> None:
        self.simulated_table = SimulatedTable(2, {**house_texts(), **OTHERS})
        self.scanner: Scanner = cameras.create_scanner(
            SimulatedCamera(self.simulated_table, frame_ms=FRAME_MS), decks=decks
        )
        self.tables = bootstrap.open_tables(house_games(), InMemoryJournal())
        self.table = self.begin()

    def begin(self) -> Table:
        players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Bartholomew"}]
        start = {"do": "start_game", "game": "master_builder", "first": "blue", "players": players}
        table = self.tables.start(Request(start, "banker", "tap"))
        self.scanner.attach(table)
        return table

    def foreign_cards(self, frames: int = LONG_ENOUGH) -> list[str]:
        for _ in range(frames):
            assert self.scanner.process_next_frame()
        return [f"{card['game']}: {card['card']}" for card in self.scanner.state_json(self.table.id)["strangers"]]


@pytest.fixture
def looking() -> Iterator[Looking]:
    station = Looking(DECKS)
    yield station
    station.scanner.camera.close()


def test_a_card_of_another_game_is_told_for_as_long_as_it_lies_there(looking: Looking) -> None:
    # given a table on which the cards of its own game lie
    looking.simulated_table.lay_on_tray("W07")
    assert looking.foreign_cards() == []

    # when a card of another game comes to lie beside them, far from any
    looking.simulated_table.lay("I03", 900, 480)
    cards = looking.foreign_cards()

    # then it is told, and nothing comes of it
    assert cards == ["men_at_work: I03"]
    assert [proposal["card"] for proposal in looking.scanner.proposals.pending(looking.table.id)] == ["W07"]

    # and when it is taken away, it is told no more
    looking.simulated_table.take_away("I03")
    assert looking.foreign_cards() == []


def test_what_lay_there_before_the_table_was_looked_at_is_told_too(looking: Looking) -> None:
    looking.simulated_table.lay("D05", 300, 300)

    assert looking.foreign_cards() == ["monopoly_builder: D05"]


def test_codes_that_belong_to_no_game_here_are_nobodys_business(looking: Looking) -> None:
    looking.simulated_table.lay("shop", 300, 300)
    looking.simulated_table.lay("guest", 900, 500)

    assert looking.foreign_cards() == []


def test_a_new_table_forgets_what_was_told_at_the_one_before(looking: Looking) -> None:
    looking.simulated_table.lay("I03", 900, 480)
    assert looking.foreign_cards()
    before = looking.table

    looking.table = looking.begin()

    assert looking.foreign_cards(1) == []
    assert looking.scanner.state_json(before.id)["strangers"] == []
    assert looking.foreign_cards() == ["men_at_work: I03"]


def test_the_screens_are_told_once_when_it_comes(looking: Looking) -> None:
    looking.foreign_cards()
    bumps = looking.table.signal.count
    looking.simulated_table.lay("I03", 900, 480)
    looking.foreign_cards()
    bumps_after = looking.table.signal.count

    looking.foreign_cards()

    assert bumps_after == bumps + 1
    assert looking.table.signal.count == bumps_after


@pytest.mark.nightly
def test_nothing_is_read_while_nothing_has_changed_that_is_not_explained() -> None:
    # given strangers looked for by a reader that counts
    simulated_table = SimulatedTable(2, {**house_texts(), **OTHERS})
    camera = SimulatedCamera(simulated_table, frame_ms=FRAME_MS)
    read: list[Picture] = []

    def counting(picture: Picture, deck: Deck) -> tuple[Sighting, ...]:
        read.append(picture)
        return read_sightings(picture, deck, "frame")

    detector = ForeignCardDetector(counting, DECKS, "MB")
    own: list[Sighting] = []

    def count_reads(frames: int) -> int:
        before = len(read)
        for _ in range(frames):
            frame = camera.grab()
            assert frame is not None
            own[:] = read_sightings(frame.image, DECKS["master_builder"], "frame")
            detector.observe(frame, own)
        return (len(read) - before) // (len(DECKS) - 1)

    # when it has looked round once
    assert count_reads(LONG_ENOUGH) == 1

    # then it reads no more: not for nothing, and not for a card of its own game
    assert count_reads(LONG_ENOUGH) == 0
    simulated_table.lay_on_tray("W07")
    assert count_reads(LONG_ENOUGH) == 0

    # and once for each card that is none
    simulated_table.lay("I03", 900, 480)
    assert count_reads(LONG_ENOUGH) == 1
    camera.close()


def test_with_one_game_installed_nothing_is_looked_for() -> None:
    alone = Looking({"master_builder": DECKS["master_builder"]})
    alone.simulated_table.lay("I03", 900, 480)

    assert alone.foreign_cards() == []
    alone.scanner.camera.close()
