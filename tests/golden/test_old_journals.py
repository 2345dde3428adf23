"""A stored golden game is read again without asking the rules anything."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.adapters.journal.memory import InMemoryJournal
from companion.adapters.journal.sqlite import SqliteJournal
from companion.games.master_builder.rules.game import MasterBuilder
from companion.service.table.table import Table
from tests.golden.report import final_position
from tests.golden.stored import GoldenGame, golden_games
from tests.opened import master_builder
from tests.scenario import StoppedClock


class ForgottenRules(MasterBuilder):
    """Knows how to record, and nothing else: neither rules nor catalogs."""

    def __init__(self) -> None:
        super().__init__({})

    def decide(self, position: Any, command: Any) -> Sequence[Any]:
        raise AssertionError(f"the rules were asked {command} at {position}")

    def follow_up(self, position: Any) -> Sequence[Any]:
        raise AssertionError(f"the rules were asked what follows {position}")


def table_without_rules() -> Table:
    game = replace(master_builder({}), rules=ForgottenRules())
    return Table("golden", game, InMemoryJournal(), StoppedClock())


@pytest.mark.parametrize("game", golden_games(), ids=lambda game: game.name)
def test_a_stored_game_folds_to_its_end_by_evolve_alone(game: GoldenGame) -> None:
    table = table_without_rules()

    table.load(tuple(game.entries()))

    assert final_position(table) == game.report["position"]


def test_a_game_kept_on_disk_folds_to_its_end_by_evolve_alone(tmp_path: Path) -> None:
    game = GoldenGame("all_variants_with_mishaps")
    first, *others = game.entries()
    journal = SqliteJournal(tmp_path / "journal.db")
    journal.open_table("golden", "master_builder", first)
    for entry in others:
        journal.append("golden", entry)
    journal.close()
    table = table_without_rules()

    again = SqliteJournal(tmp_path / "journal.db")
    table.load(again.entries("golden"))
    again.close()

    assert final_position(table) == game.report["position"]
