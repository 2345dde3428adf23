"""The demonstration: a table where bots play under a simulated camera."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.mat import MatTracker
from companion import bootstrap
from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import default_catalog_name
from companion.bootstrap.cameras import create_scanner, load_mats
from companion.bootstrap.games import load_game
from companion.bot_games.games import bots_of
from companion.game_api.manifest import Manifest
from companion.service.camera.scanner import Scanner
from companion.service.demonstration import Demonstration, DemonstrationMove
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from companion.simulator.camera import SimulatedCamera
from companion.simulator.optics import EVERYDAY
from companion.simulator.table import SimulatedTable

FRAME_MS = 250
"""Between two frames on the simulated clock when a game is played at full speed."""
POLL_S = 0.1
TABLE_PACE_S = 1.2
"""Between two moves when people watch."""


@dataclass(frozen=True)
class Simulation:
    """A demonstration with the parts that screens show.  ``stopping`` ends it before the next move."""

    table: Table
    tables: Tables
    scanner: Scanner
    simulated_table: SimulatedTable
    demonstration: Demonstration
    stopping: threading.Event


def create_simulation(  # noqa: PLR0913 - one for each choice of the command
    manifest: Manifest,
    catalog: Any,
    *,
    seed: int,
    players: int,
    blank_labels: bool = False,
    pace_s: float | None = None,
    mat: str | None = None,
    own_mats: Path | None = None,
) -> Simulation:
    """Return a table of bots that is ready to play.

    Args:
        manifest: the game.
        catalog: its cards.
        seed: of shuffles and of the simulated table.
        players: how many bots play.
        blank_labels: draw cards without codes.
        pace_s: seconds between two moves, with the camera read by another thread; ``None``: at full speed, reading
            the camera itself.
        mat: the name of a mat on the table.
        own_mats: a folder of mats, beside those of games.

    Raises:
        ValueError: for an unknown mat.
        MatError: for an unusable one of the folder.

    """
    bots = bots_of(manifest)
    tables = bootstrap.open_tables(
        {manifest.name: load_game(manifest, {default_catalog_name(manifest): catalog})}, InMemoryJournal()
    )
    table = tables.start(Request(bots.beginning(players, seed), "banker", "tap"))
    mats = load_mats(own_mats)
    simulated_table = SimulatedTable(
        seed, bootstrap.label_texts(manifest, catalog), blank_labels=blank_labels, mats=mats
    )
    simulated_table.lay_mat(mat)
    camera = SimulatedCamera(simulated_table, frame_ms=FRAME_MS if pace_s is None else None, nuisances=EVERYDAY)
    scanner = create_scanner(camera, None if mat is None else MatTracker(list(mats.values())))
    scanner.attach(table)
    piles = bots.shuffled(catalog, seed)
    stopping = threading.Event()

    def next_move() -> DemonstrationMove | None:
        position = table.position
        act = None if position is None or stopping.is_set() else bots.next_act(position, piles, {}, lambda _: 0)
        return (
            None if act is None else DemonstrationMove(table.game.codec.command_json(act.command), act.cards, act.zone)
        )

    look_on, pause = _pace(scanner, pace_s, stopping)
    demonstration = Demonstration(table, scanner, simulated_table, next_move, look_on, pause)
    return Simulation(table, tables, scanner, simulated_table, demonstration, stopping)


def _pace(
    scanner: Scanner, pace_s: float | None, stopping: threading.Event
) -> tuple[Callable[[], object], Callable[[], object]]:
    if pace_s is None:
        return scanner.process_next_frame, lambda: None
    return lambda: stopping.wait(POLL_S), lambda: stopping.wait(pace_s)
