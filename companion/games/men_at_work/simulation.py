"""Bots at a whole table: the pile shuffled, the seats taken, and what happens next, for whoever lets them play."""

import random
from collections.abc import Mapping

from companion.engine.game import NumberSource
from companion.game_api.capabilities import Act, HouseRuleBots
from companion.games.men_at_work.bots.hands import TREMBLING, next_act
from companion.games.men_at_work.bots.piles import ShuffledPile
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.house_rules import VARIANTS, Rules
from companion.games.men_at_work.rules.phases import phase_of
from companion.games.men_at_work.rules.state import GamePosition, State

SEATS = ("blue", "yellow", "red", "green", "grey")


class MenAtWorkBots(HouseRuleBots):
    """Plays Men at Work."""

    game = "men_at_work"
    seats = SEATS
    rules = Rules
    variants = VARIANTS
    strengths = tuple(TREMBLING)

    def shuffled(self, catalog: Catalog, seed: int) -> ShuffledPile:
        """Shuffle the instructions of a box."""
        cards = [card.id for card in catalog.cards]
        lots = random.Random(seed)  # noqa: S311 - a shuffle that can be repeated, no secret
        return ShuffledPile(seed, tuple(lots.sample(cards, len(cards))))

    def next_act(
        self, position: GamePosition, piles: ShuffledPile, strengths: Mapping[str, str], below: NumberSource
    ) -> Act | None:
        """Return what happens next, and which cards are laid for it."""
        state = position.state
        strength = strengths.get(state.active, self.strengths[-1])
        move = next_act(state, piles, strength, _lots(state, piles.seed, below(1_000)).randrange)
        return None if move is None else Act(*move)

    def figures(self, position: GamePosition, player: str) -> dict[str, int]:
        """Return certificates and awards together, then each."""
        player_state = position.state.player(player)
        total = player_state.certificates + player_state.awards
        return {"total": total, "certificates": player_state.certificates, "awards": player_state.awards}


def _lots(state: State, *more: int) -> random.Random:
    """Draw from what lies there: a table without lots of its own has chance too, and the same table the same lot."""
    figures = (state.turn, state.deck, sum(state.site.values()), len(state.discard), phase_of(state), state.accident)
    return random.Random(repr((*figures, *more)))  # noqa: S311 - a game that can be repeated, no secret
