"""Bots at a whole table: the box shuffled, the seats taken, and what happens next, for whoever lets them play."""

import random
from collections.abc import Mapping
from typing import Any

from companion.engine.game import NumberSource
from companion.game_api.capabilities import Act, HouseRuleBots
from companion.game_api.messages import Command
from companion.games.master_builder.bots.chancy import chancy
from companion.games.master_builder.bots.dealer import Piles, next_act
from companion.games.master_builder.bots.middle import middle
from companion.games.master_builder.bots.strong import strong
from companion.games.master_builder.bots.turn import Bot
from companion.games.master_builder.rules import commands as c
from companion.games.master_builder.rules.catalog import Catalog
from companion.games.master_builder.rules.house_rules import VARIANTS, Rules
from companion.games.master_builder.rules.reading import CONTRACTS, MARKET
from companion.games.master_builder.rules.scoring import standings
from companion.games.master_builder.rules.state import GamePosition, PlayerId

STRENGTHS: Mapping[str, Bot] = {"random": chancy, "middle": middle, "strong": strong}
"""``random`` takes any offer, ``middle`` plays by rules of thumb, ``strong`` thinks every choice to the end."""


COLOURS: tuple[PlayerId, ...] = ("blue", "yellow", "red", "green")


class MasterBuilderBots(HouseRuleBots):
    """Plays Master Builder."""

    game = "master_builder"
    seats = COLOURS
    rules = Rules
    variants = VARIANTS
    strengths = tuple(STRENGTHS)

    def shuffled(self, catalog: Catalog, seed: int) -> Piles:
        """Shuffle the piles of a box."""
        lots = random.Random(seed)  # noqa: S311 - a shuffle that can be repeated, no secret

        def pile(cards: tuple[Any, ...]) -> tuple[str, ...]:
            return tuple(lots.sample([card.id for card in cards], len(cards)))

        return Piles(pile(catalog.contracts), pile(catalog.workers), pile(catalog.events), pile(catalog.economy))

    def next_act(
        self, position: GamePosition, piles: Piles, strengths: Mapping[str, str], below: NumberSource
    ) -> Act | None:
        """Return what happens next, which cards are laid for it, and where."""
        bots = {player: STRENGTHS[strength] for player, strength in strengths.items()}
        act = next_act(position, piles, bots, below)
        return None if act is None else Act(act.command, act.cards, zone_for(act.command))

    def figures(self, position: GamePosition, player: str) -> dict[str, int]:
        """Return worth, finished buildings and loans."""
        worth = next(line.worth for line in standings(position) if line.player == player)
        player_state = position.state.player(player)
        return {
            "worth": worth,
            "completed": len(player_state.completed),
            "loans": player_state.small + player_state.large,
        }


def zone_for(command: Command) -> str | None:
    """Return in which zone of a mat people lay the card that gives a command; ``None``: on the scan tray."""
    match command:
        case c.HireWorker(player, _) | c.OpenAuction(player, _, _):
            return player
        case c.FireWorker():
            return MARKET
        case c.RevealContracts():
            return CONTRACTS
        case c.TurnEvent():
            return "event"
        case c.TurnEconomy():
            return "economy"
        case _:
            return None
