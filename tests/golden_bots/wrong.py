"""Draws commands of every kind with whatever may stand in their fields, and says which of them a table would refuse."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from typing import Any

from companion.engine.game import Refused
from companion.game_api.messages import verb_of
from companion.service.table.table import Table

Json = dict[str, Any]
Pool = Mapping[str, Sequence[Any]]
"""What may stand in a field, by its name."""


def refusal_of(table: Table, command: Json) -> str | None:
    """Return which rule would refuse a command now, without giving it; ``None``: none would."""
    try:
        table.game.rules.decide(table.position, table.game.codec.command(command))
    except Refused as refused:
        return refused.rule
    return None


def drawn_commands(lots: random.Random, kinds: Sequence[type], pool: Pool, times: int) -> Iterator[Json]:
    """Draw commands, each of any kind; a field that may be left out is, half of the time."""
    playable = [kind for kind in kinds if verb_of(kind) not in ("start_game", "take_over")]
    for _ in range(times):
        kind = lots.choice(playable)
        command: Json = {"do": verb_of(kind)}
        for field in fields(kind):
            needed = field.default is MISSING and field.default_factory is MISSING
            name = field.name.rstrip("_")
            if needed or lots.random() < 0.5:
                command[name] = lots.choice(pool[name])
        yield command
