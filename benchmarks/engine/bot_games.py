"""Games of bots, for games that nobody plays at random for two thousand entries: their commands, given once more."""

import random
from collections.abc import Callable
from typing import Any

from benchmarks.engine.clocks import best_chunks, best_of, mean
from companion import bootstrap
from companion.bootstrap.games import load_game
from companion.engine.timeline import decide_and_settle
from companion.service.table.table import Request, Table

GAMES = {"master_builder": 4, "men_at_work": 4, "monopoly_builder": 4}
"""How many play."""
SEED, RUNS = 5, 30

Json = dict[str, Any]


def command_time(game: str) -> float:
    """Return the mean seconds that a command of a game takes a table in memory."""
    given = [dict(entry.command) for entry in played_by_bots(game).entries]

    def begin() -> Callable[[Json], object]:
        again = _table(game)
        again.submit(Request(given[0], "banker", "tap"))
        return lambda command: again.submit(Request(command, "banker", "tap"))

    return mean(best_chunks(begin, given[1:]))


def decision_time(game: str) -> float:
    """Return the mean seconds that the rules of a game alone take for a command, and for all that follows from it."""
    played = played_by_bots(game)
    rules, codec = played.game.rules, played.game.codec
    entries = played.history.effective_entries()[1:]
    asked = [(stood.before, codec.command(stood.command)) for stood in entries]

    def game_through() -> None:
        for before, command in asked:
            decide_and_settle(rules, before, command)

    return best_of(game_through, RUNS) / len(asked)


def _table(game: str) -> Table:
    manifest = bootstrap.find_games().manifest(game)
    return bootstrap.create_in_memory_table(load_game(manifest, {"house": bootstrap.load_bundled_catalog(manifest)}))


def played_by_bots(game: str) -> Table:
    """Return a table at which bots have played a game to its end."""
    table = _table(game)
    manifest = table.game.manifest
    if manifest.bots is None:
        raise LookupError(game)
    bots, lots = manifest.bots(), random.Random(SEED)  # noqa: S311 - a game that can be repeated, no secret
    start = {**bots.beginning(GAMES[game]), "catalog": "house"}
    table.submit(Request(start, "banker", "play"))
    piles = bots.shuffled(bootstrap.load_bundled_catalog(manifest), SEED)
    seats = table.game.rules.overview(table.position).seats if table.position else ()
    strengths = dict.fromkeys(seats, bots.strengths[-1])
    while table.position and (act := bots.next_act(table.position, piles, strengths, lots.randrange)) is not None:
        table.submit(Request(table.game.codec.command_json(act.command), "banker", "play"))
    return table
