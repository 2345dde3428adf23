"""A running installation under the simulated camera, at which bots play until something is worth a picture."""

import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from companion.bootstrap.cameras import connect_camera
from companion.bootstrap.installation import open_installation
from companion.config import DataFolder
from companion.games.master_builder.bots.dealer import next_act
from companion.games.master_builder.bots.turn import Bot
from companion.games.master_builder.simulation import COLOURS, STRENGTHS
from companion.service.access.logins import Caller
from companion.service.camera.scanner import CameraLoop
from companion.service.services import Services
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.simulator.table import SimulatedTable
from companion.web import create_app
from companion.web.server.server import Server
from tests.opened import house_deck, shuffled, start_command

PIN = "2468"
HOME = "http://192.168.1.20:8000/"
"""The address that invitations name: everybody's own network, nobody's machine."""

There = Callable[[dict[str, Any]], bool]


@dataclass(frozen=True)
class Game:
    """A table of bots: its seed shuffles the piles, so the same evening can be played again."""

    table: Table
    play_on: Callable[[], bool]

    @property
    def position(self) -> dict[str, Any]:
        """The position as the banker sees it."""
        return dict(self.table.position_json("banker") or {})

    def until(self, there: There) -> dict[str, Any]:
        """Play until the moment; give its position.  ``LookupError`` when the game ends without it."""
        while not there(self.position):
            if not self.play_on():
                raise LookupError("the game came to no such moment")
        return self.position


def game_of_bots(
    tables: Tables,
    players: int,
    seed: int,
    strengths: Mapping[str, str] | None = None,
    rules: Mapping[str, Any] | None = None,
) -> Game:
    """Open a table of bots, strong ones where ``strengths`` says nothing, under these house ``rules``."""
    begun = {**start_command(players, seed), "rules": dict(rules or {})}
    table = tables.start(Request(begun, "banker", "tap"))
    piles, lots = shuffled(house_deck(), seed), random.Random(seed)
    bots: dict[str, Bot] = {player: STRENGTHS[(strengths or {}).get(player, "strong")] for player in COLOURS[:players]}

    def play_on() -> bool:
        position = table.position
        act = None if position is None else next_act(position, piles, bots, lots.randrange)
        if act is not None:
            command = table.game.codec.command_json(act.command)
            table.submit(Request(command, "banker", "tap"))
        return act is not None

    return Game(table, play_on)


@dataclass(frozen=True)
class Stage:
    """Where pictures are taken: the address of the pages, and what lies behind them."""

    address: str
    services: Services
    simulated_table: SimulatedTable

    def game(self, players: int, seed: int, strengths: Mapping[str, str] | None = None) -> Game:
        """Open a table of bots, strong ones where ``strengths`` says nothing."""
        return game_of_bots(self.services.tables, players, seed, strengths)

    def invitation(self, caller: Caller) -> str:
        """Return the address that lets a device in."""
        return f"{self.address}/join/{self.services.logins.join_token(self.services.guests.link(caller))}"


@contextmanager
def stage() -> Iterator[Stage]:
    """Serve as ``companion serve --camera sim`` does, on a free port and for as long as the pictures take."""
    source, simulated_table = connect_camera("sim:3")
    if not isinstance(simulated_table, SimulatedTable):
        raise TypeError("the simulated camera comes with its table")
    with tempfile.TemporaryDirectory() as folder:
        opened = open_installation(DataFolder(Path(folder)), source, simulated_table, pin=PIN)
        opened.services.preferences.choose(welcomed=True)
        services = replace(opened.services, reachable=lambda _: [HOME])
        server = Server(create_app(services), "127.0.0.1", 0)
        serving, watch = threading.Thread(target=server.run, name="server"), CameraLoop(services.scanner, pause_s=0.05)
        serving.start()
        watch.start()
        try:
            yield Stage(f"http://127.0.0.1:{server.port}", services, simulated_table)
        finally:
            server.stop()
            serving.join(timeout=10)
            watch.stop()
            opened.close()
