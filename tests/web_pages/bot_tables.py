"""Tables of any game at which bots play."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from companion.adapters.journal.memory import InMemoryJournal
from companion.bootstrap import load_bundled_catalog
from companion.bootstrap.games import load_game
from companion.bot_games.games import bots_of
from companion.game_api.manifest import Manifest
from companion.service.runtime import SystemClock
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table

GAMES = ("men_at_work", "monopoly_builder")
LONG = (
    "Donaudampfschifffahrtsgesellschafts",
    "Bartholomew von Hohenstein-Lichtenb",
    "Maximiliane-Charlotte Sophie Amalie",
    "Mississippidampferkapitaenswitwenre",
)
SEED = 7


def tables_of(manifests: dict[str, Manifest]) -> Tables:
    """Open tables of these games, each with its bundled cards."""
    catalogs = {name: load_bundled_catalog(manifest) for name, manifest in manifests.items()}
    games = {name: load_game(manifest, {"house": catalogs[name]}) for name, manifest in manifests.items()}
    decks = [
        {
            "name": "house",
            "title": "House deck",
            "game": name,
            "invented": True,
            "cards": game.cards.as_json(catalogs[name]),
        }
        for name, game in games.items()
    ]
    numbers = count(1)
    return Tables(games, InMemoryJournal(), SystemClock(), lambda: f"t{next(numbers)}", lambda: decks)


@dataclass(frozen=True)
class BotsAtTable:
    """A table of bots: each ``play_on`` is one command, and ``False`` once the game is over."""

    table: Table
    play_on: Callable[[], bool]


def play(tables: Tables, name: str) -> Table:
    """Let bots play a game to its end."""
    bots = begin(tables, name)
    while bots.play_on():
        pass
    assert bots.table.overview is not None
    assert bots.table.overview.finished
    return bots.table


def begin(tables: Tables, name: str) -> BotsAtTable:
    """Seat four bots with long names."""
    manifest = tables.games[name].manifest
    bots, lots = bots_of(manifest), random.Random(SEED)
    start = {**bots.beginning(len(LONG)), "game": name, "catalog": "house"}
    table = tables.start(Request(start, "banker", "tap"))
    names = dict(zip(table.names(), LONG, strict=True))
    for player, called in names.items():
        table.submit(Request({"do": "rename_player", "player": player, "name": called}, "banker", "tap"))
    piles = bots.shuffled(tables.games[name].catalogs["house"], SEED)
    strengths = dict.fromkeys(names, bots.strengths[-1])

    def play_on() -> bool:
        act = bots.next_act(table.position, piles, strengths, lots.randrange) if table.position else None
        if act is not None:
            table.submit(Request(table.game.codec.command_json(act.command), "banker", "tap"))
        return act is not None

    return BotsAtTable(table, play_on)
