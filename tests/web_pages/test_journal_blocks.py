"""Entries of the journal are drawn in blocks: each entry once, newest first, however many are shown."""

from pathlib import Path

import pytest

from companion.service.access.logins import Caller
from companion.web import create_app
from companion.web.pages.journal import BLOCK, entry_blocks, entry_rows
from companion.web.pages.tables import public_scene
from companion.words import Words
from tests.every_game import services_over, tables_of_every_game
from tests.hidden_games import begin_hidden, play_hidden

ACTS = 20


@pytest.mark.parametrize("most", [1, BLOCK - 1, BLOCK, BLOCK + 1, 24, 1000])
def test_blocks_hold_the_latest_entries_in_their_order(tmp_path: Path, most: int) -> None:
    # given a table at which entries were undone, redone and amended
    tables = tables_of_every_game(tmp_path)
    services = services_over(tables)
    table = begin_hidden(tables, "master_builder", 12)
    assert len(list(play_hidden(table, 12, ACTS))) == ACTS

    # when its journal is laid out in blocks
    login = {"Authorization": f"Bearer {services.logins.token(Caller('banker'))}"}
    with create_app(services).test_request_context(headers=login):
        scene = public_scene(table, Words("en", table.game.manifest))
        blocks = list(entry_blocks(scene, most))

        # then they hold the rows that a list has, and no two are taken for each other
        assert [row for block in blocks for row in block.rows()] == entry_rows(scene, most)
        assert len({block.key for block in blocks}) == len(blocks)
