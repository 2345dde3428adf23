"""A table under the simulated camera: cards laid by a test, real pictures, the real reader."""

from functools import cache
from typing import Any

from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import cameras
from companion.games.master_builder import GAME
from companion.service.table.table import Request, Table
from companion.simulator.camera import SimulatedCamera
from companion.simulator.table import SimulatedTable
from tests.opened import house_games, house_texts

FRAME_MS = 250
SETTLED = 5
"""Frames until a card that was laid counts as laid, or one that was taken away as gone."""


@cache
def camera_over_a_table() -> SimulatedCamera:
    """One for all tests: to build its scene takes longer than to look."""
    texts = house_texts() | bootstrap.command_card_texts(GAME)
    others = {"shop": "HTTPS://EX", "guest": "XY1W07", "second print": "MB2W09", "stranger": "MB1W99"}
    return SimulatedCamera(SimulatedTable(1, {**texts, **others}), frame_ms=FRAME_MS)


class Eyes:
    """A game of Ada (blue) and Ben (yellow), first round, and the camera over it."""

    def __init__(self) -> None:
        self.tables = bootstrap.open_tables(house_games(), InMemoryJournal())
        self.table = self.begin()
        camera = camera_over_a_table()
        self.simulated_table = camera.table
        self.simulated_table.clear()
        self.scanner = cameras.create_scanner(camera)
        self.scanner.attach(self.table)

    def begin(self) -> Table:
        players = [{"id": "blue", "name": "Ada"}, {"id": "yellow", "name": "Ben"}]
        start = {"do": "start_game", "game": "master_builder", "first": "blue", "players": players}
        return self.tables.start(Request(start, "banker", "tap"))

    def lay(self, card: str) -> None:
        self.simulated_table.lay_on_tray(card)
        self.process_frames()

    def take_away(self, card: str) -> None:
        self.simulated_table.take_away(card)
        self.process_frames()

    def process_frames(self, frames: int = SETTLED) -> None:
        for _ in range(frames):
            assert self.scanner.process_next_frame()

    def tap(self, do: str, **fields: Any) -> dict[str, Any]:
        return self.table.submit(Request({"do": do, **fields}, "banker", "tap"))

    def asked(self) -> list[dict[str, Any]]:
        return self.scanner.proposals.pending(self.table.id)

    def answer(self, number: int, answer: Any) -> dict[str, Any] | None:
        return self.scanner.proposals.answer(self.table.id, number, answer, actor="banker")

    def hire_all(self) -> None:
        """Let both hire five by tap; W07 goes to nobody."""
        cards = [f"W{number:02}" for number in range(40, 0, -1) if number != 7]
        while self.shown["phase"] == "hire":
            self.tap("hire_worker", player=self.shown["waiting_for"][0], worker=cards.pop(0))

    @property
    def shown(self) -> dict[str, Any]:
        shown = self.table.position_json("banker")
        assert shown is not None
        return shown
