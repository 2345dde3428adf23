"""What is laid ready before the first hire (rules, preparation), and which cards show that it is."""

from collections.abc import Collection, Mapping

from companion.game_api.capabilities import PreparationStep
from companion.games.master_builder.rules.catalog import RANK
from companion.games.master_builder.rules.setup import BOXED_WITH_TWO, ECONOMY_DECK, EVENT_HAND, START_CASH
from companion.games.master_builder.rules.state import FEWEST, GamePosition, Hire, State

PILES: Mapping[str, str] = {"workers": "W", "contracts": "C", "events": "E", "economy": "Y"}
"""Steps whose piles cards can show, by the letter of the cards' ids."""


def is_due(position: GamePosition) -> bool:
    """Return whether the table still waits for its first hire."""
    state = position.state
    bare = not any(player.crew or player.contracts for player in state.players)
    return state.round == 1 and isinstance(state.phase, Hire) and bare


def steps(position: GamePosition, seen: Collection[str]) -> list[PreparationStep]:
    """Return what is laid ready, in an order in which several people can help, and what of it the cards seen show."""
    state = position.state
    types = {card.id: card.type for card in state.catalog.workers}
    return [PreparationStep(name, count, *piles_shown(name, seen, types)) for name, count in _figures(state).items()]


def _figures(state: State) -> dict[str, int]:
    """Return the figure of each step; 0 where it has none."""
    players = len(state.seats)
    return {
        "sections": 0,
        "workers": 0,
        "contracts": BOXED_WITH_TWO if players == FEWEST else 0,
        "events": EVENT_HAND if "selective_events" in state.variants else 0,
        "economy": ECONOMY_DECK,
        "money": START_CASH,
        "ious": 0,
        "markers": players,
        "mallet": 0,
    }


def piles_shown(step: str, cards: Collection[str], types: Mapping[str, str]) -> tuple[int, int]:
    """Return how many piles of a step the cards seen show, and how many it has; ``(0, 0)``: cards prove nothing.

    The workers lie in four piles by type (``types``: worker to type); any card of another pile shows that pile.
    """
    letter = PILES.get(step)
    if letter is None:
        return 0, 0
    in_view = [card for card in cards if card.startswith(letter)]
    if step != "workers":
        return min(len(in_view), 1), 1
    return len({types[card] for card in in_view if card in types}), len(RANK)
