"""Bots at a whole table: the pile shuffled, the seats taken, and what happens next, for whoever lets them play."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from companion.game_api.capabilities import Act, Rulebook
from companion.games.men_at_work.bots.hands import TREMBLING, next_act
from companion.games.men_at_work.bots.piles import Piles
from companion.games.men_at_work.rules.catalog import Catalog
from companion.games.men_at_work.rules.house_rules import VARIANTS, chosen_rules, chosen_variants, values_by_key
from companion.games.men_at_work.rules.moments import phase_of
from companion.games.men_at_work.rules.state import Here, State

SEATS = ("blue", "yellow", "red", "green", "grey")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
GAME: Literal["men_at_work"] = "men_at_work"


class MenAtWorkBots:
    """Plays Men at Work."""

    strengths = tuple(TREMBLING)

    def shuffled(self, catalog: Catalog, seed: int) -> Piles:
        """Shuffle the instructions of a box."""
        cards = [card.id for card in catalog.cards]
        lots = random.Random(seed)  # noqa: S311 - a shuffle that can be repeated, no secret
        return Piles(seed, tuple(lots.sample(cards, len(cards))))

    def beginning(self, players: int, seed: int | None = None) -> dict[str, Any]:
        """Seat the bots; who starts is drawn, without a seed the first one."""
        seats = SEATS[:players]
        first = seats[0] if seed is None else random.Random(seed).choice(seats)  # noqa: S311 - a lot, no secret
        named = [{"id": seat, "name": name} for seat, name in zip(seats, NAMES, strict=False)]
        return {"do": "start_game", "game": GAME, "first": first, "players": named}

    def rulebook(self, settings: Sequence[str]) -> Rulebook:
        """Read ``key=value`` and ``variant`` words."""
        rules: dict[str, str | bool | int] = {}
        variants: list[str] = []
        for setting in settings:
            key, equals, value = setting.partition("=")
            if equals:
                known = {str(one).lower(): one for one in values_by_key().get(key, ())}
                rules[key] = known.get(value, value)
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
        """Say what happens next, and which cards are laid for it."""
        state = position.state
        strength = strengths.get(state.active, self.strengths[-1])
        move = next_act(state, piles, strength, _lots(state, piles.seed, below(1_000)).randrange)
        return None if move is None else Act(*move)

    def figures(self, position: Here, player: str) -> dict[str, int]:
        """Give certificates and awards together, then each."""
        one = position.state.player(player)
        total = one.certificates + one.awards
        return {"total": total, "certificates": one.certificates, "awards": one.awards}


def _lots(state: State, *more: int) -> random.Random:
    """Draw from what lies there: a table without lots of its own has chance too, and the same table the same lot."""
    figures = (state.turn, state.deck, sum(state.site.values()), len(state.discard), phase_of(state), state.accident)
    return random.Random(repr((*figures, *more)))  # noqa: S311 - a game that can be repeated, no secret
