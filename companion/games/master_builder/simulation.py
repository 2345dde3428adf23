"""Bots at a whole table: the box shuffled, the seats taken, and what happens next, for whoever lets them play."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from companion.game_api.capabilities import Act, Rulebook
from companion.games.master_builder.bots.dealer import next_act
from companion.games.master_builder.bots.piles import Piles
from companion.games.master_builder.bots.strengths import STRENGTHS
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.commands import (
    Command,
    FireWorker,
    HireWorker,
    OpenAuction,
    RevealContracts,
    TurnEconomy,
    TurnEvent,
)
from companion.games.master_builder.rules.house_rules import VARIANTS, chosen_rules, chosen_variants, values_by_key
from companion.games.master_builder.rules.reading import CONTRACTS, MARKET
from companion.games.master_builder.rules.reckoning import standings
from companion.games.master_builder.rules.seats import PlayerId
from companion.games.master_builder.rules.state import Here

COLOURS: tuple[PlayerId, ...] = ("blue", "yellow", "red", "green")
NAMES = ("Ada", "Ben", "Cleo", "Dan")
GAME: Literal["master_builder"] = "master_builder"


class MasterBuilderBots:
    """Plays Master Builder."""

    strengths = tuple(STRENGTHS)

    def shuffled(self, catalog: Catalog, seed: int) -> Piles:
        """Shuffle the piles of a box."""
        lots = random.Random(seed)  # noqa: S311 - a shuffle that can be repeated, no secret

        def pile(cards: tuple[Any, ...]) -> tuple[str, ...]:
            return tuple(lots.sample([card.id for card in cards], len(cards)))

        return Piles(pile(catalog.contracts), pile(catalog.workers), pile(catalog.events), pile(catalog.economy))

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Seat the bots; who starts is drawn, without a seed the first one."""
        seats = COLOURS[:players]
        first = seats[0] if seed is None else random.Random(seed).choice(seats)  # noqa: S311 - a lot, no secret
        named = [{"id": seat, "name": name} for seat, name in zip(seats, NAMES, strict=False)]
        return {"do": "start_game", "game": GAME, "first": first, "players": named}

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Read ``key=value`` and ``variant`` words."""
        rules: dict[str, str | bool] = {}
        variants: list[str] = []
        for setting in settings:
            key, equals, value = setting.partition("=")
            if equals:
                rules[key] = {"true": True, "false": False}.get(value, value)
            else:
                variants.append(key)
        chosen_rules(rules)
        return {"rules": rules, "variants": list(chosen_variants(tuple(variants)))}

    def drawn_rulebook(self, lots: random.Random) -> Rulebook:
        """Draw a value for every switch, and every variant with an even chance."""
        rules = {key: lots.choice(values) for key, values in values_by_key().items()}
        return {"rules": rules, "variants": [variant for variant in VARIANTS if lots.random() < 1 / 2]}

    def next_act(
        self, position: Here, piles: Piles, strengths: Mapping[str, str], below: Callable[[int], int]
    ) -> Act | None:
        """Say what happens next, which cards are laid for it, and where."""
        bots = {player: STRENGTHS[strength] for player, strength in strengths.items()}
        act = next_act(position, piles, bots, below)
        return None if act is None else Act(act.command, act.cards, zone_for(act.command))

    def figures(self, position: Here, player: str) -> dict[str, int]:
        """Give worth, finished buildings and loans."""
        worth = next(line.worth for line in standings(position) if line.player == player)
        one = position.state.player(player)
        return {"worth": worth, "completed": len(one.completed), "loans": one.small + one.large}


def zone_for(command: Command) -> str | None:
    """Say in which zone of a mat people lay the card that gives a command; ``None``: on the scan tray."""
    match command:
        case HireWorker(player, _) | OpenAuction(player, _, _):
            return player
        case FireWorker():
            return MARKET
        case RevealContracts():
            return CONTRACTS
        case TurnEvent():
            return "event"
        case TurnEconomy():
            return "economy"
        case _:
            return None
