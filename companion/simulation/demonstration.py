"""A table of bots under a simulated camera, put together."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from companion import bootstrap
from companion.adapters.cameras.sim import SimulatedCamera
from companion.adapters.cameras.simulated_table import SimulatedTable
from companion.adapters.memory_journal import MemoryJournal
from companion.bootstrap import installation
from companion.games.master_builder.bots.dealer import next_act
from companion.games.master_builder.catalog import Catalog
from companion.service.demonstration import Demonstration, Move
from companion.service.scanner import Scanner
from companion.service.table import Table
from companion.service.tables import Tables
from companion.simulation.box import shuffled, start_command

FRAME_MS = 250
"""How far frames are apart on the simulated clock when a game is played as fast as can be."""
BETWEEN_LOOKS_S = 0.1
TABLE_PACE_S = 1.2
"""How long an act is looked at when people watch."""


@dataclass(frozen=True)
class Simulation:
    """A demonstration with the parts that screens show.  ``stopping`` ends it before the next act."""

    table: Table
    tables: Tables
    scanner: Scanner
    furniture: SimulatedTable
    demonstration: Demonstration
    stopping: threading.Event


def simulate(
    catalog: Catalog,
    *,
    seed: int,
    players: int,
    blank_labels: bool = False,
    pace_s: float | None = None,
) -> Simulation:
    """Put a table of bots together.

    ``pace_s``: seconds that an act is looked at, while somebody else's thread looks through the camera;
    ``None``: as fast as can be, looking itself.
    """
    tables = bootstrap.tables({"house": catalog}, MemoryJournal())
    table = tables.start(start_command(players, seed), actor="banker", source="tap")
    furniture = SimulatedTable(seed, bootstrap.label_texts(catalog), blank_labels=blank_labels)
    scanner = installation.scanner(SimulatedCamera(furniture, frame_ms=FRAME_MS if pace_s is None else None))
    scanner.attach(table)
    piles = shuffled(catalog, seed)
    stopping = threading.Event()

    def next_move() -> Move | None:
        position = table.position
        act = None if position is None or stopping.is_set() else next_act(position, piles)
        return None if act is None else Move(table.edition.codec.command_json(act.command), act.cards)

    look_on, pause = _pace(scanner, pace_s, stopping)
    demonstration = Demonstration(table, scanner, furniture, next_move, look_on, pause)
    return Simulation(table, tables, scanner, furniture, demonstration, stopping)


def _pace(
    scanner: Scanner, pace_s: float | None, stopping: threading.Event
) -> tuple[Callable[[], object], Callable[[], object]]:
    if pace_s is None:
        return scanner.look, lambda: None
    return lambda: stopping.wait(BETWEEN_LOOKS_S), lambda: stopping.wait(pace_s)
