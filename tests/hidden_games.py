"""Random games of every game with everything hidden that a house rule or a variant hides."""

import random
from collections.abc import Iterator
from typing import Any

from companion.service.table.registry import Tables
from companion.service.table.table import Request, Table

Json = dict[str, Any]

HIDING: dict[str, Json] = {
    "master_builder": {"rules": {"money": "hidden"}, "variants": ["loaning_workers", "selective_events"]},
    "men_at_work": {"variants": ["foreman"]},
    "monopoly_builder": {"rules": {"money": "hidden"}},
}
"""How a table of each game begins so that as much as possible is hidden."""
COUNTED: dict[str, int] = {"master_builder": 861_000, "monopoly_builder": 98_765}
"""Counted money of the first player, in games that have money: an amount that nothing else comes to."""
BETWEEN_COUNTS = 9


def begin_hidden(tables: Tables, game: str, seed: int, players: int = 3) -> Table:
    """Begin a table of bots at which everything is hidden."""
    bots = tables.games[game].manifest.bots
    assert bots is not None
    command = {**bots().beginning(players, seed), **HIDING[game]}
    return tables.start(Request(command, "banker", "tap"))


def give(table: Table, **command: Any) -> Json:
    """Let the banker give a command."""
    return table.submit(Request(command, "banker", "tap"))


def play_hidden(table: Table, seed: int, most: int = 400) -> Iterator[int]:
    """Play on with the simplest bots; count money, take back and amend now and then.  Yields after each act."""
    loaded, chance = table.game, random.Random(seed)
    manifest = loaded.manifest
    assert manifest.bots is not None
    assert table.position is not None
    bots, cards = manifest.bots(), loaded.cards
    piles = bots.shuffled(cards.in_use(table.position.state), seed)
    strengths = dict.fromkeys(table.names(), bots.strengths[0])
    for number in range(most):
        act = bots.next_act(table.position, piles, strengths, chance.randrange)
        if act is None:
            return
        table.submit(Request(loaded.codec.command_json(act.command), "banker", "tap"))
        if number % BETWEEN_COUNTS == 0 and manifest.name in COUNTED:
            count_all(table)
        yield number


def counted_players(table: Table) -> tuple[str, ...]:
    """Return the players whose money is counted: all but the one who sits last."""
    assert table.overview is not None
    return table.overview.seats[:-1]


def count_all(table: Table) -> None:
    """Count the money of all but the last player, and put one count right; take one back, and do it again."""
    first, *others = counted_players(table)
    amount = COUNTED[table.game.name]
    for player in (first, *others):
        give(table, do="count_cash", player=player, amount=amount)
    corrected = {"do": "count_cash", "player": first, "amount": amount}
    give(table, do="amend", seq=table.version, **{"with": corrected}, confirm=True)
    give(table, do="undo")
    give(table, do="redo")
    give(table, do="undo")
