"""Whole games, played by bots and kept as play files: any entry can be amended, and an undo restores everything."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.engine.game import Refused
from companion.service.table.play_files import ledger_rows, play_file
from companion.service.table.table import Request, Table
from tests.extent import of_all
from tests.fakes import FakeClock, FakeJournal
from tests.golden.stored import golden_games, load_golden_game
from tests.service.house_tables import UNDO, bot_command, give, house_game, house_table, position

Json = dict[str, Any]
GOLDEN = [game.play_file for game in golden_games()]
MONEY = 695_000
SAMPLES = 5


def by_bots(players: int, seed: int) -> Table:
    table, piles = house_table(players, seed)
    while (command := bot_command(table, piles)) is not None:
        give(table, command)
    return table


def from_file(path: Path) -> Table:
    """Play a file; what it holds that is refused stays refused."""
    table = Table(path.stem, load_golden_game(), FakeJournal(), FakeClock())
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            try:
                give(table, json.loads(line))
            except Refused:
                continue
    return table


def standing_entries(table: Table) -> list[int]:
    listed = table.journal("banker")
    return [
        entry["seq"]
        for entry in listed
        if not entry["undone"] and entry["command"]["do"] not in {"undo", "redo", "amend"}
    ]


def amended_and_restored(table: Table, entries: list[int]) -> None:
    """Leave each of these entries out: the preview is what comes of it, and an undo brings everything back."""
    before, shown = table.position, position(table)
    for seq in entries:
        command = {"do": "amend", "seq": seq, "with": None}
        if seq == 1:
            with pytest.raises(Refused, match="start_stays"):
                table.preview(Request(command, "banker", "tap", table.version))
            continue
        preview = table.preview(Request(command, "banker", "tap", table.version))
        assert seq in [change["seq"] for change in preview["changes"]]
        give(table, {**command, "confirm": True})
        assert position(table) == preview["position"]
        money_is_conserved(table)
        assert {player: change["after"] for player, change in preview["money"].items()} == {
            player: state["cash"] for player, state in position(table)["players"].items()
        }
        give(table, UNDO)
        assert (table.position, position(table)) == (before, shown)


def money_is_conserved(table: Table) -> None:
    shown = position(table)
    assert sum(player["cash"] for player in shown["players"].values()) + shown["bank"] + shown["on_contracts"] == MONEY
    assert table.position is not None
    assert sum(amount for _, amount in table.position.ledger.balances) == 0


def spread(entries: list[int]) -> list[int]:
    """Return a few of the entries: the start, the last ones, and some between."""
    return sorted({*entries[:: max(1, len(entries) // SAMPLES)], *entries[-2:]})


GAMES = [
    *[pytest.param(partial(by_bots, players, seed=players), id=f"{players} bots") for players in (2, 3, 4)],
    *[pytest.param(partial(from_file, path), id=path.stem) for path in GOLDEN],
]


@pytest.mark.parametrize("played", GAMES[: of_all(10, len(GAMES))])
def test_some_entries_of_a_whole_game_are_amended_and_restored(played: Callable[[], Table]) -> None:
    table = played()
    amended_and_restored(table, spread(standing_entries(table)))


@pytest.mark.nightly
@pytest.mark.parametrize("played", GAMES)
def test_every_entry_of_a_whole_game_is_amended_and_restored(played: Callable[[], Table]) -> None:
    table = played()
    amended_and_restored(table, standing_entries(table))


def test_an_amended_game_is_exported_and_restarted_as_it_stands() -> None:
    table = by_bots(3, seed=8)
    entries = standing_entries(table)
    for seq in (entries[-3], entries[40], entries[20]):
        give(table, {"do": "amend", "seq": seq, "with": None, "confirm": True})
    again = Table("again", house_game(), FakeJournal(), FakeClock())
    for line in play_file(table):
        give(again, json.loads(line))
    assert again.position == table.position
    restarted = Table("t", house_game(), FakeJournal(), FakeClock())
    restarted.load(table.entries)
    assert (restarted.position, restarted.show("banker")) == (table.position, table.show("banker"))
    last = {row["account"]: row["balance"] for row in ledger_rows(table)}
    assert last["bank"] == position(table)["bank"]
    assert {player: last[f"player:{player}"] for player in position(table)["players"]} == {
        player: state["cash"] for player, state in position(table)["players"].items()
    }
