"""The pile as it would lie on the table: hands, instructions in the order in which they come, the boss among them."""

from dataclasses import dataclass

from companion.games.men_at_work.rules.catalog import BOSS, PLAIN, Catalog
from companion.games.men_at_work.rules.state import HAND, State


@dataclass(frozen=True, slots=True)
class ShuffledPile:
    """All instructions in an order, and the seed by which they were shuffled.

    The first two cards a player are in the hands, where there are any.  After the discard was shuffled again the cards
    come in the same order: nobody can tell.
    """

    seed: int
    order: tuple[str, ...]

    def hand(self, state: State, player: str) -> tuple[str, ...]:
        """Return the cards that a player still holds."""
        if "foreman" not in state.variants:
            return ()
        seat = state.seats.index(player)
        dealt = self.order[HAND * seat : HAND * (seat + 1)]
        return tuple(card for card in dealt if card not in state.seen)[: state.player(player).hand]

    def pile(self, state: State) -> tuple[str, ...]:
        """Return the cards of the pile, the top one first."""
        in_hands = {card for player in state.seats for card in self.hand(state, player)}
        away = {*in_hands, *state.discard, *state.on_pile}
        rest = [card for card in self.order if card not in away]
        if not state.on_duty:
            turned = len(state.seen) - sum(card in state.on_pile for card in state.seen)
            rest.insert(max(0, min(len(rest), state.about_after - turned)), BOSS)
        return (*reversed(state.on_pile), *rest)[: state.deck]


def back_of(catalog: Catalog, card: str) -> str:
    """Return the back of a card, ``none`` for a plain boss."""
    return catalog.boss.back if card == BOSS else catalog.back_of(card)


def shows_nothing(catalog: Catalog, card: str) -> bool:
    """Return whether a card is the boss with a plain back."""
    return back_of(catalog, card) == PLAIN
