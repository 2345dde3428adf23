"""Bots at a whole table: dice, seats, and what happens next, for whoever lets them play."""

import random
from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.game import NumberSource
from companion.game_api.capabilities import Act, HouseRuleBots
from companion.games.monopoly_builder.bots.deals import STRENGTHS
from companion.games.monopoly_builder.bots.play import next_move
from companion.games.monopoly_builder.rules.accounting import count_of
from companion.games.monopoly_builder.rules.catalog import Catalog
from companion.games.monopoly_builder.rules.house_rules import Rules
from companion.games.monopoly_builder.rules.phases import phase_of
from companion.games.monopoly_builder.rules.scoring import points
from companion.games.monopoly_builder.rules.state import GamePosition

SEATS = ("red", "green", "yellow", "purple")


@dataclass(frozen=True, slots=True)
class DrawSeed:
    """The seed that dice and cards are drawn from."""

    seed: int


class MonopolyBuilderBots(HouseRuleBots):
    """Plays Monopoly Builder."""

    game = "monopoly_builder"
    seats = SEATS
    rules = Rules
    strengths = tuple(STRENGTHS)

    def shuffled(self, catalog: Catalog, seed: int) -> DrawSeed:
        """Keep the seed: what is drawn is drawn when it comes to that."""
        del catalog
        return DrawSeed(seed)

    def next_act(
        self, position: GamePosition, piles: DrawSeed, strengths: Mapping[str, str], below: NumberSource
    ) -> Act | None:
        """Return what happens next, and which cards are laid for it."""
        bots = {player: STRENGTHS[strength] for player, strength in strengths.items()}
        move = next_move(position, bots, _lots(position, piles.seed, below(1_000)).randrange)
        return None if move is None else Act(*move)

    def figures(self, position: GamePosition, player: str) -> dict[str, int]:
        """Return points, money and how many buildings."""
        mine = next(score for score in points(position) if score.player == player)
        buildings = sum(building.owner == player for building in position.state.board)
        return {"points": mine.points, "cash": mine.cash, "buildings": buildings}


def _lots(position: GamePosition, *more: int) -> random.Random:
    """Draw from what lies there: a table without lots of its own has chance too, and the same table the same lot."""
    state = position.state
    money = tuple(amount for _, amount in position.ledger.balances)
    counts = tuple(count_of(position, player) for player in state.seats)
    figures = (state.turn, state.dice, phase_of(state), len(state.board), money, counts, len(state.claims))
    return random.Random(repr((*figures, *more)))  # noqa: S311 - a game that can be repeated, no secret
