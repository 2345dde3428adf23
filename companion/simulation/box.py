"""A box of Master Builder, shuffled and set up by a seed."""

import random
from typing import Any, Literal

from companion.games.master_builder.bots.piles import Piles
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.seats import PlayerId

COLOURS: tuple[PlayerId, ...] = ("blue", "yellow", "red", "green")
NAMES = ("Ada", "Ben", "Cleo", "Dan")
GAME: Literal["master_builder"] = "master_builder"


def shuffled(catalog: Catalog, seed: int) -> Piles:
    """Shuffle the piles of a box."""
    lots = random.Random(seed)  # noqa: S311 - a shuffle that can be repeated, no secret

    def pile(cards: tuple[Any, ...]) -> tuple[str, ...]:
        return tuple(lots.sample([card.id for card in cards], len(cards)))

    return Piles(pile(catalog.contracts), pile(catalog.workers), pile(catalog.events), pile(catalog.economy))


def start_command(players: int, seed: int) -> dict[str, Any]:
    """Seat the bots; who starts is drawn."""
    seats = COLOURS[:players]
    first = random.Random(seed).choice(seats)  # noqa: S311 - a lot that can be repeated, no secret
    named = [{"id": seat, "name": name} for seat, name in zip(seats, NAMES, strict=False)]
    return {"do": "start_game", "game": GAME, "first": first, "players": named}
