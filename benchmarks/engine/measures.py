"""Measurements of our engine: each function returns seconds of processor for one command, entry or answer."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.engine.clocks import CHUNK, best_chunks, best_of, mean
from benchmarks.engine.durable import submit
from benchmarks.engine.hammer import START, State, commands, hammer_edition
from benchmarks.engine.long_game import begun
from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.engine.game import BANKER
from companion.engine.timeline import Timeline, decide_and_settle
from companion.service.runtime import SystemClock
from companion.service.table.history import list_offers
from companion.service.table.table import Request, Table

Json = dict[str, Any]
SOME_LOTS = 110
"""Commands that sell ten lots: the same mix wherever they are measured."""


def engine_alone(auction: Sequence[Json]) -> float:
    """Decide, follow up, fold, keep the books: commands and events as objects, no JSON."""
    game = hammer_edition()
    read = [game.codec.command(command) for command in auction]

    def begin() -> Callable[[Any], object]:
        first: Timeline[State] = Timeline()
        timelines = [first.after(decide_and_settle(game.rules, None, game.codec.command(START))[1])]

        def work(command: Any) -> None:
            timelines[0] = timelines[0].after(decide_and_settle(game.rules, timelines[0].position, command)[1])

        return work

    return mean(best_chunks(begin, read))


def auction_table() -> Table:
    """Begin an auction that is kept in memory."""
    table = Table("auction", hammer_edition(), InMemoryJournal(), SystemClock())
    table.submit(Request(START, "banker", "tap"))
    return table


def auction_in_memory(auction: Sequence[Json]) -> float:
    """All that a command is but for the disk: strict JSON in, rights, staleness, rules, entry out."""
    return mean(best_chunks(lambda: partial(submit, auction_table()), auction))


def master_builder_in_memory(played: Table) -> float:
    """Return the same for the commands of a long game of Master Builder."""
    given = [dict(entry.command) for entry in played.entries[1:]]

    def begin() -> Callable[[Json], object]:
        table = begun()
        return lambda command: table.submit(Request(command, "banker", "tap"))

    return mean(best_chunks(begin, given))


def replay(path: Path, played: Table) -> float:
    """Open a journal on disk: read the rows, decode every event strictly, fold; all entries together."""
    first, *later = played.entries
    with closing(SqliteJournal(path)) as journal:
        journal.open_table("long", played.game.rules.name, first)
        for entry in later:
            journal.append("long", entry)

        def load() -> None:
            table = Table("long", played.game, journal, SystemClock())
            table.load(journal.entries("long"))
            if table.position != played.position:
                message = "the replay has led elsewhere"
                raise ValueError(message)

        return best_of(load)


def offers(played: Table) -> tuple[float, float]:
    """Return the time to work out one player's offers, and to write a whole screen for the banker, each time anew."""
    tables = _on_the_way(played)
    game = played.game.rules
    asked = [(table.position, player) for table in tables if table.position for player in game.players(table.position)]
    alone = best_of(lambda: [game.offers(position, player) for position, player in asked]) / len(asked)

    def screens() -> None:
        for table in tables:  # a table remembers what it showed of a version: it is not asked
            timeline = table.history.timeline
            if timeline.position is not None:
                game.view(timeline.position, BANKER)
            list_offers(game, timeline, BANKER, undo=True)

    return alone, best_of(screens) / len(tables)


def _on_the_way(played: Table) -> list[Table]:
    """Return the table as it was after each hundred of its entries."""
    tables = []
    for number in range(CHUNK, len(played.entries), CHUNK):
        table = Table("then", played.game, InMemoryJournal(), SystemClock())
        table.load(played.entries[:number])
        tables.append(table)
    return tables


def measure_growth(table: Table, lengths: Sequence[int]) -> list[float]:
    """Return the median time of a command after so many entries; the auction's state is no larger then."""
    spent: list[list[float]] = [[] for _ in lengths]
    for command in commands(max(lengths) + SOME_LOTS):
        window = next((index for index, length in enumerate(lengths) if 0 <= table.version - length < SOME_LOTS), None)
        start = time.process_time()
        submit(table, command)
        if window is not None:
            spent[window].append(time.process_time() - start)
    return [median(times) for times in spent]
