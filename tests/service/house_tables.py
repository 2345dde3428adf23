"""Tables for tests of the service: a tiny one of nuts, and Master Builder played on to some moment by its bots."""

import json
from collections.abc import Mapping
from functools import cache
from itertools import count
from typing import Any

from companion.game_api.manifest import LoadedGame
from companion.games.master_builder.bots.dealer import Piles, next_act
from companion.service.ports import Journal
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.engine.tiny_game import nut_game
from tests.fakes import FakeClock, FakeJournal
from tests.opened import house_deck, master_builder, shuffled, start_command

Json = dict[str, Any]
NUTS: Json = {"do": "start_game", "game": "nuts", "players": ["ada", "ben"]}
OPEN: Json = {"do": "open_auction", "player": "ada", "nut": "hazel", "bid": 3}
PASS: Json = {"do": "pass", "player": "ben"}
UNDO: Json = {"do": "undo"}
REDO: Json = {"do": "redo"}


@cache
def house_game() -> LoadedGame:
    return master_builder({"house": house_deck()})


@cache
def games() -> Mapping[str, LoadedGame]:
    return {"nuts": nut_game(), "master_builder": house_game()}


def all_tables(journal: Journal, names: str = "t") -> Tables:
    numbers = count(1)
    return Tables(games(), journal, FakeClock(), lambda: f"{names}{next(numbers)}", list)


def nut_table(journal: Journal | None = None, *commands: Json) -> Table:
    """A table of nuts that has begun and where these commands were given."""
    table = Table("t", nut_game(), journal or FakeJournal(), FakeClock())
    give(table, NUTS, *commands)
    return table


def give(table: Table, *commands: Mapping[str, Any]) -> None:
    for command in commands:
        table.submit(Request(command, "banker", "tap"))


def house_table(
    players: int = 3, seed: int = 3, journal: Journal | None = None, name: str = "t"
) -> tuple[Table, Piles]:
    """Master Builder, just begun, and the piles from which its cards are turned."""
    game = house_game()
    table = Table(name, game, journal or FakeJournal(), FakeClock())
    give(table, start_command(players, seed))
    return table, shuffled(house_deck(), seed)


def bot_command(table: Table, piles: Piles) -> Json | None:
    """Return the next command of the bots; ``None`` when the game is over."""
    assert table.position is not None
    act = next_act(table.position, piles)
    return None if act is None else house_game().codec.command_json(act.command)


def words_of(plan: Json) -> set[str]:
    """The words of a plan that nobody else may read: its sections with their workers."""
    return {json.dumps(workers) for sections in plan["work"].values() for workers in sections.values()}


def play_until(table: Table, piles: Piles, phase: str, round_: int = 1) -> None:
    """Let the bots play up to a phase, in this round or later."""
    while (shown := position(table))["phase"] != phase or shown["round"] < round_:
        command = bot_command(table, piles)
        assert command is not None
        give(table, command)


def position(table: Table, viewer: str = "banker") -> Json:
    shown = table.position_json(viewer)
    assert shown is not None
    return shown
