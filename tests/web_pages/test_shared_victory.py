"""Players who share first place are named together on every page."""

import random
import re
from dataclasses import replace
from pathlib import Path

from companion import bootstrap
from companion.bot_games.games import bots_of
from companion.games.men_at_work import GAME
from companion.service.access.logins import Caller
from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table
from tests.every_game import services_over, tables_of_every_game
from tests.web.shared_app import client_of, shared_app

SHARED = 1
"""A seed with which two of three random bots are equal at the end."""


def played_to_a_shared_end(tables: Tables) -> Table:
    """Let random bots play a game of Men at Work that two of them win."""
    bots = bots_of(replace(GAME, bots=None))
    table = tables.start(Request({**bots.beginning(3), "catalog": "house"}, "banker", "tap"))
    piles = bots.shuffled(bootstrap.load_bundled_catalog(GAME), SHARED)
    while table.position is not None:
        act = bots.next_act(table.position, piles, {}, random.Random(SHARED).randrange)
        if act is None:
            return table
        table.submit(Request(table.game.codec.command_json(act.command), "banker", "tap"))
    return table


def test_all_who_share_first_place_are_named(tmp_path: Path) -> None:
    # given a game that two players have won
    tables = tables_of_every_game(tmp_path)
    table = played_to_a_shared_end(tables)
    assert table.overview is not None
    first = [table.names()[row.player] for row in table.overview.standings if row.rank == 1]
    assert len(first) == 2

    # when its pages are looked at, then both are named in one sentence
    services = services_over(tables)
    banker = client_of(shared_app(services), services, Caller("banker"))
    for address in (f"/tables/{table.id}", f"/tables/{table.id}/display", f"/tables/{table.id}/report"):
        page = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", banker.get(f"{address}?lang=en").text))
        assert re.search(rf"{first[0]} (?:[A-Z] )?and (?:[A-Z] )?{first[1]} share first place", page), address
