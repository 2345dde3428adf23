"""How fast the engine is, beside named peers, in one run.

    python -m benchmarks.engine [FOLDER]

FOLDER: where the journals of the durable part lie (default: a passing folder of the system).  What is compared, and
what is not: docs/performance.md.
"""

import tempfile
from pathlib import Path

from benchmarks.arguments import create_parser
from benchmarks.engine import boardgame_io, measures
from benchmarks.engine.bot_games import GAMES, command_time, decision_time
from benchmarks.engine.durable import beside_bare, durable_table
from benchmarks.engine.hammer import commands
from benchmarks.engine.long_game import long_game

ENTRIES, PAIRS = 2_000, 660
LENGTHS = (100, 2_000, 10_000)


def main() -> None:
    """Run everything and print a line for each measure."""
    parser = create_parser(__doc__)
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path)
    folder: Path | None = parser.parse_args().folder
    auction, played = commands(ENTRIES), long_game(ENTRIES)
    alone, table = measures.engine_alone(auction), measures.auction_in_memory(auction)
    tell("auction, rules alone", alone)
    tell("auction, a table in memory", table)
    try:
        peer = boardgame_io.measured(auction)
    except boardgame_io.PeerMissing as missing:
        print(missing)
    else:
        tell(f"boardgame.io's client ({peer.node})", peer.client)
        tell("boardgame.io's master in memory", peer.master)
        print_figure("rules alone / client", alone / peer.client, "at most 1")
        print_figure("table in memory / master", table / peer.master, "at most 1")
    tell("Master Builder, a table in memory", measures.master_builder_in_memory(played))
    times = {game: command_time(game) for game in GAMES}
    for game, seconds in times.items():
        tell(f"a game of bots, {game}", seconds)
        print_figure(
            f"{game} / master_builder", seconds / times["master_builder"], "about 1: events to read and write differ"
        )
    alone_times = {game: decision_time(game) for game in GAMES}
    for game, seconds in alone_times.items():
        tell(f"the same, its rules alone, {game}", seconds)
        print_figure(f"{game} / master_builder, rules alone", seconds / alone_times["master_builder"], "at most 1")
    offers, screen = measures.offers(played)
    tell("Master Builder, one player's offers", offers)
    tell("Master Builder, a banker's screen", screen)
    with tempfile.TemporaryDirectory(dir=folder) as name:
        durably(Path(name), auction)
        replayed = measures.replay(Path(name) / "long.sqlite", played)
        print_figure(f"replay of {ENTRIES:,} entries, ms", replayed * 1e3, "below 100")
        grown("in memory", measures.measure_growth(measures.auction_table(), LENGTHS))
        kept, journal = durable_table(Path(name) / "growing.sqlite")
        grown("on disk", measures.measure_growth(kept, LENGTHS))
        journal.close()


def durably(folder: Path, auction: list[measures.Json]) -> None:
    """Print what a durable command takes beside a bare commit."""
    ours, bare = beside_bare(folder, auction[:PAIRS])
    tell("auction, a table on disk", ours)
    tell("a bare commit of SQLite", bare)
    print_figure("table on disk / bare commit", ours / bare, "at most 1.5")


def grown(where: str, times: list[float]) -> None:
    """Print what a command takes the processor after ever more entries."""
    for length, seconds in zip(LENGTHS, times, strict=True):
        tell(f"auction {where}, after {length:,} entries", seconds)
    print_figure(f"last / first, {where}", times[-1] / times[0], "about 1")


def tell(what: str, seconds: float) -> None:
    """Print a time for one, and how many that is in a second."""
    print(f"{what:42} {seconds * 1e6:9.1f} us {1 / seconds:11,.0f} /s", flush=True)


def print_figure(what: str, figure: float, aim: str) -> None:
    """Print a figure that has an aim."""
    print(f"{what:42} {figure:9.2f}    aim: {aim}", flush=True)


if __name__ == "__main__":
    main()
